import type { Config } from "../../config.ts";
import type { Tx } from "../../db/database.ts";
import type { DocumentKey } from "../../db/document-key.ts";
import type { HistoryKind, HistoryStateRow } from "../../db/schema/tables/history.ts";
import { newId } from "../../ids.ts";
import { DAY_MS, HOUR_MS } from "../../time.ts";
import type { StoredBody } from "../body.ts";
import { type Difference, followStep, type Manifest, type ManifestEntry, writeStep } from "../manifest.ts";
import { type ChainState, editIn, stepOf } from "./chain.ts";
import { insertStates, keepSegments, releaseSegments, selectNewest, supersedeNewest } from "./states.ts";
import { readWriters, type Writer } from "./writer.ts";

/** Places of one revision: a fold may contain the edits of several people. */
const PLACES = 64;
const placeOf = ({ revision }: Pick<StoredBody, "revision">): number => revision * PLACES;

/** A long list of states is looked at after every so many revisions, whatever their age. */
const LOOK_EVERY = 64;
/** So is one that grows by large writes. */
const LARGE_DROP_CHARS = 1_000_000;

/** Retention looks at a state when its age may no longer keep it, once an hour for each document. */
const dueAfter = (endedAt: number, { historyAllDays }: Config): number =>
  Math.ceil((endedAt + historyAllDays * DAY_MS) / HOUR_MS) * HOUR_MS;

interface Recorded {
  readonly before: StoredBody;
  readonly after: StoredBody;
  readonly difference: Difference;
  readonly dropped: readonly { readonly hash: string; readonly json: string }[];
  readonly now: number;
}

const dueOf = ({ after, dropped, now }: Pick<Recorded, "after" | "dropped" | "now">, config: Config): number =>
  after.revision % LOOK_EVERY === 0 || dropped.reduce((sum, { json }) => sum + json.length, 0) > LARGE_DROP_CHARS
    ? now
    : dueAfter(now, config);

interface FirstState {
  readonly body: StoredBody;
  readonly kind: HistoryKind;
  readonly writer: Writer;
  readonly now: number;
}

/** Records the first state of a document. */
export const recordFirst = (tx: Tx, config: Config, key: DocumentKey, first: FirstState): Promise<void> =>
  insertStates.enqueue(tx, { rows: [newState(key, { ...first, due: dueAfter(first.now, config) })] });

/** Records the state after a write, which ends the open sessions. */
export async function recordWrite(
  tx: Tx,
  config: Config,
  key: DocumentKey,
  { kind, writer, ...change }: Recorded & Pick<FirstState, "kind" | "writer">,
): Promise<void> {
  const { before, after, difference, dropped, now } = change;
  await supersedeNewest.enqueue(tx, { ...key, step: writeStep(difference, difference.before) });
  await insertStates.enqueue(tx, {
    rows: [newState(key, { body: after, kind, writer, now, due: dueOf(change, config) })],
  });
  await keep(tx, key, dropped, placeOf(before));
}

const newState = (
  key: DocumentKey,
  { body, kind, writer, now, due }: FirstState & { readonly due: number },
): HistoryStateRow => ({
  workspace_id: key.workspaceId,
  document_id: key.documentId,
  id: newId("state"),
  place: placeOf(body),
  kind,
  user_id: "",
  version: body.version,
  step: null,
  writers: JSON.stringify([writer]),
  started_at: now,
  ended_at: now,
  name: null,
  byte_size: body.byteSize,
  due_at: due,
});

async function keep(
  tx: Tx,
  key: DocumentKey,
  entries: readonly { readonly hash: string }[],
  place: number,
): Promise<void> {
  const owner = { workspace_id: key.workspaceId, document_id: key.documentId };
  if (entries.length > 0)
    await keepSegments.enqueue(tx, { rows: entries.map(({ hash }) => ({ ...owner, hash, place })) });
}

/** So many people at most have an open session in one document; more begin new ones. */
const MAX_OPEN = 40;

interface LiveChange extends Recorded {
  /** The people who typed, in order; empty if a program's text was mended. */
  readonly writers: readonly Writer[];
}

/**
 * Records live edits as the sessions of the people who typed: one state for each person, which follows the body while
 * the session lasts. Returns the segments that no state needs any longer.
 */
