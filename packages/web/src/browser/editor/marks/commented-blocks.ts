import { Extension } from "@tiptap/core";
import type { Node as EditorNode } from "@tiptap/pm/model";
import { Plugin, PluginKey } from "@tiptap/pm/state";
import { Decoration, DecorationSet } from "@tiptap/pm/view";
import { COMMENTED, THREADS_CHANGED } from "../../islands/discussion/events.ts";
import { idOfNode } from "../block-json.ts";

const key = new PluginKey<DecorationSet>("commentedBlocks");

/** The blocks that the comments beside the text are about. */
const talkedAbout = (): ReadonlySet<string> =>
  new Set(
    Array.from(document.querySelectorAll<HTMLElement>(".thread[data-block]"), ({ dataset }) => dataset.block ?? ""),
  );

function marksOf(doc: EditorNode): DecorationSet {
  const ids = talkedAbout();
  if (ids.size === 0) return DecorationSet.empty;
  const marks: Decoration[] = [];
  doc.forEach((node, position) => {
    const id = idOfNode(node);
    if (id !== undefined && ids.has(id))
      marks.push(Decoration.node(position, position + node.nodeSize, { [COMMENTED]: id }));
  });
  return DecorationSet.create(doc, marks);
}

/** Names the blocks that are talked about, so that the comments find their passages in what the editor shows. */
export const CommentedBlocks = Extension.create({
  name: "commentedBlocks",
  addProseMirrorPlugins: () => [
    new Plugin<DecorationSet>({
      key,
      state: {
        init: (_, { doc }) => marksOf(doc),
        apply: (tr, marks) => (tr.docChanged || tr.getMeta(key) ? marksOf(tr.doc) : marks),
      },
      props: { decorations: (state) => key.getState(state) },
      view: (view) => {
        const update = () => view.dispatch(view.state.tr.setMeta(key, true).setMeta("addToHistory", false));
        document.addEventListener(THREADS_CHANGED, update);
        return { destroy: () => document.removeEventListener(THREADS_CHANGED, update) };
      },
    }),
  ],
});
