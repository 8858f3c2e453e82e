import { Extension } from "@tiptap/core";
import type { Node as EditorNode } from "@tiptap/pm/model";
import { Plugin, PluginKey } from "@tiptap/pm/state";
import { Decoration, DecorationSet, type EditorView } from "@tiptap/pm/view";
import { changedRange, nodesIn } from "../changed-blocks.ts";
import { loadIsland } from "../lazy.ts";

type Code = Awaited<ReturnType<typeof loadIsland<"code">>>;
let code: Code | undefined;

const key = new PluginKey<DecorationSet>("codeColours");
const languageOf = ({ attrs }: EditorNode): string => (typeof attrs.language === "string" ? attrs.language : "");

const everything = (doc: EditorNode) => ({ from: 0, to: doc.content.size });

const coloursOf = (node: EditorNode, position: number): Decoration[] =>
  (code?.colourCode(node.textContent, languageOf(node)) ?? []).map(({ from, to, className }) =>
    Decoration.inline(position + 1 + from, position + 1 + to, { class: className }),
  );

/** Highlights the code in a range of the document again; other code keeps its colours. */
function recolour(set: DecorationSet, doc: EditorNode, range: { from: number; to: number }): DecorationSet {
  let now = set;
  for (const { node, position } of nodesIn(doc, "codeBlock", range)) {
    now = now.remove(now.find(position, position + node.nodeSize));
    now = now.add(doc, coloursOf(node, position));
  }
  return now;
}

/** Loads the highlighter when the first code block names a language, and highlights all code. */
function loadFor(view: EditorView): void {
  let isAsked = false;
  const look = (doc: EditorNode) => {
    if (isAsked || !nodesIn(doc, "codeBlock", everything(doc)).some(({ node }) => languageOf(node) !== "")) return;
    isAsked = true;
    loadIsland("code").then(
      (island) => {
        code = island;
        if (!view.isDestroyed) view.dispatch(view.state.tr.setMeta(key, true).setMeta("addToHistory", false));
      },
      () => {
        isAsked = false;
      },
    );
  };
  looks.set(view, look);
  look(view.state.doc);
}

const looks = new WeakMap<EditorView, (doc: EditorNode) => void>();

/** Highlights code with the same colours as the page for readers. */
export const CodeColours = Extension.create({
  name: "codeColours",
  addProseMirrorPlugins: () => [
    new Plugin<DecorationSet>({
      key,
      state: {
        init: () => DecorationSet.empty,
        apply: (tr, set) => {
          if (tr.getMeta(key) === true) return recolour(DecorationSet.empty, tr.doc, everything(tr.doc));
          return tr.docChanged ? recolour(set.map(tr.mapping, tr.doc), tr.doc, changedRange(tr)) : set;
        },
      },
      props: { decorations: (state) => key.getState(state) },
      view: (view) => {
        loadFor(view);
        return {
          update: (now, before) => {
            if (code === undefined && now.state.doc !== before.doc) looks.get(now)?.(now.state.doc);
          },
        };
      },
    }),
  ],
});
