import type { Node } from "@svc/document/types";
import type { LiveState } from "@svc/live/live-state";
import type { DocumentKey } from "../../bodies/store.ts";

/** A live state in memory, as of its last fold. */
export interface LoadedState {
  readonly epoch: string;
  /** The last row that is in it. */
  readonly seq: number;
  readonly live: LiveState;
  /** The body's blocks at that fold, and their version. */
  readonly blocks: readonly Node[];
  readonly version: string;
  /** The Yjs client id that this process's folds of it use. */
  readonly client: number;
  readonly bytes: number;
}

/** Of all loaded states of a process together. A state takes about ten times its bytes. */
const MEMORY_BYTES = 128 * 1024 * 1024;
const COST_PER_BYTE = 10;

/**
 * Live states that this process folded last. One is taken out for the time of a fold and comes back when that is
 * committed: a fold that fails leaves none that is ahead of the store.
 */
export class LoadedStates {
  readonly #states = new Map<string, LoadedState>();
  #cost = 0;

  take(key: DocumentKey): LoadedState | undefined {
    const state = this.#states.get(key.documentId);
    if (!state) return undefined;
    this.#states.delete(key.documentId);
    this.#cost -= state.bytes * COST_PER_BYTE;
    return state;
  }

  put(key: DocumentKey, state: LoadedState): void {
    this.take(key);
    this.#states.set(key.documentId, state);
    this.#cost += state.bytes * COST_PER_BYTE;
    for (const [documentId, { bytes }] of this.#states) {
      if (this.#cost <= MEMORY_BYTES || this.#states.size === 1) break;
      this.#states.delete(documentId);
      this.#cost -= bytes * COST_PER_BYTE;
    }
  }

  get size(): number {
    return this.#states.size;
  }
}
