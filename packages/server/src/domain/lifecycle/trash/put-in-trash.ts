import { pack } from "../../../bodies/packing.ts";
import type { Tx } from "../../../db/database.ts";
import type { DocumentRow, TrashRow } from "../../../db/schema/tables/documents.ts";
import type { Actor } from "../../../events/actor.ts";
import { newId } from "../../../ids.ts";
import type { Services } from "../../../services.ts";
import { DAY_MS } from "../../../time.ts";
import { countShares } from "../../access/shares/queries.ts";
import type { Folder } from "../../library/folders/queries.ts";
import { packDocument } from "./packed.ts";
import { growTrash, insertTrash, insertTrashItem } from "./queries.ts";

interface Discarded {
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

/**
 * Stores a packed copy of content that is about to be deleted; undefined if the retention is zero. A large deletion
 * runs in steps, which all add to the entry of the first.
 */
export async function putInTrash(
  { config }: Pick<Services, "config">,
  tx: Tx,
  discarded: Discarded,
  trashId?: string,
): Promise<string | undefined> {
  if (config.trashRetentionDays === 0) return undefined;
  const { workspaceId, documents } = discarded;
  const added = { document_count: documents.length, ended_links: await countLinks(tx, discarded, !trashId) };
  const grown = trashId && (await growTrash(tx, workspaceId, trashId, added));
  const entry = grown || (await openEntry(tx, discarded, added, config.trashRetentionDays));
  const keep = (position: number, packed: Uint8Array) =>
    insertTrashItem(tx, { workspace_id: workspaceId, trash_id: entry.id, position, packed });
  await keep(0, await pack(discarded.folders));
  const first = entry.document_count - documents.length + 1;
  for (const [index, document] of documents.entries()) await keep(first + index, await packDocument(tx, document));
  return entry.id;
}

/** Counts the public links that end with this; a folder's are counted in the first step of its deletion. */
const countLinks = (tx: Tx, { workspaceId, documents, folders }: Discarded, isFirst: boolean): Promise<number> =>
  countShares(
    tx,
    workspaceId,
    documents.map(({ id }) => id),
    isFirst ? folders.map(({ id }) => id) : [],
  );

async function openEntry(
  tx: Tx,
  discarded: Discarded,
  counted: Pick<TrashRow, "document_count" | "ended_links">,
  retentionDays: number,
): Promise<TrashRow> {
  const now = Date.now();
  const entry: TrashRow = {
    workspace_id: discarded.workspaceId,
    id: newId("trash"),
    kind: discarded.kind,
    item_id: discarded.itemId,
    name: discarded.name,
    knowledge_base_id: discarded.knowledgeBaseId,
    ...counted,
    deleted_by: discarded.actor.userId,
    deleted_at: now,
    expires_at: Math.ceil(now + retentionDays * DAY_MS),
  };
  await insertTrash(tx, entry);
  return entry;
}
