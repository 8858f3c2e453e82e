import type { JobControl } from "../../jobs/job.ts";
import type { Built } from "./build/build.ts";
import type { ImportFormat } from "./import-format.ts";

/** What an import has to do; plain values, which another thread can be given. */
export interface ImportTask {
  /** Also the seed of the new block ids: the same ones when the job runs again. */
  readonly jobId: string;
  readonly workspaceId: string;
  readonly userId: string;
  /** The new knowledge base is known by this, so that what an earlier attempt left can be found. */
  readonly mark: string;
  readonly blobKey: string;
  readonly fileName: string;
  /** Instead of the archive's own. */
  readonly name: string | undefined;
  /** Whoever sent it may make them. */
  readonly withConcepts: boolean;
}

export interface Imported {
  readonly knowledgeBaseId: number;
  readonly name: string;
  readonly format: ImportFormat;
  readonly built: Built;
  readonly warnings: readonly string[];
}

/** Reads and builds archives where that holds up nobody. */
export interface Importer {
  run(task: ImportTask, control: JobControl): Promise<Imported>;
  close(): Promise<void>;
}
