import { attempt } from "../common/toast.ts";

/** The palette is an island of its own: pages arrive without it. */
const load = (): Promise<{ openPalette: () => void }> => import(new URL("palette.js", import.meta.url).href);

const open = (): Promise<void> => attempt(async () => (await load()).openPalette());

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
