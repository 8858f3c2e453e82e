import { at } from "../common/base-path.ts";
import { element, targetOf } from "../common/element.ts";

interface Person {
  readonly id: string;
  readonly name: string;
}

const LIST_ID = "people-choices";
/** An at sign at the beginning of a word, and what is typed of a name. */
const ASKED = /(?:^|[\s(])@(?<query>[\p{L}\d][\p{L}\d .'-]{0,40}|)$/u;

/** People who may see the page, by a part of their name; nobody where the server cannot be asked. */
async function find(documentId: string, q: string): Promise<readonly Person[]> {
  const query = new URLSearchParams({ document_id: documentId, limit: "6", ...(q && { q }) });
  const reply = await fetch(at(`/app/api/v1/members?${query}`)).catch(() => undefined);
  return reply?.ok ? (await reply.json()).data : [];
}

/** Offers people while one types `@` and a name in one of these fields. What is put in is their name; the server makes the mention. */
export function offerPeople(documentId: string, fields: Iterable<HTMLTextAreaElement>): void {
  for (const field of fields) new PeopleList(documentId, field);
}

class PeopleList {
  readonly #documentId: string;
  readonly #field: HTMLTextAreaElement;
  readonly #list = element("ul", { class: "people-choices", role: "listbox", "aria-label": "Mention", hidden: true });
  #people: readonly Person[] = [];
  #at = 0;
  #round = 0;

  constructor(documentId: string, field: HTMLTextAreaElement) {
    this.#documentId = documentId;
    this.#field = field;
    this.#list.id = `${LIST_ID}-${field.id}`;
    field.after(this.#list);
    field.setAttribute("aria-autocomplete", "list");
    field.addEventListener("input", () => void this.#offer());
    field.addEventListener("blur", () => this.#hide());
    field.addEventListener("keydown", (event) => this.#key(event));
    this.#list.addEventListener("mousedown", (event) => {
      event.preventDefault();
      const item = targetOf(event)?.closest("li");
      if (item) this.#take([...this.#list.children].indexOf(item));
    });
  }

  #asked(): string | undefined {
    const { value, selectionStart, selectionEnd } = this.#field;
    return selectionStart === selectionEnd ? ASKED.exec(value.slice(0, selectionStart))?.groups?.query : undefined;
  }

  async #offer(): Promise<void> {
    const round = ++this.#round;
    const query = this.#asked();
    const people = query === undefined ? [] : await find(this.#documentId, query.trim());
    const isWhole = people.some(({ name }) => name.toLowerCase() === query?.trim().toLowerCase());
    if (round === this.#round) this.#show(isWhole ? [] : people);
  }

  #show(people: readonly Person[]): void {
    this.#people = people;
    this.#at = 0;
    this.#list.hidden = people.length === 0;
    const items = people.map(({ name }, index) =>
      element("li", { role: "option", id: `${this.#list.id}-${index}` }, name),
    );
    this.#list.replaceChildren(...items);
    this.#mark();
    if (items.length > 0) this.#place();
  }

  /** Below the field, over what follows it. */
  #place(): void {
    const { offsetLeft, offsetTop, offsetHeight } = this.#field;
    this.#list.style.setProperty("left", `${offsetLeft}px`);
    this.#list.style.setProperty("top", `${offsetTop + offsetHeight}px`);
    this.#list.scrollIntoView({ block: "nearest" });
  }

  #mark(): void {
    for (const [index, item] of [...this.#list.children].entries())
      item.setAttribute("aria-selected", String(index === this.#at));
    if (this.#people.length === 0) this.#field.removeAttribute("aria-activedescendant");
    else this.#field.setAttribute("aria-activedescendant", `${this.#list.id}-${this.#at}`);
    this.#field.setAttribute("aria-controls", this.#list.id);
  }

  #hide(): void {
    this.#round++;
    this.#show([]);
  }

  #key(event: KeyboardEvent): void {
    if (this.#people.length === 0 || event.isComposing || event.ctrlKey || event.metaKey) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      this.#at = (this.#at + step + this.#people.length) % this.#people.length;
      this.#mark();
    } else if (event.key === "Enter" || event.key === "Tab") this.#take(this.#at);
    else if (event.key === "Escape") this.#hide();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #take(index: number): void {
    const person = this.#people[index];
    const typed = this.#asked();
    this.#hide();
    if (!person || typed === undefined) return;
    const end = this.#field.selectionStart;
    this.#field.setRangeText(`@${person.name} `, end - typed.length - 1, end, "end");
    this.#field.focus();
  }
}
