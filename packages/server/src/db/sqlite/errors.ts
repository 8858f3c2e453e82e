import { isRecord } from "@svc/document/guards";
import { DatabaseUnavailable } from "../database.ts";

/** Primary result codes of SQLite: busy, locked, read-only, I/O, corrupt file, full, cannot open. */
const UNAVAILABLE = new Set([5, 6, 8, 10, 11, 13, 14]);

const resultCode = (error: unknown): number => {
  const code = isRecord(error) ? error.errcode : undefined;
  return typeof code === "number" ? code & 0xff : 0;
};

export const isBusy = (error: unknown): boolean => resultCode(error) === 5 || resultCode(error) === 6;

/** Translates the failure for callers. */
export const toDatabaseError = (error: unknown): unknown =>
  UNAVAILABLE.has(resultCode(error)) ? new DatabaseUnavailable(error) : error;
