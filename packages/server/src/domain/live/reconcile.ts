import { blockId } from "@svc/document/schema/node";
import type { Node } from "@svc/document/types";
import { fold, nextFoldClient } from "@svc/live/fold";
import { LiveState } from "@svc/live/live-state";
import { rememberLoaded } from "@svc/live/others-deletions";
import * as Y from "yjs";
import type { StoredBody } from "../../bodies/body.ts";
import { changeBody } from "../../bodies/change-body.ts";
import { loadLocked } from "../../bodies/load-body.ts";
import type { Tx } from "../../db/database.ts";
import { amongFolds, type DocumentKey } from "../../db/document-key.ts";
import type { LiveDocumentRow, LiveUpdateRow } from "../../db/schema/tables/live.ts";
import { ApiError } from "../../errors.ts";
import { BROWSER } from "../../http/callers/caller.ts";
import { newBlockId } from "../../ids.ts";
import type { Reconciled } from "../../services/live-documents.ts";
import type { Services } from "../../services.ts";
import type { LoadedState, LoadedStates } from "./loaded.ts";
import { PUT_BACK, putBack } from "./put-back.ts";
import { insertUpdates, listUpdates, liveTopic, lockLive, updateLive } from "./queries.ts";

/** For this long, other processes leave folding to the one that folded last. */
export const HOLD_MS = 5_000;
/** Rewrite the state when the rows since then exceed this and a quarter of the state. */
const COMPACT_BYTES = 256 * 1024;

interface ReconcileOptions {
  /** Id of this process, for the lease. */
  readonly holder: string;
  readonly loaded: LoadedStates;
  /** Attachments of other documents that the body refused; they are removed from the live state. */
  readonly foreign?: ReadonlySet<string>;
}

/**
 * Same as `reconcile`, in its own transaction. Removes nodes that show other documents' files and notifies the editors.
 */
export async function reconcileNow(
  app: Services,
  key: DocumentKey,
  options: ReconcileOptions,
): Promise<Reconciled | undefined> {
  const foreign = new Set<string>();
  for (;;) {
    try {
      return await app.database.transaction((tx) => reconcile(app, tx, key, { ...options, foreign }), amongFolds(key));
    } catch (error) {
      const more = foreignIn(error).filter((id) => !foreign.has(id));
      if (more.length === 0) throw error;
      for (const id of more) foreign.add(id);
    }
  }
}

/** The attachments that a guard named in its error. */
function foreignIn(error: unknown): readonly string[] {
  if (!(error instanceof ApiError) || error.code !== "attachment_not_found") return [];
  return Array.isArray(error.details.attachment_ids) ? error.details.attachment_ids : [];
}

/**
 * Synchronizes a document's body with its live state: editors' updates go into the body, other writers' changes into
 * the live state. Runs with the body's row and then the live row locked, in any process, any number of times. Undefined
 * if the document has no live state.
 */
async function reconcile(
  app: Services,
  tx: Tx,
  key: DocumentKey,
  options: ReconcileOptions,
): Promise<Reconciled | undefined> {
  const body = await loadLocked(tx, key);
  const row = await lockLive(tx, key);
  if (!row) return undefined;
  const isFresh = row.folded_seq === row.last_seq && row.folded_version === body.version;
  if (isFresh) return { epoch: row.epoch, seq: row.folded_seq, version: body.version };
  const loaded = usable(options.loaded.take(key), row) ?? (await load(tx, key, row, body));
  const rows = await listUpdates(tx, { ...key, epoch: row.epoch, after: loaded.seq, upTo: row.last_seq });
  const { blocks, update, typists } = foldRows(loaded, rows, body, options.foreign);
  const userId = typists.userIds.at(-1) ?? "";
  const changed = await changeBody(app, tx, {
    key,
    reason: "live",
    actor: { userId, tokenId: null, client: BROWSER },
    expected: "*",
    typists,
    edit: () => blocks,
  });
  const now = Date.now();
  const seq = update ? row.last_seq + 1 : row.last_seq;
  if (update) await insertUpdates(tx, [foldRow(key, row.epoch, seq, loaded.client, update, options.foreign)]);
  const { version } = changed;
  const state = compact(row, loaded.live, update);
  await updateLive(tx, key, {
    last_seq: seq,
    folded_seq: seq,
    folded_version: version,
    unfolded_since: null,
    holder: options.holder,
    holder_until: now + HOLD_MS,
    next_client: Math.max(row.next_client, loaded.client + 1),
    ...(state ? { state, state_seq: seq, bytes_since: 0 } : { bytes_since: row.bytes_since + (update?.length ?? 0) }),
  });
  tx.announce(liveTopic(key.documentId));
  tx.afterCommit(() =>
    options.loaded.put(key, {
      ...loaded,
      seq,
      blocks: changed.after.blocks,
      version,
      bytes: row.state.length + row.bytes_since,
    }),
  );
  return { epoch: row.epoch, seq, version };
}

