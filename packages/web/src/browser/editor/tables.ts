import { type ChainedCommands, Extension } from "@tiptap/core";
import { type EditorState, Plugin, TextSelection, type Transaction } from "@tiptap/pm/state";
import { CellSelection, columnResizing, isInTable, selectedRect } from "@tiptap/pm/tables";
import type { EditorView } from "@tiptap/pm/view";

/** Pixels. */
const MIN_WIDTH = 40;
const WIDTH_STEP = 40;
/** The initial width of a column without one when it is resized. */
const USUAL_WIDTH = 120;

/** Columns get their widths by dragging their edges. */
export const TableWidths = Extension.create({
  name: "tableWidths",
  // Ahead of the table's own plugins: a press on an edge selects no cell.
  priority: 200,
  addProseMirrorPlugins: () => [columnResizing({ handleWidth: 5, cellMinWidth: MIN_WIDTH })],
});

/**
 * Empties the selected cells and puts the caret into the first; returns false if no cells, or a whole table, are
 * selected.
 */
function emptyCells(view: EditorView): boolean {
  const { selection, schema, tr } = view.state;
  if (!(selection instanceof CellSelection) || (selection.isRowSelection() && selection.isColSelection())) return false;
  const starts: number[] = [];
  selection.forEachCell((_, position) => starts.push(position + 1));
  // From the last one on, so that the places before stay what they are.
  for (const start of starts.sort((a, b) => b - a)) {
    const { parent: cell } = tr.doc.resolve(start);
    const { firstChild: line, childCount } = cell;
    if (childCount === 1 && line?.isTextblock) tr.delete(start + 1, start + line.nodeSize - 1);
    else tr.replaceWith(start, start + cell.content.size, schema.node("paragraph"));
  }
  view.dispatch(tr.setSelection(TextSelection.near(tr.doc.resolve(Math.min(...starts)))).scrollIntoView());
  return true;
}

/** Puts text typed over selected cells into the first of them. */
export const CellTyping = Extension.create({
  name: "cellTyping",
  addProseMirrorPlugins: () => [
    new Plugin({
      props: {
        handleTextInput: (view, _from, _to, text) => {
          const isInFirst = emptyCells(view);
          if (isInFirst) view.dispatch(view.state.tr.insertText(text));
          return isInFirst;
        },
        handleDOMEvents: {
          compositionstart: (view) => {
            emptyCells(view);
            return false;
          },
        },
      },
    }),
  ],
});

/** The width of each selected column, in all its rows. */
function changeWidth(state: EditorState, tr: Transaction, step: number): boolean {
  if (!isInTable(state)) return false;
  const { map, tableStart, table, left, right } = selectedRect(state);
  for (const offset of new Set(map.map)) {
    const cell = table.nodeAt(offset);
    const place = map.findCell(offset);
    if (!cell || place.right <= left || place.left >= right) continue;
    const known: number[] | null = cell.attrs.colwidth;
    const widths = known ?? Array.from({ length: place.right - place.left }, () => 0);
    const now = widths.map((width, i) => {
      const column = place.left + i;
      return column < left || column >= right ? width : Math.max(MIN_WIDTH, (width || USUAL_WIDTH) + step);
    });
    tr.setNodeAttribute(tableStart + offset, "colwidth", now);
  }
  return true;
}

const width =
  (step: number) =>
  (chain: ChainedCommands): ChainedCommands =>
    chain.command(({ state, tr }) => changeWidth(state, tr, step));

type Tool = readonly [label: string, run: (chain: ChainedCommands) => ChainedCommands];

/** The actions on a table by what they change. */
export const tableMenus: readonly (readonly [label: string, tools: readonly Tool[]])[] = [
  [
    "Row",
    [
      ["Row above", (chain) => chain.addRowBefore()],
      ["Row below", (chain) => chain.addRowAfter()],
      ["Header row", (chain) => chain.toggleHeaderRow()],
      ["Delete row", (chain) => chain.deleteRow()],
    ],
  ],
  [
    "Column",
    [
      ["Column before", (chain) => chain.addColumnBefore()],
      ["Column after", (chain) => chain.addColumnAfter()],
      ["Header column", (chain) => chain.toggleHeaderColumn()],
      ["Wider column", width(WIDTH_STEP)],
      ["Narrower column", width(-WIDTH_STEP)],
      ["Delete column", (chain) => chain.deleteColumn()],
    ],
  ],
  [
    "Cells",
    [
      ["Align left", (chain) => chain.setCellAttribute("align", "left")],
      ["Align centre", (chain) => chain.setCellAttribute("align", "center")],
      ["Align right", (chain) => chain.setCellAttribute("align", "right")],
      ["Merge cells", (chain) => chain.mergeCells()],
      ["Split cell", (chain) => chain.splitCell()],
      ["Delete table", (chain) => chain.deleteTable()],
    ],
  ],
];
