import { unpack } from "../../../bodies/packing.ts";
import type { Reader } from "../../../db/database.ts";
import { yieldToEventLoop } from "../../../db/statement/batches.ts";
import { getCounters } from "../../../events/counters.ts";
import { quotaExceeded } from "../../../quota-error.ts";
import type { Services } from "../../../services.ts";
import { sumTrashedBytes } from "../../content/attachments/queries.ts";
import type { PackedDocument } from "./packed.ts";
import { listTrashDocuments } from "./queries.ts";

/** Documents unpacked at a time. */
const SOME = 50;

/** Refuses an entry if the workspace has no room for its documents or files. */
export async function checkRoom(
  { database, config }: Pick<Services, "database" | "config">,
  workspaceId: string,
  id: string,
  documents: number,
): Promise<void> {
  const { read } = database;
  const used = await getCounters(read, workspaceId);
  if (used.documents + documents > config.maxDocuments)
    throw quotaExceeded("documents", config.maxDocuments, used.documents);
  const left = config.maxStorageBytes - used.attachment_bytes;
  // The whole trash nearly always fits, and checking that needs no unpacking.
  if ((await sumTrashedBytes(read, workspaceId)) <= left) return;
  if ((await bytesOf(read, workspaceId, id)) > left)
    throw quotaExceeded("attachment_bytes", config.maxStorageBytes, used.attachment_bytes);
}

/** Total bytes of the files that are restored with an entry. */
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
