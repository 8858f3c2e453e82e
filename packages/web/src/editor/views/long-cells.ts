import { Extension } from "@tiptap/core";
import type { Node as EditorNode } from "@tiptap/pm/model";
import { Plugin, PluginKey } from "@tiptap/pm/state";
import { Decoration, DecorationSet } from "@tiptap/pm/view";
import { LONG_CELL } from "../../long-cell.ts";
import { changedRange, nodesIn } from "../changed-blocks.ts";

const key = new PluginKey<DecorationSet>("longCells");

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
export const LongCells = Extension.create({
  name: "longCells",
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
