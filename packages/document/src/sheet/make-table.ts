import { idOf } from "../schema/node.ts";
import { hasBlockId } from "../schema/nodes.ts";
import type { Attrs, Node } from "../types.ts";
import type { Column } from "./table-source.ts";

/** A table has at most so many cells: what comes in from outside is refused beyond. */
export const MAX_CELLS = 100_000;
export const MAX_WIDTH = 1000;

export interface TableInput {
  readonly name?: string | undefined;
  readonly rows: readonly (readonly string[])[];
  readonly columns?: readonly Column[];
}

/** A paragraph with a text; a line end in it is a hard break. */
export const paragraphOf = (text: string): Node => ({
  type: "paragraph",
  ...(text !== "" && { content: lines(text) }),
});

const lines = (text: string): Node[] =>
  text
    .split(/\r\n?|\n/)
    .flatMap((line, i) => [
      ...(i > 0 ? [{ type: "hardBreak" }] : []),
      ...(line === "" ? [] : [{ type: "text", text: line }]),
    ]);

export const cellNode = (text: string, isHeader: boolean, attrs?: Attrs): Node => ({
  type: isHeader ? "tableHeader" : "tableCell",
  ...(attrs && { attrs }),
  content: [paragraphOf(text)],
});

const columnAttrs = (column: Column | undefined): Attrs | undefined => {
  if (!column || column.type === "auto") return undefined;
  return { columnType: column.type, ...(column.type === "choice" && { choices: [...column.choices] }) };
};

/** A table of texts: every row as wide as the widest, the first a header. It has no ids yet. */
export function makeTable({ name, rows, columns = [] }: TableInput): Node {
  const all = rows.length > 0 ? rows : [[""]];
  const width = all.reduce((most, row) => Math.max(most, row.length), 1);
  return {
    type: "table",
    ...(name !== undefined && { attrs: { name } }),
    content: all.map((row, y) => ({
      type: "tableRow",
      content: Array.from({ length: width }, (_, x) =>
        cellNode(row[x] ?? "", y === 0, y === 0 ? columnAttrs(columns[x]) : undefined),
      ),
    })),
  };
}

/** The new node with the ids, and the attributes that it does not set, of the old one at the same places. Lines have none. */
export function keepIds(node: Node, old: Node | undefined): Node {
  if (old === undefined || old.type !== node.type || !hasBlockId(node.type)) return node;
  const content = node.content?.map((child, i) => keepIds(child, old.content?.[i]));
  return { ...node, attrs: { ...old.attrs, ...node.attrs, id: idOf(old) }, ...(content && { content }) };
}
