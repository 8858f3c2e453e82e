import { setTimeout as sleep } from "node:timers/promises";

/** Between two rounds while there is more to do, so that others get a turn. */
const BETWEEN_MS = 1;

interface LoopOptions {
  /** One round of the work. True, now or as a promise: there is more to do, and the next round follows at once. */
  readonly round: () => unknown;
  /** From the end of a round to the next one, unless somebody wakes the loop. */
  readonly pauseMs: number | (() => number);
  /** From the start to the first round; a pause when left out. */
  readonly firstAfterMs?: number;
  /** Calls of `wake` within this time share a round. */
  readonly gatherMs?: number;
  /** What a round threw. It is not called after a stop. */
  readonly failed: (error: unknown) => void;
}

/**
 * Work that is done again and again, one round at a time. It keeps time by timers alone, so a clock that is set neither
 * hurries nor delays it. It does not keep the process alive.
 */
export class Loop {
  readonly #options: LoopOptions;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;
  #wake = Promise.withResolvers<void>();
  #isWoken = false;

  constructor(options: LoopOptions) {
    this.#options = options;
    this.#running = this.#run();
  }

  /** Aborted by `stop`. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Ends the pause. Called during a round, another one follows it. */
  wake = (): void => {
    this.#isWoken = true;
    this.#wake.resolve();
  };

  /** Begins no further round; waits for the one that runs. */
  stop = (): Promise<void> => {
    this.#stop.abort();
    this.#wake.resolve();
    return this.#running;
  };

  async #run(): Promise<void> {
    await this.#pause(this.#options.firstAfterMs ?? this.#pauseMs());
    while (!this.signal.aborted) {
      const hasMore = await this.#round();
      await this.#pause(hasMore ? BETWEEN_MS : this.#pauseMs());
    }
  }

  async #round(): Promise<boolean> {
    try {
      return (await this.#options.round()) === true;
    } catch (error) {
      if (!this.signal.aborted) this.#options.failed(error);
      return false;
    }
  }

  async #pause(ms: number): Promise<void> {
    const over = new AbortController();
    const timer = sleep(ms, undefined, { ref: false, signal: over.signal }).catch(() => undefined);
    await Promise.race([this.#wake.promise, timer]);
    over.abort();
    if (this.#isWoken && this.#options.gatherMs !== undefined)
      await sleep(this.#options.gatherMs, undefined, { ref: false, signal: this.signal }).catch(() => undefined);
    this.#isWoken = false;
    if (!this.signal.aborted) this.#wake = Promise.withResolvers<void>();
  }

  #pauseMs(): number {
    const { pauseMs } = this.#options;
    return typeof pauseMs === "number" ? pauseMs : pauseMs();
  }
}
