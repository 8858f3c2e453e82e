import type { Tx } from "../../db/database.ts";
import type { DocumentRow, TrashRow } from "../../db/schema/tables/documents.ts";
import type { Actor } from "../../events/actor.ts";
import { newId } from "../../ids.ts";
import type { Services } from "../../services.ts";
import { DAY_MS } from "../../time.ts";
import type { Folder } from "../folders/queries.ts";
import { countShares } from "../shares/queries.ts";
import { pack, packDocument } from "./packed.ts";
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
 * Keeps a packed copy of what is about to be deleted, for as long as the settings say; undefined if they say not at
 * all. A large deletion comes in steps and adds to the entry of its first step.
 */
export async function putInTrash(
  { config }: Services,
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
  await keep(0, pack(discarded.folders));
  const first = entry.document_count - documents.length + 1;
  for (const [index, document] of documents.entries()) await keep(first + index, await packDocument(tx, document));
  return entry.id;
}

/** Public links that end with this: a folder's are counted in the first step of its deletion. */
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
