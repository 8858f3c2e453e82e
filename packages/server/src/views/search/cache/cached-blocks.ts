import { defined } from "@svc/document/defined";
import type { Counters } from "@svc/search/segment/store-port";
import type { Change } from "../read/changes-between.ts";
import type { FoundBlock } from "../read/found-block.ts";
import type { LastEvent } from "../read/opening.ts";

export type KnownState = {
  readonly counters: Pick<Counters, "stamp" | "epoch" | "hasBacklog">;
  readonly event: LastEvent;
};

const isSameEvent = (a: LastEvent, b: LastEvent): boolean => a.id === b.id && a.createdAt === b.createdAt;

/** Which number is which block follows from the events, unless documents wait to be indexed. */
export const followsFromEvents = ({ counters: a }: KnownState, { counters: b }: KnownState): boolean =>
  a.epoch === b.epoch && !a.hasBacklog && !b.hasBacklog;

const isSame = (a: KnownState, b: KnownState): boolean =>
  isSameEvent(a.event, b.event) && (a.counters.stamp === b.counters.stamp || followsFromEvents(a, b));

/** How many of the last changes are kept: searches that began before them are seldom that far behind. */
const MOST_KEPT = 100;

const nothing: ReadonlySet<string> = new Set();

/** Blocks of one state of a workspace, by number, and the last changes that led to it. */
export class CachedBlocks {
  bytes = 0;
  #state: KnownState;
  readonly #blocks = new Map<number, FoundBlock>();
  readonly #numbers = new Map<string, number[]>();
  /** Their ids have no gaps; the last one is the state's last event, unless there are none. */
  #changes: readonly Change[] = [];

  constructor(state: KnownState) {
    this.#state = state;
  }

  get state(): KnownState {
    return this.#state;
  }

  get(number: number): FoundBlock | undefined {
    return this.#blocks.get(number);
  }

  add(block: FoundBlock): void {
    const { number, id } = block.row;
    if (this.#blocks.has(number)) return;
    this.#blocks.set(number, block);
    this.bytes += block.bytes;
    const others = this.#numbers.get(id);
    if (others) others.push(number);
    else this.#numbers.set(id, [number]);
  }

  /**
   * The documents that have changed since an earlier state, none since its own: all other blocks are the same in both.
   * Undefined when the way from there is not known.
   */
  changedSince(state: KnownState): ReadonlySet<string> | undefined {
    if (isSame(this.#state, state)) return nothing;
    if (!followsFromEvents(this.#state, state)) return undefined;
    const at = this.#changes.findLastIndex((change) => isSameEvent(change, state.event));
    return at < 0 ? undefined : new Set(this.#changes.slice(at + 1).map((change) => change.documentId));
  }

  /** Goes on to a later state: `changes` begin with the last one of the state before. */
  bringOn(state: KnownState, changes: readonly Change[]): void {
    for (const { documentId } of changes.slice(1)) this.#forget(documentId);
    this.#changes = [...this.#changes.slice(0, -1), ...changes].slice(-MOST_KEPT);
    this.#state = state;
  }

  #forget(documentId: string): void {
    for (const number of this.#numbers.get(documentId) ?? []) {
      this.bytes -= defined(this.#blocks.get(number)).bytes;
      this.#blocks.delete(number);
    }
    this.#numbers.delete(documentId);
  }
}