export async function recordLive(
  tx: Tx,
  config: Config,
  key: DocumentKey,
  change: LiveChange,
): Promise<readonly ManifestEntry[]> {
  const { before, after, now } = change;
  const rows = await selectNewest(tx, { ...key, limit: MAX_OPEN + 1 });
  const states = chainOf(rows, before.segments);
  const since = now - config.historyPauseS * 1000;
  const closed = states.findIndex((state) => state.kind !== "session" || state.name !== null || state.endedAt < since);
  const open = closed === -1 ? states.slice(0, MAX_OPEN) : states.slice(0, closed);
  const below = states[open.length];
  const reached = { version: after.version, manifest: after.segments, byteSize: after.byteSize };
  const edit = { ...reached, now, maxMs: config.historySessionS * 1000, newId: () => newId("state") };
  const people = change.writers.length > 0 ? change.writers : [undefined];
  const edited = people.slice(0, PLACES).reduce<readonly ChainState[]>((list, writer, index) => {
    const userId = writer?.user_id ?? list[0]?.userId ?? "";
    return editIn(list, { ...edit, place: placeOf(after) + index, userId, writers: writer ? [writer] : [] });
  }, open);
  const next = below ? [...edited, below] : edited;
  await insertStates.enqueue(tx, { rows: changedRows(key, next, rows, dueOf(change, config)) });
  return keepNeeded(tx, key, { open, next, below, change });
}

/** Rows as a chain, whose newest state is the given one. */
export function chainOf(rows: readonly HistoryStateRow[], newest: Manifest): readonly ChainState[] {
  let manifest = newest;
  return rows.map((row) => {
    if (row.step !== null) manifest = followStep(row.step, manifest);
    return {
      id: row.id,
      place: row.place,
      kind: row.kind,
      userId: row.user_id,
      version: row.version,
      manifest,
      writers: readWriters(row.writers),
      startedAt: row.started_at,
      endedAt: row.ended_at,
      name: row.name,
      byteSize: row.byte_size,
    };
  });
}

/** The rows of a chain that differ from what is stored. `due` is for states that were edited. */
function changedRows(
  key: DocumentKey,
  chain: readonly ChainState[],
  stored: readonly HistoryStateRow[],
  due: number,
): HistoryStateRow[] {
  const known = new Map(stored.map((row) => [row.id, row]));
  return chain.flatMap((state, index) => {
    const old = known.get(state.id);
    const row = {
      workspace_id: key.workspaceId,
      document_id: key.documentId,
      id: state.id,
      place: state.place,
      kind: state.kind,
      user_id: state.userId,
      version: state.version,
      step: stepOf(state, chain[index - 1]),
      writers: JSON.stringify(state.writers),
      started_at: state.startedAt,
      ended_at: state.endedAt,
      name: state.name,
      byte_size: state.byteSize,
      due_at: old?.place === state.place ? old.due_at : due,
    };
    const isSame = old?.step === row.step && old.place === row.place && old.writers === row.writers;
    return isSame && old.started_at === row.started_at ? [] : [row];
  });
}

interface Needed {
  readonly open: readonly ChainState[];
  readonly next: readonly ChainState[];
  readonly below: ChainState | undefined;
  readonly change: LiveChange;
}

/** Keeps the dropped segments that an earlier state has, and releases those that only a moved state had. */
async function keepNeeded(
  tx: Tx,
  key: DocumentKey,
  { open, next, below, change }: Needed,
): Promise<readonly ManifestEntry[]> {
  const hashes = next.map((state) => ({ place: state.place, hashes: hashesOf(state.manifest) }));
  for (const entry of change.dropped) {
    const holder = hashes.findLast((state) => state.hashes.has(entry.hash));
    if (holder) await keep(tx, key, [entry], holder.place);
  }
  const ids = new Set(next.filter(({ version }) => version !== change.after.version).map(({ id }) => id));
  const moved = open.slice(1).filter(({ id }) => !ids.has(id));
  const released = moved.flatMap(({ manifest }) =>
    manifest.filter(({ hash }) => !hashes.some((state) => state.hashes.has(hash))),
  );
  if (released.length === 0) return [];
  await releaseSegments.enqueue(tx, { ...key, after: below?.place ?? -1, hashes: released.map(({ hash }) => hash) });
  return released;
}

const hashesOf = (manifest: Manifest): ReadonlySet<string> => new Set(manifest.map(({ hash }) => hash));
