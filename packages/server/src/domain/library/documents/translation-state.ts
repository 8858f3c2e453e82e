import type { Reader } from "../../../db/database.ts";
import type { TranslationStateRow } from "../../../db/schema/tables/localization.ts";

export type Tally = Pick<
  TranslationStateRow,
  | "missing"
  | "source_changed"
  | "current"
  | "conflict"
  | "ignored"
  | "orphaned"
  | "open_orphans"
  | "linked"
  | "unlinked"
>;

/** The worst state among the units that are not ignored: a document's `translation_freshness`. */
export function worstOf(tally: Tally): "current" | "source_changed" | "missing" {
  if (tally.missing > 0) return "missing";
  return tally.source_changed + tally.conflict + tally.open_orphans > 0 ? "source_changed" : "current";
}

export const listStates = (
  db: Reader,
  workspaceId: string,
  documentIds: readonly string[],
): Promise<TranslationStateRow[]> =>
  documentIds.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom("translation_states")
        .selectAll()
        .where("workspace_id", "=", workspaceId)
        .where("document_id", "in", documentIds)
        .execute();
