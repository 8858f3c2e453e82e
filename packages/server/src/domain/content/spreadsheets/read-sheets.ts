import { defined } from "@svc/document/defined";
import { idOf } from "@svc/document/schema/node";
import { columnName, type Range, readRange } from "@svc/document/sheet/reference";
import { sheetName } from "@svc/document/sheet/table-source";
import type { Workbook } from "@svc/document/sheet/workbook";
import type { Node } from "@svc/document/types";
import { apiError, invalidRequest } from "../../../errors.ts";

/** Limit of cells per response. */
const MAX_CELLS = 20_000;

/** The names of a sheet. */
interface SheetName {
  readonly name: string;
  readonly id: string | undefined;
}

const isTable = ({ type }: Node): boolean => type === "table";

export const namesOf = (blocks: readonly Node[]): readonly SheetName[] =>
  blocks.filter(isTable).map((table, index) => ({ name: sheetName(table, index), id: idOf(table) }));

/** Indexes of the requested sheets; throws for an unknown name. */
export function chosenSheets(names: readonly SheetName[], wanted: string | undefined): number[] {
  const all = names.map((_, index) => index);
  if (wanted === undefined) return all;
  const found = all.filter((index) => {
    const { id, name } = defined(names[index]);
    return id === wanted || name.toLowerCase() === wanted.toLowerCase();
  });
  if (found.length === 0) throw apiError("not_found", { resource: "sheet", id: wanted });
  return found.slice(0, 1);
}

export function wantedRange(text: string | undefined): Range | undefined {
  const range = text === undefined ? undefined : readRange(text);
  if (text !== undefined && !range) throw invalidRequest("query.range", "must be cells such as B2:D20");
  return range;
}

/** One sheet for programs: displayed values, with the formulas beside them. */
export function readSheet(book: Workbook, names: readonly SheetName[], sheet: number, wanted: Range | undefined) {
  const { name, rows, columns, hasHeader } = defined(book.sheets[sheet]);
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const range = wanted ?? { top: 0, left: 0, bottom: rows.length - 1, right: width - 1 };
  const right = Math.min(range.right, width - 1);
  const wide = Math.max(0, right - range.left + 1);
  const last = Math.min(range.bottom, rows.length - 1);
  const bottom = Math.min(last, range.top + Math.max(1, Math.floor(MAX_CELLS / Math.max(1, wide))) - 1);
  const formulas: Record<string, string> = {};
  const values: string[][] = [];
  for (let row = range.top; row <= bottom; row++) {
    const line: string[] = [];
    for (let column = range.left; column <= right; column++) {
      line.push(book.shown(sheet, row, column));
      if (book.isFormula(sheet, row, column))
        formulas[`${columnName(column)}${row + 1}`] = defined(defined(rows[row])[column]);
    }
    values.push(line);
  }
  return {
    block_id: defined(names[sheet]).id,
    name,
    row_count: rows.length,
    column_count: width,
    has_header: hasHeader,
    columns: Array.from({ length: width }, (_, i) => columns[i] ?? { type: "auto", choices: [] }),
    range:
      values.length === 0 || wide === 0
        ? ""
        : `${columnName(range.left)}${range.top + 1}:${columnName(right)}${bottom + 1}`,
    values,
    formulas,
    has_more: bottom < last,
  };
}

const cellMarkdown = (text: string): string =>
  text.replaceAll("\\", "\\\\").replaceAll("|", "\\|").replaceAll("\n", "<br>");

/** Sheets as Markdown with column letters and row numbers; a formula follows its result. */
export function sheetsMarkdown(sheets: readonly ReturnType<typeof readSheet>[]): string {
  return sheets.map(sheetMarkdown).join("\n");
}

function sheetMarkdown({
  name,
  range,
  values,
  formulas,
  has_more,
  row_count,
  block_id,
}: ReturnType<typeof readSheet>): string {
  const start = readRange(range);
  const head = `## ${name.replaceAll("\n", " ")}\n\n`;
  if (!start) return `${head}Empty. Table ${block_id}.\n`;
  const letters = (values[0] ?? []).map((_, i) => columnName(start.left + i));
  const lines = values.map((line, i) => {
    const row = start.top + i + 1;
    const cells = line.map((text, j) => {
      const formula = formulas[`${letters[j]}${row}`];
      return cellMarkdown(formula === undefined ? text : `${text} ⟵ ${formula}`);
    });
    return `| ${[String(row), ...cells].join(" | ")} |`;
  });
  const more = has_more ? `\n${row_count} rows in all; ask for the next range.\n` : "";
  return `${head}| ${["", ...letters].join(" | ")} |\n|${" --- |".repeat(letters.length + 1)}\n${lines.join("\n")}\n${more}`;
}
