import type { Tx } from "../../../db/database.ts";
import type { SummaryRow } from "../../../db/schema/tables/summaries.ts";
import { apiError } from "../../../errors.ts";
import { checkExpected, type Expected, requireExpected } from "../../../http/preconditions.ts";
import { type Digest, digestOf } from "./deterministic.ts";
import { lockSummary, updateSummary } from "./queries.ts";
import { freshSummary, readSummary, type Summary, storedSummary } from "./represent.ts";
import { loadTarget, type Target } from "./target.ts";
import type { TargetKey } from "./target-key.ts";

export const columnsOf = (digest: Digest): Partial<SummaryRow> => ({
  outline: JSON.stringify(digest.outline),
  source_block_ids: JSON.stringify(digest.sourceBlockIds),
  source_document_ids: JSON.stringify(digest.sourceDocumentIds),
  covered: digest.covered,
  total: digest.total,
});

/** The summary under its lock, as it will be before this transaction changes it. */
export async function lockCurrent(tx: Tx, target: Target): Promise<Summary> {
  const row = await lockSummary(tx, target.key);
  return row ? storedSummary(target, row, false) : freshSummary(target, await digestOf(tx, target), false);
}

interface ManualSummary {
  readonly text: string;
  readonly baseSourceVersion: string | undefined;
  readonly pinned: boolean | undefined;
  readonly expected: Expected | undefined;
  readonly authorId: string;
}

/** Saves a person's summary, if neither the summary nor its source has changed since they read it. */
export async function saveManual(tx: Tx, key: TargetKey, manual: ManualSummary): Promise<Summary> {
  const target = await loadTarget(tx, key);
  const expected = requireExpected(manual.expected);
  if (manual.baseSourceVersion === undefined)
    throw apiError("precondition_required", {
      field: "base_source_version",
      hint: "Send the source version you read.",
    });
  const current = await lockCurrent(tx, target);
  checkExpected(expected, current.summary_version);
  checkExpected(manual.baseSourceVersion, target.sourceVersion);
  await updateSummary(tx, key, {
    ...columnsOf(await digestOf(tx, target)),
    text: manual.text,
    generator: "manual",
    source_version: target.sourceVersion,
    pinned: (manual.pinned ?? current.pinned) ? 1 : 0,
    author_id: manual.authorId,
  });
  return readSummary(tx, target);
}

/** Regenerates and stores the deterministic summary; a pin stays. */
export async function rebuildDeterministic(tx: Tx, key: TargetKey): Promise<Summary> {
  const target = await loadTarget(tx, key);
  await lockSummary(tx, key);
  const digest = await digestOf(tx, target);
  await updateSummary(tx, key, {
    ...columnsOf(digest),
    text: digest.text,
    generator: "deterministic",
    source_version: target.sourceVersion,
    author_id: null,
  });
  return readSummary(tx, target);
}
