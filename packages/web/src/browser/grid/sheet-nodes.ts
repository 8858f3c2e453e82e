import { cellNode, paragraphOf } from "@svc/document/sheet/make-table";
import { shiftFormula } from "@svc/document/sheet/rewrite-formula";
import { cellText } from "@svc/document/sheet/table-source";
import type { Node } from "@svc/document/types";
import { encodeElement } from "@svc/live/element";
import type * as Y from "yjs";
import { newBlockId } from "../live-page/new-id.ts";

/** The cell with a text, in its first paragraph; what else it held goes. */
export function withText(cell: Node, text: string): Node {
  const paragraph = cell.content?.find(({ type }) => type === "paragraph");
  const id = typeof paragraph?.attrs?.id === "string" ? paragraph.attrs.id : newBlockId();
  return { ...cell, content: [{ ...paragraphOf(text), attrs: { ...paragraph?.attrs, id } }] };
}

export const newTable = (height: number, width: number): Node =>
  withIds({ type: "table", content: blankRows(height, width, true) });

export const blankRows = (count: number, width: number, hasHeader: boolean): Node[] =>
  Array.from({ length: count }, (_, y) => ({
    type: "tableRow",
    content: Array.from({ length: Math.max(1, width) }, () => cellNode("", hasHeader && y === 0)),
  }));

/** The node with an id wherever it has none. */
export const withIds = (node: Node): Node =>
  node.type === "text" || node.type === "hardBreak"
    ? node
    : {
        ...node,
        attrs: { id: newBlockId(), ...node.attrs },
        ...(node.content && { content: node.content.map(withIds) }),
      };

export function padRow(row: Y.XmlElement, width: number, isHeader: boolean): void {
  const missing = width - row.length;
  if (missing > 0)
    row.insert(
      row.length,
      Array.from({ length: missing }, () => encodeElement(withIds(cellNode("", isHeader)))),
    );
}

/** A row whose formulas go along to another place. */
export const shiftRow = (row: Node, by: number): Node => ({
  ...row,
  content: (row.content ?? []).map((cell) => {
    const text = cellText(cell);
    const shifted = shiftFormula(text, by, 0);
    return shifted === text ? cell : withText(cell, shifted);
  }),
});
