import { badRequest } from "../blocks/context.ts";
import type { Node } from "../types.ts";

const ROW = /^ {0,3}\|.*\|[ \t]*$/;
const DELIMITERS = /^[\s|:-]*-[\s|:-]*$/;

/** The lines of Markdown that is rows of a table alone, without a header of its own; undefined for all else. */
function rowsIn(markdown: string): readonly string[] | undefined {
  const rows = markdown.split("\n").filter((line) => line.trim() !== "");
  return rows.length > 0 && rows.every((line) => ROW.test(line) && !DELIMITERS.test(line)) ? rows : undefined;
}

/** The Markdown of a table with further rows behind its own; undefined where they are no rows, or it is no table. */
export function withRows(
  table: Node | undefined,
  markdown: string,
  writeMarkdown: (block: Node) => string,
): { readonly text: string; readonly count: number } | undefined {
  const rows = table?.type === "table" ? rowsIn(markdown) : undefined;
  if (!table || !rows) return undefined;
  const columns = columnsOf(table.content?.[0]);
  const cells = Math.max(...rows.map(cellsIn));
  if (cells > columns) throw badRequest("markdown", `has a row of ${cells} cells for a table of ${columns} columns`);
  return { text: `${writeMarkdown(table).trimEnd()}\n${rows.join("\n")}`, count: rows.length };
}

const columnsOf = (row: Node | undefined): number =>
  (row?.content ?? []).reduce((sum, { attrs }) => sum + Number(attrs?.colspan ?? 1), 0);

const cellsIn = (row: string): number => row.replace(/\\[\s\S]/g, "").split("|").length - 2;
