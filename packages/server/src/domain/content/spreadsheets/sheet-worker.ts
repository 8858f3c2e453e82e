/** Runs in the worker threads of the pool. */
import type { SheetSource } from "@svc/document/sheet/table-source";
import { Workbook } from "@svc/document/sheet/workbook";

export { readTables } from "./read-tables.ts";

export interface ComputeInput {
  readonly sheets: readonly SheetSource[];
  readonly now: number;
}

export const computeSheets = ({ sheets, now }: ComputeInput) => new Workbook(sheets, { now }).results();
