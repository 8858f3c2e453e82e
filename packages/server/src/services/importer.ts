import type { JobControl } from "../jobs/job-control.ts";

/** An import to run, as plain values that can be sent to another thread. */
export interface ImportTask {
  /** Also the seed of the new block ids, which are the same when the job runs again. */
  readonly jobId: string;
  readonly workspaceId: string;
  readonly userId: string;
  /** Marks the new knowledge base, so that the remains of an earlier attempt can be found. */
  readonly mark: string;
  readonly blobKey: string;
  readonly fileName: string;
  /** Replaces the archive's own name. */
  readonly name: string | undefined;
  /** Whether the sender may create concepts. */
  readonly withConcepts: boolean;
}

/** The numbers of an import. */
export interface Built {
  readonly folders: number;
  readonly documents: number;
  readonly attachments: number;
  readonly relations: number;
  readonly concepts: number;
  /** Links between the files of an archive of another program. */
  readonly links_resolved: number;
  readonly links_unresolved: number;
  /** Losses in the import, in words. */
  readonly warnings: readonly string[];
}

export interface Imported {
  readonly knowledgeBaseId: number;
  readonly name: string;
  /** The program that made the archive. */
  readonly format: string;
  readonly built: Built;
  readonly warnings: readonly string[];
}

/** Reads and builds archives without holding up requests. */
export interface Importer {
  run(task: ImportTask, control: JobControl): Promise<Imported>;
  close(): Promise<void>;
}
