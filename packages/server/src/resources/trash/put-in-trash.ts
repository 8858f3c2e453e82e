import { breathe } from "../../db/batches.ts";
import type { Db } from "../../db/database.ts";
import type { DocumentRow, TrashRow } from "../../db/tables.ts";
import type { Actor } from "../../events/actor.ts";
import { newId } from "../../ids.ts";
import type { Services } from "../../services.ts";
import type { Folder } from "../folders/queries.ts";
import { pack, packDocument } from "./packed.ts";
import { insertTrash, insertTrashItem } from "./queries.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

export interface Discarded {
  readonly workspaceId: string;
  readonly kind: TrashRow["kind"];
  readonly itemId: string;
  readonly name: string;
  readonly knowledgeBaseId: number;
  /** Parents before children. */
  readonly folders: readonly Folder[];
  readonly documents: readonly DocumentRow[];
  readonly actor: Actor;
}

/** Keeps a packed copy of what is about to be deleted, for as long as the settings say. */
export async function putInTrash({ config }: Services, tx: Db, discarded: Discarded): Promise<void> {
  if (config.trashRetentionDays === 0) return;
  const { workspaceId } = discarded;
  const trashId = newId("trash");
  const now = Date.now();
  await insertTrash(tx, {
    workspace_id: workspaceId,
    id: trashId,
    kind: discarded.kind,
    item_id: discarded.itemId,
    name: discarded.name,
    knowledge_base_id: discarded.knowledgeBaseId,
    document_count: discarded.documents.length,
    deleted_by: discarded.actor.userId,
    deleted_at: now,
    expires_at: Math.ceil(now + config.trashRetentionDays * DAY_MS),
  });
  const keep = (position: number, packed: Uint8Array) =>
    insertTrashItem(tx, { workspace_id: workspaceId, trash_id: trashId, position, packed });
  await keep(0, pack(discarded.folders));
  for (const [index, document] of discarded.documents.entries()) {
    await keep(index + 1, await packDocument(tx, document));
    await breathe();
  }
}
