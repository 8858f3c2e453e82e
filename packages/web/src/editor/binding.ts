import { sameJson } from "@svc/document/canonical";
import { UnreadableBlock } from "@svc/live/element";
import type { LiveState } from "@svc/live/live-state";
import { keyBetween } from "@svc/live/order-key";
import type { Editor } from "@tiptap/core";
import { type Node as EditorNode, Fragment } from "@tiptap/pm/model";
import { EditorState, TextSelection, type Transaction } from "@tiptap/pm/state";
import * as Y from "yjs";
import { blockJson, editorNode, idOfNode } from "./block-json.ts";
import { readCaret } from "./caret.ts";
import { isRemote, markRemote } from "./remote.ts";

/** Marks what this editor writes into the live state. */
const OWN = Symbol("editor");

/**
 * Keeps an editor and a live state equal. What the person changes is written block by block, only between the first and
 * the last changed block; what others change is shown by the narrowest replacement, so that caret, selection and input
 * methods are not disturbed.
 */
export class Binding {
  readonly #editor: Editor;
  readonly live: LiveState;
  readonly #undo: Y.UndoManager;
  #isWriting = false;

  constructor(editor: Editor, live: LiveState) {
    this.#editor = editor;
    this.live = live;
    this.#undo = new Y.UndoManager(live.map, { trackedOrigins: new Set([OWN]), captureTimeout: 600 });
    live.takeChanged();
    this.#showAll();
    editor.on("transaction", this.#typed);
    live.doc.on("afterTransaction", this.#changed);
  }

  destroy(): void {
    this.#editor.off("transaction", this.#typed);
    this.live.doc.off("afterTransaction", this.#changed);
    this.#undo.destroy();
  }

  undo(): boolean {
    return this.#undo.undo() !== null;
  }

  redo(): boolean {
    return this.#undo.redo() !== null;
  }

  readonly #typed = ({
    transaction,
    appendedTransactions = [],
  }: {
    transaction: Transaction;
    appendedTransactions?: Transaction[];
  }): void => {
    const all = [transaction, ...appendedTransactions];
    if (!all.some((tr) => tr.docChanged) || all.some(isRemote)) return;
    this.#write(transaction.before, this.#editor.state.doc);
  };

  /** Writes what differs between two documents of the editor. */
  #write(before: EditorNode, after: EditorNode): void {
    const { live } = this;
    if (live.order.length === 0 && isPlaceholder(after)) return;
    const [old, now] = [childrenOf(before), childrenOf(after)];
    let start = 0;
    while (start < old.length && start < now.length && old[start] === now[start]) start++;
    let tail = 0;
    const most = Math.min(old.length, now.length) - start;
    while (tail < most && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++;
    const changed = now.slice(start, now.length - tail);
    const kept = new Set(now.map(idOfNode));
    this.#isWriting = true;
    live.doc.transact(() => {
      for (const node of old.slice(start, old.length - tail)) {
        const id = idOfNode(node);
        if (id !== undefined && !kept.has(id)) live.remove(id);
      }
      let left = keyOf(live, now[start - 1]);
      const right = keyOf(live, now[now.length - tail]);
      for (const node of changed) left = this.#writeBlock(node, left, right);
    }, OWN);
    this.#isWriting = false;
    live.takeChanged();
  }

  /** Answers the block's order key. */
  #writeBlock(node: EditorNode, left: string | undefined, right: string | undefined): string | undefined {
    const { live } = this;
    const id = idOfNode(node);
    if (id === undefined) return left;
    const known = live.node(id);
    const key = live.key(id);
    const isPlaced = key !== undefined && key > (left ?? "") && (right === undefined || key < right);
    const place = isPlaced
      ? key
      : keyBetween(left, right !== undefined && right > (left ?? "") ? right : undefined, "left");
    const json = blockJson(node, known);
    if (!known) live.insert(json, place);
    else {
      if (!sameJson(known, json)) live.patch(json);
      if (!isPlaced) live.move(id, place);
    }
    return place;
  }

  readonly #changed = (transaction: Y.Transaction): void => {
    if (this.#isWriting || transaction.origin === OWN || transaction.changed.size === 0) return;
    this.#show(this.live.takeChanged());
  };

