import { sameJson } from "@svc/document/canonical";
import { defined } from "@svc/document/defined";
import { UnreadableBlock } from "@svc/live/element";
import type { LiveState } from "@svc/live/live-state";
import { keyBetween } from "@svc/live/order-key";
import type { Editor } from "@tiptap/core";
import { type Node as EditorNode, Fragment } from "@tiptap/pm/model";
import { EditorState, type Transaction } from "@tiptap/pm/state";
import { Transform } from "@tiptap/pm/transform";
import type * as Y from "yjs";
import { blockJson, childrenOf, editorNode, idOfNode } from "../block-json.ts";
import { type Parked, park, unpark } from "../part/parked.ts";
import { lengthOf, MAX_SHOWN, type Run, runAround } from "../part/run.ts";
import { readCaret } from "./caret.ts";
import { keepSelection } from "./keep-selection.ts";
import { inTransaction, replaceBlock, replaceDifference } from "./narrow-replace.ts";
import { isRemote, markRemote, markWindow } from "./remote.ts";
import { UndoSteps } from "./undo-steps.ts";

/** Characters and nodes in one update, far below the server's limit. */
const UPDATE_SIZE = 20_000;

/**
 * Keeps an editor and a live state equal. The person's changes are written block by block, only between the first and
 * the last changed block. Changes by others are shown with the narrowest replacement, so that caret, selection and
 * input methods are not disturbed. The editor holds only a run of blocks of a long document; the live state always
 * holds all of it.
 */
export class Binding {
  readonly #editor: Editor;
  readonly live: LiveState;
  readonly #steps: UndoSteps;
  #isWriting = false;
  /** The order that the current run refers to. */
  #order: readonly string[] = [];
  #run: Run = { from: 0, to: 0 };
  /** Order keys of the blocks when they were shown; a block with another key now has moved. */
  readonly #keys = new Map<string, string | undefined>();
  /** The person's selection while its blocks are not shown. */
  #parked: Parked | undefined;
  /** The order key of a block that others deleted with the caret in it, until the caret moves elsewhere. */
  #lostKey: string | undefined;
  /** The blocks changed by an undo or redo. */
  #touched: Set<string> | undefined;
  /** Called when other blocks are shown, or the blocks around them change. */
  onMove: () => void = () => undefined;
  /** Called when the person wants to see a change outside the shown blocks. */
  onReveal: (id: string) => void = () => undefined;

