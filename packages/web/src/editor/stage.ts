/** Where menus and bars of the editor stand: within the page's main part, as its readers expect. */
export const stage = (): HTMLElement => document.querySelector("main") ?? document.body;

/** Where menus and bars may stand: between the page's bars, and not below a phone's keyboard. */
export function openArea(): { readonly top: number; readonly bottom: number } {
  const edges = (selector: string) => document.querySelector(selector)?.getBoundingClientRect();
  const dock = edges(".editor-dock");
  const view = visualViewport;
  const end = view ? view.offsetTop + view.height : innerHeight;
  return {
    top: Math.max(0, edges(".bar-phone")?.bottom ?? 0, edges(".editor-bar")?.bottom ?? 0),
    bottom: dock && dock.height > 0 ? Math.min(dock.top, end) : end,
  };
}

/** Room around the caret's line that scrolling leaves free, in pixels: the tools at the lower edge cover nothing. */
export const scrollRoom = (top: number) => ({
  top,
  right: 5,
  bottom: matchMedia("(max-width: 70rem)").matches ? 120 : 40,
  left: 5,
});

/** What the page shows until the editor is there says how its text looks: numbers of headings, for one. */
export const classOfText = (root: HTMLElement): string => root.querySelector("article")?.className ?? "prose";
