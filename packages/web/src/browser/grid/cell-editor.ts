import { columnName } from "@svc/document/sheet/reference";
import { element } from "../islands/common/element.ts";
import type { CellPosition } from "./selection.ts";

/** The cell that is written in, and where it is in pixels. */
interface Spot {
  readonly place: CellPosition;
  readonly left: number;
  readonly top: number;
}

interface Editing extends Spot {
  readonly text: string;
  readonly choices: readonly string[] | undefined;
  /** Typing opened the editor: arrow keys then close it, as in every spreadsheet. */
  readonly byTyping: boolean;
}

/** The next cell after an edit. Tab goes to the next or previous one, Enter below. */
export type Step = "stay" | "down" | "up" | "right" | "left" | "next" | "previous" | "below";

/** The field over the cell that is written in. */
export class CellEditor {
  readonly #host: HTMLElement;
  readonly #done: (text: string, place: CellPosition, step: Step) => void;
  readonly #left: () => void;
  #field: HTMLTextAreaElement | HTMLSelectElement | undefined;
  #editing: Editing | undefined;

  constructor(host: HTMLElement, done: (text: string, place: CellPosition, step: Step) => void, left: () => void) {
    this.#host = host;
    this.#done = done;
    this.#left = left;
  }

  get isOpen(): boolean {
    return this.#field !== undefined;
  }

  open(editing: Editing): void {
    this.#editing = editing;
    const field = editing.choices ? choiceField(editing) : textField(editing);
    putAt(field, editing);
    const element: HTMLElement = field;
    element.addEventListener("keydown", (event) => this.#key(event));
    field.addEventListener("blur", () => this.commit("stay"));
    if (field instanceof HTMLSelectElement) field.addEventListener("change", () => this.commit("stay"));
    this.#field = field;
    this.#host.append(field);
    field.focus();
    if (field instanceof HTMLTextAreaElement) field.setSelectionRange(field.value.length, field.value.length);
  }

  get place(): CellPosition | undefined {
    return this.#editing?.place;
  }

  /** The cell is elsewhere now. */
  moveTo(spot: Spot): void {
    if (!this.#field || !this.#editing) return;
    this.#editing = { ...this.#editing, ...spot };
    putAt(this.#field, spot);
  }

  /** The cell is gone: writes nothing and returns the typed text. */
  drop(): string {
    const [field, editing] = [this.#field, this.#editing];
    this.#cancel();
    return field && field.value !== editing?.text ? field.value : "";
  }

  commit(step: Step): void {
    const [field, editing] = [this.#field, this.#editing];
    if (!field || !editing) return;
    this.#close();
    this.#done(field.value, editing.place, step);
  }

  #cancel(): void {
    this.#close();
    this.#left();
  }

  #close(): void {
    const field = this.#field;
    this.#field = undefined;
    this.#editing = undefined;
    field?.remove();
  }

  #key(event: KeyboardEvent): void {
    event.stopPropagation();
    // An input method is using the key.
    if (event.isComposing) return;
    if (event.key === "Enter" && event.altKey && this.#field instanceof HTMLTextAreaElement) {
      this.#field.setRangeText("\n", this.#field.selectionStart, this.#field.selectionEnd, "end");
      event.preventDefault();
      return;
    }
    const step = stepOf(event, this.#editing?.byTyping === true);
    if (event.key === "Escape") this.#cancel();
    else if (step) this.commit(step);
    else return;
    event.preventDefault();
  }
}

function stepOf({ key, shiftKey }: KeyboardEvent, byTyping: boolean): Step | undefined {
  if (key === "Enter") return shiftKey ? "up" : "below";
  if (key === "Tab") return shiftKey ? "previous" : "next";
  if (!byTyping) return undefined;
  const arrows: Readonly<Record<string, Step>> = {
    ArrowUp: "up",
    ArrowDown: "down",
    ArrowLeft: "left",
    ArrowRight: "right",
  };
  return arrows[key];
}

function putAt(field: HTMLElement, { place, left, top }: Spot): void {
  field.setAttribute("aria-label", `Cell ${columnName(place.column)}${place.row + 1}`);
  field.style.left = `${left}px`;
  field.style.top = `${top}px`;
}

function textField({ text }: Editing): HTMLTextAreaElement {
  const field = element("textarea", {
    class: "grid-field",
    rows: 1,
    spellcheck: "false",
    autocomplete: "off",
  });
  field.value = text;
  return field;
}

function choiceField({ text, choices = [] }: Editing): HTMLSelectElement {
  const field = element("select", { class: "grid-field" });
  for (const choice of new Set(["", ...choices, text]))
    field.append(new Option(choice, choice, false, choice === text));
  return field;
}
