import type { Node } from "@svc/document/types";

/** Parses CSV as in RFC 4180: quotes, doubled quotes and line breaks within cells. Reads every character once. */
export function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let isQuoted = false;
  const source = text.replace(/^\uFEFF/, "");
  const endRow = () => {
    row.push(cell);
    cell = "";
    if (row.length > 1 || row[0] !== "") rows.push(row);
    row = [];
  };
  for (let at = 0; at < source.length; at++) {
    const character = source[at];
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (source[at + 1] === '"') {
        cell += '"';
        at++;
      } else isQuoted = false;
    } else if (character === '"' && cell === "") isQuoted = true;
    else if (character === ",") {
      row.push(cell);
      cell = "";
    } else if (character === "\n") endRow();
    else if (character !== "\r") cell += character;
  }
  if (cell !== "" || row.length > 0) endRow();
  return rows;
}

/** A table whose first row is the header; shorter rows are padded. */
export function tableOf(
  rows: readonly (readonly string[])[],
  cellOf: (text: string, column: number, row: number) => Node[],
): Node {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 1);
  const content = rows.map((row, n) => ({
    type: "tableRow",
    content: Array.from({ length: width }, (_, column) => ({
      type: n === 0 ? "tableHeader" : "tableCell",
      content: [paragraph(n === 0 ? plain(row[column] ?? "") : cellOf(row[column] ?? "", column, n))],
    })),
  }));
  return { type: "table", content };
}

const paragraph = (content: readonly Node[]): Node => ({ type: "paragraph", ...(content.length > 0 && { content }) });

/** The lines of a cell. */
export const plain = (text: string): Node[] =>
  text
    .split("\n")
    .flatMap((line, n): Node[] => [
      ...(n > 0 ? [{ type: "hardBreak" }] : []),
      ...(line === "" ? [] : [{ type: "text", text: line }]),
    ]);
