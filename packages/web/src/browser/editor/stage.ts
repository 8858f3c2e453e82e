/** The parent of the editor's menus and bars: the page's main part, as screen readers expect. */
export const stage = (): HTMLElement => document.querySelector("main") ?? document.body;

/** The area for menus and bars: between the page's bars, and above a phone's keyboard. */
export function openArea(): { readonly top: number; readonly bottom: number } {
  const edges = (selector: string) => document.querySelector(selector)?.getBoundingClientRect();
  const dock = edges(".editor-dock");
  const view = visualViewport;
  const end = view ? view.offsetTop + view.height : innerHeight;
  return {
    top: Math.max(0, edges(".bar-phone")?.bottom ?? 0, edges(".page-bar")?.bottom ?? 0),
    bottom: dock && dock.height > 0 ? Math.min(dock.top, end) : end,
  };
}

/** The margin in pixels that scrolling leaves around the caret's line, so that tools at the bottom cover nothing. */
export const scrollRoom = (top: number) => ({
  top,
  right: 5,
  bottom: matchMedia("(max-width: 70rem)").matches ? 120 : 40,
  left: 5,
});

/** The class of the text before the editor has loaded, for example for numbered headings. */
export const classOfText = (root: HTMLElement): string => root.querySelector("article")?.className ?? "prose";
