import type { Node as EditorNode } from "@tiptap/pm/model";
import { Decoration, type DecorationSet } from "@tiptap/pm/view";
import { marksByText } from "./marks-by-text.ts";

const RTL = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/** Whether the first letter is of a script that is written from the right. */
function beginsAtRight(block: EditorNode): boolean {
  let letter: string | undefined;
  block.descendants(({ text }) => {
    letter ??= text && /\p{L}/u.exec(text)?.[0];
    return letter === undefined;
  });
  return letter !== undefined && RTL.test(letter);
}

/** Looks again at the blocks in a range; others stay as they are. */
function look(set: DecorationSet, doc: EditorNode, range: { from: number; to: number }): DecorationSet {
  let now = set;
  if (range.from > range.to) return now;
  doc.nodesBetween(range.from, range.to, (node, position) => {
    const end = position + node.nodeSize;
    // What only touches the block belongs to its neighbour.
    now = now.remove(now.find(position, end).filter(({ from, to }) => from >= position && to <= end));
    // A box of a task has words of its own, so the browser's own way to find out is no help.
    if (!node.isTextblock && beginsAtRight(node)) now = now.add(doc, [Decoration.node(position, end, { dir: "rtl" })]);
    return false;
  });
  return now;
}

/** Lists, quotes, boxes and tables have the direction of their first letter, as where they are read. */
export const Directions = marksByText("directions", look);
