import type { ResourceLimits } from "node:worker_threads";
import { Piscina } from "piscina";
import type { Tasks } from "./pool.ts";

interface ThreadOptions {
  /** Read in the thread from `node:worker_threads`. */
  readonly workerData?: unknown;
  readonly resourceLimits?: ResourceLimits;
  /** How long the thread is kept without work; forever unless stated. */
  readonly idleMs?: number;
  /** Receives what the thread posts to its parent while a task runs. */
  readonly onMessage?: (message: unknown) => void;
}

/**
 * One thread for one long piece of work, with its own memory limit. Its tasks run one after the other and may keep
 * state between calls. It starts with the first task and ends with `close`.
 */
export class OwnThread<Of extends Tasks> {
  readonly #pool: Piscina;
  #ended: Promise<void> | undefined;

  constructor(worker: URL, options: ThreadOptions = {}) {
    const { workerData, resourceLimits, idleMs = Number.POSITIVE_INFINITY, onMessage = () => undefined } = options;
    this.#pool = new Piscina({
      filename: worker.href,
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: idleMs,
      // A thread with a connection to the store keeps its event loop running while it waits for a task.
      atomics: "disabled",
      workerData,
      ...(resourceLimits && { resourceLimits }),
    });
    // A task that fails rejects; a thread that fails between tasks is replaced by the next task.
    this.#pool.on("message", onMessage).on("error", () => undefined);
  }

  /** Runs a function of the worker file. An abort ends the thread first, so that nothing of it runs on. */
  async run<Name extends keyof Of & string>(
    name: Name,
    input: Parameters<Of[Name]>[0],
    signal?: AbortSignal,
  ): Promise<Awaited<ReturnType<Of[Name]>>> {
    signal?.throwIfAborted();
    const stop = () => void this.close();
    signal?.addEventListener("abort", stop);
    try {
      return await this.#pool.run(input, { name });
    } catch (error) {
      if (!signal?.aborted) throw error;
      await this.close();
      throw signal.reason;
    } finally {
      signal?.removeEventListener("abort", stop);
    }
  }

  /** Ends the thread, whatever it does, and waits until it has ended. */
  close(): Promise<void> {
    this.#ended ??= this.#pool.destroy();
    return this.#ended;
  }
}
