import { functionNames } from "./evaluate.ts";
import { given } from "./given.ts";
import type { Expression } from "./parse.ts";
import { parseFormula } from "./parse.ts";
import { readNumber } from "./read-text.ts";
import type { Workbook } from "./workbook.ts";

const known = new Set(functionNames);

/** Characters that programs read as the start of a formula or command. */
const STARTS_FORMULA = /^[=+\-@\t\r]/;

/**
 * A text that no program takes for a formula when it opens the file: one that begins like a formula gets an apostrophe,
 * which here too says that what follows is text.
 */
const inertText = (text: string): string =>
  STARTS_FORMULA.test(text) && readNumber(text) === undefined ? `'${text}` : text;

/**
 * Whether a formula may be handed to another program as one: it can be read, and calls nothing but functions of ours.
 * Others have functions that fetch addresses or start programs.
 */
export function isOwnFormula(source: string): boolean {
  const expression = parseFormula(source);
  return typeof expression !== "string" && callsOwn(expression);
}

function callsOwn(expression: Expression): boolean {
  switch (expression.kind) {
    case "call":
      return known.has(expression.name) && expression.args.every(callsOwn);
    case "unary":
      return callsOwn(expression.of);
    case "binary":
      return callsOwn(expression.left) && callsOwn(expression.right);
    case "list":
      return expression.rows.every((row) => row.every(callsOwn));
    default:
      return true;
  }
}

/** The rows of a sheet for CSV: what its cells show, or their sources. */
export function exportRows(book: Workbook, sheet: number, values: "results" | "formulas"): string[][] {
  const { rows } = given(book.sheets[sheet]);
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  return rows.map((_, row) =>
    Array.from({ length: width }, (_, column) => {
      const source = given(rows[row])[column] ?? "";
      if (values === "results") return inertText(book.shown(sheet, row, column));
      if (book.isFormula(sheet, row, column)) return isOwnFormula(source) ? source : `'${source}`;
      return source.startsWith("'") ? source : inertText(source);
    }),
  );
}
