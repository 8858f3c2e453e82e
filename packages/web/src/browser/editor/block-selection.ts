import type { Editor } from "@tiptap/core";
import type { Node as EditorNode } from "@tiptap/pm/model";
import { type EditorState, NodeSelection, type Selection, TextSelection } from "@tiptap/pm/state";

export interface Block {
  readonly node: EditorNode;
  readonly position: number;
  readonly index: number;
}

export function blockOf(doc: EditorNode, index: number): Block | undefined {
  if (index < 0 || index >= doc.childCount) return undefined;
  let position = 0;
  for (let i = 0; i < index; i++) position += doc.child(i).nodeSize;
  return { node: doc.child(index), position, index };
}

/** Blocks that follow each other. */
export interface Blocks {
  readonly first: Block;
  readonly last: Block;
}

export const endOf = ({ position, node }: Block): number => position + node.nodeSize;

/** The blocks that the selection touches. */
export function ownBlocks(editor: Editor): Blocks | undefined {
  const { $from, $to } = editor.state.selection;
  const first = blockOf(editor.state.doc, $from.index(0));
  const last = blockOf(editor.state.doc, $to.depth === 0 && $to.pos > $from.pos ? $to.index(0) - 1 : $to.index(0));
  return first && last && { first, last };
}

/** From the first to the last, as one selection. */
export function select(editor: Editor, { first, last }: Blocks): void {
  const { tr } = editor.state;
  const isOne = first.index === last.index;
  tr.setSelection(
    isOne
      ? NodeSelection.create(tr.doc, first.position)
      : TextSelection.between(tr.doc.resolve(first.position + 1), tr.doc.resolve(endOf(last) - 1)),
  );
  editor.view.dispatch(tr.scrollIntoView());
  editor.view.focus();
}

/** Whether whole blocks are selected. Of lists, tables and the like a part stands for all of it. */
function selectsBlocks({ doc, selection }: EditorState, { first, last }: Blocks): boolean {
  if (selection instanceof NodeSelection) return true;
  if (first.index === last.index) return false;
  const isWhole = whole(doc, first, last).eq(selection) || whole(doc, last, first).eq(selection);
  return isWhole || !first.node.isTextblock || !last.node.isTextblock;
}

/** From one block to another, both included; the second may stand before the first. */
const whole = (doc: EditorNode, from: Block, to: Block): Selection =>
  from.index <= to.index
    ? TextSelection.between(doc.resolve(from.position + 1), doc.resolve(endOf(to) - 1))
    : TextSelection.between(doc.resolve(endOf(from) - 1), doc.resolve(to.position + 1));

/** The selection of blocks ends one block above or below, and is longer or shorter by that. */
export function extend(editor: Editor, step: -1 | 1): boolean {
  const { doc, selection, tr } = editor.state;
  const own = ownBlocks(editor);
  if (!own || !selectsBlocks(editor.state, own)) return false;
  const isBackward = selection.head < selection.anchor;
  const [from, last] = isBackward ? [own.last, own.first] : [own.first, own.last];
  const to = blockOf(doc, last.index + step);
  if (!to) return true;
  if (to.index === from.index) select(editor, { first: to, last: to });
  else editor.view.dispatch(tr.setSelection(whole(doc, from, to)).scrollIntoView());
  return true;
}
