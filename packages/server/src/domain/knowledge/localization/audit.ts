import type { Tx } from "../../../db/database.ts";
import type { LocalizationAuditRow, TranslationStateRow } from "../../../db/schema/tables/localization.ts";
import type { Actor } from "../../../events/actor.ts";
import { newId } from "../../../ids.ts";
import { insertAudit } from "./queries.ts";
import type { UnitChange } from "./units/save-units.ts";
import { freshnessOf, isGone, originOf, type Unit } from "./units/unit-state.ts";

export const auditActions = [
  "activate",
  "deactivate",
  "add_version",
  "change_version",
  "delete_version",
  "review",
  "create_job",
  "apply",
  "edit_source",
  "edit_target",
  "remove_unit",
] as const;
type AuditAction = (typeof auditActions)[number];

interface AuditEntry {
  readonly action: AuditAction;
  readonly locale?: string | null;
  readonly unitId?: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Records an actor's decision or change in a document set, within the same transaction. */
export async function recordLocalization(
  tx: Tx,
  { workspaceId, sourceId, actor }: { workspaceId: string; sourceId: string; actor: Actor },
  entries: readonly AuditEntry[],
): Promise<void> {
  const who = JSON.stringify({ user_id: actor.userId, token_id: actor.tokenId, client: actor.client.name });
  const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value));
  const createdAt = Date.now();
  await insertAudit(
    tx,
    entries.map(
      (entry): LocalizationAuditRow => ({
        workspace_id: workspaceId,
        id: newId("aud"),
        document_id: sourceId,
        action: entry.action,
        actor: who,
        locale: entry.locale ?? null,
        unit_id: entry.unitId ?? null,
        before: json(entry.before),
        after: json(entry.after),
        created_at: createdAt,
      }),
    ),
  );
}

const unitFacts = (unit: Unit) => ({
  freshness: freshnessOf(unit),
  review_status: unit.review_status,
  origin: originOf(unit),
  source_block_id: unit.source_block_id,
  target_block_id: unit.target_present === 1 ? unit.target_block_id : null,
});

/** Not audited: a unit whose block only got another id. */
const isNews = (before: Unit, after: Unit): boolean =>
  before.source_hash !== after.source_hash ||
  before.target_hash !== after.target_hash ||
  before.target_present !== after.target_present ||
  before.review_status !== after.review_status ||
  before.agreed_source_hash !== after.agreed_source_hash ||
  before.agreed_target_hash !== after.agreed_target_hash;

/** The changed text, before and after. */
type TextsOf = (change: UnitChange) => { readonly before?: unknown; readonly after?: unknown };

/** Audit entries for existing units. New units are not audited. */
export const unitEntries = (
  action: AuditAction,
  { locale }: TranslationStateRow,
  changes: readonly UnitChange[],
  textsOf: TextsOf = () => ({}),
): AuditEntry[] =>
  changes.flatMap((change) => {
    const { before, after } = change;
    if (!before || !isNews(before, after)) return [];
    const texts = textsOf(change);
    return [
      {
        action: isGone(after) ? "remove_unit" : action,
        locale,
        unitId: after.id,
        before: { ...unitFacts(before), ...(texts.before as object) },
        after: { ...unitFacts(after), ...(texts.after as object) },
      },
    ];
  });
