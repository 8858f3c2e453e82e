/** The people who have a page open, and the programs that have just changed it, as avatars in the bar of the page. */
import { element, icon } from "../islands/common/element.ts";
import type { Present } from "./person-colour.ts";
import { followPrograms } from "./programs.ts";

/** How long a program counts as present after its last change. */
const PROGRAM_MS = 60_000;
/** More are counted. */
const MAX_SHOWN = 5;

const initial = (name: string): string => [...name.trim()][0]?.toUpperCase() ?? "?";
const hiddenName = (name: string): HTMLElement => element("span", { class: "visually-hidden" }, name);

function avatarOf({ colour, name, place }: Present, goTo: ((block: string) => void) | undefined): HTMLElement {
  const item = element("li", { class: `person caret-${colour}`, "data-initial": initial(name), title: name });
  if (!goTo || !place) {
    item.append(hiddenName(name));
    return item;
  }
  const button = element("button", { type: "button", class: "person-go", title: `Go to ${name}` }, hiddenName(name));
  button.addEventListener("click", () => goTo(place.block_id));
  item.append(button);
  return item;
}

const programAvatar = (name: string): HTMLElement =>
  element(
    "li",
    { class: "person person-agent", title: `${name} (agent or program)` },
    icon("agent"),
    hiddenName(`${name}, a program`),
  );

const rest = (hidden: readonly Present[]): HTMLElement =>
  element("li", { class: "person person-rest", title: hidden.map(({ name }) => name).join(", ") }, `+${hidden.length}`);

/** Keeps the list of avatars; each person is shown once. */
export class Avatars {
  readonly #list: HTMLElement;
  readonly #goTo: ((block: string) => void) | undefined;
  readonly #programs = new Map<string, ReturnType<typeof setTimeout>>();
  #people: readonly Present[] = [];

  constructor(list: HTMLElement, documentId: string, goTo: ((block: string) => void) | undefined) {
    this.#list = list;
    this.#goTo = goTo;
    followPrograms(documentId, (name) => this.#wrote(name));
  }

  show(people: readonly Present[]): void {
    this.#people = [...new Map(people.map((person) => [person.user_id, person])).values()];
    this.#draw();
  }

  #wrote(name: string): void {
    clearTimeout(this.#programs.get(name));
    this.#programs.set(
      name,
      setTimeout(() => {
        this.#programs.delete(name);
        this.#draw();
      }, PROGRAM_MS),
    );
    this.#draw();
  }

  #draw(): void {
    const shown = this.#people.length > MAX_SHOWN ? this.#people.slice(0, MAX_SHOWN - 1) : this.#people;
    const others = this.#people.slice(shown.length);
    this.#list.replaceChildren(
      ...shown.map((person) => avatarOf(person, this.#goTo)),
      ...(others.length > 0 ? [rest(others)] : []),
      ...[...this.#programs.keys()].map(programAvatar),
    );
  }
}
