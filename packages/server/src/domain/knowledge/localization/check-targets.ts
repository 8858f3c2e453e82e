import { hides } from "../../../db/audience/base-filter.ts";
import type { Reader } from "../../../db/database.ts";
import { apiError } from "../../../errors.ts";
import type { Rights } from "../../../rights/rights.ts";

/** The content about to be deleted. */
type Going =
  | { readonly documentId: string }
  | { readonly folderIds: readonly number[] }
  | { readonly knowledgeBaseId: number };

/**
 * A source-language version can only be deleted together with all its translations. `db` sees all of them; the error
 * omits those that the deleting user cannot see.
 */
export async function checkTargetsGoToo(
  db: Reader,
  workspaceId: string,
  going: Going,
  rights: Rights | undefined,
): Promise<void> {
  const staying = await listStaying(db, workspaceId, going);
  if (staying.length === 0) return;
  const seen = staying.filter((target) => !hides(rights?.hidden, target.knowledge_base_id));
  const isSeen = seen.length === staying.length;
  throw apiError("localization_has_targets", {
    document_ids: seen.map(({ id }) => id),
    hint: isSeen
      ? "Delete the target language versions first."
      : "Somebody who sees every target language version has to delete them first.",
  });
}

interface Staying {
  readonly id: string;
  readonly knowledge_base_id: number;
}

async function listStaying(db: Reader, workspaceId: string, going: Going): Promise<Staying[]> {
  const targets = db
    .selectFrom("documents as target")
    .innerJoin("documents as source", (join) =>
      join
        .onRef("source.workspace_id", "=", "target.workspace_id")
        .onRef("source.document_set_id", "=", "target.document_set_id"),
    )
    .select(["target.id", "target.knowledge_base_id"])
    .where("target.workspace_id", "=", workspaceId)
    .where("target.document_set_id", "is not", null)
    .where("target.variant_role", "=", "target")
    .where("source.variant_role", "=", "source")
    .limit(100);
  const staying =
    "documentId" in going
      ? targets.where("source.id", "=", going.documentId)
      : "folderIds" in going
        ? targets
            .where("source.folder_id", "in", going.folderIds)
            .where((eb) =>
              eb.or([eb("target.folder_id", "is", null), eb("target.folder_id", "not in", going.folderIds)]),
            )
        : targets
            .where("source.knowledge_base_id", "=", going.knowledgeBaseId)
            .where("target.knowledge_base_id", "!=", going.knowledgeBaseId);
  return staying.execute();
}
