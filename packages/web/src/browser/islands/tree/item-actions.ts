import { api, mayWriteAt, mayWriteSomewhere } from "../common/api.ts";
import { at } from "../common/base-path.ts";
import { element } from "../common/element.ts";
import { type Action, openMenu } from "../common/menu.ts";
import { attempt, toast, toastAfter } from "../common/toast.ts";
import { refreshList } from "../shell/list-refresh.ts";
import { showName } from "../shell/show-name.ts";
import { containerOf, copy, createDocument, createFolder, inContainer, rename, setOrder } from "./changes.ts";
import { copyTo, discardAll, moveTo } from "./many.ts";
import { moveByOne } from "./reorder.ts";
import { choose, clearSelection, isSelected, selected } from "./selection.ts";
import { itemOf, open, refresh } from "./tree.ts";
import { addressOf, type Container, type Movable, type TreeItem, treeItemOf } from "./tree-item.ts";

/** Opens the menu of a tree item. */
export function openItemMenu(item: HTMLElement, at: DOMRect): void {
  const place = treeItemOf(item);
  if (place && isMany(place)) openMenu(`Actions for ${selected().length} items`, actionsForAll(), at, item);
  else if (place) openMenu(`Actions for ${place.name}`, actionsFor(item, place), at, item);
}

/** Whether it is one of several selected items. */
const isMany = (place: TreeItem): boolean => place.kind !== "base" && selected().length > 1 && isSelected(place);

const actionsForAll = (): Action[] => {
  const places = selected();
  const run = (action: (all: Movable[]) => Promise<void>) => () => void action(places).then(clearSelection);
  return [
    { label: `Move ${places.length} to…`, run: run(moveTo) },
    { label: `Copy ${places.length} to…`, run: run(copyTo) },
    { label: "Clear selection", run: clearSelection },
    { label: `Delete ${places.length}`, isDanger: true, run: run(discardAll) },
  ];
};

/** The subjects of an action on a tree item: the whole selection, or the item alone. */
export function aboutOf(item: HTMLElement): Movable[] {
  const place = treeItemOf(item);
  if (!place || place.kind === "base" || !mayWriteAt(item)) return [];
  return isMany(place) ? selected() : [place];
}

function actionsFor(item: HTMLElement, place: TreeItem): Action[] {
  const copyLink = { label: "Copy link", run: () => copyAddress(place) };
  if (!mayWriteAt(item)) return [...readerActions(place), copyLink, ...exportOf(place)];
  const change = { label: "Rename", run: () => renameInTree(item) };
  const access = { label: "Permissions…", run: () => location.assign(`${addressOf(place)}/access`) };
  if (place.kind === "base") return [...makeIn(place), change, sortByName(place), copyLink, ...exportOf(place), access];
  const shared = [
    change,
    { label: isSelected(place) ? "Deselect" : "Select", run: () => choose(item) },
    { label: "Move up", run: () => moveByOne(item, -1) },
    { label: "Move down", run: () => moveByOne(item, 1) },
    { label: "Move to…", run: () => moveTo([place]) },
    copyElsewhere(place),
    ...(place.kind === "document" ? documentActions(place) : []),
    copyLink,
    ...exportOf(place),
    { label: "Delete", isDanger: true, run: () => discardAll([place]) },
  ];
  return place.kind === "folder" ? [...makeIn(place), sortByName(place), ...shared] : shared;
}

const copyElsewhere = (place: Movable): Action => ({ label: "Copy to…", run: () => copyTo([place]) });

/** Actions that need no right to write. */
const readerActions = (place: TreeItem): Action[] => [
  ...(place.kind !== "base" && mayWriteSomewhere() ? [copyElsewhere(place)] : []),
  ...(place.kind === "document" ? [addToFavourites(place)] : []),
];

/** Sorts a container again in the order of names. */
const sortByName = (place: Container): Action => ({
  label: "Sort by name",
  run: () =>
    attempt(async () => {
      await setOrder(place, "name");
      await refresh(place);
      toast(`“${place.name}” is sorted by name.`);
    }),
});

const makeIn = (place: Container): Action[] => [
  { label: "New page", run: () => makePage(place, "document") },
  { label: "New page from a template…", run: () => makeFromTemplate(place) },
  { label: "New spreadsheet", run: () => makePage(place, "spreadsheet") },
  { label: "New folder", run: () => makeFolder(place) },
];

const documentActions = (place: Extract<TreeItem, { kind: "document" }>): Action[] => [
  { label: "New page below", run: () => makePageBelow(place) },
  { label: "Make a copy", run: () => duplicate(place) },
  addToFavourites(place),
];

const addToFavourites = (place: Extract<TreeItem, { kind: "document" }>): Action => ({
  label: "Add to favourites",
  run: () => favourite(place),
});

