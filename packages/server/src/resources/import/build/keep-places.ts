import type { Tx } from "../../../db/database.ts";
import { keepKnowledgeBases } from "../../knowledge-bases/queries.ts";
import type { Building, DocumentLine } from "./building.ts";

/** Keeps what some documents are put into, and the sources of their translations, in the order that locks ask for. */
export async function keepPlaces(
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
