import type { Reader } from "../../db/database.ts";
import { apiError } from "../../errors.ts";

/** What is about to go. */
type Going =
  | { readonly documentId: string }
  | { readonly folderIds: readonly number[] }
  | { readonly knowledgeBaseId: number };

/** A source-language version may go only together with all its translations. */
export async function checkTargetsGoToo(db: Reader, workspaceId: string, going: Going): Promise<void> {
  const staying = await listStaying(db, workspaceId, going);
  if (staying.length > 0)
    throw apiError("localization_has_targets", {
      document_ids: staying,
      hint: "Delete the target language versions first.",
    });
}

async function listStaying(db: Reader, workspaceId: string, going: Going): Promise<string[]> {
  const targets = db
    .selectFrom("documents as target")
    .innerJoin("documents as source", (join) =>
      join
        .onRef("source.workspace_id", "=", "target.workspace_id")
        .onRef("source.document_set_id", "=", "target.document_set_id"),
    )
    .select("target.id")
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
  return (await staying.execute()).map((row) => row.id);
}
