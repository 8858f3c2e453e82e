import * as Y from "yjs";
import { MAX_UPDATE_BYTES } from "./frames.ts";

/** An update with the number that the server's answer names. */
export interface SentUpdate {
  readonly n: number;
  readonly update: Uint8Array;
}

/** A tab's own updates until the server has stored them: first gathered, then sent with a number. */
export class Outbox {
  #sent: readonly SentUpdate[] = [];
  #gathered: Uint8Array[] = [];
  #lastNumber = 0;

  get isEmpty(): boolean {
    return this.#sent.length === 0 && this.#gathered.length === 0;
  }

  get hasGathered(): boolean {
    return this.#gathered.length > 0;
  }

  /** The updates to send again after a connection was lost. */
  get sent(): readonly SentUpdate[] {
    return this.#sent;
  }

  /** All updates that are not known to be stored. */
  get all(): readonly Uint8Array[] {
    return [...this.#sent.map(({ update }) => update), ...this.#gathered];
  }

  add(update: Uint8Array): void {
    this.#gathered.push(update);
  }

  /** Numbers the gathered updates for sending. */
  takeGathered(): readonly SentUpdate[] {
    const batches = batchesOf(this.#gathered);
    this.#gathered = [];
    const taken = batches.map((batch) => ({ n: ++this.#lastNumber, update: Y.mergeUpdates(batch) }));
    this.#sent = [...this.#sent, ...taken];
    return taken;
  }

  /** Removes an update that the server has stored, and returns it. */
  remove(n: number): Uint8Array | undefined {
    const stored = this.#sent.find((one) => one.n === n);
    this.#sent = this.#sent.filter((one) => one !== stored);
    return stored?.update;
  }

  /** Forgets all updates; `unsent` are those of a journal. */
  reset(unsent?: Uint8Array): void {
    this.#gathered = [];
    this.#sent = unsent ? [{ n: ++this.#lastNumber, update: unsent }] : [];
  }
}

/** Groups updates into batches below the size limit of one frame, with room for merging overhead. */
function batchesOf(updates: readonly Uint8Array[]): Uint8Array[][] {
  const batches: Uint8Array[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const update of updates) {
    if (bytes + update.length > MAX_UPDATE_BYTES / 2) {
      batches.push([]);
      bytes = 0;
    }
    batches.at(-1)?.push(update);
    bytes += update.length;
  }
  return batches;
}
