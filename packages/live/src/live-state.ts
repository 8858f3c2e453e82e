import { defined } from "@svc/document/defined";
import { longestIncreasing } from "@svc/document/longest-increasing";
import { idOf } from "@svc/document/schema/node";
import type { Node } from "@svc/document/types";
import * as Y from "yjs";
import { differsInMoreThan } from "./count-line-changes.ts";
import { decodeElement, encodeElement, ORDER, orderOf, setAttribute, typeOf } from "./element.ts";
import { isOrderKey, keyBetween, keysBetween, MAX_KEY_LENGTH } from "./order-key.ts";
import { patchElement } from "./patch.ts";
import { itemOf } from "./yjs-internals.ts";

/** The version of this encoding. A live state with another version is rebuilt from its body. */
export const ENCODING = 1;

/** With more moved blocks than this the whole list is sorted. */
const MAX_MOVED = 50;

/** A block that differs in more lines is replaced. */
const MANY_LINES = 2000;

/** The only root type: a map from block ids to elements. */
export const BLOCKS = "blocks";

/**
 * A body as a Yjs document: a map from the ids of its top-level blocks to elements with an order key. A block can move
 * without a change to its content, and an id cannot occur twice.
 */
export class LiveState {
  readonly doc: Y.Doc;
  readonly map: Y.Map<Y.XmlElement>;
  readonly #nodes = new Map<string, Node>();
  #order: readonly string[] | undefined;
  /** The keys of the current order, and the blocks that may have moved since. */
  readonly #keys = new Map<string, string>();
  readonly #misplaced = new Set<string>();
  /** The order whose keys have been checked. */
  #checkedOrder: readonly string[] | undefined;
  readonly #changed = new Set<string>();

  constructor(doc = new Y.Doc()) {
    this.doc = doc;
    this.map = doc.getMap(BLOCKS);
    this.map.observeDeep((events) => {
      for (const event of events) this.#hear(event);
    });
  }

  static fromBlocks(blocks: readonly Node[], client: number): LiveState {
    const live = new LiveState();
    live.doc.clientID = client;
    live.setBlocks(blocks);
    return live;
  }

  static fromUpdates(updates: readonly Uint8Array[]): LiveState {
    return LiveState.open(new Y.Doc(), updates);
  }

  /**
   * Reads updates into an empty document. Observes it only afterwards, since events for every block of a long document
   * take time.
   */
  static open(doc: Y.Doc, updates: readonly Uint8Array[], origin?: unknown): LiveState {
    doc.getMap(BLOCKS);
    doc.transact(() => {
      for (const update of updates) Y.applyUpdate(doc, update, origin);
    }, origin);
    return new LiveState(doc);
  }

  apply(updates: readonly Uint8Array[], origin?: unknown): void {
    this.doc.transact(() => {
      for (const update of updates) Y.applyUpdate(this.doc, update, origin);
    }, origin);
  }

  element(id: string): Y.XmlElement | undefined {
    const element: unknown = this.map.get(id);
    return element instanceof Y.XmlElement ? element : undefined;
  }

  has(id: string): boolean {
    return this.element(id) !== undefined;
  }

  /** Ids ordered by key; ids decide between equal keys. */
  get order(): readonly string[] {
    const moved = this.#order ? [...this.#misplaced].filter((id) => this.#sortKey(id) !== this.#keys.get(id)) : [];
    this.#misplaced.clear();
    if (!this.#order || moved.length > MAX_MOVED) this.#order = this.#sortAll();
    else if (moved.length > 0) this.#order = this.#sortMoved(this.#order, moved);
    return this.#order;
  }

  /** The key that a block is sorted by; undefined if it does not exist. */
  #sortKey(id: string): string | undefined {
    return this.has(id) ? (this.key(id) ?? "") : undefined;
  }

  #sortAll(): readonly string[] {
    this.#keys.clear();
    for (const id of this.map.keys()) {
      const key = this.#sortKey(id);
      if (key !== undefined) this.#keys.set(id, key);
    }
    const keyed = [...this.#keys];
    keyed.sort(([x, a], [y, b]) => (a < b ? -1 : a > b ? 1 : x < y ? -1 : 1));
    return keyed.map(([id]) => id);
  }

  /** Removes and reinserts only the moved blocks: most changes of a long document move one. */
  #sortMoved(before: readonly string[], moved: readonly string[]): readonly string[] {
    const gone = new Set(moved);
    const order = before.filter((id) => !gone.has(id));
    for (const id of moved) {
      const key = this.#sortKey(id);
      if (key === undefined) {
        this.#keys.delete(id);
        continue;
      }
      this.#keys.set(id, key);
      let [low, high] = [0, order.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        const other = defined(order[middle]);
        const otherKey = defined(this.#keys.get(other));
        if (otherKey < key || (otherKey === key && other < id)) low = middle + 1;
        else high = middle;
      }
      order.splice(low, 0, id);
    }
    return order;
  }

  /** The type of a block, without reading the rest of it. */
  typeOf(id: string): string | undefined {
    const element = this.element(id);
    return element && typeOf(element);
  }

  /** The order key of a block, unless it is malformed. */
  key(id: string): string | undefined {
    const element = this.element(id);
    const key = element && orderOf(element);
    return isOrderKey(key) ? key : undefined;
  }

