import type { EditorView } from "@tiptap/pm/view";
import { element, targetOf } from "../../islands/common/element.ts";
import { openArea, stage } from "../stage.ts";

export interface Choice {
  /** Tells it from others with the same label. */
  readonly id?: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly run: () => void;
}

export const isChoosing = ({ key, shiftKey, ctrlKey, altKey, metaKey }: KeyboardEvent): boolean =>
  (key === "Enter" || key === "Tab") && !(shiftKey || ctrlKey || altKey || metaKey);

const nameOf = ({ id, label }: Choice): string => id ?? label;

const LIST_ID = "editor-choices";
/** Of the list, in pixels. */
const HIGHEST = 320;
/** More than fit are moved into sight. */
const MOST = 40;

/** A list of choices at the caret. The focus stays in the text; the keyboard walks the list from there. */
export class Popup {
  readonly #list = element("ul", { id: LIST_ID, class: "editor-popup", role: "listbox", hidden: true });
  readonly #view: EditorView;
  readonly #onChosen: () => void;
  #choices: readonly Choice[] = [];
  #at = 0;

  constructor(view: EditorView, onChosen: () => void) {
    this.#view = view;
    this.#onChosen = onChosen;
    this.#list.addEventListener("mousedown", (event) => {
      event.preventDefault();
      const item = targetOf(event)?.closest("li");
      if (item) this.#run([...this.#list.children].indexOf(item));
    });
    stage().append(this.#list);
  }

  get isOpen(): boolean {
    return this.#choices.length > 0;
  }

  show(label: string, choices: readonly Choice[], position: number): void {
    // Who has walked the list stays at the same choice.
    const marked = this.#at > 0 ? this.#choices[this.#at] : undefined;
    this.#choices = choices.slice(0, MOST);
    const place = this.#choices.findIndex((choice) => marked && nameOf(choice) === nameOf(marked));
    this.#at = Math.max(0, place);
    if (this.#choices.length === 0) {
      this.hide();
      return;
    }
    this.#list.setAttribute("aria-label", label);
    this.#list.replaceChildren(...this.#choices.map((choice, index) => itemOf(choice, index)));
    this.#list.hidden = false;
    this.moveTo(position);
    this.#mark();
  }

  moveTo(position: number): void {
    const { left, top, bottom } = this.#view.coordsAtPos(position);
    const area = openArea();
    const most = Math.max(area.bottom - bottom, top - area.top) - 12;
    this.#list.style.setProperty("max-height", `${Math.min(HIGHEST, most)}px`);
    const { width, height } = this.#list.getBoundingClientRect();
    const below = bottom + 4 + height < area.bottom || area.bottom - bottom > top - area.top;
    this.#list.style.setProperty("left", `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`);
    this.#list.style.setProperty("top", `${below ? bottom + 4 : Math.max(8, top - height - 4)}px`);
  }

  #mark(): void {
    for (const [index, item] of [...this.#list.children].entries())
      item.setAttribute("aria-selected", String(index === this.#at));
    const { dom } = this.#view;
    dom.setAttribute("aria-controls", LIST_ID);
    dom.setAttribute("aria-activedescendant", `${LIST_ID}-${this.#at}`);
    this.#list.children[this.#at]?.scrollIntoView({ block: "nearest" });
  }

  /** Whether the key was for the list. */
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

const itemOf = ({ label, hint }: Choice, index: number): HTMLElement =>
  element(
    "li",
    { role: "option", id: `${LIST_ID}-${index}` },
    element("span", {}, label),
    ...(hint ? [element("span", { class: "editor-popup-hint" }, hint)] : []),
  );
