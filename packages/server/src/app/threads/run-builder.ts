import type { ResourceLimits } from "node:worker_threads";
import { ImportRefused } from "../../archives/refused.ts";
import type { Builder, BuildingStep } from "../../domain/exchange/import/build/builder.ts";
import { OwnThread } from "../../threads/own-thread.ts";
import type * as tasks from "./builder-thread.ts";

/** Stores documents in a separate thread, so that the next ones are read meanwhile. */
export class ThreadBuilder implements Builder {
  readonly isAside = true;
  readonly #thread: OwnThread<typeof tasks>;

  constructor(workerData: tasks.BuildThreadData, resourceLimits: ResourceLimits) {
    const worker = new URL("./builder-thread.ts", import.meta.url);
    this.#thread = new OwnThread(worker, { workerData, resourceLimits });
  }

  async build(step: BuildingStep): Promise<void> {
    const refusal = await this.#thread.run("build", step);
    if (refusal) throw new ImportRefused(refusal.code, refusal.message);
  }

  /** Releases the thread's connections, then ends it. */
  async close(): Promise<void> {
    await this.#thread.run("release", undefined).catch(() => undefined);
    await this.#thread.close();
  }
}
