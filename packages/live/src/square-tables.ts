import { defined } from "@svc/document/defined";
import { idOf, mapShared, withContent } from "@svc/document/schema/node";
import { holdsBlocks, nodeTypes } from "@svc/document/schema/nodes";
import type { NewId, Node } from "@svc/document/types";

const cellsOf = ({ content = [] }: Node): readonly Node[] => content;
const widthOf = (row: Node): number => cellsOf(row).length;
const isMerged = ({ attrs }: Node): boolean => [attrs?.colspan, attrs?.rowspan].some((span) => Number(span ?? 1) > 1);

/** Whether rows have different lengths. Of merged cells it is left open which place they take. */
function isRagged({ content: rows = [] }: Node): boolean {
  const isEven = rows.every((row) => widthOf(row) === widthOf(defined(rows[0])));
  return !isEven && !rows.some((row) => cellsOf(row).some(isMerged));
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
 * Fills rows that have become shorter than others: somebody added a row while somebody else added or deleted a column. A
 * table that had such rows before keeps them.
 */
export function squareTables(block: Node, before: Node | undefined, newId: NewId): Node {
  const ragged = raggedIn(block);
  if (ragged.size === 0) return block;
  const known = raggedIn(before);
  return mapTables(block, (table) =>
    ragged.has(idOf(table)) && !known.has(idOf(table)) ? squareTable(table, newId) : table,
  );
}

function squareTable(table: Node, newId: NewId): Node {
  const rows = withoutLoneCells(table.content ?? []);
  const width = Math.max(...rows.map(widthOf));
  const youngest = columnsByAge(
    rows.filter((row) => widthOf(row) === width),
    width,
  );
  return withContent(
    table,
    rows.map((row) => {
      const missing = new Set(youngest.slice(0, width - widthOf(row)));
      return missing.size === 0 ? row : fillRow(row, width, missing, newId);
    }),
  );
}

/** A row that alone goes on behind all others, with nothing in it there, was made while a column was deleted. */
function withoutLoneCells(rows: readonly Node[]): readonly Node[] {
  const [widest = 0, next = 0] = rows.map(widthOf).sort((a, b) => b - a);
  if (rows.length < 3 || widest === next) return rows;
  return rows.map((row) => {
    const isLone = widthOf(row) === widest && cellsOf(row).slice(next).every(isEmpty);
    return isLone ? withContent(row, cellsOf(row).slice(0, next)) : row;
  });
}

const isEmpty = ({ content = [] }: Node): boolean =>
  content.every(({ type, content: line = [] }) => type === "paragraph" && line.length === 0);

/** An id tells when its block was made, in the ten characters behind `block_`. */
const madeAt = (cell: Node | undefined): string => (cell ? idOf(cell).slice(6, 16) : "");

/** The columns of whole rows, the youngest first: that is the one which a row made elsewhere does not know. */
function columnsByAge(rows: readonly Node[], width: number): readonly number[] {
  const ages = Array.from({ length: width }, (_, column) =>
    rows.map((row) => madeAt(cellsOf(row)[column])).reduce((oldest, age) => (age < oldest ? age : oldest)),
  );
  const byAge = ages.map((age, column) => ({ age, column }));
  byAge.sort((a, b) => (a.age === b.age ? b.column - a.column : a.age < b.age ? 1 : -1));
  return byAge.map(({ column }) => column);
}

function fillRow(row: Node, width: number, missing: ReadonlySet<number>, newId: NewId): Node {
  const cells = [...cellsOf(row)];
  const type = cells.every((cell) => cell.type === "tableHeader") ? "tableHeader" : "tableCell";
  const empty = (): Node => ({
    type,
    attrs: { id: newId() },
    content: [{ type: "paragraph", attrs: { id: newId() } }],
  });
  return withContent(
    row,
    Array.from({ length: width }, (_, column) => (missing.has(column) ? empty() : defined(cells.shift()))),
  );
}
