import { defined } from "@svc/document/defined";
import { plainText } from "@svc/document/read/text";
import { readBody } from "../../bodies/load-body.ts";
import type { Tx } from "../../db/database.ts";
import type { TranslationStateRow } from "../../db/schema/tables/localization.ts";
import { recordLocalization, unitEntries } from "../../domain/knowledge/localization/audit.ts";
import { pairRuns } from "../../domain/knowledge/localization/blocks/pair-blocks.ts";
import {
  listSourceBlocks,
  listTextBlocks,
  type TextBlock,
} from "../../domain/knowledge/localization/blocks/text-blocks.ts";
import { lockState } from "../../domain/knowledge/localization/queries.ts";
import { saveUnits, type UnitChange } from "../../domain/knowledge/localization/units/save-units.ts";
import { listUnits, listUnitsBy } from "../../domain/knowledge/localization/units/unit-queries.ts";
import { type Unit, withTarget } from "../../domain/knowledge/localization/units/unit-state.ts";
import type { BodyDelta } from "../../services/body-views.ts";
import { type LineChanges, lineChanges } from "./line-changes.ts";

type Writer = "hand" | "machine";

/** Updates the units after a target version changed, by hand or by an applied candidate. */
export async function targetChanged(tx: Tx, delta: BodyDelta): Promise<void> {
  const { workspace_id: workspaceId, id } = delta.document;
  const state = await lockState(tx, workspaceId, id);
  if (!state) return;
  const lines = lineChanges(delta, () => true);
  const by: Writer = delta.reason === "translation" ? "machine" : "hand";
  const changes = await changesOf(tx, state, lines, by);
  const linked = new Set(changes.map(({ after }) => after.target_block_id));
  const next = await saveUnits(tx, state, changes);
  const free = lines.added.filter((block) => !linked.has(block));
  const paired = free.length > 0 && next.unlinked > 0 ? await pairNew(tx, next, delta, new Set(free)) : [];
  if (paired.length > 0) await saveUnits(tx, next, paired);
  const entries = unitEntries(
    by === "machine" ? "apply" : "edit_target",
    state,
    [...changes, ...paired],
    ({ before, after }) => ({
      before: { target_text: textOf(lines.old, defined(before).target_block_id) },
      after: { target_text: after.target_present === 1 ? textOf(lines.current, after.target_block_id) : null },
    }),
  );
  await recordLocalization(tx, { workspaceId, sourceId: state.source_document_id, actor: delta.actor }, entries);
}

const textOf = (blocks: LineChanges["old"], id: string | null): string | null => {
  const block = id === null ? undefined : blocks.get(id);
  return block ? plainText(block.node) : null;
};

/** An empty placeholder block has no author. */
const put = (unit: Unit, block: TextBlock, by: Writer): Unit =>
  withTarget({ ...unit, target_block_id: block.id, target_present: 1 }, block.hash, block.hash === null ? "hand" : by);

const taken = (unit: Unit): Unit => withTarget({ ...unit, target_present: 0 }, null, "hand");

async function changesOf(tx: Tx, state: TranslationStateRow, lines: LineChanges, by: Writer): Promise<UnitChange[]> {
  const touched = [...lines.changed, ...lines.gone, ...lines.added];
  const units = new Map(
    (await listUnitsBy(tx, state, "target_block_id", touched)).map((unit) => [defined(unit.target_block_id), unit]),
  );
  const changes: UnitChange[] = [];
  for (const id of lines.gone) {
    const before = units.get(id);
    if (!before || before.target_present === 0) continue;
    const next = lines.replaced.get(id);
    const block = next === undefined || units.has(next) ? undefined : lines.current.get(next);
    changes.push({ before, after: block ? put(before, block, by) : taken(before) });
  }
  for (const id of [...lines.changed, ...lines.added]) {
    const before = units.get(id);
    if (before) changes.push({ before, after: put(before, defined(lines.current.get(id)), by) });
  }
  return changes;
}

/** Links new blocks in the target to units without one, by position and kind. */
async function pairNew(
  tx: Tx,
  state: TranslationStateRow,
  delta: BodyDelta,
  free: ReadonlySet<string>,
): Promise<UnitChange[]> {
  const source = await readBody(tx, { workspaceId: state.workspace_id, documentId: state.source_document_id });
  const units = new Map((await listUnits(tx, state)).map((unit) => [unit.source_block_id, unit]));
  const linkOf = (sourceId: string) => {
    const unit = units.get(sourceId);
    if (!unit) return null;
    return unit.target_present === 1 ? unit.target_block_id : undefined;
  };
  const targets = listTextBlocks(delta.after);
  const pairs = pairRuns(listSourceBlocks(source), targets, linkOf, (id) => free.has(id));
  const blocks = new Map(targets.map((block) => [block.id, block]));
  return [...pairs].map(([sourceId, targetId]) => {
    const before = defined(units.get(sourceId));
    return { before, after: put(before, defined(blocks.get(targetId)), "hand") };
  });
}
