import { type ResourceLimits, Worker } from "node:worker_threads";
import { ImportRefused } from "../../archives/refused.ts";
import type { Config } from "../../config.ts";
import type { Builder, BuildingStep } from "../../domain/exchange/import/build/builder.ts";
import type { Building } from "../../domain/exchange/import/build/building.ts";

export interface BuildThreadData {
  readonly config: Config;
  readonly building: Building;
}

/** Sent after the last step, to release the thread's resources. */
export const CLOSE = "close";
export type ToBuildThread = BuildingStep | typeof CLOSE;

/** The reason why a step was refused; undefined when it is done. */
export type FromBuildThread = { readonly code: string; readonly message: string } | undefined;

/** Stores documents in a separate thread, so that the next ones are read meanwhile. */
export class ThreadBuilder implements Builder {
  readonly isAside = true;
  readonly #thread: Worker;
  /** The running step. */
  #waiting: PromiseWithResolvers<void> | undefined;
  #failure: unknown;

  constructor(workerData: BuildThreadData, resourceLimits: ResourceLimits) {
    this.#thread = new Worker(new URL("./builder-thread.ts", import.meta.url), { workerData, resourceLimits })
      .on("message", (refusal: FromBuildThread) => {
        if (refusal) this.#waiting?.reject(new ImportRefused(refusal.code, refusal.message));
        else this.#waiting?.resolve();
      })
      .on("error", (error) => this.#fail(error))
      .on("exit", () => this.#fail(new Error("The thread that stores an import has ended.")));
  }

  build(step: BuildingStep): Promise<void> {
    return this.#ask(step);
  }

  async close(): Promise<void> {
    await this.#ask(CLOSE).catch(() => undefined);
    await this.#thread.terminate();
  }

  #ask(message: ToBuildThread): Promise<void> {
    if (this.#failure) return Promise.reject(this.#failure);
    this.#waiting = Promise.withResolvers();
    this.#thread.postMessage(message);
    return this.#waiting.promise;
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    this.#waiting?.reject(this.#failure);
  }
}
