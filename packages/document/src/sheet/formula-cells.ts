import type { Node } from "../types.ts";
import { cellGrid, cellText, readColumn } from "./table-source.ts";
import { isFormulaText } from "./workbook.ts";

/** The cells of a sheet that are computed. In a column of texts there are none. */
export function formulaCells(table: Node): ReadonlySet<Node> {
  const grid = cellGrid(table);
  const columns = (grid[0] ?? []).map(readColumn);
  const cells = new Set<Node>();
  for (const line of grid)
    line.forEach((cell, x) => {
      if (cell && columns[x]?.type !== "text" && isFormulaText(cellText(cell))) cells.add(cell);
    });
  return cells;
}
