import { defined } from "@svc/document/defined";
import { readBody } from "../../../../bodies/load-body.ts";
import type { Tx } from "../../../../db/database.ts";
import type { DocumentRow } from "../../../../db/schema/tables/documents.ts";
import { recordLocalization } from "../../../knowledge/localization/audit.ts";
import {
  listFormulas,
  listSourceBlocks,
  listTextBlocks,
  type TextBlock,
} from "../../../knowledge/localization/blocks/text-blocks.ts";
import { insertSet, insertState } from "../../../knowledge/localization/queries.ts";
import { newUnit } from "../../../knowledge/localization/units/save-units.ts";
import { upsertUnits } from "../../../knowledge/localization/units/unit-queries.ts";
import { agree, count, emptyTally, type Unit } from "../../../knowledge/localization/units/unit-state.ts";
import type { Tally } from "../../../library/documents/translation-state.ts";
import type { UnitLine } from "../language-schema.ts";
import { mappedBlockId } from "../mapped-ids.ts";
import type { PlannedLanguage, PlannedSource, PlannedTarget } from "../plan.ts";
import type { Building } from "./building.ts";
import type { ReadyDocument } from "./ready-document.ts";

/**
 * Prepares a language version in the transaction that creates its document. Returns the fields for the document's row.
 */
export function buildLanguage(
  tx: Tx,
  input: Building,
  document: ReadyDocument,
  language: PlannedLanguage,
): Promise<Partial<DocumentRow>> {
  return language.role === "source"
    ? buildSource(tx, input, document.id, language)
    : buildTarget(tx, input, document, language);
}

async function buildSource(tx: Tx, input: Building, id: string, language: PlannedSource) {
  const { workspaceId, actor, setIds } = input;
  const setId = defined(setIds.get(language.setKey));
  await insertSet(tx, {
    workspace_id: workspaceId,
    id: setId,
    document_id: id,
    source_locale: language.locale,
    fallback_locale: language.fallbackLocale,
    created_by: actor.userId,
    created_at: Date.now(),
  });
  const after = { document_set_id: setId, source_locale: language.locale, target_locales: [] };
  await recordLocalization(tx, { workspaceId, sourceId: id, actor }, [
    { action: "activate", locale: language.locale, after },
  ]);
  return rowOf(setId, language);
}

const rowOf = (setId: string, language: PlannedLanguage) => ({
  document_set_id: setId,
  locale: language.locale,
  variant_role: language.role,
  workflow_status: language.workflowStatus,
});

/** The source was created before. */
async function buildTarget(
  tx: Tx,
  input: Building,
  { id, planned: { key }, body }: ReadyDocument,
  language: PlannedTarget,
): Promise<Partial<DocumentRow>> {
  const { workspaceId, actor, seed, documentIds, setIds } = input;
  const sourceId = defined(documentIds.get(language.sourceKey));
  const source = await readBody(tx, { workspaceId, documentId: sourceId });
  const sources = byId(listSourceBlocks(source));
  const targets = byId(listTextBlocks(body.segments.flatMap((segment) => segment.readBlocks())));
  const row = { workspace_id: workspaceId, document_id: id };
  const units = new Map<string, Unit>();
  const formulas = new Set(listFormulas(source).map((block) => block.id));
  for (const line of language.units) {
    const sourceBlock = mappedBlockId(seed, language.sourceKey, line.source_block_id);
    // Older releases also created units for formulas.
    if (formulas.has(sourceBlock) && line.freshness !== "orphaned") continue;
    const targetBlock = line.target_block_id && mappedBlockId(seed, key, line.target_block_id);
    const target = targets.get(targetBlock ?? "");
    const unit: Unit = {
      ...newUnit(row, sourceBlock, ""),
      source_hash: sources.get(sourceBlock)?.hash ?? null,
      target_block_id: targetBlock,
      target_present: target ? 1 : 0,
      target_hash: target?.hash ?? null,
      review_status: line.review_status,
    };
    units.set(sourceBlock, asBefore(unit, line));
  }
  await upsertUnits(tx, [...units.values()]);
  const agreedVersion = language.fromVersion ?? source.version;
  await insertState(tx, {
    ...row,
    source_document_id: sourceId,
    locale: language.locale,
    source_version: source.version,
    agreed_source_version: agreedVersion,
    ...units.values().reduce((tally: Tally, unit) => count(tally, unit, 1), emptyTally),
  });
  await recordLocalization(tx, { workspaceId, sourceId, actor }, [
    { action: "add_version", locale: language.locale, after: { document_id: id } },
  ]);
  const from = { translated_from_document_id: sourceId, translated_from_version: agreedVersion };
  return { ...rowOf(defined(setIds.get(language.setKey)), language), ...from };
}

const byId = (blocks: readonly TextBlock[]): Map<string, TextBlock> =>
  new Map(blocks.map((block) => [block.id, block]));

/** The import changes links and therefore hashes, so the agreed hashes are derived from the freshness. */
function asBefore(unit: Unit, { freshness, origin }: UnitLine): Unit {
  const agreed_origin = origin === "none" ? null : origin;
  switch (freshness) {
    case "current":
      return agree(unit, agreed_origin ?? "manual");
    case "missing":
      return { ...unit, copied_hash: unit.target_hash };
    case "source_changed":
    case "orphaned":
      return { ...unit, agreed_target_hash: unit.target_hash, agreed_origin };
    case "conflict":
      return unit;
  }
}