  /** `at`: the block around which a long document is shown. */
  constructor(editor: Editor, live: LiveState, at?: string) {
    this.#editor = editor;
    this.live = live;
    this.#steps = new UndoSteps(live.doc, live.map);
    live.takeChanged();
    const place = at === undefined ? -1 : live.order.indexOf(at);
    this.#showFirst(runAround(live.order.length, Math.max(0, place)));
    editor.on("transaction", this.#typed);
    live.doc.on("afterTransaction", this.#changed);
  }

  destroy(): void {
    this.#editor.off("transaction", this.#typed);
    this.live.doc.off("afterTransaction", this.#changed);
    this.#steps.destroy();
  }

  undo(): boolean {
    return this.#revealing(() => this.#steps.undo());
  }

  redo(): boolean {
    return this.#revealing(() => this.#steps.redo());
  }

  /** Runs a step and reveals its changes if none of them is shown. */
  #revealing(step: () => boolean): boolean {
    const touched = new Set<string>();
    this.#touched = touched;
    const isDone = step();
    this.#touched = undefined;
    const there = [...touched].filter((id) => this.live.has(id));
    if (there[0] !== undefined && !there.some((id) => this.#keys.has(id))) this.onReveal(there[0]);
    return isDone;
  }

  /** The run of shown blocks. */
  get run(): Run {
    return this.#run;
  }

  get parked(): Parked | undefined {
    return this.#parked;
  }

  isShown(id: string): boolean {
    return this.#keys.has(id);
  }

  readonly #typed = ({
    transaction,
    appendedTransactions = [],
  }: {
    transaction: Transaction;
    appendedTransactions?: Transaction[];
  }): void => {
    const all = [transaction, ...appendedTransactions];
    if (all.some(isRemote)) return;
    const isChanged = all.some((tr) => tr.docChanged);
    if (isChanged || all.some((tr) => tr.selectionSet)) this.#parked = undefined;
    if (isChanged) this.#write(transaction.before, this.#editor.state.doc);
    if (isChanged || all.some((tr) => tr.selectionSet)) this.#lostKey = undefined;
  };

  /** Writes the differences between two documents of the editor. */
  #write(before: EditorNode, after: EditorNode): void {
    const { live } = this;
    if (live.order.length === 0 && isPlaceholder(after)) return;
    const [old, now] = [childrenOf(before), childrenOf(after)];
    let start = 0;
    while (start < old.length && start < now.length && old[start] === now[start]) start++;
    let tail = 0;
    const most = Math.min(old.length, now.length) - start;
    while (tail < most && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++;
    this.#steps.divide(old.slice(start, old.length - tail), now.slice(start, now.length - tail));
    const kept = new Set(now.map(idOfNode));
    const gone = old.slice(start, old.length - tail).filter((node) => !kept.has(idOfNode(node)));
    // The neighbours of the shown blocks that are not shown.
    const [above, below] = [live.order[this.#run.from - 1], live.order[this.#run.to]];
    let left = start > 0 ? keyOf(live, now[start - 1]) : above && live.key(above);
    const right = tail > 0 ? keyOf(live, now[now.length - tail]) : below && live.key(below);
    const removals = partsOf(gone).map((part) => () => {
      for (const node of part) this.#remove(idOfNode(node));
    });
    const writings = partsOf(now.slice(start, now.length - tail)).map((part) => () => {
      for (const node of part) left = this.#writeBlock(node, left, right);
    });
    this.#transact(
      removals.length + writings.length > 2
        ? [...removals, ...writings]
        : [
            () => {
              for (const change of [...removals, ...writings]) change();
            },
          ],
    );
    this.#noteRun();
  }

  /**
   * Changes the live state without updating the editor, which has the change already or does not show these blocks.
   * Each change is an update of its own; together they are one undo step.
   */
  #transact(changes: readonly (() => void)[]): void {
    this.#isWriting = true;
    this.#steps.write(changes);
    this.#isWriting = false;
    this.live.takeChanged();
  }

  #remove(id: string | undefined): void {
    if (id === undefined) return;
    this.live.remove(id);
    this.#keys.delete(id);
  }

  /** Writes a block and returns its order key. */
  #writeBlock(node: EditorNode, left: string | undefined, right: string | undefined): string | undefined {
    const { live } = this;
    const id = idOfNode(node);
    if (id === undefined) return left;
    const known = live.node(id);
    const key = live.key(id);
    const isPlaced = key !== undefined && key > (left ?? "") && (right === undefined || key < right);
    const place = isPlaced ? key : this.#newKey(left, right);
    const json = blockJson(node, known);
    if (!known) live.insert(json, place);
    else {
      if (!sameJson(known, json)) live.patch(json);
      if (!isPlaced) live.move(id, place);
    }
    this.#keys.set(id, place);
    return place;
  }

