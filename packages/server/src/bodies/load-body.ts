import { defined } from "@svc/document/defined";
import { type SqlBool, sql } from "kysely";
import { Cache } from "../cache/cache.ts";
import type { Reader, SelectBuilder, Tx } from "../db/database.ts";
import type { DocumentKey } from "../db/document-key.ts";
import type { BodyRow, SegmentRow } from "../db/schema/tables/bodies.ts";
import type { StatementDialect } from "../db/statement/runner.ts";
import { statement } from "../db/statement/statement.ts";
import { notFound } from "../errors.ts";
import { type BodyState, StoredBody } from "./body.ts";
import { type Manifest, manifestOf, readManifest } from "./manifest.ts";
import { Segment } from "./segment.ts";

/** Bytes: the text, whole and by block, its parsed blocks and their index, and data derived from blocks. */
const COST_PER_CHARACTER = 10;

/** Segments by hash. The hash determines their content, so all documents can share them. */
const SEGMENTS = new Cache<Segment>("segments", { share: 1 / 8 });

const cacheSegment = (segment: Segment): Segment => {
  SEGMENTS.put(segment.hash, segment, segment.json.length * COST_PER_CHARACTER + 200);
  return segment;
};

export const cacheSegments = (segments: readonly Segment[]): void => {
  for (const segment of segments) if (!SEGMENTS.has(segment.hash)) cacheSegment(segment);
};

/** A manifest names a missing segment: it was read before a write that no longer needs the segment. */
export class SegmentMissing extends Error {
  constructor({ documentId }: DocumentKey, hash: string) {
    super(`Segment ${hash} of ${documentId} is missing.`);
    this.name = "SegmentMissing";
  }
}

type KeyOf = <Name extends keyof DocumentKey>(name: Name) => string;
const bodyRow = (db: SelectBuilder, value: KeyOf) =>
  db
    .selectFrom("bodies")
    .where("workspace_id", "=", value("workspaceId"))
    .where("document_id", "=", value("documentId"));

const selectBody = statement<DocumentKey, BodyRow>((db, value) => bodyRow(db, value).selectAll());

export const findBody = async (db: Reader, key: DocumentKey): Promise<BodyRow | undefined> =>
  (await selectBody(db, key))[0];

export async function getBody(db: Reader, key: DocumentKey): Promise<BodyRow> {
  const body = await findBody(db, key);
  if (!body) throw notFound("document", key.documentId);
  return body;
}

/** The state with the manifest, unless that is long: a caller that needs a long one reads it separately. */
export type FoundState = BodyState & { readonly manifest: string | null } & Partial<Pick<BodyRow, "style">>;

/** Bytes: about thirty segments. These rows are cached by number, so their size must be limited. */
const SHORT_MANIFEST = 1500;

const stateByKey = statement<DocumentKey, FoundState>({
  // The length in bytes is known without reading the whole value.
  select: `workspace_id, document_id, version, revision, live_revisions, document_type, style,
    case when octet_length(manifest) <= ${SHORT_MANIFEST} and steps = '' then manifest end as manifest`,
  from: "bodies",
  key: { workspaceId: "workspace_id", documentId: "document_id" },
});

export async function getBodyState(db: Reader, key: DocumentKey): Promise<FoundState> {
  const state = await stateByKey(db, key);
  if (!state) throw notFound("document", key.documentId);
  return state;
}

/** The body's row, locked until the end of the transaction: writers of one document run one after the other. */
export async function lockBody(tx: Tx, key: DocumentKey): Promise<BodyRow> {
  await lockState(tx, key);
  const [body] = await selectBody(tx, key);
  if (!body) throw notFound("document", key.documentId);
  return body;
}

/** Locks the row without reading the manifest, which is long and usually cached. */
export async function lockState(tx: Tx, { workspaceId, documentId }: DocumentKey): Promise<BodyState> {
  const state = await tx.lock("body", workspaceId, documentId);
  if (!state) throw notFound("document", documentId);
  return state;
}

type SegmentText = Pick<SegmentRow, "hash" | "content">;

