import { setImmediate as turn } from "node:timers/promises";

let waiting = 0;

/** The next turn of the event loop, for a writer that goes on in it at once. */
export async function yieldToWriters(): Promise<void> {
  waiting++;
  await turn();
  waiting--;
}

/** Whether a writer is about to go on: long work that can wait should let it. */
export const isWriterWaiting = (): boolean => waiting > 0;
