import type { Counters } from "@svc/search/segment/store-port";
import type { Change } from "../read/changes-between.ts";
import type { FoundBlock } from "../read/found-block.ts";
import type { HitDocument } from "../read/hit-document.ts";
import type { LastEvent } from "../read/opening.ts";
import { SeenLately } from "./seen-lately.ts";

export type KnownState = {
  readonly counters: Pick<Counters, "stamp" | "epoch" | "hasBacklog">;
  readonly event: LastEvent;
};

const isSameEvent = (a: LastEvent, b: LastEvent): boolean => a.id === b.id && a.createdAt === b.createdAt;

/** Events determine which number belongs to which block, unless documents wait to be indexed. */
export const followsFromEvents = ({ counters: a }: KnownState, { counters: b }: KnownState): boolean =>
  a.epoch === b.epoch && !a.hasBacklog && !b.hasBacklog;

export const isSameState = (a: KnownState, b: KnownState): boolean =>
  isSameEvent(a.event, b.event) && (a.counters.stamp === b.counters.stamp || followsFromEvents(a, b));

/** The number of recent changes that are stored: few searches begin further behind. */
const MAX_CHANGES_KEPT = 100;

const nothing: ReadonlySet<string> = new Set();

/** The blocks used since the last turn, or since the one before, with all their documents. */
class Generation {
  bytes = 0;
  readonly documents = new Map<number, HitDocument>();
  /** Numbers of documents, by their ids. */
  readonly numbers = new Map<string, number>();
  readonly blocks = new Map<number, FoundBlock>();

  addDocument(document: HitDocument): void {
    const { number, id } = document.row;
    this.removeDocument(id);
    this.documents.set(number, document);
    this.numbers.set(id, number);
    this.bytes += document.bytes;
  }

  removeDocument(id: string): void {
    const number = this.numbers.get(id);
    const document = number === undefined ? undefined : this.documents.get(number);
    if (number === undefined || !document) return;
    this.numbers.delete(id);
    this.documents.delete(number);
    this.bytes -= document.bytes;
  }

  addBlock(block: FoundBlock): void {
    this.bytes += block.bytes - (this.blocks.get(block.number)?.bytes ?? 0);
    this.blocks.set(block.number, block);
  }
}

/**
 * Recently found documents of one state of a workspace, and the last changes that led to it. There are far more blocks
 * than documents, and hardly one is found by two queries, so only blocks that were found twice are stored.
 */
export class CachedBlocks {
  #state: KnownState;
  #young = new Generation();
  #old = new Generation();
  readonly #seen = new SeenLately();
  /** Their ids have no gaps. The last one is the state's last event, unless there are none. */
  #changes: readonly Change[] = [];

  constructor(state: KnownState) {
    this.#state = state;
  }

  get state(): KnownState {
    return this.#state;
  }

  get bytes(): number {
    return this.#young.bytes + this.#old.bytes + this.#seen.bytes;
  }

  /** Returns a document by its number in the index. */
  document(number: number): HitDocument | undefined {
    const young = this.#young.documents.get(number);
    if (young) return young;
    const old = this.#old.documents.get(number);
    if (old) this.addDocument(old);
    return old;
  }

  addDocument(document: HitDocument): void {
    this.#old.removeDocument(document.row.id);
    this.#young.addDocument(document);
  }

  get(number: number): FoundBlock | undefined {
    const young = this.#young.blocks.get(number);
    const block = young ?? this.#old.blocks.get(number);
    if (!block || block.document.isOutdated) return undefined;
    if (!young) this.#keep(block);
    return block;
  }

  /** Stores a block that was found before and whose document is here. */
  add(block: FoundBlock): void {
    if (this.#seen.again(block.number)) this.#keep(block);
  }

  #keep(block: FoundBlock): void {
    this.document(block.document.row.number);
    this.#young.addBlock(block);
  }

  /** Drops entries that were not used recently, so that the total stays within `most` bytes. */
  makeRoom(most: number): void {
    if (this.#young.bytes < (most - this.#seen.bytes) / 2) return;
    this.#old = this.#young;
    this.#young = new Generation();
  }

  /**
   * Returns the documents that changed after an earlier state: all others are the same in both. Empty for its own
   * state, undefined if the changes since then are not known.
   */
  changedSince(state: KnownState): ReadonlySet<string> | undefined {
    if (isSameState(this.#state, state)) return nothing;
    if (!followsFromEvents(this.#state, state)) return undefined;
    const at = this.#changes.findLastIndex((change) => isSameEvent(change, state.event));
    return at < 0 ? undefined : new Set(this.#changes.slice(at + 1).map((change) => change.documentId));
  }

  /** Moves on to a later state: `changes` begin with the last change of the previous state. */
  bringOn(state: KnownState, changes: readonly Change[]): void {
    for (const { documentId } of changes.slice(1)) this.#forget(documentId);
    this.#changes = [...this.#changes.slice(0, -1), ...changes].slice(-MAX_CHANGES_KEPT);
    this.#state = state;
  }

  /** Marks its blocks too: they check whether their document is outdated. */
  #forget(documentId: string): void {
    for (const generation of [this.#young, this.#old]) {
      const number = generation.numbers.get(documentId);
      const document = number === undefined ? undefined : generation.documents.get(number);
      if (document) document.isOutdated = true;
      generation.removeDocument(documentId);
    }
  }
}
