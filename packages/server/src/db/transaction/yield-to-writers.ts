import { setImmediate as turn } from "node:timers/promises";

let waiting = 0;

/** Waits for the next turn of the event loop, in which the calling writer continues at once. */
export async function yieldToWriters(): Promise<void> {
  waiting++;
  await turn();
  waiting--;
}

/** Milliseconds of work after which a long step lets other requests run. */
const TURN_MS = 20;
const ITEMS_BETWEEN_LOOKS = 64;

/** Maps a long list, and lets other requests run every few milliseconds. */
export async function mapInTurns<T, R>(items: readonly T[], make: (item: T, index: number) => R): Promise<R[]> {
  const made: R[] = [];
  let began = performance.now();
  for (const [i, item] of items.entries()) {
    if (i % ITEMS_BETWEEN_LOOKS === 0 && performance.now() - began > TURN_MS) {
      await yieldToWriters();
      began = performance.now();
    }
    made.push(make(item, i));
  }
  return made;
}

/** Whether a writer is about to continue: long work that can wait should yield to it. */
export const isWriterWaiting = (): boolean => waiting > 0;