const selectSegments = statement<DocumentKey & { readonly hashes: readonly string[] }, SegmentText>(
  (db, value) =>
    db
      .selectFrom("segments")
      .select(["hash", "content"])
      .where("workspace_id", "=", value("workspaceId"))
      .where("document_id", "=", value("documentId"))
      .where("hash", "in", value("hashes")),
  { list: "hashes" },
);

/** The segments of a manifest, cached ones where possible; `keep` says whether to cache the others. */
export async function loadSegments(db: Reader, key: DocumentKey, entries: Manifest, keep = true): Promise<Segment[]> {
  const segments = entries.map(({ hash }) => SEGMENTS.get(hash));
  const missing = entries.filter((_, i) => !segments[i]).map(({ hash }) => hash);
  if (missing.length === 0) return segments as Segment[];
  const rows = await selectSegments(db, { ...key, hashes: missing });
  const contents = new Map(rows.map(({ hash, content }) => [hash, content]));
  return entries.map(({ hash, count }, i) => {
    if (segments[i]) return segments[i];
    const content = contents.get(hash);
    if (content === undefined) throw new SegmentMissing(key, hash);
    const segment = new Segment(hash, count, content);
    return keep ? cacheSegment(segment) : segment;
  });
}

const contentRows = (db: SelectBuilder, value: KeyOf, { textToSend }: StatementDialect) =>
  db
    .selectFrom("segments")
    .select(["hash", textToSend("content").as("content")])
    .where("workspace_id", "=", value("workspaceId"))
    .where("document_id", "=", value("documentId"));
type ContentRow = Pick<SegmentRow, "hash"> & { readonly content: string | Uint8Array };
const contentsOfDocument = statement<DocumentKey, ContentRow>(contentRows);
const contentsByHash = statement<DocumentKey & { readonly hashes: readonly string[] }, ContentRow>(
  (db, value, dialect) => contentRows(db, value, dialect).where("hash", "in", value("hashes")),
  { list: "hashes" },
);

/**
 * JSON of the segments of a manifest, in the form that is cheapest to send. A body that `isFirst` uses all segments of
 * its document: finding each by its hash would take longer.
 */
export async function loadContents(
  db: Reader,
  key: DocumentKey,
  entries: Manifest,
  isFirst: boolean,
): Promise<(string | Uint8Array)[]> {
  const cached = entries.map(({ hash }) => SEGMENTS.get(hash)?.json);
  if (cached.every((json) => json !== undefined)) return cached;
  const hashes = entries.map(({ hash }) => hash);
  const rows = isFirst ? await contentsOfDocument(db, key) : await contentsByHash(db, { ...key, hashes });
  const contents = new Map(rows.map(({ hash, content }) => [hash, content]));
  return hashes.map((hash) => {
    const content = contents.get(hash);
    if (content === undefined) throw new SegmentMissing(key, hash);
    return content;
  });
}

interface SegmentKey {
  readonly documentId: string;
  readonly hash: string;
}

const selectSegmentsOf = statement<{ workspaceId: string; keys: readonly SegmentKey[] }, SegmentText>(
  (db, value) => {
    const pairs = value("keys").map(({ documentId, hash }) => sql`(${documentId}, ${hash})`);
    return db
      .selectFrom("segments")
      .select(["hash", "content"])
      .where("workspace_id", "=", value("workspaceId"))
      .where(sql<SqlBool>`(document_id, hash) in (values ${sql.join(pairs)})`);
  },
  { list: "keys", fields: ["documentId", "hash"] },
);

/**
 * JSON of some segments by hash, cached where possible, without caching more: a reader that shows one block of a body
 * does not need the rest again. `wanted` maps each hash to its document.
 */
export async function readSegmentTexts(
  db: Reader,
  workspaceId: string,
  wanted: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  const keys: SegmentKey[] = [];
  for (const [hash, documentId] of wanted) {
    const segment = SEGMENTS.get(hash);
    if (segment) texts.set(hash, segment.json);
    else keys.push({ documentId, hash });
  }
  for (const { hash, content } of await selectSegmentsOf(db, { workspaceId, keys })) texts.set(hash, content);
  return texts;
}

