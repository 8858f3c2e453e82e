import type { Node as EditorNode } from "@tiptap/pm/model";
import { Decoration, type DecorationSet } from "@tiptap/pm/view";
import { marksByText } from "./marks-by-text.ts";

const RTL = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/** Whether the first letter belongs to a right-to-left script. */
function beginsAtRight(block: EditorNode): boolean {
  let letter: string | undefined;
  block.descendants(({ text }) => {
    letter ??= text && /\p{L}/u.exec(text)?.[0];
    return letter === undefined;
  });
  return letter !== undefined && RTL.test(letter);
}

/** Updates the blocks in a range. */
function look(set: DecorationSet, doc: EditorNode, range: { from: number; to: number }): DecorationSet {
  let now = set;
  if (range.from > range.to) return now;
  doc.nodesBetween(range.from, range.to, (node, position) => {
    const end = position + node.nodeSize;
    // A block that only touches the range belongs to its neighbour.
    now = now.remove(now.find(position, end).filter(({ from, to }) => from >= position && to <= end));
    // A task's checkbox has text of its own, so the browser's own detection fails.
    if (!node.isTextblock && beginsAtRight(node)) now = now.add(doc, [Decoration.node(position, end, { dir: "rtl" })]);
    return false;
  });
  return now;
}

/** Lists, quotes, boxes and tables have the direction of their first letter, as where they are read. */
export const Directions = marksByText("directions", look);
