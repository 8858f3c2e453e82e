import { defined } from "@svc/document/defined";
import { plainText } from "@svc/document/read/text";
import type { Tx } from "../../db/database.ts";
import type { TranslationStateRow } from "../../db/schema/tables/localization.ts";
import { recordLocalization, unitEntries } from "../../domain/knowledge/localization/audit.ts";
import {
  isTranslated,
  listFormulas,
  listSourceBlocks,
} from "../../domain/knowledge/localization/blocks/text-blocks.ts";
import { lockStatesOf } from "../../domain/knowledge/localization/queries.ts";
import { newUnit, saveUnits, type UnitChange } from "../../domain/knowledge/localization/units/save-units.ts";
import { listUnitsBy } from "../../domain/knowledge/localization/units/unit-queries.ts";
import { isOfFormula, withoutSides, withSource } from "../../domain/knowledge/localization/units/unit-state.ts";
import type { BodyDelta } from "../../services/body-views.ts";
import { type LineChanges, lineChanges } from "./line-changes.ts";

/** After the source of a set changed, brings the units of every target up to date. */
export async function sourceChanged(tx: Tx, delta: BodyDelta): Promise<void> {
  const { workspace_id: workspaceId, id: sourceId } = delta.document;
  const states = await lockStatesOf(tx, workspaceId, sourceId);
  if (states.length === 0) return;
  const { document_type: documentType } = delta.document;
  const lines = lineChanges(delta, (block) => isTranslated(block, documentType));
  for (const state of states) {
    const changes = await changesOf(tx, state, lines);
    await saveUnits(tx, state, [...changes, ...(await leftOvers(tx, state, delta, lines))], delta.version);
    const entries = unitEntries("edit_source", state, changes, ({ before, after }) => ({
      before: { source_text: textOf(lines.old, defined(before).source_block_id) },
      after: { source_text: textOf(lines.current, after.source_block_id) },
    }));
    await recordLocalization(tx, { workspaceId, sourceId, actor: delta.actor }, entries);
  }
}

/** Deletes units of formulas, which older releases made. There are some only if there are more units than lines. */
async function leftOvers(
  tx: Tx,
  state: TranslationStateRow,
  { before: blocks, document: { document_type: documentType } }: BodyDelta,
  lines: LineChanges,
): Promise<UnitChange[]> {
  const body = { blocks, documentType };
  const formulas = new Set(listFormulas(body).flatMap(({ id }) => (lines.current.has(id) ? [] : id)));
  const units = state.missing + state.source_changed + state.current + state.conflict + state.ignored;
  if (formulas.size === 0 || units === listSourceBlocks(body).length) return [];
  return (await listUnitsBy(tx, state, "source_block_id", [...formulas]))
    .filter((unit) => isOfFormula(unit, formulas))
    .map((before) => ({ before, after: withoutSides(before) }));
}

const textOf = (blocks: LineChanges["old"], id: string): string | null => {
  const block = blocks.get(id);
  return block ? plainText(block.node) : null;
};

async function changesOf(tx: Tx, state: TranslationStateRow, lines: LineChanges): Promise<UnitChange[]> {
  const touched = [...lines.changed, ...lines.gone, ...lines.added];
  const units = new Map(
    (await listUnitsBy(tx, state, "source_block_id", touched)).map((unit) => [unit.source_block_id, unit]),
  );
  const changes: UnitChange[] = [];
  const settled = new Set<string>();
  for (const id of lines.gone) {
    const before = units.get(id);
    if (!before) continue;
    const next = lines.replaced.get(id);
    const isTaken = next === undefined || units.has(next);
    if (!isTaken) settled.add(next);
    const after = withSource(before, isTaken ? null : defined(lines.current.get(next)).hash);
    changes.push({ before, after: isTaken ? after : { ...after, source_block_id: next } });
  }
  for (const [id, { hash }] of lines.current) {
    if (settled.has(id)) continue;
    const before = units.get(id);
    if (before) changes.push({ before, after: withSource(before, hash) });
    else if (!lines.old.has(id)) changes.push({ before: undefined, after: newUnit(state, id, defined(hash)) });
  }
  return changes;
}
