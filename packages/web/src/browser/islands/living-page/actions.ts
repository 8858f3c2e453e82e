import { startEditing } from "./edit-on-click.ts";
import { EDITOR_KEYS, PAGE_SETTINGS } from "./events.ts";

/** Commands that the editor carries out. */
const inEditor: Readonly<Record<string, string>> = { settings: PAGE_SETTINGS, keys: EDITOR_KEYS };

/** Commands of the page's menu that concern the text; the tree has those that concern the page's place. */
export function startActions(): void {
  for (const button of document.querySelectorAll<HTMLElement>(".page-menu [data-page-action]"))
    button.addEventListener("click", () => {
      button.closest<HTMLElement>("[popover]")?.hidePopover();
      const event = inEditor[button.dataset.pageAction ?? ""];
      if (event !== undefined) void startEditing().then(() => document.dispatchEvent(new Event(event)));
    });
  for (const button of document.querySelectorAll<HTMLElement>("[data-print]"))
    button.addEventListener("click", () => {
      button.closest<HTMLElement>("[popover]")?.hidePopover();
      print();
    });
}