  #showAll(): void {
    const { schema, plugins } = this.#editor.state;
    const blocks = this.live.order.flatMap((id) => this.#nodeOf(id) ?? []);
    const shown = blocks.length > 0 ? blocks : [schema.node("paragraph")];
    // A new state, not a transaction: nothing that follows changes looks at a document that nobody changed.
    const doc = schema.topNodeType.create(null, shown);
    this.#editor.view.updateState(EditorState.create({ doc, plugins }));
  }

  /** A block of the live state. One that only a forging client can have made is not shown; the next fold takes it out. */
  #nodeOf(id: string): EditorNode | undefined {
    try {
      const block = this.live.node(id);
      return block && editorNode(this.#editor.state.schema, block);
    } catch (error) {
      if (error instanceof UnreadableBlock) return undefined;
      throw error;
    }
  }

  /** Shows changed blocks: first each changed block by itself, then what came, went or moved. */
  #show(changed: ReadonlySet<string>): void {
    if (changed.size === 0) return;
    readCaret(this.#editor.view);
    const { state } = this.#editor;
    const { schema, tr } = state;
    const current = new Map<string, EditorNode>();
    tr.doc.forEach((node) => {
      const id = idOfNode(node);
      if (id !== undefined) current.set(id, node);
    });
    const fresh = new Map<string, EditorNode>();
    for (const id of changed) {
      const node = this.#nodeOf(id);
      if (!node) continue;
      const known = current.get(id);
      fresh.set(id, known?.eq(node) ? known : node);
    }
    for (const [id, node] of fresh) if (current.has(id)) replaceNarrowly(tr, positionOf(tr.doc, id), node);
    const order = this.live.order.flatMap((id) => fresh.get(id) ?? current.get(id) ?? this.#nodeOf(id) ?? []);
    const shown = order.length > 0 ? order : [schema.node("paragraph")];
    replaceDifference(tr, Fragment.from(inTransaction(tr.doc, shown)), 0, tr.doc);
    if (!tr.docChanged) return;
    const { anchor, head } = state.selection;
    if (state.selection instanceof TextSelection) {
      // To the left of what others insert at the caret, or two people at one place would write into each other.
      const [from, to] = [tr.mapping.map(anchor, -1), tr.mapping.map(head, -1)];
      tr.setSelection(TextSelection.between(tr.doc.resolve(from), tr.doc.resolve(to)));
    }
    this.#editor.view.dispatch(markRemote(tr));
  }
}

const childrenOf = (doc: EditorNode): EditorNode[] => Array.from({ length: doc.childCount }, (_, i) => doc.child(i));
const keyOf = (live: LiveState, node: EditorNode | undefined): string | undefined => {
  const id = node && idOfNode(node);
  return id === undefined ? undefined : live.key(id);
};

/** An empty document shows one empty line that is not there until somebody types. */
const isPlaceholder = (doc: EditorNode): boolean =>
  doc.childCount === 1 && doc.child(0).type.name === "paragraph" && doc.child(0).content.size === 0;

function positionOf(doc: EditorNode, id: string): number {
  let position = -1;
  doc.forEach((node, offset) => {
    if (idOfNode(node) === id) position = offset;
  });
  return position;
}

/** Replaces only what differs inside one block. */
function replaceNarrowly(tr: Transaction, position: number, node: EditorNode): void {
  const old = tr.doc.nodeAt(position);
  if (!old || old.eq(node)) return;
  if (old.sameMarkup(node)) replaceDifference(tr, node.content, position + 1, old);
  else tr.replaceWith(position, position + old.nodeSize, node);
}

function replaceDifference(tr: Transaction, content: Fragment, offset: number, parent: EditorNode): void {
  const start = parent.content.findDiffStart(content);
  if (start === null) return;
  const end = parent.content.findDiffEnd(content)!;
  const overlap = Math.max(0, start - Math.min(end.a, end.b));
  const whole = parent.type.create(parent.attrs, content);
  tr.replace(offset + start, offset + end.a + overlap, whole.slice(start, end.b + overlap));
}

/** Blocks as they stand in the transaction's document by now, where they are equal. */
function inTransaction(doc: EditorNode, blocks: readonly EditorNode[]): EditorNode[] {
  const known = new Map(childrenOf(doc).map((node) => [idOfNode(node), node]));
  return blocks.map((block) => {
    const same = known.get(idOfNode(block));
    return same?.eq(block) ? same : block;
  });
}
