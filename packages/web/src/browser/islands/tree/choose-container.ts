import { api, mayWriteAt } from "../common/api.ts";
import { element, icon } from "../common/element.ts";
import { attempt } from "../common/toast.ts";
import { readLevel } from "./levels.ts";
import { itemOf } from "./tree.ts";
import type { Container, TreeItem } from "./tree-item.ts";

interface Question {
  readonly title: string;
  /** The items to move: not offered as destinations. */
  readonly moving: readonly TreeItem[];
  /** The button that chooses the shown destination. */
  readonly label: string;
}

/** Asks for a knowledge base or folder, one level at a time. */
export function chooseContainer(
  title: string,
  moving: readonly TreeItem[],
  label: string,
): Promise<Container | undefined> {
  const dialog = element("dialog", { class: "dialog", "aria-labelledby": "choose-title" });
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(undefined);
    });
    const choose = (place: Container) => {
      resolve(place);
      dialog.close();
    };
    document.body.append(dialog);
    dialog.showModal();
    attempt(() => show(dialog, { title, moving, label }, [], choose));
  });
}

async function show(
  dialog: HTMLDialogElement,
  question: Question,
  path: readonly Container[],
  choose: (place: Container) => void,
): Promise<void> {
  const here = path.at(-1);
  const go = (next: readonly Container[]) =>
    attempt(async () => {
      const end = pause(dialog);
      try {
        await show(dialog, question, next, choose);
      } finally {
        end();
      }
    });
  const isOffered = (place: Container) =>
    !question.moving.some(({ kind, id }) => kind === place.kind && id === place.id);
  const list = element("ul", { class: "choices-list" });
  const add = async (cursor?: string): Promise<void> => {
    const { places, next } = await containersIn(here, cursor);
    const lines = places.filter(isOffered).map((place) => choice(place, () => go([...path, place])));
    list.append(...lines);
    if (next === null) return;
    const more = element("button", { type: "button", class: "menu-item" }, "Show more");
    more.addEventListener("click", () => {
      more.parentElement?.remove();
      attempt(async () => {
        const before = list.childElementCount;
        await add(next);
        list.children[before]?.querySelector("button")?.focus();
      });
    });
    list.append(element("li", {}, more));
  };
  await add();
  const back = element("button", { type: "button", class: "button button-small" }, "Back");
  back.addEventListener("click", () => go(path.slice(0, -1)));
  const cancel = element("button", { type: "button", class: "button", "data-cancel": "" }, "Cancel");
  cancel.addEventListener("click", () => dialog.close());
  const put = element("button", { type: "button", class: "button button-main" }, question.label);
  put.addEventListener("click", () => here && choose(here));
  put.disabled = here === undefined;
  dialog.replaceChildren(
    element("h2", { id: "choose-title" }, question.title),
    element(
      "p",
      { class: "hint" },
      path.length === 0 ? "Choose a knowledge base." : path.map(({ name }) => name).join(" / "),
    ),
    list.childElementCount > 0 ? list : element("p", { class: "empty" }, "No folders in here."),
    element("div", { class: "dialog-buttons" }, ...(here ? [back] : []), cancel, put),
  );
  (list.querySelector("button") ?? put).focus();
}

/** Until the next level has loaded, only Cancel works: the shown destination is not the chosen one. */
function pause(dialog: HTMLDialogElement): () => void {
  const buttons = [...dialog.querySelectorAll<HTMLButtonElement>("button:enabled:not([data-cancel])")];
  const pressed = buttons.find((button) => button.matches(":focus"));
  for (const button of buttons) button.disabled = true;
  return () => {
    for (const button of buttons) button.disabled = false;
    // Still there: the level could not be read.
    pressed?.focus();
  };
}

function choice(place: Container, onChosen: () => void): HTMLElement {
  const name = element("bdi", {}, place.name);
  const button = element("button", { type: "button", class: "menu-item" }, icon(place.kind), name);
  button.addEventListener("click", onChosen);
  return element("li", {}, button);
}

interface Part {
  readonly places: readonly Container[];
  readonly next: string | null;
}

/** The tree knows in which knowledge bases the person may write; one newer than the page is offered. */
const isWritable = (id: number): boolean => {
  const item = itemOf({ kind: "base", id });
  return item === undefined || mayWriteAt(item);
};

/** A page of the containers in another one, or of the knowledge bases. */
async function containersIn(place: Container | undefined, cursor?: string): Promise<Part> {
  if (place) {
    const { children, next } = await readLevel(place, cursor);
    const places = children.filter((child) => child.kind === "folder");
    // Folders stand before documents: after the first document there are no more.
    return { places, next: places.length === children.length ? next : null };
  }
  const { data, page } = await api.get("/knowledge-bases", { query: { limit: 100, ...(cursor && { cursor }) } });
  const places = data.filter(({ id }) => isWritable(id)).map(({ id, name }): Container => ({ kind: "base", id, name }));
  return { places, next: page.next_cursor };
}
