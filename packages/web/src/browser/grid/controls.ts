import { defined } from "@svc/document/defined";
import { columnName } from "@svc/document/sheet/reference";
import { type ColumnType, columnTypes } from "@svc/document/sheet/table-source";
import { element } from "../islands/common/element.ts";
import { openMenu } from "../islands/common/menu.ts";
import { toast } from "../islands/common/toast.ts";
import { bindFind } from "./find.ts";
import { type Grid, reportLostText } from "./grid.ts";
import { menusOf } from "./menus.ts";

type FindPart = (name: string) => HTMLElement;

/** The bars around the grid. They are drawn by the server; here they learn what to do and what to show. */
export class Controls {
  readonly #grid: Grid;
  readonly #part: FindPart;
  readonly #formula: HTMLInputElement;

  constructor(grid: Grid, part: FindPart) {
    this.#grid = grid;
    this.#part = part;
    this.#formula = defined(part("cell").querySelector<HTMLInputElement>('[name="formula"]'));
    part("toolbar").addEventListener("click", (event) => {
      const opener = closest(event, "[data-command]");
      if (opener?.dataset.command !== undefined) this.#run(opener.dataset.command, opener);
    });
    this.#bindFormula();
    this.#bindColumn();
    bindFind(grid, part("cell"));
    part("sheets").addEventListener("click", (event) => {
      const id = closest(event, "[data-sheet]")?.dataset.sheet;
      if (id === undefined) return;
      if (id !== grid.model.tableId) grid.showSheet(id);
      else if (event.detail > 1) this.#rename();
    });
    this.show();
  }

  #field(name: string): HTMLInputElement | HTMLSelectElement {
    return defined(this.#part("cell").querySelector<HTMLInputElement | HTMLSelectElement>(`[name="${name}"]`));
  }

