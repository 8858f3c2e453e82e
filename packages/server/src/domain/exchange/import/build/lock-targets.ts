import type { Tx } from "../../../../db/database.ts";
import { keepKnowledgeBases } from "../../../library/knowledge-bases/queries.ts";
import type { Building, DocumentLine } from "./building.ts";

/** Locks the folders and translation sources that some documents need, in the required lock order. */
export async function lockTargets(
  tx: Tx,
  { workspaceId, knowledgeBaseId, documentIds }: Building,
  planned: readonly DocumentLine[],
  folderIds: ReadonlyMap<string, number>,
): Promise<void> {
  await keepKnowledgeBases(tx, workspaceId, [knowledgeBaseId]);
  const folders = planned.flatMap(({ folderKey }) => (folderKey === null ? [] : (folderIds.get(folderKey) ?? [])));
  await tx.lockAll("folder", workspaceId, folders, "keep");
  const sources = planned.flatMap(({ language }) =>
    language?.role === "target" ? (documentIds.get(language.sourceKey) ?? []) : [],
  );
  await tx.lockAll("document", workspaceId, sources, "keep");
}
