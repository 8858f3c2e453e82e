/** Marks open suggestions in the text that is edited, as the page marks them where it is read. */
import { defined } from "@svc/document/defined";
import { markChange } from "@svc/document/suggest/place-runs";
import { Extension } from "@tiptap/core";
import type { Node as EditorNode } from "@tiptap/pm/model";
import { Plugin, PluginKey } from "@tiptap/pm/state";
import { Decoration, DecorationSet } from "@tiptap/pm/view";
import { element } from "../../islands/common/element.ts";
import { THREADS_CHANGED } from "../../islands/discussion/events.ts";
import { idOfNode } from "../block-json.ts";

const key = new PluginKey<DecorationSet>("suggestedChanges");

/** The changes of the cards beside the text, by the block that they replace or follow. */
function suggested(): Map<string, DOMStringMap[]> {
  const found = new Map<string, DOMStringMap[]>();
  for (const { dataset } of document.querySelectorAll<HTMLElement>(".suggestion-card[data-change]")) {
    const block = dataset.block ?? "";
    found.set(block, [...(found.get(block) ?? []), dataset]);
  }
  return found;
}

/** The text of a block, and the position in the document of each of its characters. */
function textIn(block: EditorNode, position: number): { readonly text: string; readonly at: readonly number[] } {
  let text = "";
  const at: number[] = [];
  block.descendants((node, offset) => {
    if (!node.isText) return;
    for (let unit = 0; unit < (node.text?.length ?? 0); unit++) at.push(position + 1 + offset + unit);
    text += node.text;
  });
  return { text, at };
}

const words = (text: string) => () => element("ins", { class: "change-added", contenteditable: "false" }, text);

function wordMarks(block: EditorNode, position: number, { before = "", after = "" }: DOMStringMap): Decoration[] {
  const { text, at } = textIn(block, position);
  const end = at.length === 0 ? position + 1 : defined(at.at(-1)) + 1;
  return markChange(text, before, after).flatMap(({ from, to, inserted }) => {
    const last = to > 0 ? (at[to - 1] ?? end - 1) + 1 : (at[0] ?? end);
    return [
      ...(to > from ? [Decoration.inline(at[from] ?? end, last, { class: "change-gone" })] : []),
      ...(inserted ? [Decoration.widget(last, words(inserted), { side: -1, key: `${from}:${inserted}` })] : []),
    ];
  });
}

const newBlock = (position: number, text: string): Decoration =>
  Decoration.widget(
    position,
    () => element("div", { class: "suggested-block change-new", contenteditable: "false" }, text),
    { side: -1, key: text },
  );

function marksOf(doc: EditorNode, changes: ReadonlyMap<string, readonly DOMStringMap[]>): DecorationSet {
  if (changes.size === 0) return DecorationSet.empty;
  const marks = (changes.get("") ?? []).map(({ after = "" }) => newBlock(0, after));
  doc.forEach((node, position) => {
    const end = position + node.nodeSize;
    for (const change of changes.get(idOfNode(node) ?? "") ?? [])
      if (change.change === "added") marks.push(newBlock(end, change.after ?? ""));
      else if (change.change === "removed") marks.push(Decoration.node(position, end, { class: "suggested-gone" }));
      else if (change.change === "modified") marks.push(...wordMarks(node, position, change));
  });
  return DecorationSet.create(doc, marks);
}

export const SuggestedChanges = Extension.create({
  name: "suggestedChanges",
  addStorage: () => ({ changes: suggested() }),
  addProseMirrorPlugins() {
    const { storage } = this;
    return [
      new Plugin<DecorationSet>({
        key,
        state: {
          init: (_, { doc }) => marksOf(doc, storage.changes),
          apply: (tr, marks) => (tr.docChanged || tr.getMeta(key) ? marksOf(tr.doc, storage.changes) : marks),
        },
        props: { decorations: (state) => key.getState(state) },
        view: (view) => {
          const update = () => {
            storage.changes = suggested();
            view.dispatch(view.state.tr.setMeta(key, true).setMeta("addToHistory", false));
          };
          document.addEventListener(THREADS_CHANGED, update);
          return { destroy: () => document.removeEventListener(THREADS_CHANGED, update) };
        },
      }),
    ];
  },
});
