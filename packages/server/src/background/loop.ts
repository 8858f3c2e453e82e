import { setTimeout as sleep } from "node:timers/promises";

/** The pause between two rounds while there is more to do, so that other work gets a turn. */
const BETWEEN_MS = 1;

interface LoopOptions {
  /**
   * Runs one round of the work. Returns true, now or as a promise, if there is more to do: then the next round follows
   * at once.
   */
  readonly round: () => unknown;
  /** The time from the end of a round to the next one, unless `wake` ends it. */
  readonly pauseMs: number | (() => number);
  /** The time from the start to the first round; by default the pause. */
  readonly firstAfterMs?: number;
  /** Calls of `wake` within this time share a round. */
  readonly gatherMs?: number;
  /** Receives the error of a failed round. Not called after a stop. */
  readonly failed: (error: unknown) => void;
}

/**
 * Runs work again and again, one round at a time. It uses timers alone, so setting the clock neither hurries nor delays
 * it. It does not keep the process alive.
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

  /** Ends the pause. If it is called during a round, another round follows. */
  wake = (): void => {
    this.#isWoken = true;
    this.#wake.resolve();
  };

  /** Starts no further round and waits for the running one. */
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
