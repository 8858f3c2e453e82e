import { eachBlockId } from "@svc/document/blocks/find";
import { blockId } from "@svc/document/schema/node";
import type { Node } from "@svc/document/types";
import { fold } from "@svc/live/fold";
import { LiveState } from "@svc/live/live-state";
import * as Y from "yjs";
import { loadLocked, type StoredBody } from "../../bodies/body.ts";
import { changeBody } from "../../bodies/change-body.ts";
import type { DocumentKey } from "../../bodies/store.ts";
import type { Tx } from "../../db/database.ts";
import type { LiveDocumentRow, LiveUpdateRow } from "../../db/schema/tables/live.ts";
import { ApiError } from "../../errors.ts";
import { newBlockId } from "../../ids.ts";
import type { Services } from "../../services.ts";
import type { LoadedState, LoadedStates } from "./loaded.ts";
import { PUT_BACK, putBack } from "./put-back.ts";
import { insertUpdates, listUpdates, liveTopic, lockLive, updateLive } from "./queries.ts";
import { hasRestorePoint, keepRestorePoint } from "./restore-points.ts";

/** After a pause of this length somebody's next edit begins a session, and the state before it is kept. */
const SESSION_PAUSE_MS = 30 * 60_000;
/** So long other processes leave the folding to the one that folded last. */
export const HOLD_MS = 5_000;
/** The state is written again when the rows since it are longer than this and than a quarter of it. */
const COMPACT_BYTES = 256 * 1024;

const BROWSER = { name: "browser", version: null, agent: false };

export interface Reconciled {
  readonly epoch: string;
  /** Every update up to this one is in the body. */
  readonly seq: number;
  readonly version: string;
}

interface ReconcileOptions {
  /** This process, for the lease. */
  readonly holder: string;
  readonly loaded: LoadedStates;
  /** Attachments that the body refused because they are not the document's: they are taken out of the live state. */
  readonly foreign?: ReadonlySet<string>;
}

/** As `reconcile`, in a transaction of its own. What shows files of other documents is taken out, and the editors are told. */
export async function reconcileNow(
  app: Services,
  key: DocumentKey,
  options: ReconcileOptions,
): Promise<Reconciled | undefined> {
  const foreign = new Set<string>();
  for (;;) {
    try {
      return await app.database.transaction((tx) => reconcile(app, tx, key, { ...options, foreign }));
    } catch (error) {
      const more = foreignIn(error).filter((id) => !foreign.has(id));
      if (more.length === 0) throw error;
      for (const id of more) foreign.add(id);
    }
  }
}

/** The attachments that a guard named in its refusal. */
function foreignIn(error: unknown): readonly string[] {
  if (!(error instanceof ApiError) || error.code !== "attachment_not_found") return [];
  return Array.isArray(error.details.attachment_ids) ? error.details.attachment_ids : [];
}

/**
 * Brings a document's body and its live state together, from whichever side something is new: editors' updates go into
 * the body, other writers' changes into the live state. Runs under the locks of the body's row and then of the live row,
 * anywhere, any number of times. Undefined when the document has no live state.
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
  const { blocks, update } = foldRows(loaded, rows, body, options.foreign);
  const userId = rows.findLast(({ user_id }) => user_id !== null)?.user_id ?? "";
  const changed = await changeBody(app, tx, {
    key,
    reason: "live",
    actor: { userId, tokenId: null, client: BROWSER },
    expected: undefined,
    edit: () => blocks,
  });
  const now = Date.now();
  if (
    changed.changed &&
    (await beginsSession(tx, key, { now, userId, lastAt: row.session_edit_at, last: loaded.typist }))
  )
    await keepRestorePoint(tx, key, body, userId);
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
    ...(changed.changed && { session_edit_at: now }),
    ...(state ? { state, state_seq: seq, bytes_since: 0 } : { bytes_since: row.bytes_since + (update?.length ?? 0) }),
  });
  tx.announce(liveTopic(key.documentId));
  tx.afterCommit(() =>
    options.loaded.put(key, {
      ...loaded,
      seq,
      blocks: changed.after.blocks,
      version,
      typist: userId || loaded.typist,
      bytes: row.state.length + row.bytes_since,
    }),
  );
  return { epoch: row.epoch, seq, version };
}

interface Edit {
  readonly now: number;
  /** Who typed; empty where a program wrote. */
  readonly userId: string;
  /** When somebody typed before it, and who. */
  readonly lastAt: number;
  readonly last: string;
}

