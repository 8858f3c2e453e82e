import { isUnchanged } from "../../../../db/changed-columns.ts";
import type { Tx } from "../../../../db/database.ts";
import type { TranslationStateRow } from "../../../../db/schema/tables/localization.ts";
import { newId } from "../../../../ids.ts";
import { worstOf } from "../../../library/documents/translation-state.ts";
import { updateState } from "../queries.ts";
import { deleteUnits, type TargetKey, upsertUnits } from "./unit-queries.ts";
import { count, isGone, type Unit } from "./unit-state.ts";

/** A change of one unit; a new unit has no `before`. */
export interface UnitChange {
  readonly before: Unit | undefined;
  readonly after: Unit;
}

export const newUnit = (key: TargetKey, sourceBlockId: string, sourceHash: string): Unit => ({
  workspace_id: key.workspace_id,
  document_id: key.document_id,
  id: newId("tu"),
  source_block_id: sourceBlockId,
  source_hash: sourceHash,
  target_block_id: null,
  target_present: 0,
  target_hash: null,
  copied_hash: null,
  agreed_source_hash: null,
  agreed_target_hash: null,
  agreed_origin: null,
  review_status: "unreviewed",
  candidate: null,
  updated_at: Date.now(),
});

/** Stores changed units and updates the counts of their target. Deletes units without a block on either side. */
export async function saveUnits(
  tx: Tx,
  state: TranslationStateRow,
  changes: readonly UnitChange[],
  sourceVersion = state.source_version,
): Promise<TranslationStateRow> {
  const real = changes.filter(({ before, after }) => before !== after);
  const gone = real.filter(({ after }) => isGone(after));
  const kept = real.filter(({ after }) => !isGone(after));
  const now = Date.now();
  await upsertUnits(
    tx,
    kept.map(({ after }) => ({ ...after, updated_at: now })),
  );
  await deleteUnits(
    tx,
    state,
    gone.flatMap(({ before }) => (before ? [before.id] : [])),
  );
  let next: TranslationStateRow = { ...state, source_version: sourceVersion };
  for (const { before } of real) if (before) next = { ...next, ...count(next, before, -1) };
  for (const { after } of kept) next = { ...next, ...count(next, after, 1) };
  if (worstOf(next) === "current") next = { ...next, agreed_source_version: sourceVersion };
  if (!isUnchanged<TranslationStateRow>(state, next)) await updateState(tx, next);
  return next;
}
