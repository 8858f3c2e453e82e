import type { Tx } from "../../db/database.ts";
import { invalidRequest } from "../../errors.ts";
import { getKnowledgeBase } from "../knowledge-bases/queries.ts";
import { lockFolder } from "./queries.ts";

export interface Place {
  readonly knowledgeBaseId: number;
  readonly folderId: number | null;
}

/** What a request says about a place; what it does not say is undefined. */
interface WantedPlace {
  readonly knowledgeBaseId?: number | undefined;
  readonly folderId?: number | null | undefined;
}

/**
 * Where a thing goes. A folder brings its own knowledge base; a knowledge base alone means its top level. The folder
 * is locked, so that it stays while something is put into it.
 */
export async function resolvePlace(tx: Tx, workspaceId: string, wanted: WantedPlace, current?: Place): Promise<Place> {
  if (wanted.knowledgeBaseId !== undefined) await getKnowledgeBase(tx, workspaceId, wanted.knowledgeBaseId);
  if (wanted.folderId) {
    const folder = await lockFolder(tx, workspaceId, wanted.folderId);
    if (wanted.knowledgeBaseId !== undefined && wanted.knowledgeBaseId !== folder.knowledge_base_id)
      throw invalidRequest("body.knowledge_base_id", "is not the knowledge base of that folder");
    return { knowledgeBaseId: folder.knowledge_base_id, folderId: folder.id };
  }
  const knowledgeBaseId = wanted.knowledgeBaseId ?? current!.knowledgeBaseId;
  const stays = wanted.folderId === undefined && knowledgeBaseId === current?.knowledgeBaseId;
  return { knowledgeBaseId, folderId: stays ? current.folderId : null };
}
