/** Handles on the edges of a table: for the row and the column under the pointer or the caret, and for its cells. */
import { defined } from "@svc/document/defined";
import type { Editor } from "@tiptap/core";
import { TextSelection } from "@tiptap/pm/state";
import { CellSelection } from "@tiptap/pm/tables";
import { element, icon, targetOf } from "../islands/common/element.ts";
import { openMenu } from "../islands/common/menu.ts";
import { isWide } from "./bars/place-at-block.ts";
import { openArea, stage } from "./stage.ts";
import { tableMenus } from "./tables.ts";

/** Pixels. */
const SIZE = 20;

type Menu = (typeof tableMenus)[number];

class TableHandles {
  readonly #editor: Editor;
  readonly #group = element("div", { class: "table-handles", role: "group", "aria-label": "Table", hidden: true });
  #hovered: HTMLElement | undefined;

  constructor(editor: Editor) {
    this.#editor = editor;
    this.#group.append(...tableMenus.map((menu) => this.#handle(menu)));
    stage().append(this.#group);
    editor.view.dom.addEventListener("mousemove", (event) => {
      const cell = targetOf(event)?.closest<HTMLElement>("td, th") ?? undefined;
      if (cell === this.#hovered) return;
      this.#hovered = cell;
      this.place();
    });
  }

  #handle([label, tools]: Menu): HTMLElement {
    const handle = element(
      "button",
      { type: "button", class: "table-handle", "aria-label": label, title: label, "data-handle": label.toLowerCase() },
      icon(label === "Cells" ? "more" : "grip"),
    );
    // The selection must outlive the press.
    handle.addEventListener("pointerdown", (event) => event.preventDefault());
    handle.addEventListener("click", () => {
      this.#goTo(this.#cell());
      const actions = tools.map(([name, run]) => ({
        label: name,
        run: () => void run(this.#editor.chain().focus()).run(),
      }));
      openMenu(label, actions, handle.getBoundingClientRect(), handle);
    });
    return handle;
  }

  /** Puts the caret into the cell, unless it is among the selected ones. */
  #goTo(cell: HTMLElement | undefined): void {
    const { view, state } = this.#editor;
    if (!cell) return;
    const { selection } = state;
    const position = view.posAtDOM(cell, 0);
    const isIn =
      selection instanceof CellSelection
        ? selection.ranges.some(({ $from, $to }) => position >= $from.pos && position <= $to.pos)
        : cell.contains(view.domAtPos(selection.from).node);
    if (!isIn) view.dispatch(state.tr.setSelection(TextSelection.near(state.doc.resolve(position))));
  }

  #cell(): HTMLElement | undefined {
    const { view, state, isEditable } = this.#editor;
    if (!isEditable) return undefined;
    if (this.#hovered?.isConnected) return this.#hovered;
    const { node } = view.domAtPos(state.selection.from);
    const shown = node instanceof HTMLElement ? node : node.parentElement;
    const cell = shown?.closest<HTMLElement>("td, th");
    return cell && view.dom.contains(cell) && view.hasFocus() ? cell : undefined;
  }

  place(): void {
    if (this.#editor.isDestroyed) return;
    const cell = isWide.matches ? this.#cell() : undefined;
    const table = cell?.closest("table");
    // A menu that was opened from a handle goes back to it.
    if (!cell || !table) {
      this.#group.hidden = !this.#group.contains(document.activeElement);
      return;
    }
    const box = table.getBoundingClientRect();
    const frame = (table.parentElement ?? table).getBoundingClientRect();
    const own = cell.getBoundingClientRect();
    const area = openArea();
    const places: readonly (readonly [left: number, top: number])[] = [
      [Math.max(box.left, frame.left) - SIZE / 2, own.top + (own.height - SIZE) / 2],
      [own.left + (own.width - SIZE) / 2, box.top - SIZE / 2],
      [Math.min(box.right, frame.right) - SIZE / 2, box.top - SIZE / 2],
    ];
    this.#group.hidden = false;
    for (const [index, handle] of [...this.#group.children].entries()) {
      const [left, top] = defined(places[index]);
      if (!(handle instanceof HTMLElement)) continue;
      handle.style.setProperty("left", `${Math.round(left)}px`);
      handle.style.setProperty("top", `${Math.round(top)}px`);
      const isSeen = top >= area.top && top + SIZE <= area.bottom && left >= frame.left - SIZE && left <= frame.right;
      handle.style.setProperty("visibility", isSeen ? "visible" : "hidden");
    }
  }
}

export function bindTableHandles(editor: Editor): void {
  const handles = new TableHandles(editor);
  let isDue = false;
  const soon = () => {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => {
      isDue = false;
      handles.place();
    });
  };
  editor.on("transaction", soon);
  editor.on("focus", soon);
  editor.on("blur", soon);
  addEventListener("scroll", soon, { passive: true, capture: true });
  addEventListener("resize", soon);
}
