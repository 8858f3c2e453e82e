import { defined } from "@svc/document/defined";
import { readDelimited, writeTsv } from "@svc/document/sheet/delimited";
import { shiftFormula } from "@svc/document/sheet/rewrite-formula";
import type { Area, CellPosition } from "./selection.ts";
import type { CellChange } from "./sheet-model.ts";

/** Cells on the clipboard: their results, and for our own grid their texts. */
interface Copied {
  readonly shown: readonly (readonly string[])[];
  readonly sources: readonly (readonly string[])[];
  /** Their original position; formulas are shifted from there. */
  readonly row: number;
  readonly column: number;
}

/** An attribute that only our grid reads. */
const OWN = "data-svc-cells";
const MAX_CELLS = 100_000;
const MAX_SPAN = 1000;

export function writeClipboard(data: DataTransfer, copied: Copied): void {
  data.setData("text/plain", writeTsv(copied.shown));
  const table = document.createElement("table");
  table.setAttribute(OWN, JSON.stringify({ sources: copied.sources, row: copied.row, column: copied.column }));
  for (const line of copied.shown) {
    const row = table.insertRow();
    for (const text of line) row.insertCell().textContent = text;
  }
  data.setData("text/html", table.outerHTML);
}

/** The texts to put into cells, from the one at `row` and `column` on; undefined when there are none. */
export function readClipboard(
  data: DataTransfer,
  row: number,
  column: number,
): readonly (readonly string[])[] | undefined {
  const html = data.getData("text/html");
  const table = html === "" ? null : new DOMParser().parseFromString(html, "text/html").querySelector("table");
  const own = table && ownCells(table.getAttribute(OWN));
  if (own) return own.sources.map((line) => line.map((text) => shiftFormula(text, row - own.row, column - own.column)));
  if (table) return tableCells(table);
  const text = data.getData("text/plain");
  return text === "" ? undefined : readDelimited(text.replace(/\r?\n$/, ""), "\t", MAX_CELLS);
}

/**
 * The target cells of a paste, from the first selected one on; a larger selection is filled repeatedly. `rows` are the
 * visible rows; the table grows beyond them.
 */
export function spread(
  cells: readonly (readonly string[])[],
  { top, left, bottom, right }: Area,
  rows: readonly number[],
): { readonly changes: readonly CellChange[]; readonly last: CellPosition } {
  const width = cells.reduce((most, line) => Math.max(most, line.length), 0);
  const [high, wide] = [Math.max(cells.length, bottom - top + 1), Math.max(width, right - left + 1)];
  const fits = high % cells.length === 0 && wide % width === 0;
  const [height, columns] = fits ? [high, wide] : [cells.length, width];
  const shown = rows.filter((row) => row >= top);
  const rowAt = (i: number): number => shown[i] ?? (shown.at(-1) ?? top) + i - shown.length + 1;
  const changes = Array.from({ length: height }, (_, y) =>
    Array.from({ length: columns }, (_, x) => ({
      row: rowAt(y),
      column: left + x,
      text: defined(cells[y % cells.length])[x % width] ?? "",
    })),
  ).flat();
  return { changes, last: { row: rowAt(height - 1), column: left + columns - 1 } };
}

function ownCells(json: string | null): Pick<Copied, "sources" | "row" | "column"> | undefined {
  if (json === null) return undefined;
  try {
    const { sources, row, column }: Record<string, unknown> = JSON.parse(json);
    const isTexts = (line: unknown): line is string[] =>
      Array.isArray(line) && line.every((text) => typeof text === "string");
    const isOwn =
      Array.isArray(sources) && sources.every(isTexts) && typeof row === "number" && typeof column === "number";
    return isOwn ? { sources, row, column } : undefined;
  } catch {
    return undefined;
  }
}

/** The cells of a table as Excel, Google Sheets and web pages write it. */
function tableCells(table: HTMLTableElement): string[][] {
  return [...table.rows].map((row) =>
    [...row.cells].flatMap((cell) => [
      cellText(cell),
      ...Array.from({ length: Math.min(MAX_SPAN, cell.colSpan) - 1 }, () => ""),
    ]),
  );
}

function cellText(cell: HTMLTableCellElement): string {
  for (const line of cell.querySelectorAll("br")) line.replaceWith("\n");
  return (cell.textContent ?? "")
    .replace(/[ \t\r]*\n[ \t\r]*/g, "\n")
    .replaceAll("\u00a0", " ")
    .trim();
}
