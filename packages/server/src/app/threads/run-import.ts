import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { codeOf } from "@svc/document/thrown";
import { ImportRefused } from "../../archives/refused.ts";
import type { Config } from "../../config.ts";
import type { JobControl } from "../../jobs/job-control.ts";
import type { Imported, Importer, ImportTask } from "../../services/importer.ts";

export interface ToThread {
  readonly folder: string;
  readonly task: ImportTask;
}

export type FromThread =
  | { readonly kind: "report"; readonly progress: Readonly<Record<string, unknown>> }
  | { readonly kind: "imported"; readonly imported: Imported }
  | { readonly kind: "refused"; readonly code: string; readonly message: string };

/** Enough for the largest manifest and the largest body that are accepted. */
const MAX_HEAP_MB = 1024;
/** How long an idle thread is kept for the next archive. */
const IDLE_MS = 10_000;

/** Runs imports in threads: reading an archive delays no requests, and one that costs too much is refused. */
export class ThreadImporter implements Importer {
  readonly #config: Config;
  readonly #heapMb: number;
  #idle: Worker | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(config: Config, heapMb = MAX_HEAP_MB) {
    this.#config = config;
    this.#heapMb = heapMb;
  }

  async run(task: ImportTask, control: JobControl): Promise<Imported> {
    control.signal.throwIfAborted();
    const folder = await mkdtemp(join(tmpdir(), "svc-import-"));
    const thread = this.#take();
    let isUsable = false;
    try {
      const message = await this.#outcome(thread, { folder, task }, control);
      isUsable = true;
      if (message.kind === "refused") throw new ImportRefused(message.code, message.message);
      return message.imported;
    } finally {
      if (isUsable) await this.#keep(thread);
      else await thread.terminate();
      await rm(folder, { recursive: true, force: true });
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#idle?.terminate();
    this.#idle = undefined;
  }

  #take(): Worker {
    const idle = this.#idle;
    this.#idle = undefined;
    clearTimeout(this.#timer);
    idle?.ref();
    return idle ?? this.#start();
  }

  async #keep(thread: Worker): Promise<void> {
    if (this.#idle) return void (await thread.terminate());
    this.#idle = thread;
    thread.unref();
    this.#timer = setTimeout(() => void this.close(), IDLE_MS).unref();
  }

  #start(): Worker {
    const thread = new Worker(new URL("./import-thread.ts", import.meta.url), {
      workerData: this.#config,
      resourceLimits: { maxOldGenerationSizeMb: this.#heapMb },
    });
    const forget = () => {
      if (this.#idle === thread) this.#idle = undefined;
    };
    return thread.on("error", forget).on("exit", forget);
  }

  async #outcome(thread: Worker, work: ToThread, { signal, report }: JobControl) {
    const { promise, resolve, reject } = Promise.withResolvers<Exclude<FromThread, { kind: "report" }>>();
    const hear = (message: FromThread) => {
      if (message.kind === "report") report(message.progress).catch(reject);
      else resolve(message);
    };
    const fail = (error: unknown) => reject(isOutOfMemory(error) ? tooMuchMemory(this.#heapMb) : error);
    const end = () => reject(new Error("The thread of the import has ended."));
    thread.on("message", hear).on("error", fail).on("exit", end);
    const stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop);
    const seconds = this.#config.importTimeoutS;
    const timer = setTimeout(() => reject(tookTooLong(seconds)), seconds * 1000);
    thread.postMessage(work);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      thread.off("message", hear).off("error", fail).off("exit", end);
    }
  }
}

const isOutOfMemory = (error: unknown): boolean => codeOf(error) === "ERR_WORKER_OUT_OF_MEMORY";

const tooMuchMemory = (megabytes: number) =>
  new ImportRefused("archive_too_large", `Reading the archive takes more than ${megabytes} MB of memory.`);

const tookTooLong = (seconds: number) =>
  new ImportRefused("import_timeout", `The import took more than ${seconds} seconds (SVC_IMPORT_TIMEOUT_S).`);
