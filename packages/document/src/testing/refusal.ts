import assert from "node:assert/strict";
import { DocumentError } from "../errors.ts";

/** Runs something that must be refused and answers the refusal. */
export function refusal(work: () => unknown): DocumentError {
  let caught: unknown;
  try {
    work();
  } catch (error) {
    caught = error;
  }
  assert.ok(caught instanceof DocumentError, `expected a DocumentError, got ${String(caught)}`);
  return caught;
}
