import { unpackRuns } from "../segment/document-runs.ts";
import { unpackNumbers } from "../segment/packed-numbers.ts";
import { splitPages } from "../segment/payload.ts";
import { pageName } from "../segment/segment-cache.ts";
import type { EncodedPage } from "../segment/segment-format.ts";
import { deadNumbers } from "../segment/segment-view.ts";
import type { MergeStore, SegmentRow, StoredParts } from "../segment/store-port.ts";
import { finishMerge, type MergePlan } from "./merge-policy.ts";
import { type MergeInput, mergeSegments } from "./segment-merge.ts";

/** Pages written at once: a write of about a hundred kilobytes. A merge with fewer pages is one transaction. */
const BATCH_PAGES = 32;
/** Pages read at once: terms are visited in order, so the next pages are needed soon. */
const READ_AHEAD = 16;

/**
 * Runs a planned merge. `pause` is awaited between steps of well below a millisecond: it decides when to yield. Nothing
 * is visible before the swap.
 */
export async function runMerge(
  store: MergeStore,
  { inputs, level }: MergePlan,
  pause: () => Promise<void> | undefined,
): Promise<void> {
  const parts = new Map<number, StoredParts>();
  for (const row of inputs) parts.set(row.id, await store.readParts(row.id));
  const dead = deadNumbers(inputs, (id) => unpackNumbers(parts.get(id)!.tombstones));
  const steps = mergeSegments(inputs.map((row, i) => mergeInput(store, row, parts.get(row.id)!, dead[i]!)));
  const waiting: EncodedPage[] = [];
  let id: number | undefined;
  let termPages = 0;
  for (;;) {
    const step = await steps.next();
    if (step.done) {
      await store.swapMerged({ id, pages: waiting }, (reads, made) =>
        finishMerge(reads, { inputs, level, dead, merged: step.value, id: made, termPages }),
      );
      return;
    }
    termPages += step.value.filter((page) => page.kind === "terms").length;
    waiting.push(...step.value);
    if (waiting.length >= BATCH_PAGES) {
      id ??= await store.beginMerge();
      await store.writePages(id, waiting.splice(0));
    }
    await pause();
  }
}

function mergeInput(store: MergeStore, row: SegmentRow, parts: StoredParts, dead: Uint32Array): MergeInput {
  const { base, last, blocks, termPages } = row;
  const page = parts.payload ? payloadPage(parts.payload) : storedPage(store, row);
  return { base, last, blocks, termPages, runs: unpackRuns(parts.runs, base), dead, page };
}

function payloadPage(payload: Uint8Array): MergeInput["page"] {
  const pages = new Map(splitPages(payload).map((page) => [pageName(page.kind, page.number), page.bytes]));
  return async (kind, number) => pages.get(pageName(kind, number))!;
}

function storedPage(store: MergeStore, row: SegmentRow): MergeInput["page"] {
  let ahead: { from: number; pages: readonly Uint8Array[] } = { from: 0, pages: [] };
  return async (kind, number) => {
    if (kind === "positions") return (await store.readPages([{ segment: row.id, kind, number }]))[0]!;
    if (number >= ahead.from + ahead.pages.length) {
      const to = Math.min(row.termPages, number + READ_AHEAD);
      const keys = Array.from({ length: to - number }, (_, i) => ({ segment: row.id, kind, number: number + i }));
      ahead = { from: number, pages: await store.readPages(keys) };
    }
    return ahead.pages[number - ahead.from]!;
  };
}