  /** One block as JSON. Throws `UnreadableBlock` for a block that only a forging client can have made. */
  node(id: string): Node | undefined {
    const known = this.#nodes.get(id);
    if (known) return known;
    const element = this.element(id);
    if (!element) return undefined;
    const node = decodeElement(element, id);
    this.#nodes.set(id, node);
    return node;
  }

  get blocks(): readonly Node[] {
    return this.order.map((id) => defined(this.node(id)));
  }

  /** Returns the ids of blocks that were added, changed, moved or removed since the last call. */
  takeChanged(): ReadonlySet<string> {
    const changed = new Set(this.#changed);
    this.#changed.clear();
    return changed;
  }

  /** Marks blocks as changed again. */
  markChanged(ids: Iterable<string>): void {
    for (const id of ids) this.#changed.add(id);
  }

  /** Inserts a block, replacing one with the same id. */
  insert(node: Node, key: string): void {
    const element = encodeElement(node, false);
    setAttribute(element, ORDER, key);
    this.map.set(idOf(node), element);
    this.#forget(idOf(node), true);
  }

  patch(node: Node): void {
    const element = this.element(idOf(node));
    if (!element) return;
    patchElement(element, node, false);
    this.#forget(idOf(node), false);
  }

  move(id: string, key: string): void {
    const element = this.element(id);
    if (!element || orderOf(element) === key) return;
    setAttribute(element, ORDER, key);
    this.#forget(id, true);
  }

  remove(id: string): void {
    this.map.delete(id);
    this.#forget(id, true);
  }

  /**
   * Makes the state equal to a list of blocks with few changes. `equal` are blocks that the state is known to hold
   * unchanged. `renews`: replaces a block that differs in very many lines.
   */
  setBlocks(
    blocks: readonly Node[],
    { origin, equal, renews = false }: { origin?: unknown; equal?: ReadonlySet<Node>; renews?: boolean } = {},
  ): void {
    this.doc.transact(() => {
      const wanted = new Set(blocks.map(idOf));
      for (const id of [...this.map.keys()]) if (!wanted.has(id)) this.remove(id);
      for (const block of blocks) if (!equal?.has(block) && this.has(idOf(block))) this.#change(block, renews);
      this.#setOrder(blocks.map(idOf), new Map(blocks.map((block) => [idOf(block), block])));
    }, origin);
  }

  /**
   * Patches a block where it differs. Yjs moves all structs of a client for each changed line, so a block with very
   * many changed lines is replaced: the time then grows linearly instead of quadratically.
   */
  #change(block: Node, renews: boolean): void {
    const id = idOf(block);
    const [before, key] = [this.node(id), this.key(id)];
    if (renews && before && key !== undefined && differsInMoreThan(MANY_LINES, before, block)) this.insert(block, key);
    else this.patch(block);
  }

  /** A key after all blocks. */
  lastKey(): string {
    const last = this.order.at(-1);
    return keyBetween(last && this.key(last), undefined, "left");
  }

  /** Assigns new keys to blocks whose keys are malformed, too long, or out of order. */
  repairOrder(): void {
    if (this.#checkedOrder === this.order) return;
    let previous = "";
    const isFine = (id: string) => {
      const key = this.#goodKey(id);
      const rises = key !== undefined && key > previous;
      previous = key ?? previous;
      return rises;
    };
    if (!this.order.every(isFine)) this.#setOrder(this.order, new Map());
    this.#checkedOrder = this.order;
  }

  #goodKey(id: string): string | undefined {
    const key = this.key(id);
    return key !== undefined && key.length <= MAX_KEY_LENGTH ? key : undefined;
  }

  /** Blocks whose keys are in order keep them; the others get keys in between, and missing blocks are inserted. */
  #setOrder(ids: readonly string[], nodes: ReadonlyMap<string, Node>): void {
    const keys = ids.map((id) => this.#goodKey(id));
    const keyed = keys.flatMap((key, index) => (key === undefined ? [] : index));
    const ranks = new Map(
      [...new Set(keyed.map((index) => defined(keys[index])))].sort().map((key, rank) => [key, rank]),
    );
    const steady = new Set(
      longestIncreasing(keyed.map((i) => defined(ranks.get(defined(keys[i]))))).map((i) => defined(keyed[i])),
    );
    for (let start = 0; start < ids.length; ) {
      let end = start;
      while (end < ids.length && !steady.has(end)) end++;
      keysBetween(keys[start - 1], keys[end], end - start).forEach((key, i) => {
        const id = defined(ids[start + i]);
        if (this.has(id)) this.move(id, key);
        else this.insert(defined(nodes.get(id)), key);
        keys[start + i] = key;
      });
      start = end + 1;
    }
  }

  #hear(event: Y.YEvent<Y.AbstractType<unknown>>): void {
    if (event instanceof Y.YMapEvent && event.target === this.map) {
      for (const id of event.keysChanged) this.#touch(id, true);
      return;
    }
    const { target } = event;
    let top = target;
    for (let above = top.parent; above && above !== this.map; above = top.parent) top = above;
    const id = itemOf(top)?.parentSub;
    if (id) this.#touch(id, top === target);
  }

  /** Forgets cached data of a block. Yjs reports changes only at the end of a transaction, so writers call this too. */
  #forget(id: string, mayMove: boolean): void {
    this.#nodes.delete(id);
    if (mayMove) this.#misplaced.add(id);
  }

  #touch(id: string, mayMove: boolean): void {
    this.#forget(id, mayMove);
    this.#changed.add(id);
  }
}
