import type { Caret } from "@svc/live/frames";
import { Extension } from "@tiptap/core";
import type { Node as EditorNode } from "@tiptap/pm/model";
import { Plugin, PluginKey } from "@tiptap/pm/state";
import { Decoration, DecorationSet, type EditorView } from "@tiptap/pm/view";
import type { Present } from "../../live-page/person-colour.ts";
import { readCaret } from "../binding/caret.ts";
import { idOfNode } from "../block-json.ts";

const key = new PluginKey<DecorationSet>("carets");

/** Shows the carets of others. Between two messages the editor moves them along with the text. */
export const Carets = Extension.create({
  name: "carets",
  addProseMirrorPlugins: () => [
    new Plugin<DecorationSet>({
      key,
      state: {
        init: () => DecorationSet.empty,
        apply: (tr, set): DecorationSet => tr.getMeta(key) ?? set.map(tr.mapping, tr.doc),
      },
      props: { decorations: (state) => key.getState(state) },
    }),
  ],
});

export function showCarets(view: EditorView, others: readonly Present[]): void {
  readCaret(view);
  const marks = others.flatMap((person) => caretOf(view.state.doc, person));
  view.dispatch(view.state.tr.setMeta(key, DecorationSet.create(view.state.doc, marks)).setMeta("addToHistory", false));
}

function caretOf(doc: EditorNode, { colour: number, name, place, connection }: Present): Decoration[] {
  const found = place && blockAt(doc, place.block_id);
  if (!found) return [];
  const at = (offset: number) => found.position + Math.min(offset, found.node.nodeSize - 1);
  const [anchor, head] = [at(place.anchor), at(place.head)];
  const colour = `caret-${number}`;
  // Its owner types before it, so it moves along until the next message reports its position.
  const caret = Decoration.widget(head, () => drawCaret(name, colour), { key: `${connection}:${name}`, side: 1 });
  if (anchor === head) return [caret];
  const range = Decoration.inline(Math.min(anchor, head), Math.max(anchor, head), { class: `caret-range ${colour}` });
  return [range, caret];
}

function drawCaret(name: string, colour: string): HTMLElement {
  const caret = document.createElement("span");
  caret.className = `caret ${colour}`;
  const label = document.createElement("span");
  label.className = "caret-name";
  label.textContent = name;
  caret.append(label);
  return caret;
}

function blockAt(doc: EditorNode, id: string): { node: EditorNode; position: number } | undefined {
  let found: { node: EditorNode; position: number } | undefined;
  doc.forEach((node, position) => {
    if (idOfNode(node) === id) found = { node, position };
  });
  return found;
}

/** The person's own caret, as sent to others. */
export function ownCaret(view: EditorView): Caret | null {
  const { selection, doc } = view.state;
  const start = selection.$head.before(1) >= 0 ? selection.$head.before(1) : 0;
  const node = doc.nodeAt(start);
  const id = node && idOfNode(node);
  if (!node || !id) return null;
  const offset = (position: number) => Math.max(0, Math.min(position - start, node.nodeSize));
  return { block_id: id, anchor: offset(selection.anchor), head: offset(selection.head) };
}
