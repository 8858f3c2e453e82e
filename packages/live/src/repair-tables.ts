import { defined } from "@svc/document/defined";
import { idOf, mapShared, withAttrs, withContent } from "@svc/document/schema/node";
import { holdsBlocks, nodeTypes } from "@svc/document/schema/nodes";
import type { NewId, Node } from "@svc/document/types";
import { cellsOf, isMerged, type Line, spanOf, TableLayout } from "./table-layout.ts";

/** Whether cells overlap, extend beyond the table, or leave gaps. */
function isRagged({ content: rows = [] }: Node): boolean {
  if (rows.some((row) => cellsOf(row).some(isMerged))) return !new TableLayout(rows).isEven;
  return !rows.every((row) => cellsOf(row).length === cellsOf(defined(rows[0])).length);
}

function mapTables(node: Node, map: (table: Node) => Node): Node {
  const type = nodeTypes[node.type];
  if (!node.content || !type || !holdsBlocks(type)) return node;
  const content = mapShared(node.content, (child) => mapTables(child, map));
  const mapped = content === node.content ? node : withContent(node, content);
  return node.type === "table" ? map(mapped) : mapped;
}

function raggedIn(block: Node | undefined): ReadonlySet<string> {
  const ids = new Set<string>();
  if (block)
    mapTables(block, (table) => {
      if (isRagged(table)) ids.add(idOf(table));
      return table;
    });
  return ids;
}

/**
 * Repairs tables whose rows have different lengths after one person added a row while another added or deleted a column
 * or merged cells. A table that was ragged before is not changed.
 */
export function repairTables(block: Node, before: Node | undefined, newId: NewId): Node {
  const ragged = raggedIn(block);
  if (ragged.size === 0) return block;
  const known = raggedIn(before);
  return mapTables(block, (table) =>
    ragged.has(idOf(table)) && !known.has(idOf(table)) ? squareTable(table, newId) : table,
  );
}

function squareTable(table: Node, newId: NewId): Node {
  const { rows: cut, freed } = cutMerged(table.content ?? []);
  const rows = withoutLoneCells(cut);
  const layout = new TableLayout(rows);
  const ages = columnsByAge(layout);
  const filled = rows.map((row, at) => {
    const columns = new Set([...freed.flatMap((one) => (one.row < at ? one.columns : [])), ...ages]);
    return fillRow(row, defined(layout.lines[at]), [...columns], newId);
  });
  // A new cell before merged ones would shift them to where they may not fit. A cell at the end of the row shifts
  // nothing.
  if (new TableLayout(filled).isEven) return withContent(table, filled);
  const atEnd = rows.map((row, at) => {
    const missing = layout.width - defined(layout.lines[at]).taken;
    return withContent(row, [...cellsOf(row), ...Array.from({ length: missing }, () => emptyCell(row, newId))]);
  });
  return withContent(table, atEnd);
}

/** Columns that a shortened merged cell no longer covers; a row below it needs a cell there. */
interface Freed {
  readonly row: number;
  readonly columns: readonly number[];
}

/** Ends merged cells at the end of the table, and before a row that has no room for them. */
function cutMerged(rows: readonly Node[]): { readonly rows: readonly Node[]; readonly freed: readonly Freed[] } {
  const { cut, lines } = new TableLayout(rows, true);
  const shorten = (cell: Node): Node => {
    const rowspan = cut.get(cell);
    return rowspan === undefined ? cell : withAttrs(cell, { ...cell.attrs, rowspan });
  };
  const freed = lines.flatMap(({ own }, row) =>
    own.flatMap(({ cell, column }) =>
      cut.has(cell) ? { row, columns: Array.from({ length: spanOf(cell, "colspan") }, (_, i) => column + i) } : [],
    ),
  );
  const rest = rows.map((row) =>
    cellsOf(row).some((cell) => cut.has(cell)) ? withContent(row, cellsOf(row).map(shorten)) : row,
  );
  return { rows: rest, freed };
}

/** Drops the empty cells of a single overlong row, which was added while a column was deleted. */
function withoutLoneCells(rows: readonly Node[]): readonly Node[] {
  const { lines } = new TableLayout(rows);
  const [widest = 0, next = 0] = lines.map(({ taken }) => taken).sort((a, b) => b - a);
  if (rows.length < 3 || widest === next) return rows;
  return rows.map((row, at) => {
    const { own, taken } = defined(lines[at]);
    const behind = own.filter(({ column }) => column >= next).map(({ cell }) => cell);
    const isLone = taken === widest && behind.length === widest - next && behind.every(isEmpty);
    return isLone ? withContent(row, cellsOf(row).slice(0, -behind.length)) : row;
  });
}

const isEmpty = (cell: Node): boolean =>
  !isMerged(cell) && cellsOf(cell).every(({ type, content: line = [] }) => type === "paragraph" && line.length === 0);

/** The creation time in a block's id: the ten characters after `block_`. */
const madeAt = (cell: Node): string => idOf(cell).slice(6, 16);

/** The columns of complete rows, youngest first: a row added elsewhere lacks the youngest one. */
function columnsByAge({ lines, width }: TableLayout): readonly number[] {
  const ages = new Map<number, string>();
  for (const { own, taken } of lines)
    for (const { cell, column } of taken === width ? own : []) {
      const known = ages.get(column);
      if (spanOf(cell, "colspan") === 1 && (known === undefined || madeAt(cell) < known))
        ages.set(column, madeAt(cell));
    }
  const byAge = Array.from({ length: width }, (_, column) => ({ age: ages.get(column) ?? "", column }));
  byAge.sort((a, b) => (a.age === b.age ? b.column - a.column : a.age < b.age ? 1 : -1));
  return byAge.map(({ column }) => column);
}

/** Adds empty cells in the first of these columns while the row is too short. */
function fillRow(row: Node, { taken, covered }: Line, columns: readonly number[], newId: NewId): Node {
  const missing = columns.length - taken;
  if (missing === 0) return row;
  const empties = new Set(columns.filter((column) => !covered.has(column)).slice(0, missing));
  const rest = [...cellsOf(row)];
  const cells: Node[] = [];
  for (let column = 0, left = missing; rest.length > 0 || left > 0; ) {
    const next = empties.has(column) && left > 0 ? undefined : rest.shift();
    if (covered.has(column)) {
      if (next) rest.unshift(next);
      column++;
      continue;
    }
    if (!next) left--;
    cells.push(next ?? emptyCell(row, newId));
    column += next ? spanOf(next, "colspan") : 1;
  }
  return withContent(row, cells);
}

function emptyCell(row: Node, newId: NewId): Node {
  const type = cellsOf(row).every((cell) => cell.type === "tableHeader") ? "tableHeader" : "tableCell";
  return { type, attrs: { id: newId() }, content: [{ type: "paragraph", attrs: { id: newId() } }] };
}
