import { element } from "../common/element.ts";
import { attempt, toast } from "../common/toast.ts";
import { rename } from "../tree/changes.ts";
import { type Place, placeOf } from "../tree/place.ts";
import { itemOf } from "../tree/tree.ts";

/** The title of a page of one's own becomes a field where it stands. */
export function startRename(): void {
  const title = document.querySelector<HTMLElement>("[data-rename]");
  const place = title && placeOf(title);
  if (!title || !place) return;
  const button = element("button", { type: "button", class: "title-edit", title: "Rename" }, "Rename");
  button.addEventListener("click", () => edit(title, button, place));
  title.addEventListener("dblclick", () => edit(title, button, place));
  title.closest("h1")?.after(button);
  if (new URLSearchParams(location.search).has("rename")) {
    history.replaceState(null, "", location.pathname);
    edit(title, button, place);
  }
}

function edit(title: HTMLElement, button: HTMLElement, place: Place): void {
  const before = title.textContent ?? "";
  const field = element("input", { class: "title-field", value: before, maxlength: 500, "aria-label": "Title" });
  let isDone = false;
  const finish = (keep: boolean) => {
    if (isDone) return;
    isDone = true;
    const text = field.value.trim();
    field.replaceWith(title);
    // Whoever named a new page goes on to write it.
    (document.querySelector<HTMLElement>('.ProseMirror[contenteditable="true"], .grid[tabindex]') ?? button).focus();
    if (keep && text !== "" && text !== before) attempt(() => save(title, place, text, before));
  };
  field.addEventListener("keydown", (event) => {
    // The button that gets the focus must not take the key for a press.
    if (event.key === "Enter" || event.key === "Escape") event.preventDefault();
    if (event.key === "Enter") finish(true);
    if (event.key === "Escape") finish(false);
  });
  field.addEventListener("blur", () => finish(true));
  title.replaceWith(field);
  field.focus();
  field.select();
}

async function save(title: HTMLElement, place: Place, text: string, before: string): Promise<void> {
  await rename(place, text);
  show(title, place, text);
  toast(`Renamed to “${text}”.`, async () => {
    await rename(place, before);
    show(title, place, before);
  });
}

function show(title: HTMLElement, place: Place, text: string): void {
  title.textContent = text;
  document.title = document.title.replace(/^.*( · )/s, `${text}$1`);
  const item = itemOf(place);
  const name = item?.querySelector(".tree-name");
  if (item) item.dataset.name = text;
  if (name) name.textContent = text;
}
