import { attempt } from "../common/toast.ts";

/** The palette is an island of its own: pages arrive without it. */
const load = (): Promise<{ openPalette: (typed: string) => void }> =>
  import(new URL("palette.js", import.meta.url).href);

/** Letters that are typed while the palette is on its way are for its field. */
async function open(): Promise<void> {
  let typed = "";
  const keep = (event: KeyboardEvent) => {
    if (event.key.length > 1 || event.ctrlKey || event.metaKey) return;
    typed += event.key;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  addEventListener("keydown", keep, true);
  await attempt(async () => (await load()).openPalette(typed));
  removeEventListener("keydown", keep, true);
}

/** Ctrl+K or ⌘K, which means the palette wherever nobody else has taken it. */
export const isPaletteKey = ({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === "k" && (ctrlKey || metaKey) && !shiftKey && !altKey;

export function startPalette(): void {
  if (!document.getElementById("side")) return;
  for (const button of document.querySelectorAll("[data-palette]")) button.addEventListener("click", open);
  document.addEventListener("keydown", (event) => {
    // The first half of the shortcut: by the second one the palette is there.
    if (event.key === "Control" || event.key === "Meta") load().catch(() => undefined);
    if (event.defaultPrevented || !isPaletteKey(event)) return;
    event.preventDefault();
    open();
  });
}
