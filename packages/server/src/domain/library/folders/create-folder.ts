import type { Tx } from "../../../db/database.ts";
import { ledgerOf } from "../../../events/ledger.ts";
import type { Services } from "../../../services.ts";
import { resolvePlace } from "./place.ts";
import { type Folder, insertFolder } from "./queries.ts";

interface NewFolder {
  readonly workspaceId: string;
  readonly name: string;
  readonly knowledgeBaseId: number;
  readonly parentId: number | null;
}

export async function createFolder(app: Pick<Services, "config">, tx: Tx, input: NewFolder): Promise<Folder> {
  const { workspaceId } = input;
  const wanted = { knowledgeBaseId: input.knowledgeBaseId, folderId: input.parentId };
  const place = await resolvePlace(tx, workspaceId, wanted);
  const ledger = ledgerOf(tx, workspaceId);
  ledger.count("folders", 1, app.config.maxFolders);
  ledger.countIn(place.knowledgeBaseId, { folders: 1 });
  const now = Date.now();
  return insertFolder(tx, {
    workspace_id: workspaceId,
    knowledge_base_id: place.knowledgeBaseId,
    parent_id: place.folderId,
    name: input.name.trim(),
    created_at: now,
    updated_at: now,
  });
}