/** Nobody has edited for a while, or somebody other than before begins: what the others wrote can be brought back. */
async function beginsSession(tx: Tx, key: DocumentKey, { now, userId, lastAt, last }: Edit): Promise<boolean> {
  if (now - lastAt > SESSION_PAUSE_MS) return true;
  if (userId === "" || userId === last) return false;
  return !(await hasRestorePoint(tx, key, userId, now - SESSION_PAUSE_MS));
}

/** A cached state, if it is of this epoch and of the fold that the row names. */
const usable = (loaded: LoadedState | undefined, row: LiveDocumentRow): LoadedState | undefined =>
  loaded?.epoch === row.epoch && loaded.seq === row.folded_seq && loaded.version === row.folded_version
    ? loaded
    : undefined;

/** The live state as of the last fold, and the body's blocks at that time: read from the state where the body moved on. */
async function load(tx: Tx, key: DocumentKey, row: LiveDocumentRow, body: StoredBody): Promise<LoadedState> {
  const { epoch, state_seq: after, folded_seq: upTo, folded_version: version } = row;
  const rows = await listUpdates(tx, { ...key, epoch, after, upTo });
  const live = LiveState.fromUpdates([row.state, ...rows.map(({ payload }) => payload)]);
  live.takeChanged();
  live.doc.clientID = row.next_client;
  const blocks = version === body.version ? body.blocks : live.blocks;
  return { epoch, seq: upTo, live, blocks, version, typist: "", client: row.next_client, bytes: 0 };
}

/** Applies what editors sent and merges it with the body. `update` is what the live state lacks, if anything. */
function foldRows(
  loaded: LoadedState,
  rows: readonly LiveUpdateRow[],
  body: StoredBody,
  foreign: ReadonlySet<string> = new Set(),
) {
  const { live } = loaded;
  live.apply(rows.map(({ payload }) => payload));
  const updates: Uint8Array[] = [];
  const collect = (update: Uint8Array, origin: unknown) => {
    if (origin === loaded) updates.push(update);
  };
  live.doc.on("update", collect);
  const isCurrent = body.version === loaded.version;
  const base = isCurrent ? body.blocks : loaded.blocks;
  const holders = isCurrent ? (id: string) => body.positionOf(id) : positionsIn(base);
  if (foreign.size > 0) live.doc.transact(() => putBack(live, base, foreign), loaded);
  const { blocks } = fold(live, {
    base: { blocks: base, holderOf: (id) => holderIn(base, holders(id)) },
    body: body.blocks,
    newId: newBlockId,
    isTopLevel: (type) => body.documentType !== "spreadsheet" || type === "table",
    origin: loaded,
  });
  live.doc.off("update", collect);
  return { blocks, update: updates.length > 0 ? Y.mergeUpdates(updates) : undefined };
}

const holderIn = (blocks: readonly Node[], position: number | undefined): string | undefined => {
  const block = position === undefined ? undefined : blocks[position];
  return block && blockId(block);
};

/** Positions of the top-level blocks that have or hold an id. */
function positionsIn(blocks: readonly Node[]): (id: string) => number | undefined {
  const positions = new Map<string, number>();
  blocks.forEach((block, position) => {
    eachBlockId([block], (id) => void positions.set(id, position));
  });
  return (id) => positions.get(id);
}

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

/** The state again, when the rows since it have grown long. */
function compact(row: LiveDocumentRow, live: LiveState, update: Uint8Array | undefined): Uint8Array | undefined {
  const since = row.bytes_since + (update?.length ?? 0);
  return since > Math.max(COMPACT_BYTES, row.state.length / 4) ? Y.encodeStateAsUpdate(live.doc) : undefined;
}
