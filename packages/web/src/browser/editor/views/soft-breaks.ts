import type { Node as EditorNode } from "@tiptap/pm/model";
import { Decoration, type DecorationSet } from "@tiptap/pm/view";
import { marksByText } from "./marks-by-text.ts";

/** Updates the decorations of text lines in a range; others stay unchanged. */
function look(set: DecorationSet, doc: EditorNode, range: { from: number; to: number }): DecorationSet {
  let now = set;
  if (range.from > range.to) return now;
  doc.nodesBetween(range.from, range.to, (node, position) => {
    if (!node.isTextblock) return true;
    now = now.remove(now.find(position, position + node.nodeSize));
    if (!node.type.spec.code && node.textContent.includes("\n")) now = now.add(doc, breaksOf(node, position + 1));
    return false;
  });
  return now;
}

function breaksOf(line: EditorNode, start: number): Decoration[] {
  const found: Decoration[] = [];
  line.forEach(({ text = "" }, offset) => {
    for (const { index } of text.matchAll(/\n/g)) {
      const from = start + offset + index;
      found.push(Decoration.inline(from, from + 1, { class: "soft-break" }));
    }
  });
  return found;
}

/** Shows a line break that exists only in the Markdown source as a space, like the page for readers. */
export const SoftBreaks = marksByText("softBreaks", look);
