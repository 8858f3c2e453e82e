import { setImmediate as turn } from "node:timers/promises";

let waiting = 0;

/** Waits for the next turn of the event loop, in which the calling writer continues at once. */
export async function yieldToWriters(): Promise<void> {
  waiting++;
  await turn();
  waiting--;
}

/** Whether a writer is about to continue: long work that can wait should yield to it. */
export const isWriterWaiting = (): boolean => waiting > 0;
