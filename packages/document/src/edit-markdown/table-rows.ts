import { badRequest } from "../blocks/context.ts";
import { trimBlanks } from "../markdown/trim.ts";
import type { Node } from "../types.ts";

/** The lines of Markdown that is rows of a table alone, without a header of its own; undefined for all else. */
function rowsIn(markdown: string): readonly string[] | undefined {
  const rows = markdown.split("\n").filter((line) => line.trim() !== "");
  return rows.length > 0 && rows.every((line) => isRow(line) && !isDelimiter(line)) ? rows : undefined;
}

function isRow(line: string): boolean {
  const text = trimBlanks(line);
  return /^ {0,3}\|/.test(line) && text.length > 1 && text.endsWith("|");
}

/** Whether a line separates the header of a table from its rows. */
const isDelimiter = (line: string): boolean => line.includes("-") && /^[\s|:-]*$/.test(line);

/** The Markdown of a table with further rows behind its own; undefined where they are no rows, or it is no table. */
export function withRows(
  table: Node | undefined,
  markdown: string,
  writeMarkdown: (block: Node) => string,
): { readonly text: string; readonly count: number } | undefined {
  const rows = table?.type === "table" ? rowsIn(markdown) : undefined;
  if (!table || !rows) return undefined;
  const columns = columnsOf(table.content?.[0]);
  const cells = rows.reduce((most, row) => Math.max(most, cellsIn(row)), 0);
  if (cells > columns) throw badRequest("markdown", `has a row of ${cells} cells for a table of ${columns} columns`);
  return { text: `${writeMarkdown(table).trimEnd()}\n${rows.join("\n")}`, count: rows.length };
}

const columnsOf = (row: Node | undefined): number =>
  (row?.content ?? []).reduce((sum, { attrs }) => sum + Number(attrs?.colspan ?? 1), 0);

const cellsIn = (row: string): number => row.replace(/\\[\s\S]/g, "").split("|").length - 2;
