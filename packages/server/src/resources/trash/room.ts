import type { Reader } from "../../db/database.ts";
import { yieldToEventLoop } from "../../db/statement/batches.ts";
import { getCounters } from "../../events/counters.ts";
import { quotaExceeded } from "../../quota-error.ts";
import type { Services } from "../../services.ts";
import { sumTrashedBytes } from "../attachments/queries.ts";
import { type PackedDocument, unpack } from "./packed.ts";
import { listTrashDocuments } from "./queries.ts";

/** Documents that are unpacked at a time. */
const SOME = 50;

/** Refuses an entry whose documents or files the workspace has no room for. */
export async function checkRoom(
  { database, config }: Services,
  workspaceId: string,
  id: string,
  documents: number,
): Promise<void> {
  const { read } = database;
  const used = await getCounters(read, workspaceId);
  if (used.documents + documents > config.maxDocuments)
    throw quotaExceeded("documents", config.maxDocuments, used.documents);
  const left = config.maxStorageBytes - used.attachment_bytes;
  // What the whole trash has fits nearly always, and costs no unpacking.
  if ((await sumTrashedBytes(read, workspaceId)) <= left) return;
  if ((await bytesOf(read, workspaceId, id)) > left)
    throw quotaExceeded("attachment_bytes", config.maxStorageBytes, used.attachment_bytes);
}

/** Bytes of the files that come back with an entry. */
async function bytesOf(db: Reader, workspaceId: string, id: string): Promise<number> {
  let bytes = 0;
  for (let after = 0; ; await yieldToEventLoop()) {
    const items = await listTrashDocuments(db, workspaceId, id, after, SOME);
    const last = items.at(-1);
    if (!last) return bytes;
    const ids = items.map(({ packed }) => unpack<PackedDocument>(packed).document.id);
    bytes += await sumTrashedBytes(db, workspaceId, ids);
    after = last.position;
  }
}