  #bindFormula(): void {
    this.#formula.addEventListener("focus", () => {
      this.#grid.formulaCell = this.#grid.selection.anchor;
    });
    this.#formula.addEventListener("change", () => {
      const { formulaCell: place } = this.#grid;
      if (place) this.#grid.write([{ ...place, text: this.#formula.value }]);
      else reportLostText(this.#formula.value);
    });
    this.#formula.addEventListener("keydown", (event) => {
      if (event.isComposing || (event.key !== "Enter" && event.key !== "Escape")) return;
      event.preventDefault();
      const { model, selection } = this.#grid;
      if (event.key === "Escape") this.#formula.value = model.text(selection.anchor.row, selection.anchor.column);
      this.#grid.view.grid.focus();
    });
  }

  #bindColumn(): void {
    const [type, choices, filter] = [this.#field("type"), this.#field("choices"), this.#field("filter")];
    // A press on a cell selects it before the field that loses focus reports its change.
    let column = 0;
    for (const field of [choices, filter]) {
      field.addEventListener("focus", () => {
        column = this.#grid.selection.anchor.column;
      });
      field.addEventListener("blur", () => this.show());
    }
    const save = (column: number, type: ColumnType): void => {
      const list = choices.value
        .split(",")
        .map((choice) => choice.trim())
        .filter((choice) => choice !== "");
      this.#grid.model.setColumn(column, type, list);
    };
    type.addEventListener("change", () => {
      const chosen = columnTypes.find((known) => known === type.value) ?? "auto";
      save(this.#grid.selection.anchor.column, chosen);
    });
    choices.addEventListener("change", () => save(column, "choice"));
    filter.addEventListener("change", () => this.#grid.filter(column, filter.value.trim()));
    this.#part("cell").addEventListener("keydown", ({ key, target }) => {
      if (key === "Enter" && target === filter) filter.dispatchEvent(new Event("change"));
    });
  }

  #run(command: string, opener: HTMLElement): void {
    const { view } = this.#grid;
    const menu = menusOf(this.#grid, { rename: () => this.#rename(), ask: () => this.#askFormat(opener) })[command];
    if (menu) {
      const [label, actions] = menu;
      const inGrid = actions.map((action) => ({
        ...action,
        run: () => {
          view.grid.focus();
          action.run();
        },
      }));
      openMenu(label, inGrid, opener.getBoundingClientRect(), opener);
      return;
    }
    if (command === "undo") this.#grid.undo();
    if (command === "redo") this.#grid.model.redo();
    view.grid.focus();
  }

  /** A format of the person's own, in the place of the button. */
  #askFormat(opener: HTMLElement): void {
    const { area, model, view } = this.#grid;
    const field = element("input", {
      class: "field-small",
      "aria-label": "Format",
      placeholder: '#,##0.00 "kg"',
      maxlength: 100,
      value: model.format(area.left) ?? "",
    });
    let isOver = false;
    const end = (isTaken: boolean): void => {
      if (isOver) return;
      isOver = true;
      field.replaceWith(opener);
      if (isTaken) model.setFormat(area.left, area.right, field.value.trim() || undefined);
      view.grid.focus();
    };
    field.addEventListener("blur", () => end(true));
    field.addEventListener("keydown", (event) => {
      if (event.isComposing || (event.key !== "Enter" && event.key !== "Escape")) return;
      event.preventDefault();
      end(event.key === "Enter");
    });
    opener.replaceWith(field);
    field.focus();
  }

  /** The name is typed where it stands. Enter or leaving the field takes it, Escape does not. */
  #rename(): void {
    const { model, view } = this.#grid;
    const field = element("input", { class: "field-small", "aria-label": "Name of the sheet", maxlength: 100 });
    field.value = model.source.name;
    let isOver = false;
    const end = (isTaken: boolean): void => {
      if (isOver) return;
      isOver = true;
      field.remove();
      if (isTaken && !model.renameTable(field.value)) toast("There is already a sheet with this name.");
      this.#showSheets();
    };
    field.addEventListener("blur", () => end(true));
    field.addEventListener("keydown", (event) => {
      if (event.isComposing || (event.key !== "Enter" && event.key !== "Escape")) return;
      event.preventDefault();
      end(event.key === "Enter");
      view.grid.focus();
    });
    this.#part("sheets").querySelector('[aria-pressed="true"]')?.replaceWith(field);
    field.select();
    field.focus();
  }

  /** Shows what is selected. */
  show(): void {
    const { model, selection, filters } = this.#grid;
    const { row, column } = selection.anchor;
    const name = `${columnName(column)}${row + 1}`;
    this.#part("cell-name").textContent = name;
    if (document.activeElement !== this.#formula) this.#formula.value = model.text(row, column);
    const { type, choices } = model.column(column);
    this.#field("type").value = type;
    const list = this.#field("choices");
    defined(list.closest("label")).hidden = type !== "choice";
    if (document.activeElement !== list) list.value = choices.join(", ");
    const filter = this.#field("filter");
    if (document.activeElement !== filter) filter.value = filters.get(column) ?? "";
    this.#part("filtered").textContent = filters.size === 0 ? "" : `${this.#shownRows()} of ${model.height} rows`;
    this.#showSheets();
  }

  #shownRows(): number {
    return this.#grid.view.rows.filter((row) => row < this.#grid.model.height).length;
  }

  #showSheets(): void {
    const { model } = this.#grid;
    if (this.#part("sheets").contains(document.activeElement) && document.activeElement?.tagName === "INPUT") return;
    const buttons = model.book.sheets.map(({ name }, i) =>
      element(
        "button",
        {
          type: "button",
          class: "button button-small",
          "data-sheet": model.tableIds[i],
          "aria-pressed": i === model.sheet ? "true" : "false",
        },
        name,
      ),
    );
    this.#part("sheets").replaceChildren(...buttons);
  }
}

const closest = ({ target }: Event, selector: string): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>(selector) : null;
