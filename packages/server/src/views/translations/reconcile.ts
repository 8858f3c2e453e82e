import { defined } from "@svc/document/defined";
import { readBody } from "../../bodies/load-body.ts";
import type { Tx } from "../../db/database.ts";
import {
  listFormulas,
  listSourceBlocks,
  listTextBlocks,
} from "../../domain/knowledge/localization/blocks/text-blocks.ts";
import { lockState } from "../../domain/knowledge/localization/queries.ts";
import { newUnit, saveUnits, type UnitChange } from "../../domain/knowledge/localization/units/save-units.ts";
import { listUnits } from "../../domain/knowledge/localization/units/unit-queries.ts";
import {
  isOfFormula,
  withoutSides,
  withSource,
  withTarget,
} from "../../domain/knowledge/localization/units/unit-state.ts";
import type { BodyDelta } from "../../services/body-views.ts";

/** Reconciles a new or restored target: its source may have changed while it was away. */
export async function reconcile(tx: Tx, delta: BodyDelta): Promise<void> {
  const { workspace_id: workspaceId, id } = delta.document;
  const state = await lockState(tx, workspaceId, id);
  if (!state) return;
  const source = await readBody(tx, { workspaceId, documentId: state.source_document_id });
  const sources = new Map(listSourceBlocks(source).map((block) => [block.id, block]));
  const targets = new Map(listTextBlocks(delta.after).map((block) => [block.id, block]));
  const units = await listUnits(tx, state);
  const formulas = new Set(listFormulas(source).map((block) => block.id));
  const changes: UnitChange[] = units.map((before) => {
    if (isOfFormula(before, formulas)) return { before, after: withoutSides(before) };
    const target = targets.get(before.target_block_id ?? "");
    const sided = withSource(before, sources.get(before.source_block_id)?.hash ?? null);
    const present = target ? 1 : 0;
    const placed = sided.target_present === present ? sided : { ...sided, target_present: present };
    return { before, after: withTarget(placed, target?.hash ?? null, "hand") };
  });
  const known = new Set(units.map((unit) => unit.source_block_id));
  for (const block of sources.values())
    if (!known.has(block.id)) changes.push({ before: undefined, after: newUnit(state, block.id, defined(block.hash)) });
  await saveUnits(tx, state, changes, source.version);
}
