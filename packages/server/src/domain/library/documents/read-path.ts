import type { Reader } from "../../../db/database.ts";
import type { DocumentRow } from "../../../db/schema/tables/documents.ts";
import { getFolder } from "../folders/queries.ts";
import { listAncestors } from "../folders/subtree.ts";
import { getKnowledgeBase } from "../knowledge-bases/queries.ts";

export async function readPath(db: Reader, document: DocumentRow) {
  const { workspace_id, knowledge_base_id, folder_id } = document;
  const knowledgeBase = await getKnowledgeBase(db, workspace_id, knowledge_base_id);
  const folders = folder_id === null ? [] : await listAncestors(db, await getFolder(db, workspace_id, folder_id));
  const names = [knowledgeBase.name, ...folders.map((folder) => folder.name), document.title];
  return {
    knowledge_base: { id: knowledgeBase.id, name: knowledgeBase.name },
    folders: folders.map(({ id, name }) => ({ id, name })),
    document: { id: document.id, title: document.title },
    path_text: names.join(" / "),
  };
}
