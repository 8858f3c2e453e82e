import { idOf } from "../schema/node.ts";
import type { Node } from "../types.ts";
import { given } from "./given.ts";
import { paragraphOf } from "./make-table.ts";
import { cellGrid } from "./table-source.ts";
import { SheetDate } from "./value.ts";
import type { Workbook } from "./workbook.ts";

/** The blocks of a spreadsheet as they are read: results stand in the place of formulas, numbers at the right. */
export function withResults(blocks: readonly Node[], book: Workbook): readonly Node[] {
  const tables = blocks.filter(({ type }) => type === "table");
  return blocks.map((block) => (block.type === "table" ? tableResults(block, tables.indexOf(block), book) : block));
}

function tableResults(table: Node, sheet: number, book: Workbook): Node {
  const shown = new Map<Node, Node>();
  cellGrid(table).forEach((line, row) => {
    line.forEach((cell, column) => {
      const changed = cell && cellResult(cell, sheet, row, column, book);
      if (cell && changed !== cell) shown.set(cell, given(changed));
    });
  });
  if (shown.size === 0) return table;
  return {
    ...table,
    content: given(table.content).map((row) => ({
      ...row,
      content: row.content?.map((cell) => shown.get(cell) ?? cell) ?? [],
    })),
  };
}

function cellResult(cell: Node, sheet: number, row: number, column: number, book: Workbook): Node {
  const isFormula = book.isFormula(sheet, row, column);
  const source = given(given(given(book.sheets[sheet]).rows[row])[column]);
  const isFormatted = book.sheets[sheet]?.formats?.[column] !== undefined;
  const value = isFormula || isFormatted || cell.attrs?.align === undefined ? book.value(sheet, row, column) : null;
  const isRight = cell.attrs?.align === undefined && (typeof value === "number" || value instanceof SheetDate);
  if (!isFormula && !isRight && !isFormatted && !source.startsWith("'")) return cell;
  const text = book.display(sheet, row, column);
  return {
    ...cell,
    attrs: { ...cell.attrs, id: idOf(cell), ...(isRight && { align: "right" }) },
    ...(text !== source && { content: [paragraphOf(text)] }),
  };
}
