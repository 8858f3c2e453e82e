import { ENCODING, LiveState } from "@svc/live/live-state";
import * as Y from "yjs";
import type { StoredBody } from "../../bodies/body.ts";
import { loadLocked } from "../../bodies/load-body.ts";
import type { Tx } from "../../db/database.ts";
import type { DocumentKey } from "../../db/document-key.ts";
import type { LiveDocumentRow } from "../../db/schema/tables/live.ts";
import type { Services } from "../../services.ts";
import { ulid } from "../../ulid.ts";
import { endEpoch } from "./epochs.ts";
import { findLive, insertLive, lockLive } from "./queries.ts";

/** Yjs client ids: 1 creates a state from its body, the others are assigned to tabs. */
const MAKER = 1;

/**
 * States that this process is creating. Editors who open a document together share one creation instead of each waiting
 * for the lock.
 */
const making = new Map<string, Promise<LiveDocumentRow>>();

/** A document's live state; created from its body if there is none, or none that this release can read. */
export async function openLive(app: Services, key: DocumentKey): Promise<LiveDocumentRow> {
  const found = await findLive(app.database.read, key);
  if (found?.encoding === ENCODING) return found;
  const name = `${key.workspaceId}/${key.documentId}`;
  const made = making.get(name) ?? makeOnce(app, key).finally(() => making.delete(name));
  making.set(name, made);
  return made;
}

function makeOnce({ database }: Pick<Services, "database">, key: DocumentKey): Promise<LiveDocumentRow> {
  return database.transaction(async (tx) => {
    const body = await loadLocked(tx, key);
    const row = await lockLive(tx, key);
    if (row?.encoding === ENCODING) return row;
    if (row) await endEpoch(tx, key, row);
    return makeState(tx, key, body);
  });
}

/** Creates a live state equal to the body. The caller holds the body's lock. */
async function makeState(tx: Tx, key: DocumentKey, body: StoredBody): Promise<LiveDocumentRow> {
  const now = Date.now();
  const row: LiveDocumentRow = {
    workspace_id: key.workspaceId,
    document_id: key.documentId,
    epoch: ulid(),
    encoding: ENCODING,
    state: Y.encodeStateAsUpdate(LiveState.fromBlocks(body.blocks, MAKER).doc),
    state_seq: 0,
    last_seq: 0,
    bytes_since: 0,
    folded_seq: 0,
    folded_version: body.version,
    next_client: MAKER + 1,
    holder: "",
    holder_until: 0,
    unfolded_since: null,
    session_edit_at: 0,
    used_at: now,
  };
  await insertLive(tx, row);
  return row;
}
