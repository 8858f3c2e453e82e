import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isRecord } from "@svc/document/guards";
import { codeOf } from "@svc/document/thrown";
import { ImportRefused } from "../../archives/refused.ts";
import type { Config } from "../../config.ts";
import type { JobControl } from "../../jobs/job-control.ts";
import type { Imported, Importer, ImportTask } from "../../services/importer.ts";
import { OwnThread } from "../../threads/own-thread.ts";

interface ImportWork {
  /** The folder for the archive's files. */
  readonly folder: string;
  readonly task: ImportTask;
}

type ImportOutcome = { readonly imported: Imported } | { readonly refusal: { code: string; message: string } };

/** The functions of import-thread.ts. */
export type ImportTasks = { readonly run: (work: ImportWork) => Promise<ImportOutcome> };

/** Enough for the largest manifest and the largest body that are accepted. */
const MAX_HEAP_MB = 1024;
/** How long an idle thread is kept for the next archive. */
const IDLE_MS = 10_000;

/** A thread for imports; `report` gets the progress of the one that runs. */
interface ImportThread {
  readonly thread: OwnThread<ImportTasks>;
  report: (progress: unknown) => void;
}

/** Runs imports in threads: reading an archive delays no requests, and one that costs too much is refused. */
export class ThreadImporter implements Importer {
  readonly #config: Config;
  readonly #heapMb: number;
  #idle: ImportThread | undefined;

  constructor(config: Config, heapMb = MAX_HEAP_MB) {
    this.#config = config;
    this.#heapMb = heapMb;
  }

  async run(task: ImportTask, control: JobControl): Promise<Imported> {
    control.signal.throwIfAborted();
    const folder = await mkdtemp(join(tmpdir(), "svc-import-"));
    const used = this.#take();
    let isUsable = false;
    try {
      const outcome = await this.#outcome(used, { folder, task }, control);
      isUsable = true;
      if ("refusal" in outcome) throw new ImportRefused(outcome.refusal.code, outcome.refusal.message);
      return outcome.imported;
    } finally {
      if (isUsable && !this.#idle) this.#idle = used;
      else await used.thread.close();
      await rm(folder, { recursive: true, force: true });
    }
  }

  async close(): Promise<void> {
    const idle = this.#idle;
    this.#idle = undefined;
    await idle?.thread.close();
  }

  #take(): ImportThread {
    const idle = this.#idle ?? this.#start();
    this.#idle = undefined;
    return idle;
  }

  #start(): ImportThread {
    const started: ImportThread = {
      report: () => undefined,
      thread: new OwnThread(new URL("./import-thread.ts", import.meta.url), {
        workerData: this.#config,
        resourceLimits: { maxOldGenerationSizeMb: this.#heapMb },
        idleMs: IDLE_MS,
        onMessage: (progress) => started.report(progress),
      }),
    };
    return started;
  }

  /** Stops when the job is aborted, when its progress cannot be reported, and when it takes too long. */
  async #outcome(used: ImportThread, work: ImportWork, { signal, report }: JobControl) {
    const failed = new AbortController();
    const seconds = this.#config.importTimeoutS;
    const timer = setTimeout(() => failed.abort(tookTooLong(seconds)), seconds * 1000);
    used.report = (progress) => {
      if (isRecord(progress)) report(progress).catch((error: unknown) => failed.abort(error));
    };
    try {
      return await used.thread.run("run", work, AbortSignal.any([signal, failed.signal]));
    } catch (error) {
      throw isOutOfMemory(error) ? tooMuchMemory(this.#heapMb) : error;
    } finally {
      clearTimeout(timer);
      used.report = () => undefined;
    }
  }
}

const isOutOfMemory = (error: unknown): boolean => codeOf(error) === "ERR_WORKER_OUT_OF_MEMORY";

const tooMuchMemory = (megabytes: number) =>
  new ImportRefused("archive_too_large", `Reading the archive takes more than ${megabytes} MB of memory.`);

const tookTooLong = (seconds: number) =>
  new ImportRefused("import_timeout", `The import took more than ${seconds} seconds (SVC_IMPORT_TIMEOUT_S).`);
