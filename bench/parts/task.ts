import type { Run } from "../harness/run.ts";
import type { Stand } from "../harness/stand.ts";

/** One or more lines of the table that are measured together. */
export interface Task {
  readonly part: string;
  readonly operations: readonly string[];
  readonly measure: (run: Run, stand: Stand) => Promise<void>;
}
