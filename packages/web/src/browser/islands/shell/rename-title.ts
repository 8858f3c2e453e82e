import { element } from "../common/element.ts";
import { attempt, toast } from "../common/toast.ts";
import { rename } from "../tree/changes.ts";
import { type TreeItem, treeItemOf } from "../tree/tree-item.ts";
import { showName } from "./show-name.ts";

/** Turns the title of an editable page into a field. */
export function startRename(): void {
  const title = document.querySelector<HTMLElement>("[data-rename]");
  const place = title && treeItemOf(title);
  const button = document.querySelector<HTMLElement>("[data-rename-button]");
  if (!title || !place || !button) return;
  button.addEventListener("click", () => {
    button.closest<HTMLElement>("[popover]")?.hidePopover();
    edit(title, button, place);
  });
  title.addEventListener("click", () => {
    if (getSelection()?.isCollapsed !== false) edit(title, button, place);
  });
  if (new URLSearchParams(location.search).has("rename")) {
    history.replaceState(null, "", location.pathname);
    edit(title, button, place);
  }
}

function edit(title: HTMLElement, button: HTMLElement, place: TreeItem): void {
  const before = title.textContent ?? "";
  const field = element("input", { class: "title-field", value: before, maxlength: 500, "aria-label": "Title" });
  let isDone = false;
  const finish = (keep: boolean) => {
    if (isDone) return;
    isDone = true;
    const text = field.value.trim();
    field.replaceWith(title);
    // After naming a new page, the person continues with its text.
    (document.querySelector<HTMLElement>('.ProseMirror[contenteditable="true"], .grid[tabindex]') ?? button).focus();
    if (keep && text !== "" && text !== before) attempt(() => save(place, text, before));
  };
  field.addEventListener("keydown", (event) => {
    // The button that gets the focus must not receive the key.
    if (event.key === "Enter" || event.key === "Escape") event.preventDefault();
    if (event.key === "Enter") finish(true);
    if (event.key === "Escape") finish(false);
  });
  field.addEventListener("blur", () => finish(true));
  title.replaceWith(field);
  field.focus();
  field.select();
}

async function save(place: TreeItem, text: string, before: string): Promise<void> {
  await rename(place, text);
  showName(place, text);
  toast(`Renamed to “${text}”.`, async () => {
    await rename(place, before);
    showName(place, before);
  });
}