  /** A key between two blocks; after a block that others deleted under the caret, so that it can come back. */
  #newKey(left: string | undefined, right: string | undefined): string {
    const start = left ?? "";
    const end = right !== undefined && right > start ? right : undefined;
    const lost = this.#lostKey;
    const isHere = lost !== undefined && lost > start && (end === undefined || lost < end);
    return keyBetween(isHere ? lost : left, end, "left");
  }

  /** Changes hidden blocks in updates of limited size, as one undo step. */
  changeHidden(ids: readonly string[], change: (tr: Transform) => void): void {
    const { schema } = this.#editor.state;
    const nodes = ids.flatMap((id) => (this.isShown(id) ? [] : (this.#nodeOf(id) ?? [])));
    const changeOne = (node: EditorNode) => {
      const tr = new Transform(schema.topNodeType.create(null, node));
      change(tr);
      const changed = tr.doc.firstChild;
      const id = defined(idOfNode(node));
      if (!changed || idOfNode(changed) !== id) this.live.remove(id);
      else if (changed !== node) this.live.patch(blockJson(changed, this.live.node(id)));
    };
    this.#transact(partsOf(nodes).map((part) => () => part.forEach(changeOne)));
    this.#noteRun();
  }

  /** Inserts a block after a hidden one. */
  insertHidden(behind: string, node: EditorNode): void {
    const { live } = this;
    const next = live.order[live.order.indexOf(behind) + 1];
    const key = keyBetween(live.key(behind), next && live.key(next), "left");
    this.#transact([() => live.insert(blockJson(node, undefined), key)]);
    this.#noteRun();
  }

  /** Updates the run after a change made in the editor. */
  #noteRun(): void {
    const { order } = this.live;
    if (order === this.#order) return;
    const ids = childrenOf(this.#editor.state.doc).flatMap((node) => idOfNode(node) ?? []);
    const [from, to] = [order.indexOf(ids[0] ?? ""), order.lastIndexOf(ids.at(-1) ?? "")];
    this.#setRun(from < 0 || to < 0 ? { from: 0, to: 0 } : { from, to: to + 1 });
  }

  #setRun(run: Run): void {
    this.#order = this.live.order;
    this.#run = run;
    this.onMove();
  }

  readonly #changed = (transaction: Y.Transaction): void => {
    if (this.#isWriting || transaction.changed.size === 0) return;
    const changed = this.live.takeChanged();
    for (const id of this.#touched ? changed : []) this.#touched?.add(id);
    this.#show(changed);
  };

  #showFirst(run: Run): void {
    const { schema, plugins } = this.#editor.state;
    const blocks = this.live.order.slice(run.from, run.to).flatMap((id) => this.#nodeOf(id) ?? []);
    const shown = blocks.length > 0 ? blocks : [schema.node("paragraph")];
    // A new state instead of a transaction, so that plugins do not process a document that nobody changed.
    const doc = schema.topNodeType.create(null, shown);
    this.#editor.view.updateState(EditorState.create({ doc, plugins }));
    this.#noteKeys(blocks);
    this.#setRun(run);
  }

  #noteKeys(blocks: readonly EditorNode[]): void {
    this.#keys.clear();
    for (const block of blocks) {
      const id = idOfNode(block);
      if (id !== undefined && this.live.has(id)) this.#keys.set(id, this.live.key(id));
    }
  }

  /**
   * A block of the live state. A block that only a forging client can have made is not shown; the next fold removes it.
   */
  #nodeOf(id: string): EditorNode | undefined {
    try {
      const block = this.live.node(id);
      return block && editorNode(this.#editor.state.schema, block);
    } catch (error) {
      if (error instanceof UnreadableBlock) return undefined;
      throw error;
    }
  }

  /**
   * Shows another run of blocks. Inserts new blocks before removing old ones, so that the editor keeps what it has
   * drawn of the others. A selection in removed blocks is parked and restored with them.
   */
  showRun(run: Run): void {
    const { view } = this.#editor;
    const ids = this.live.order.slice(run.from, run.to);
    const wanted = new Set(ids);
    readCaret(view);
    const { doc, selection } = view.state;
    const own = park(doc, selection);
    if (own && !(wanted.has(own.anchor.id) && wanted.has(own.head.id))) this.#parked ??= own;
    const first = ids.findIndex((id) => this.isShown(id));
    const last = ids.findLastIndex((id) => this.isShown(id));
    const nodes = (some: readonly string[]) => some.flatMap((id) => this.#nodeOf(id) ?? []);
    const { tr } = view.state;
    if (first < 0) tr.replaceWith(0, doc.content.size, nodes(ids));
    else {
      tr.insert(doc.content.size, nodes(ids.slice(last + 1)));
      tr.insert(0, nodes(ids.slice(0, first)));
    }
    if (tr.docChanged) view.dispatch(markWindow(tr));
    this.#dropOthers(wanted);
    this.#noteKeys(childrenOf(view.state.doc));
    const back = this.#parked && unpark(view.state.doc, this.#parked);
    if (back) {
      this.#parked = undefined;
      view.dispatch(markWindow(view.state.tr.setSelection(back)));
    }
    this.#setRun(run);
  }

  /** Removes the blocks before the first and after the last wanted one. */
  #dropOthers(wanted: ReadonlySet<string>): void {
    const { view } = this.#editor;
    const { doc, tr } = view.state;
    const isWanted = (node: EditorNode) => wanted.has(idOfNode(node) ?? "");
    let [before, behind] = [0, doc.content.size];
    for (let i = 0; i < doc.childCount && !isWanted(doc.child(i)); i++) before += doc.child(i).nodeSize;
    for (let i = doc.childCount - 1; i >= 0 && !isWanted(doc.child(i)); i--) behind -= doc.child(i).nodeSize;
    if (before >= behind) return;
    if (behind < doc.content.size) tr.delete(behind, doc.content.size);
    if (before > 0) tr.delete(0, before);
    if (tr.docChanged) view.dispatch(markWindow(tr));
  }

  /** Drops a parked selection whose block is gone. */
  forgetParked(): void {
    this.#parked = undefined;
  }

  /** The run of the shown blocks after changes by others. Blocks inserted between shown ones are shown too. */
  #runNow(): Run {
    const { order } = this.live;
    if (order === this.#order) return this.#run;
    const stayed = childrenOf(this.#editor.state.doc).flatMap((node) => {
      const id = idOfNode(node);
      return id !== undefined && this.live.has(id) && this.live.key(id) === this.#keys.get(id) ? id : [];
    });
    const isAtStart = this.#run.from === 0;
    const isAtEnd = this.#run.to === this.#order.length;
    const first = stayed[0] === undefined ? Math.min(this.#run.from, order.length) : order.indexOf(stayed[0]);
    const last = stayed[0] === undefined ? first + lengthOf(this.#run) : order.lastIndexOf(defined(stayed.at(-1))) + 1;
    const run = { from: isAtStart ? 0 : first, to: isAtEnd ? order.length : Math.min(last, order.length) };
    return lengthOf(run) > MAX_SHOWN || lengthOf(run) === 0 ? runAround(order.length, this.#caretPlace(run)) : run;
  }

  #caretPlace({ from, to }: Run): number {
    const { doc, selection } = this.#editor.state;
    const place = this.live.order.indexOf(park(doc, selection)?.head.id ?? "");
    return place >= from && place < to ? place : Math.max(0, Math.min(from, this.live.order.length - 1));
  }

  /** Shows changed blocks: first each one by itself, then added, removed and moved ones. */
  #show(changed: ReadonlySet<string>): void {
    if (changed.size === 0) return;
    const run = this.#runNow();
    const ids = this.live.order.slice(run.from, run.to);
    const isSame = ids.length === this.#keys.size && ids.every((id) => this.isShown(id));
    // Changes outside the shown blocks do not touch the editor.
    if (isSame && ![...changed].some((id) => this.isShown(id))) {
      if (this.live.order !== this.#order) this.#setRun(run);
      return;
    }
    readCaret(this.#editor.view);
    const { state } = this.#editor;
    const { schema, tr } = state;
    const current = new Map<string, EditorNode>();
    tr.doc.forEach((node) => {
      const id = idOfNode(node);
      if (id !== undefined) current.set(id, node);
    });
    const fresh = new Map<string, EditorNode>();
    for (const id of ids) {
      if (!changed.has(id)) continue;
      const node = this.#nodeOf(id);
      if (!node) continue;
      const known = current.get(id);
      fresh.set(id, known?.eq(node) ? known : node);
    }
    for (const [id, node] of fresh) if (current.has(id)) replaceBlock(tr, id, node);
    const own = park(state.doc, state.selection)?.head.id;
    if (own !== undefined && !this.live.has(own)) this.#lostKey ??= this.#keys.get(own);
    const order = ids.flatMap((id) => fresh.get(id) ?? current.get(id) ?? this.#nodeOf(id) ?? []);
    const shown = order.length > 0 ? order : [schema.node("paragraph")];
    replaceDifference(tr, Fragment.from(inTransaction(tr.doc, shown)), 0, tr.doc);
    this.#noteKeys(order);
    if (tr.docChanged)
      this.#editor.view.dispatch(markRemote(keepSelection(tr, state.selection, this.#touched !== undefined)));
    if (this.live.order !== this.#order) this.#setRun(run);
  }
}

const keyOf = (live: LiveState, node: EditorNode | undefined): string | undefined => {
  const id = node && idOfNode(node);
  return id === undefined ? undefined : live.key(id);
};

/** Groups blocks into updates. */
function partsOf(blocks: readonly EditorNode[]): EditorNode[][] {
  const parts: EditorNode[][] = [];
  let size = UPDATE_SIZE;
  for (const block of blocks) {
    if (size >= UPDATE_SIZE) {
      parts.push([]);
      size = 0;
    }
    parts.at(-1)?.push(block);
    size += block.nodeSize + 50;
  }
  return parts;
}

/** Whether a document is only the empty line shown for an empty document, which exists once somebody types. */
const isPlaceholder = (doc: EditorNode): boolean =>
  doc.childCount === 1 && doc.child(0).type.name === "paragraph" && doc.child(0).content.size === 0;
