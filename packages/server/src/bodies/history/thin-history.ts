import { sql } from "kysely";
import type { Config } from "../../config.ts";
import type { Tx } from "../../db/database.ts";
import type { DocumentKey } from "../../db/document-key.ts";
import { DAY_MS } from "../../time.ts";
import { loadLocked } from "../load-body.ts";
import { followStep, type Manifest } from "../manifest.ts";
import { type ChainState, stepOf } from "./chain.ts";
import { chainOf } from "./record-state.ts";
import { type Ages, keptByAge, nextLook } from "./retention.ts";
import { insertStates, selectNewest } from "./states.ts";
import { uniteWriters } from "./writer.ts";

const ALL = 1_000_000;

const agesOf = (config: Pick<Config, "historyAllDays" | "historyHourlyDays" | "historyDailyDays">): Ages => ({
  allMs: config.historyAllDays * DAY_MS,
  hourlyMs: config.historyHourlyDays * DAY_MS,
  dailyMs: config.historyDailyDays * DAY_MS,
});

type Limits = Pick<
  Config,
  "historyAllDays" | "historyHourlyDays" | "historyDailyDays" | "historyMaxVersions" | "historyMaxBytes"
>;

/** Removes the states of a document that are not kept any longer, and the segments that only they needed. */
export async function thinHistory(tx: Tx, config: Limits, key: DocumentKey, now: number): Promise<void> {
  const body = await loadLocked(tx, key);
  const rows = await selectNewest(tx, { ...key, limit: ALL });
  const states = chainOf(rows, body.segments);
  const ages = agesOf(config);
  const sizes = await sizesOf(tx, key);
  const kept = withinLimits(keptByAge(states, now, ages), body.segments, sizes, config);
  const ids = new Set(kept.map(({ id }) => id));
  const chain = joinWriters(states, ids);
  const known = new Map(rows.map((row) => [row.id, row]));
  const changed = chain.flatMap((state, index) => {
    const row = known.get(state.id);
    if (!row) return [];
    const next = {
      ...row,
      step: stepOf(state, chain[index - 1]),
      writers: JSON.stringify(state.writers),
      started_at: state.startedAt,
      due_at: nextLook(state, now, ages),
    };
    return next.step === row.step && next.due_at === row.due_at && next.writers === row.writers ? [] : [next];
  });
  if (changed.length > 0) await insertStates(tx, { rows: changed });
  await removeStates(
    tx,
    key,
    states.filter(({ id }) => !ids.has(id)),
  );
  await removeSegments(tx, key, { body: body.segments, chain, sizes });
}

/** Removed states leave their writers and their beginning to the next state, which now shows their changes, too. */
function joinWriters(states: readonly ChainState[], kept: ReadonlySet<string>): readonly ChainState[] {
  const chain: ChainState[] = [];
  for (const state of states) {
    const last = chain.at(-1);
    if (kept.has(state.id) || !last) chain.push(state);
    else {
      const startedAt = Math.min(last.startedAt, state.startedAt);
      chain[chain.length - 1] = { ...last, startedAt, writers: uniteWriters(last.writers, state.writers) };
    }
  }
  return chain;
}

type Sizes = ReadonlyMap<string, number>;

/** Bytes of the segments of a document, with their texts. */
async function sizesOf(tx: Tx, key: DocumentKey): Promise<Sizes> {
  const rows = await tx
    .selectFrom("segments")
    .select([
      "hash",
      sql<number>`octet_length(content) + coalesce(octet_length(markdown), 0) + coalesce(octet_length(html), 0)`.as(
        "size",
      ),
    ])
    .where("workspace_id", "=", key.workspaceId)
    .where("document_id", "=", key.documentId)
    .execute();
  return new Map(rows.map(({ hash, size }) => [hash, Number(size)]));
}

