import { runAside } from "../../../threads/pool.ts";
import type { readTables } from "./read-tables.ts";
import type { computeSheets } from "./sheet-worker.ts";

type SheetTasks = { readonly computeSheets: typeof computeSheets; readonly readTables: typeof readTables };

const WORKER = new URL("./sheet-worker.ts", import.meta.url);

/** Reads or computes sheets in a worker thread of the pool. */
export const runSheetTask = <Name extends keyof SheetTasks>(
  name: Name,
  input: Parameters<SheetTasks[Name]>[0],
  deadlineMs: number,
) => runAside<SheetTasks, Name>(WORKER, name, input, deadlineMs);
