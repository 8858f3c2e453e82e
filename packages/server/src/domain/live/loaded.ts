import type { Node } from "@svc/document/types";
import type { LiveState } from "@svc/live/live-state";
import { Cache } from "../../cache/cache.ts";
import { keyOf } from "../../cache/key-of.ts";
import type { DocumentKey } from "../../db/document-key.ts";

/** A live state in memory, as of its last fold. */
export interface LoadedState {
  readonly epoch: string;
  /** The last row that it includes. */
  readonly seq: number;
  readonly live: LiveState;
  /** The body's blocks and version at that fold. */
  readonly blocks: readonly Node[];
  readonly version: string;
  /** The Yjs client id that this process uses for folds of this state. */
  readonly client: number;
  readonly bytes: number;
}

/** Estimated memory of a state per byte of its encoding. */
const COST_PER_BYTE = 10;

const STATES = new Cache<LoadedState>("live_states");

/**
 * Live states that this process folded last. A state is taken out during a fold and put back when the fold is
 * committed, so that a failed fold leaves no state that is ahead of the store.
 */
export class LoadedStates {
  take({ documentId }: DocumentKey): LoadedState | undefined {
    return STATES.take(keyOf(this) + documentId);
  }

  put({ documentId }: DocumentKey, state: LoadedState): void {
    STATES.put(keyOf(this) + documentId, state, state.bytes * COST_PER_BYTE);
  }

  /** Total of all hubs in the process; there is more than one only in tests. */
  get size(): number {
    return STATES.size;
  }
}