/** The newest states within the limits of number and size, and those with a name. */
function withinLimits(
  states: readonly ChainState[],
  body: Manifest,
  sizes: Sizes,
  { historyMaxVersions, historyMaxBytes }: Limits,
): readonly ChainState[] {
  const counted = new Set(body.map(({ hash }) => hash));
  let bytes = 0;
  let unnamed = 0;
  let isFull = false;
  return states.filter((state, index) => {
    if (state.name !== null) return true;
    const added = state.manifest.filter(({ hash }) => !counted.has(hash));
    const size = added.reduce((sum, { hash }) => sum + (sizes.get(hash) ?? 0), 0);
    isFull ||= index > 0 && (unnamed >= historyMaxVersions || bytes + size > historyMaxBytes);
    if (isFull) return false;
    unnamed++;
    bytes += size;
    for (const { hash } of added) counted.add(hash);
    return true;
  });
}

const removeStates = (tx: Tx, key: DocumentKey, states: readonly ChainState[]): Promise<unknown> =>
  inBatches(
    states.map(({ id }) => id),
    (ids) =>
      tx
        .deleteFrom("history_states")
        .where("workspace_id", "=", key.workspaceId)
        .where("document_id", "=", key.documentId)
        .where("id", "in", ids)
        .execute(),
  );

interface Holders {
  readonly body: Manifest;
  readonly chain: readonly ChainState[];
  readonly sizes: Sizes;
}

/** Removes the segments that neither the body nor a snapshot nor a state has. */
async function removeSegments(tx: Tx, key: DocumentKey, { body, chain, sizes }: Holders): Promise<void> {
  const inBody = new Set(body.map(({ hash }) => hash));
  const inHistory = new Set(chain.flatMap(({ manifest }) => manifest.map(({ hash }) => hash)));
  const inSnapshots = await hashesOfSnapshots(tx, key, body);
  const marked = await tx
    .selectFrom("history_segments")
    .select("hash")
    .where("workspace_id", "=", key.workspaceId)
    .where("document_id", "=", key.documentId)
    .execute();
  await removeMarks(
    tx,
    key,
    marked.map(({ hash }) => hash).filter((hash) => !inHistory.has(hash)),
  );
  const unused = [...sizes.keys()].filter(
    (hash) => !inBody.has(hash) && !inHistory.has(hash) && !inSnapshots.has(hash),
  );
  await removeContents(tx, key, unused);
}

/** The segments of all stored snapshots. */
async function hashesOfSnapshots(tx: Tx, key: DocumentKey, body: Manifest): Promise<ReadonlySet<string>> {
  const steps = await tx
    .selectFrom("snapshots")
    .select("manifest")
    .where("workspace_id", "=", key.workspaceId)
    .where("document_id", "=", key.documentId)
    .orderBy("seq", "desc")
    .execute();
  const hashes = new Set<string>();
  let manifest = body;
  for (const step of steps) {
    manifest = followStep(step.manifest, manifest);
    for (const { hash } of manifest) hashes.add(hash);
  }
  return hashes;
}

const removeMarks = (tx: Tx, key: DocumentKey, hashes: readonly string[]): Promise<unknown> =>
  inBatches(hashes, (some) =>
    tx
      .deleteFrom("history_segments")
      .where("workspace_id", "=", key.workspaceId)
      .where("document_id", "=", key.documentId)
      .where("hash", "in", some)
      .execute(),
  );

const removeContents = (tx: Tx, key: DocumentKey, hashes: readonly string[]): Promise<unknown> =>
  inBatches(hashes, (some) =>
    tx
      .deleteFrom("segments")
      .where("workspace_id", "=", key.workspaceId)
      .where("document_id", "=", key.documentId)
      .where("hash", "in", some)
      .execute(),
  );

const BATCH = 500;

async function inBatches(items: readonly string[], run: (some: readonly string[]) => Promise<unknown>): Promise<void> {
  for (let i = 0; i < items.length; i += BATCH) await run(items.slice(i, i + BATCH));
}
