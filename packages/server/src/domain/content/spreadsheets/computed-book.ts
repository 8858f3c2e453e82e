import { sheetsOf } from "@svc/document/sheet/table-source";
import { type BookResults, Workbook } from "@svc/document/sheet/workbook";
import type { StoredBody } from "../../../bodies/body.ts";
import { Cache } from "../../../cache/cache.ts";
import { isTooSlow } from "../../../threads/pool.ts";
import { runSheetTask } from "./run-sheet-task.ts";
import type { ComputeInput } from "./sheet-worker.ts";

/** Steps that take a few milliseconds; larger sheets are computed in a worker thread. */
const FEW_STEPS = 50_000;
const DEADLINE_MS = 15_000;
/**
 * Time-dependent results are cached for this multiple of their computing time, so that it takes ten sheets to fill one
 * thread.
 */
const REST = 10;
/** Approximate size in bytes of a result besides its text. */
const RESULT_BYTES = 64;

interface Kept {
  readonly results: BookResults;
  /** Infinite for results that do not depend on the time. */
  readonly until: number;
}

/** Results of large computations by version. */
const RESULTS = new Cache<Kept>("sheet_results", { share: 1 / 8 });
const underWay = new Map<string, Promise<Kept>>();

/** The sheets of a body with all results, so that reading them computes nothing. */
export async function computedBook({ version, blocks }: Pick<StoredBody, "version" | "blocks">, now: number) {
  const sheets = sheetsOf(blocks);
  const kept = RESULTS.get(version);
  if (kept && Date.now() < kept.until) return new Workbook(sheets, { now, results: kept.results });
  const book = new Workbook(sheets, { now, maxSteps: FEW_STEPS });
  book.results();
  if (!book.isExhausted) return book;
  const { results } = await once(version, () => computeAside(version, { sheets, now }));
  return new Workbook(sheets, { now, results });
}

/** Concurrent readers of a version share one computation. */
function once(version: string, compute: () => Promise<Kept>): Promise<Kept> {
  const begun = underWay.get(version);
  if (begun) return begun;
  const made = compute().finally(() => underWay.delete(version));
  underWay.set(version, made);
  return made;
}

async function computeAside(version: string, input: ComputeInput): Promise<Kept> {
  const began = Date.now();
  const results = await runSheetTask("computeSheets", input, DEADLINE_MS).catch((error) => {
    if (isTooSlow(error)) return undefined;
    throw error;
  });
  // Formulas that hit the deadline show the same error as those that ran out of steps.
  const made = results ?? new Workbook(input.sheets, { now: input.now, maxSteps: 0 }).results();
  const kept = {
    results: made,
    until: made.isVolatile ? Date.now() + REST * (Date.now() - began) : Number.POSITIVE_INFINITY,
  };
  RESULTS.put(version, kept, bytesOf(made));
  return kept;
}

const bytesOf = ({ sheets }: BookResults): number =>
  sheets.reduce(
    (sum, results) =>
      sum +
      results.reduce((all, [, value]) => all + RESULT_BYTES + (typeof value === "string" ? 2 * value.length : 0), 0),
    0,
  );
