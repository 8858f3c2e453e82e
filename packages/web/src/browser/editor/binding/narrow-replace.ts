import type { Node as EditorNode, Fragment } from "@tiptap/pm/model";
import type { Transaction } from "@tiptap/pm/state";
import { ReplaceStep } from "@tiptap/pm/transform";
import { childrenOf, idOfNode } from "../block-json.ts";

/** Replaces only the differing range inside one block. */
export function replaceBlock(tr: Transaction, id: string, node: EditorNode): void {
  const position = positionOf(tr.doc, id);
  const old = tr.doc.nodeAt(position);
  if (!old || old.eq(node)) return;
  if (old.sameMarkup(node)) replaceDifference(tr, node.content, position + 1, old);
  else tr.replaceWith(position, position + old.nodeSize, node);
}

/**
 * Replaces only the range between the first and the last difference of a node's content. Builds the step by hand:
 * `tr.replace` searches for a position where the content fits, which may be a different one.
 */
export function replaceDifference(tr: Transaction, content: Fragment, offset: number, parent: EditorNode): void {
  const start = parent.content.findDiffStart(content);
  if (start === null) return;
  const end = parent.content.findDiffEnd(content)!;
  const overlap = Math.max(0, start - Math.min(end.a, end.b));
  const whole = parent.type.create(parent.attrs, content);
  tr.step(new ReplaceStep(offset + start, offset + end.a + overlap, whole.slice(start, end.b + overlap)));
}

/** The equal blocks as they are in the transaction's document. */
export function inTransaction(doc: EditorNode, blocks: readonly EditorNode[]): EditorNode[] {
  const known = new Map(childrenOf(doc).map((node) => [idOfNode(node), node]));
  return blocks.map((block) => {
    const same = known.get(idOfNode(block));
    return same?.eq(block) ? same : block;
  });
}

function positionOf(doc: EditorNode, id: string): number {
  let position = -1;
  doc.forEach((node, offset) => {
    if (idOfNode(node) === id) position = offset;
  });
  return position;
}
