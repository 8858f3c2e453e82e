import { Extension } from "@tiptap/core";
import type { Node as EditorNode } from "@tiptap/pm/model";
import { Plugin, PluginKey } from "@tiptap/pm/state";
import { Decoration, DecorationSet } from "@tiptap/pm/view";
import { changedRange } from "../changed-blocks.ts";

const key = new PluginKey<DecorationSet>("directions");

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
export const Directions = Extension.create({
  name: "directions",
  addProseMirrorPlugins: () => [
    new Plugin<DecorationSet>({
      key,
      state: {
        init: (_, { doc }) => look(DecorationSet.empty, doc, { from: 0, to: doc.content.size }),
        apply: (tr, set) => (tr.docChanged ? look(set.map(tr.mapping, tr.doc), tr.doc, changedRange(tr)) : set),
      },
      props: { decorations: (state) => key.getState(state) },
    }),
  ],
});
