import { type ChainedCommands, Extension } from "@tiptap/core";
import type { EditorState, Transaction } from "@tiptap/pm/state";
import { columnResizing, isInTable, selectedRect } from "@tiptap/pm/tables";

/** Pixels. */
const LEAST_WIDTH = 40;
const WIDTH_STEP = 40;
/** The width from which a column that has none grows or shrinks. */
const USUAL_WIDTH = 120;

/** Columns get their widths by dragging their edges. */
export const TableWidths = Extension.create({
  name: "tableWidths",
  // Ahead of the table's own plugins: a press on an edge selects no cell.
  priority: 200,
  addProseMirrorPlugins: () => [columnResizing({ handleWidth: 5, cellMinWidth: LEAST_WIDTH })],
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
      return column < left || column >= right ? width : Math.max(LEAST_WIDTH, (width || USUAL_WIDTH) + step);
    });
    tr.setNodeAttribute(tableStart + offset, "colwidth", now);
  }
  return true;
}

const width =
  (step: number) =>
  (chain: ChainedCommands): ChainedCommands =>
    chain.command(({ state, tr }) => changeWidth(state, tr, step));

/** What can be done with a table, in the order of its tools. */
export const tableTools: readonly (readonly [label: string, run: (chain: ChainedCommands) => ChainedCommands])[] = [
  ["Row above", (chain) => chain.addRowBefore()],
  ["Row below", (chain) => chain.addRowAfter()],
  ["Column before", (chain) => chain.addColumnBefore()],
  ["Column after", (chain) => chain.addColumnAfter()],
  ["Delete row", (chain) => chain.deleteRow()],
  ["Delete column", (chain) => chain.deleteColumn()],
  ["Header row", (chain) => chain.toggleHeaderRow()],
  ["Header column", (chain) => chain.toggleHeaderColumn()],
  ["Merge cells", (chain) => chain.mergeCells()],
  ["Split cell", (chain) => chain.splitCell()],
  ["Align left", (chain) => chain.setCellAttribute("align", "left")],
  ["Align centre", (chain) => chain.setCellAttribute("align", "center")],
  ["Align right", (chain) => chain.setCellAttribute("align", "right")],
  ["Wider column", width(WIDTH_STEP)],
  ["Narrower column", width(-WIDTH_STEP)],
  ["Delete table", (chain) => chain.deleteTable()],
];
