import type { Node as EditorNode } from "@tiptap/pm/model";
import { Decoration, type DecorationSet } from "@tiptap/pm/view";
import { LONG_CELL } from "../../../shared/long-cell.ts";
import { nodesIn } from "../changed-blocks.ts";
import { marksByText } from "./marks-by-text.ts";

/** Looks again at the cells in a range; others stay as they are. */
function look(set: DecorationSet, doc: EditorNode, range: { from: number; to: number }): DecorationSet {
  let now = set;
  for (const { node, position } of ["tableCell", "tableHeader"].flatMap((type) => nodesIn(doc, type, range))) {
    const end = position + node.nodeSize;
    now = now.remove(now.find(position, end).filter(({ from, to }) => from === position && to === end));
    if (node.textContent.length > LONG_CELL)
      now = now.add(doc, [Decoration.node(position, end, { class: "long-cell" })]);
  }
  return now;
}

/** Cells with much text are as wide as they are where the page is read. */
export const LongCells = marksByText("longCells", look);