/** The segments of each of several bodies; those that are not cached are read by one query. */
export async function loadSegmentsOf(
  db: Reader,
  workspaceId: string,
  bodies: readonly Pick<BodyRow, "document_id" | "manifest" | "steps">[],
): Promise<Segment[][]> {
  const found = new Map<string, Segment>();
  const missing = new Map<string, { readonly documentId: string; readonly count: number }>();
  const manifests = bodies.map((body) => {
    const entries = manifestOf(body);
    for (const { hash, count } of entries) {
      const segment = SEGMENTS.get(hash);
      if (segment) found.set(hash, segment);
      else missing.set(hash, { documentId: body.document_id, count });
    }
    return entries;
  });
  const keys = [...missing].map(([hash, { documentId }]) => ({ documentId, hash }));
  for (const { hash, content } of await selectSegmentsOf(db, { workspaceId, keys }))
    found.set(hash, cacheSegment(new Segment(hash, defined(missing.get(hash)).count, content)));
  return manifests.map((entries, i) =>
    entries.map(({ hash }) => {
      const segment = found.get(hash);
      if (!segment) throw new SegmentMissing({ workspaceId, documentId: defined(bodies[i]).document_id }, hash);
      return segment;
    }),
  );
}

/**
 * Recently used bodies. The version determines a body's content, but not its revision. So a body may be cached before
 * its transaction commits: only a reader that has read exactly that state from the store finds it. The cache has no
 * share of its own, so that a body of 10,000 blocks is not too large: a value may take a quarter of the budget, 24 MiB
 * by default.
 */
const BODIES = new Cache<StoredBody>("bodies");

export function cacheBody(body: StoredBody): void {
  const characters = body.segments.reduce((sum, segment) => sum + segment.json.length, 0);
  BODIES.put(body.version, body, characters * COST_PER_CHARACTER + 500);
}

/** Returns the body if the cache has it in exactly this state. */
export function cachedBody({ version, revision, live_revisions, document_type }: BodyState): StoredBody | undefined {
  const body = BODIES.get(version);
  const isSame = body?.revision === revision && body.liveRevisions === live_revisions;
  return isSame && body.documentType === document_type ? body : undefined;
}

/** Loads the body of a state; `keep` says whether to cache it. */
async function loadBody(db: Reader, key: DocumentKey, state: WholeState, keep = true): Promise<StoredBody> {
  const cached = cachedBody(state);
  if (cached) return cached;
  const body = new StoredBody(state, await loadSegments(db, key, state.manifest, keep));
  if (keep) cacheBody(body);
  return body;
}

/** Loads the current body, locked until the end of the transaction. */
export async function loadLocked(tx: Tx, key: DocumentKey): Promise<StoredBody> {
  return cachedBody(await lockState(tx, key)) ?? loadBody(tx, key, await getWhole(tx, key));
}

/** Reads the current body, or the one of a state that was just read. */
export async function readBody(db: Reader, key: DocumentKey, found?: FoundState, keep = true): Promise<StoredBody> {
  const state = found ?? (await getBodyState(db, key));
  return cachedBody(state) ?? readCurrent(db, key, state, (body) => loadBody(db, key, body, keep));
}

/** Reads data of a state that was just found; of a later one if a write in between has removed segments of it. */
export async function readCurrent<T>(
  db: Reader,
  key: DocumentKey,
  found: FoundState,
  read: (body: WholeState) => Promise<T>,
): Promise<T> {
  const { manifest } = found;
  for (let body = manifest === null ? await getWhole(db, key) : { ...found, manifest: readManifest(manifest) }; ; ) {
    try {
      return await read(body);
    } catch (error) {
      if (!(error instanceof SegmentMissing)) throw error;
      const now = await getWhole(db, key);
      if (now.version === body.version) throw error;
      body = now;
    }
  }
}

type WholeState = BodyState & { readonly manifest: Manifest };

async function getWhole(db: Reader, key: DocumentKey): Promise<WholeState> {
  const row = await getBody(db, key);
  return { ...row, manifest: manifestOf(row) };
}

/** For callers that need only a text of the body and cache that: caching the body too would evict others. */
export const readBodyOnce = (db: Reader, key: DocumentKey, state: FoundState): Promise<StoredBody> =>
  readBody(db, key, state, false);