/** A cached state, if it matches the epoch and the fold of the row. */
const usable = (loaded: LoadedState | undefined, row: LiveDocumentRow): LoadedState | undefined =>
  loaded?.epoch === row.epoch && loaded.seq === row.folded_seq && loaded.version === row.folded_version
    ? loaded
    : undefined;

/**
 * The live state as of the last fold, and the body's blocks at that time; reads them from the state if the body has
 * changed since.
 */
async function load(tx: Tx, key: DocumentKey, row: LiveDocumentRow, body: StoredBody): Promise<LoadedState> {
  const { epoch, state_seq: after, folded_seq: upTo, folded_version: version } = row;
  const rows = await listUpdates(tx, { ...key, epoch, after, upTo });
  const live = LiveState.fromUpdates([row.state, ...rows.map(({ payload }) => payload)]);
  live.takeChanged();
  rememberLoaded(live.doc);
  const client = nextFoldClient(row.next_client);
  live.doc.clientID = client;
  const blocks = version === body.version ? body.blocks : live.blocks;
  return { epoch, seq: upTo, live, blocks, version, client, bytes: 0 };
}

/** Merges editors' updates and the body. */
function foldRows(
  loaded: LoadedState,
  rows: readonly LiveUpdateRow[],
  body: StoredBody,
  foreign: ReadonlySet<string> = new Set(),
) {
  const { live } = loaded;
  const isSheet = body.documentType === "spreadsheet";
  const typing = typistsOf(rows);
  const folded = fold(live, {
    base: body.version === loaded.version ? body.blocks : loaded.blocks,
    body: body.blocks,
    holderOf: (id) => holderIn(body.blocks, body.positionOf(id)),
    rows: rows.map(({ payload }) => payload),
    newId: newBlockId,
    isTopLevel: (type) => !isSheet || type === "table",
    makesLines: !isSheet,
    correct: foreign.size > 0 ? () => putBack(live, body.blocks, foreign) : undefined,
    touched: typing.touched,
  });
  return { ...folded, typists: typing.typists };
}

/** The people whose updates are folded, and, if there are several, the one who touched each block last. */
function typistsOf(rows: readonly LiveUpdateRow[]) {
  const userIds = [...new Set(rows.flatMap(({ user_id }) => user_id ?? []).reverse())].reverse();
  if (userIds.length < 2) return { typists: { userIds, lastIn: () => userIds[0] }, touched: undefined };
  const last = new Map<string, string>();
  const touched = (row: number, blockId: string) => {
    const userId = rows[row]?.user_id;
    if (userId) last.set(blockId, userId);
  };
  return { typists: { userIds, lastIn: (id: string) => last.get(id) }, touched };
}

const holderIn = (blocks: readonly Node[], position: number | undefined): string | undefined => {
  const block = position === undefined ? undefined : blocks[position];
  return block && blockId(block);
};

const foldRow = (
  { workspaceId, documentId }: DocumentKey,
  epoch: string,
  seq: number,
  client: number,
  payload: Uint8Array,
  foreign: ReadonlySet<string> = new Set(),
): LiveUpdateRow => ({
  workspace_id: workspaceId,
  document_id: documentId,
  epoch,
  seq,
  payload,
  client,
  connection: "",
  user_id: null,
  place: foreign.size > 0 ? JSON.stringify({ notice: PUT_BACK }) : "",
  created_at: Date.now(),
});

/** Encodes the state again if the rows since then have grown large. */
function compact(row: LiveDocumentRow, live: LiveState, update: Uint8Array | undefined): Uint8Array | undefined {
  const since = row.bytes_since + (update?.length ?? 0);
  return since > Math.max(COMPACT_BYTES, row.state.length / 4) ? Y.encodeStateAsUpdate(live.doc) : undefined;
}
