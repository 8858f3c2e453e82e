import { setTimeout as sleep } from "node:timers/promises";

/** Long enough for a lease that ends, a failed try and its repeat, on a busy machine. */
const PATIENCE_MS = 60_000;

/** Waits until it is so. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`Waited in vain until ${what}.`);
    await sleep(20);
  }
}
