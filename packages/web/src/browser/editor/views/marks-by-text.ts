import { Extension } from "@tiptap/core";
import type { Node as EditorNode } from "@tiptap/pm/model";
import { Plugin, PluginKey } from "@tiptap/pm/state";
import { DecorationSet } from "@tiptap/pm/view";
import { changedRange } from "../changed-blocks.ts";

/** Looks again at what stands in a range; what is marked elsewhere stays as it is. */
type Look = (set: DecorationSet, doc: EditorNode, range: { from: number; to: number }) => DecorationSet;

/** Marks that follow from the text, and are looked for anew only where it changes. */
export const marksByText = (name: string, look: Look): Extension => {
  const key = new PluginKey<DecorationSet>(name);
  return Extension.create({
    name,
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
};
