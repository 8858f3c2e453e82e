import { api, mayWrite } from "./api.ts";
import { at, here } from "./base-path.ts";
import {
  containerOf,
  copy,
  createDocument,
  createFolder,
  discard,
  inContainer,
  move,
  rename,
  restore,
} from "./changes.ts";
import { chooseContainer } from "./choose-container.ts";
import { element } from "./element.ts";
import { type Action, openMenu } from "./menu.ts";
import { addressOf, type Container, type Place, placeOf } from "./place.ts";
import { attempt, toast, toastAfter } from "./toast.ts";
import { itemOf, open, refresh } from "./tree.ts";

/** The menu of one thing in the tree. */
export function openPlaceMenu(item: HTMLElement, at: DOMRect): void {
  const place = placeOf(item);
  if (place) openMenu(`Actions for ${place.name}`, actionsFor(item, place), at, item);
}

function actionsFor(item: HTMLElement, place: Place): Action[] {
  const copyLink = { label: "Copy link", run: () => copyAddress(place) };
  if (!mayWrite()) return [copyLink, ...exportOf(place)];
  const change = { label: "Rename", run: () => renameInTree(item) };
  if (place.kind === "base") return [...makeIn(place), change, copyLink, ...exportOf(place)];
  const shared = [
    change,
    { label: "Move to…", run: () => chooseAndMove(place) },
    ...(place.kind === "document" ? documentActions(place) : []),
    copyLink,
    ...exportOf(place),
    { label: "Delete", isDanger: true, run: () => discardFromTree(item) },
  ];
  return place.kind === "folder" ? [...makeIn(place), ...shared] : shared;
}

const makeIn = (place: Container): Action[] => [
  { label: "New page", run: () => makePage(place, "document") },
  { label: "New page from a template…", run: () => makeFromTemplate(place) },
  { label: "New spreadsheet", run: () => makePage(place, "spreadsheet") },
  { label: "New folder", run: () => makeFolder(place) },
];

const documentActions = (place: Extract<Place, { kind: "document" }>): Action[] => [
  { label: "Make a copy", run: () => duplicate(place) },
  { label: "Add to favourites", run: () => favourite(place) },
];

/** A link to the API's own answer, which the browser saves. */
const exportOf = (place: Place): Action[] => {
  if (place.kind === "folder") return [];
  const path =
    place.kind === "base" ? `knowledge-bases/${place.id}/export` : `documents/${place.id}/content?format=markdown`;
  const name = place.kind === "base" ? "" : `${place.name}.md`;
  const save = () => element("a", { href: at(`/app/api/v1/${path}`), download: name }).click();
  return [{ label: place.kind === "base" ? "Export" : "Export as Markdown", run: save }];
};

async function copyAddress(place: Place): Promise<void> {
  try {
    await navigator.clipboard.writeText(location.origin + addressOf(place));
    toast("Link copied.");
  } catch {
    toast(location.origin + addressOf(place));
  }
}

export const makePage = (at: Container, type: "document" | "spreadsheet"): Promise<void> =>
  attempt(async () => {
    const id = await createDocument(at, type, type === "document" ? "Untitled" : "Untitled spreadsheet");
    location.assign(`${addressOf({ kind: "document", id })}${type === "document" ? "/edit" : ""}?rename=1`);
  });

/** The templates are asked for when the menu is opened: most places have none. */
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
    const isPage = data.document_type === "document";
    location.assign(`${addressOf({ kind: "document", id: data.id })}${isPage ? "/edit" : ""}?rename=1`);
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

const duplicate = (place: Extract<Place, { kind: "document" }>): Promise<void> =>
  attempt(async () => {
    const id = await copy(place.id, `${place.name} (copy)`);
    await refresh(await containerOf({ ...place, id }));
    toast(`Copied to “${place.name} (copy)”.`);
  });

const favourite = (place: Extract<Place, { kind: "document" }>): Promise<void> =>
  attempt(async () => {
    await api.put("/me/favourites/{id}", { path: { id: place.id } });
    toastAfter(`“${place.name}” is one of your favourites.`);
    location.reload();
  });

async function chooseAndMove(place: Exclude<Place, { kind: "base" }>): Promise<void> {
  const to = await chooseContainer(`Move “${place.name}” to`, place);
  if (to) await moveWithUndo(place, to);
}

export const moveWithUndo = (place: Exclude<Place, { kind: "base" }>, to: Container): Promise<void> =>
  attempt(async () => {
    const from = await containerOf(place);
    if (from.kind === to.kind && from.id === to.id) return;
    const settle = async () => {
      await refresh(from);
      await refresh(to);
      if (isShown(place)) location.reload();
    };
    await move(place, to);
    const back = async () => {
      await move(place, from);
      await settle();
    };
    if (isShown(place)) toastAfter(`Moved to “${to.name}”.`);
    else toast(`Moved “${place.name}” to “${to.name}”.`, back);
    await settle();
  });

/** This page is about it. */
const isShown = (place: Place): boolean => here().split("/")[2] === String(place.id);

export const discardFromTree = (item: HTMLElement): Promise<void> =>
  attempt(async () => {
    const place = placeOf(item);
    if (!place || place.kind === "base" || !mayWrite()) return;
    const from = await containerOf(place);
    const trashed = await discard(place);
    const text = trashed ? `Moved “${place.name}” to the trash.` : `Deleted “${place.name}”.`;
    if (isShown(place)) {
      toastAfter(text, trashed);
      location.assign(addressOf(from));
      return;
    }
    await refresh(from);
    itemOf(from)?.focus();
    toast(
      text,
      trashed
        ? async () => {
            await restore(trashed);
            await refresh(from);
          }
        : undefined,
    );
  });

/** The name becomes a field in its place: Enter keeps, Escape does not. */
export function renameInTree(item: HTMLElement): void {
  const place = placeOf(item);
  const name = item.querySelector<HTMLElement>(".tree-name");
  if (!place || !name || !mayWrite()) return;
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
    if (keep && text !== "" && text !== place.name) attempt(() => renameTo(item, name, place, text));
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

async function renameTo(item: HTMLElement, name: HTMLElement, place: Place, text: string): Promise<void> {
  await rename(place, text);
  name.textContent = text;
  item.dataset.name = text;
  toast(`Renamed to “${text}”.`, async () => {
    await rename({ ...place, name: text }, place.name);
    name.textContent = place.name;
    item.dataset.name = place.name;
    if (isShown(place)) location.reload();
  });
  for (const title of isShown(place) ? document.querySelectorAll("[data-title]") : []) title.textContent = text;
}