/** Downloads the API's own export. */
const exportOf = (place: TreeItem): Action[] => {
  const paths = {
    base: `knowledge-bases/${place.id}/export`,
    folder: `folders/${place.id}/export`,
    document: `documents/${place.id}/content?format=markdown`,
  };
  const path = paths[place.kind];
  const name = place.kind === "document" ? `${place.name}.md` : "";
  const save = () => element("a", { href: at(`/app/api/v1/${path}`), download: name }).click();
  return [{ label: place.kind === "document" ? "Export as Markdown" : "Export", run: save }];
};

async function copyAddress(place: TreeItem): Promise<void> {
  try {
    await navigator.clipboard.writeText(location.origin + addressOf(place));
    toast("Link copied.");
  } catch {
    toast(location.origin + addressOf(place));
  }
}

/** Makes a page below a page, or in a folder or knowledge base, and opens it. */
const makePageBelow = (place: TreeItem): Promise<void> =>
  place.kind === "document"
    ? attempt(async () => {
        const { data } = await api.post("/documents/{id}/subpages", {
          path: { id: place.id },
          body: { title: "Untitled" },
        });
        location.assign(`${addressOf({ kind: "document", id: data.id })}/edit?rename=1`);
      })
    : makePage(place, "document");

const makePage = (at: Container, type: "document" | "spreadsheet"): Promise<void> =>
  attempt(async () => {
    const id = await createDocument(at, type, type === "document" ? "Untitled" : "Untitled spreadsheet");
    location.assign(`${addressOf({ kind: "document", id })}/edit?rename=1`);
  });

/** Creates a page below the one or in the container that the item stands for, ready for its title. */
export function makePageIn(item: HTMLElement): void {
  const place = treeItemOf(item);
  if (place && mayWriteAt(item)) void makePageBelow(place);
}

/** Loads the templates when the menu opens: most containers have none. */
const makeFromTemplate = (at: Container): Promise<void> =>
  attempt(async () => {
    const { data } = await api.get("/documents", { query: { is_template: true, sort: "updated_at", limit: 50 } });
    const back = itemOf(at);
    if (data.length === 0) toast("There are no templates yet. Open a page and choose “Use as a template”.");
    else if (back)
      openMenu(
        "Templates",
        data.map(({ id, title }) => ({ label: title, run: () => makeCopyOf(id, at) })),
        back.getBoundingClientRect(),
        back,
      );
  });

const makeCopyOf = (template: string, at: Container): Promise<void> =>
  attempt(async () => {
    const body = await inContainer(at);
    const { data } = await api.post("/documents/{id}/copy", { path: { id: template }, body });
    location.assign(`${addressOf({ kind: "document", id: data.id })}/edit?rename=1`);
  });

const makeFolder = (at: Container): Promise<void> =>
  attempt(async () => {
    const id = await createFolder(at, "New folder");
    const parent = itemOf(at);
    if (parent) await open(parent);
    const made = itemOf({ kind: "folder", id });
    if (made) renameInTree(made);
    else location.assign(addressOf({ kind: "folder", id }));
  });

export const duplicate = (place: Extract<TreeItem, { kind: "document" }>): Promise<void> =>
  attempt(async () => {
    const id = await copy(place.id, `${place.name} (copy)`);
    await refresh(await containerOf({ ...place, id }));
    toast(`Copied to “${place.name} (copy)”.`);
  });

const favourite = (place: Extract<TreeItem, { kind: "document" }>): Promise<void> =>
  attempt(async () => {
    await api.put("/me/favourites/{id}", { path: { id: place.id } });
    toastAfter(`“${place.name}” is one of your favourites.`);
    location.reload();
  });

/** Turns the name into a field: Enter saves, Escape cancels. */
export function renameInTree(item: HTMLElement): void {
  const place = treeItemOf(item);
  const name = item.querySelector<HTMLElement>(".tree-name");
  if (!place || !name || !mayWriteAt(item)) return;
  const field = element("input", { class: "tree-field", value: place.name, maxlength: 500, "aria-label": "New name" });
  const stop = (event: Event) => event.preventDefault();
  let isDone = false;
  const finish = (keep: boolean) => {
    if (isDone) return;
    isDone = true;
    item.removeEventListener("click", stop);
    const text = field.value.trim();
    field.replaceWith(name);
    item.focus();
    if (keep && text !== "" && text !== place.name) attempt(() => renameTo(place, text));
  };
  field.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Enter" || event.key === "Escape") event.preventDefault();
    if (event.key === "Enter") finish(true);
    if (event.key === "Escape") finish(false);
  });
  field.addEventListener("blur", () => finish(true));
  item.addEventListener("click", stop);
  name.replaceWith(field);
  field.focus();
  field.select();
}

async function renameTo(place: TreeItem, text: string): Promise<void> {
  await rename(place, text);
  showName(place, text);
  toast(`Renamed to “${text}”.`, async () => {
    await rename({ ...place, name: text }, place.name);
    showName(place, place.name);
    await refreshList();
  });
  await refreshList();
}
