import { attempt } from "./toast.ts";

/** The palette is an island of its own: pages arrive without it. */
const load = (): Promise<{ openPalette: () => void }> => import(new URL("palette.js", import.meta.url).href);

const open = (): Promise<void> => attempt(async () => (await load()).openPalette());

export function startPalette(): void {
  if (!document.getElementById("side")) return;
  for (const button of document.querySelectorAll("[data-palette]")) button.addEventListener("click", open);
  document.addEventListener("keydown", (event) => {
    // The first half of the shortcut: by the second one the palette is there.
    if (event.key === "Control" || event.key === "Meta") load().catch(() => undefined);
    if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
    event.preventDefault();
    open();
  });
}
