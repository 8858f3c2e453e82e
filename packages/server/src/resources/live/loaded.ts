import type { Node } from "@svc/document/types";
import type { LiveState } from "@svc/live/live-state";
import type { DocumentKey } from "../../bodies/store.ts";
import { Cache } from "../../cache/cache.ts";
import { keyOf } from "../../cache/key-of.ts";

/** A live state in memory, as of its last fold. */
export interface LoadedState {
  readonly epoch: string;
  /** The last row that is in it. */
  readonly seq: number;
  readonly live: LiveState;
  /** The body's blocks at that fold, and their version. */
  readonly blocks: readonly Node[];
  readonly version: string;
  /** Who typed last, as far as this process knows. */
  readonly typist: string;
  /** The Yjs client id that this process's folds of it use. */
  readonly client: number;
  readonly bytes: number;
}

/** A state takes about so many times its bytes. */
const COST_PER_BYTE = 10;

const STATES = new Cache<LoadedState>("live_states");

/**
 * Live states that this process folded last. One is taken out for the time of a fold and comes back when that is
 * committed: a fold that fails leaves none that is ahead of the store.
 */
export class LoadedStates {
  take({ documentId }: DocumentKey): LoadedState | undefined {
    return STATES.take(keyOf(this) + documentId);
  }

  put({ documentId }: DocumentKey, state: LoadedState): void {
    STATES.put(keyOf(this) + documentId, state, state.bytes * COST_PER_BYTE);
  }

  /** Of all hubs of the process: there is one, but in tests. */
  get size(): number {
    return STATES.size;
  }
}
