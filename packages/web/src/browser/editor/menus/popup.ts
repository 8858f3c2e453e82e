import type { EditorView } from "@tiptap/pm/view";
import type { IconName } from "../../../shared/icons.ts";
import { element, icon, targetOf } from "../../islands/common/element.ts";
import { openArea, stage } from "../stage.ts";

export interface Choice {
  /** Distinguishes choices with the same label. */
  readonly id?: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly icon?: IconName | undefined;
  /** Keys that do the same. */
  readonly keys?: string | undefined;
  /** The heading that it stands below. */
  readonly group?: string | undefined;
  readonly run: () => void;
}

export const isChoosing = ({ key, shiftKey, ctrlKey, altKey, metaKey }: KeyboardEvent): boolean =>
  (key === "Enter" || key === "Tab") && !(shiftKey || ctrlKey || altKey || metaKey);

const nameOf = ({ id, label }: Choice): string => id ?? label;

const LIST_ID = "editor-choices";
/** Max height of the list in pixels. */
const MAX_HEIGHT = 320;
/** Max choices; the list scrolls if they do not fit. */
const MAX_CHOICES = 40;

/** A list of choices at the caret. The text keeps the focus, and its keys control the list. */
export class Popup {
  readonly #list = element("div", { id: LIST_ID, class: "editor-popup", role: "listbox", tabindex: 0, hidden: true });
  readonly #view: EditorView;
  readonly #onChosen: () => void;
  #choices: readonly Choice[] = [];
  #items: readonly HTMLElement[] = [];
  #at = 0;

  constructor(view: EditorView, onChosen: () => void) {
    this.#view = view;
    this.#onChosen = onChosen;
    this.#list.addEventListener("mousedown", (event) => {
      event.preventDefault();
      const item = targetOf(event)?.closest<HTMLElement>("[role=option]");
      if (item) this.#run(this.#items.indexOf(item));
    });
    stage().append(this.#list);
  }

  get isOpen(): boolean {
    return this.#choices.length > 0;
  }

  show(label: string, choices: readonly Choice[], position: number): void {
    // After the person has moved in the list, the same choice stays marked.
    const marked = this.#at > 0 ? this.#choices[this.#at] : undefined;
    this.#choices = choices.slice(0, MAX_CHOICES);
    const place = this.#choices.findIndex((choice) => marked && nameOf(choice) === nameOf(marked));
    this.#at = Math.max(0, place);
    if (this.#choices.length === 0) {
      this.hide();
      return;
    }
    this.#list.setAttribute("aria-label", label);
    this.#items = this.#choices.map((choice, index) => itemOf(choice, index));
    this.#list.replaceChildren(...inGroups(this.#choices, this.#items));
    this.#list.hidden = false;
    this.moveTo(position);
    this.#mark();
  }

  moveTo(position: number): void {
    const { left, top, bottom } = this.#view.coordsAtPos(position);
    const area = openArea();
    const available = Math.max(area.bottom - bottom, top - area.top) - 12;
    this.#list.style.setProperty("max-height", `${Math.min(MAX_HEIGHT, available)}px`);
    const { width, height } = this.#list.getBoundingClientRect();
    const below = bottom + 4 + height < area.bottom || area.bottom - bottom > top - area.top;
    this.#list.style.setProperty("left", `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`);
    this.#list.style.setProperty("top", `${below ? bottom + 4 : Math.max(8, top - height - 4)}px`);
  }

  #mark(): void {
    for (const [index, item] of this.#items.entries()) item.setAttribute("aria-selected", String(index === this.#at));
    const { dom } = this.#view;
    dom.setAttribute("aria-controls", LIST_ID);
    dom.setAttribute("aria-activedescendant", `${LIST_ID}-${this.#at}`);
    this.#items[this.#at]?.scrollIntoView({ block: "nearest" });
  }

  /** Handles a key; returns whether it was for the list. */
  key(event: KeyboardEvent): boolean {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      this.#at = (this.#at + step + this.#choices.length) % this.#choices.length;
      this.#mark();
      return true;
    }
    return isChoosing(event) && this.choose();
  }

  /** Runs the marked choice, if there is one. */
  choose(): boolean {
    const { isOpen } = this;
    this.#run(this.#at);
    return isOpen;
  }

  #run(index: number): void {
    const choice = this.#choices[index];
    this.hide();
    choice?.run();
    this.#onChosen();
  }

  hide(): void {
    if (this.#list.hidden) return;
    this.#choices = [];
    this.#at = 0;
    this.#list.hidden = true;
    this.#view.dom.removeAttribute("aria-controls");
    this.#view.dom.removeAttribute("aria-activedescendant");
  }

  destroy(): void {
    this.hide();
    this.#list.remove();
  }
}

const itemOf = ({ label, hint, icon: name, keys }: Choice, index: number): HTMLElement =>
  element(
    "div",
    { role: "option", id: `${LIST_ID}-${index}` },
    ...(name ? [icon(name)] : []),
    element("span", {}, label),
    ...(hint ? [element("span", { class: "editor-popup-hint" }, hint)] : []),
    ...(keys ? [element("kbd", { "aria-hidden": "true" }, keys)] : []),
  );

/** The items, those with the same heading in a group of their own. */
function inGroups(choices: readonly Choice[], items: readonly HTMLElement[]): HTMLElement[] {
  const shown: HTMLElement[] = [];
  let group: HTMLElement | undefined;
  for (const [index, item] of items.entries()) {
    const name = choices[index]?.group;
    if (name === undefined) {
      shown.push(item);
      continue;
    }
    if (group?.getAttribute("aria-label") !== name) {
      group = element("div", { role: "group", "aria-label": name });
      shown.push(group);
    }
    group.append(item);
  }
  return shown;
}
