import { type Node as EditorNode, Fragment, type NodeType, type Schema, type Slice } from "@tiptap/pm/model";
import type { Transaction } from "@tiptap/pm/state";
import { __pastedCells, CellSelection, isInTable, selectedRect, TableMap, tableNodeTypes } from "@tiptap/pm/tables";
import { Transform } from "@tiptap/pm/transform";
import type { EditorView } from "@tiptap/pm/view";
import { replaceDifference } from "../binding/narrow-replace.ts";
import { childrenOf } from "../block-json.ts";
import { type Area, type CellGrid, emptyPlaces, gridOf, moved, overlap, type Placed, shrunk } from "./cell-grid.ts";

/** Content to paste into each selected cell, if it is not cells itself. */
function oneCell(schema: Schema, slice: Slice): CellGrid | undefined {
  const cell = tableNodeTypes(schema).cell.createAndFill();
  return cell ? gridOf([[new Transform(cell).replace(0, cell.content.size, slice).doc]]) : undefined;
}

/** Repeats cells until they fill the given columns and rows; cuts what extends beyond. */
function repeated(grid: CellGrid, width: number, height: number): CellGrid {
  const whole = { left: 0, top: 0, right: Math.max(width, grid.width), bottom: Math.max(height, grid.height) };
  const cells: Placed[] = [];
  for (let top = 0; top < whole.bottom; top += grid.height)
    for (let left = 0; left < whole.right; left += grid.width)
      for (const one of grid.cells.map((cell) => moved(cell, left, top)))
        if (overlap(one, whole))
          cells.push(
            shrunk(one, {
              ...one,
              right: Math.min(one.right, whole.right),
              bottom: Math.min(one.bottom, whole.bottom),
            }),
          );
  return { width: whole.right, height: whole.bottom, cells };
}

/** The rest of a cell when others are pasted over it: a cell that starts before them keeps its text and ends there. */
function besides(one: Placed, area: Area): readonly Placed[] {
  if (!overlap(one, area)) return [one];
  if (one.left < area.left) return [shrunk(one, { ...one, right: area.left })];
  if (one.top < area.top) return [shrunk(one, { ...one, bottom: area.top })];
  return [];
}

/**
 * Inserts cells into a table from a position on. The table grows as needed and stays square: a merged cell across the
 * edge of the pasted area ends there, and empty cells fill its rest.
 */
function withCells(table: EditorNode, pieces: CellGrid, left: number, top: number): EditorNode {
  const { cell, header_cell, row: rowType } = tableNodeTypes(table.type.schema);
  const rows = childrenOf(table);
  const old = gridOf(rows.map(childrenOf));
  const area = { left, top, right: left + pieces.width, bottom: top + pieces.height };
  const kept = old.cells.flatMap((one) => besides(one, area));
  const width = Math.max(old.width, area.right);
  const height = Math.max(old.height, area.bottom);
  const cells = [...kept, ...pieces.cells.map((one) => moved(one, left, top))];
  // An empty cell takes the type of the cell it replaces, of the one before it in its row, or of the one above it.
  const kindAt = (place: Area): NodeType => {
    const inside = { ...place, left: Math.min(place.left, old.width - 1), top: Math.min(place.top, old.height - 1) };
    const known = old.cells.find((one) => overlap(one, { ...inside, right: inside.left + 1, bottom: inside.top + 1 }));
    const isNewCorner = place.left >= old.width && place.top >= old.height;
    return known?.cell.type === header_cell && !isNewCorner ? header_cell : cell;
  };
  for (const place of emptyPlaces({ width, height, cells })) {
    const empty = kindAt(place).createAndFill();
    if (empty) cells.push({ ...place, cell: empty });
  }
  const byPlace = cells.toSorted((a, b) => a.left - b.left);
  const content = Array.from({ length: height }, (_, y) => {
    const own = Fragment.from(byPlace.filter((one) => one.top === y).map((one) => one.cell));
    const row = rows[y];
    return row?.content.eq(own) ? row : rowType.create(row?.attrs, own);
  });
  return table.copy(Fragment.from(content));
}

/** Selects the cells at the corners of an area. */
function selectCells(tr: Transaction, tableStart: number, { left, top, right, bottom }: Area): Transaction {
  const table = tr.doc.nodeAt(tableStart - 1);
  if (!table) return tr;
  const map = TableMap.get(table);
  const at = (row: number, column: number) => tr.doc.resolve(tableStart + (map.map[row * map.width + column] ?? 0));
  return tr.setSelection(new CellSelection(at(top, left), at(bottom - 1, right - 1)));
}

/**
 * Pastes cells into the table at the caret, or fills the selected cells with them. Returns false if the caret is in no
 * table, or if the content belongs into a cell's text.
 */
export function pasteCells({ state, dispatch }: Pick<EditorView, "state" | "dispatch">, slice: Slice): boolean {
  if (!isInTable(state)) return false;
  const isSelected = state.selection instanceof CellSelection;
  const rows = __pastedCells(slice)?.rows.map((row) => [...row.content]);
  const pieces = rows ? gridOf(rows) : isSelected ? oneCell(state.schema, slice) : undefined;
  if (!pieces || pieces.width === 0) return false;
  const { left, top, right, bottom, table, tableStart } = selectedRect(state);
  const filling = isSelected ? repeated(pieces, right - left, bottom - top) : pieces;
  const { tr } = state;
  replaceDifference(tr, withCells(table, filling, left, top).content, tableStart, table);
  const area = { left, top, right: left + filling.width, bottom: top + filling.height };
  dispatch(selectCells(tr, tableStart, area).scrollIntoView());
  return true;
}
