import { hasBlockId } from "@svc/document/schema/nodes";
import type { Node as Json } from "@svc/document/types";
import { type Editor, Extension } from "@tiptap/core";
import type { Node as EditorNode } from "@tiptap/pm/model";
import { type EditorState, Plugin, type Transaction } from "@tiptap/pm/state";
import { newBlockId } from "../../live-page/new-id.ts";
import { wholeOf } from "../part/whole-document.ts";
import { isRemote } from "./remote.ts";

/** Gives every new block an id in the transaction that creates it, and a duplicate block a new one. */
export const BlockIds = Extension.create({
  name: "blockIds",
  addProseMirrorPlugins() {
    const { editor } = this;
    return [
      new Plugin({
        appendTransaction: (transactions, before, after) =>
          transactions.some((tr) => tr.docChanged) && !transactions.some(isRemote)
            ? giveIds(before, after, {
                wasAt: (position) => positionBefore(transactions, position),
                isElsewhere: idsElsewhere(editor, before.doc),
              })
            : null,
      }),
    ];
  },
});

/** Returns whether a hidden block has an id. Checked only when an id appears that was not shown before. */
function idsElsewhere(editor: Editor, before: EditorNode): (id: string) => boolean {
  const whole = wholeOf(editor);
  let [shown, hidden]: (Set<string> | undefined)[] = [];
  const hiddenIds = (): Set<string> => {
    const ids = new Set<string>();
    const look = ({ attrs, content = [] }: Json): void => {
      if (typeof attrs?.id === "string") ids.add(attrs.id);
      for (const child of content) look(child);
    };
    for (const block of whole?.hiddenBlocks() ?? []) look(block);
    return ids;
  };
  const shownIds = (): Set<string> => {
    const ids = new Set<string>();
    before.descendants((node) => {
      if (typeof node.attrs.id === "string") ids.add(node.attrs.id);
      return !node.isTextblock;
    });
    return ids;
  };
  return (id) => {
    if (!whole) return false;
    shown ??= shownIds();
    if (shown.has(id)) return false;
    hidden ??= hiddenIds();
    return hidden.has(id);
  };
}

interface Found {
  readonly node: EditorNode;
  readonly position: number;
}

/** A position before the transactions. */
const positionBefore = (transactions: readonly Transaction[], position: number): number =>
  transactions.reduceRight((at, { mapping }) => mapping.invert().map(at, -1), position);

function giveIds(
  before: EditorState,
  { doc, tr }: EditorState,
  { wasAt, isElsewhere }: { wasAt: (position: number) => number; isElsewhere: (id: string) => boolean },
): Transaction | null {
  if (before.doc.eq(doc) || keepsIds(before.doc, doc)) return null;
  const known = new Map<string, Found>();
  const fresh: Found[] = [];
  const moved = new Map<number, string>();
  let previous: Found | undefined;
  doc.descendants((node, position) => {
    if (!hasBlockId(node.type.name)) return false;
    const found = { node, position };
    const id: unknown = node.attrs.id;
    const split = previous && splitFrom(previous, found);
    if (split !== undefined && (typeof id !== "string" || id === split) && hadText(before.doc, split)) {
      // Enter at the start of a line: the text keeps the id, and the empty line before it is new.
      moved.set(position, split);
      known.set(split, found);
      fresh.push(previous!);
    } else if (typeof id !== "string" || known.has(id) || isElsewhere(id)) fresh.push(found);
    else known.set(id, found);
    previous = found;
    return true;
  });
  if (fresh.length === 0) return null;
  for (const { node, position } of fresh) {
    const old = node.attrs.id ? undefined : turnedFrom(before.doc, wasAt(position));
    const id = old !== undefined && !known.has(old) ? old : newBlockId();
    known.set(id, { node, position });
    tr.setNodeAttribute(position, "id", id);
  }
  for (const [position, id] of moved) tr.setNodeAttribute(position, "id", id);
  return tr;
}

/** The ids of top-level blocks and all nested blocks; undefined if one is missing or repeated. */
function idsIn(doc: EditorNode, from: number, to: number): Set<string> | undefined {
  const ids = new Set<string>();
  let isWhole = true;
  const look = (node: EditorNode): boolean => {
    if (!hasBlockId(node.type.name)) return false;
    const id: unknown = node.attrs.id;
    if (typeof id !== "string" || ids.has(id)) isWhole = false;
    else ids.add(id);
    return isWhole;
  };
  for (let i = from; i < to && isWhole; i++) if (look(doc.child(i))) doc.child(i).descendants(look);
  return isWhole ? ids : undefined;
}

/**
 * Whether the changed blocks have the same ids as before, as after most keys: then the rest of a long document need not
 * be checked.
 */
function keepsIds(before: EditorNode, doc: EditorNode): boolean {
  const most = Math.min(before.childCount, doc.childCount);
  let start = 0;
  while (start < most && before.child(start) === doc.child(start)) start++;
  let tail = 0;
  const end = (node: EditorNode) => node.child(node.childCount - 1 - tail);
  while (tail < most - start && end(before) === end(doc)) tail++;
  const now = idsIn(doc, start, doc.childCount - tail);
  const old = now && idsIn(before, start, before.childCount - tail);
  return now !== undefined && old !== undefined && [...now].every((id) => old.has(id));
}

/** The id of the line that was here: a line that becomes a heading or code is the same block. */
function turnedFrom(doc: EditorNode, position: number): string | undefined {
  const node = position >= 0 && position < doc.content.size ? doc.nodeAt(position) : null;
  return node?.isTextblock && typeof node.attrs.id === "string" ? node.attrs.id : undefined;
}

/** The id of an empty block right before a block of its type with text. */
function splitFrom(first: Found, second: Found): string | undefined {
  const isNext = first.position + first.node.nodeSize === second.position && first.node.type === second.node.type;
  const isSplit = isNext && first.node.isTextblock && first.node.content.size === 0 && second.node.content.size > 0;
  return isSplit ? first.node.attrs.id : undefined;
}

function hadText(doc: EditorNode, id: string): boolean {
  let had = false;
  doc.descendants((node) => {
    if (node.attrs.id === id) had = node.content.size > 0;
    return !had && !node.isTextblock;
  });
  return had;
}
