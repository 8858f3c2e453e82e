import { setTimeout as sleep } from "node:timers/promises";

/** Long enough for a lease that ends, a failed try and its repeat, on a busy machine. */
const PATIENCE_MS = 120_000;

/** Waits until it is so. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`Waited in vain until ${what}.`);
    await sleep(20);
  }
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Windows of requests that are a day long begin at midnight: what a test counts must not fall into two of them. */
export async function stayInOneDay(): Promise<void> {
  const left = DAY_MS - (Date.now() % DAY_MS);
  if (left < PATIENCE_MS) await sleep(left);
}

const NAP_MS = 100;
const TICK_MS = 20;

/** Sleeps, a little at a time: while the machine stands still, nobody has done anything. */
export async function sleepAwake(ms: number): Promise<void> {
  for (let slept = 0; slept < ms; slept += NAP_MS) await sleep(NAP_MS);
}

/** A watch that stands still while the machine does, and is slow when the machine is. */
export class Watch implements Disposable {
  #ticks = 0;
  readonly #timer = setInterval(() => this.#ticks++, TICK_MS);

  get ms(): number {
    return this.#ticks * TICK_MS;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
