import type { Node as Json } from "@svc/document/types";
import type { ChainedCommands } from "@tiptap/core";
import { NodeSelection, TextSelection, type Transaction } from "@tiptap/pm/state";

/** An inserted node has a source to be written: its field gets the focus. */
export const FILL_IN = "svc-fill-in";

/** Puts a block in place of the empty line with the caret, or behind the block with the caret, and goes into it. */
export const insertBlock = (chain: ChainedCommands, json: Json): ChainedCommands =>
  chain.command(({ tr, state }) => {
    putBlock(tr, state.schema.nodeFromJSON(json));
    return true;
  });

/** Puts a part of a line at the caret and selects it, so that its tools are there. */
export const insertInline = (chain: ChainedCommands, json: Json): ChainedCommands =>
  chain.command(({ tr, state }) => {
    const at = tr.selection.from;
    tr.replaceSelectionWith(state.schema.nodeFromJSON(json), false);
    tr.setSelection(NodeSelection.create(tr.doc, at));
    return true;
  });

function putBlock(tr: Transaction, node: ReturnType<Transaction["doc"]["child"]>): void {
  const { $from } = tr.selection;
  const isEmptyLine = $from.parent.isTextblock && $from.parent.content.size === 0;
  const at = $from.depth === 0 ? $from.pos : isEmptyLine ? $from.before() : $from.after();
  tr.replaceWith(at, isEmptyLine ? $from.after() : at, node);
  if (node.isAtom) tr.setSelection(NodeSelection.create(tr.doc, at));
  else tr.setSelection(TextSelection.near(tr.doc.resolve(at + 1)));
}
