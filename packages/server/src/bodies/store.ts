import { defined } from "@svc/document/defined";
import { type SqlBool, sql } from "kysely";
import { Cache } from "../cache/cache.ts";
import type { Reader, SelectBuilder, Tx } from "../db/database.ts";
import type { BodyRow, SegmentRow } from "../db/schema/tables/bodies.ts";
import type { StatementDialect } from "../db/statement/runner.ts";
import { statement } from "../db/statement/statement.ts";
import { notFound } from "../errors.ts";
import { type Difference, type Manifest, manifestOf, writeManifest, writeStep } from "./manifest.ts";
import { RULES, type SegmentTexts } from "./renderings.ts";
import { Segment } from "./segment.ts";

/** Bytes: the text itself, whole and by block, its parsed blocks and their index, and what is made from blocks. */
export const COST_PER_CHARACTER = 10;

/** Segments by hash. Their content follows from the hash, so all documents can share them. */
const SEGMENTS = new Cache<Segment>("segments", { share: 1 / 8 });

const cacheSegment = (segment: Segment): Segment => {
  SEGMENTS.put(segment.hash, segment, segment.json.length * COST_PER_CHARACTER + 200);
  return segment;
};

export const cacheSegments = (segments: readonly Segment[]): void => {
  for (const segment of segments) if (!SEGMENTS.has(segment.hash)) cacheSegment(segment);
};

/** A manifest names a segment that is not there: it was read before a write that no longer needs the segment. */
export class SegmentMissing extends Error {
  constructor({ documentId }: DocumentKey, hash: string) {
    super(`Segment ${hash} of ${documentId} is missing.`);
    this.name = "SegmentMissing";
  }
}

export interface DocumentKey {
  readonly workspaceId: string;
  readonly documentId: string;
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

/** Which state a body is in, without its manifest. */
export type BodyState = Readonly<Pick<BodyRow, "version" | "revision" | "live_revisions" | "document_type">>;

/** The `seq` of a state: counts those that API writes made, as each of them left a snapshot. */
export const seqOf = ({ revision, live_revisions }: Pick<BodyRow, "revision" | "live_revisions">): number =>
  revision - live_revisions;

/** The same with the manifest, unless it is long: a caller that needs a long one reads it by itself. */
export type FoundState = BodyState & { readonly manifest: string | null } & Partial<Pick<BodyRow, "style">>;

/** Bytes: about thirty segments. Such rows are remembered by number, so they may not be of any size. */
const SHORT_MANIFEST = 1500;

const stateByKey = statement<DocumentKey, FoundState>({
  // The length in bytes is known without reading all of it.
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

/** The body's row, locked to the end of the transaction: writers of one document go one after the other. */
export async function lockBody(tx: Tx, key: DocumentKey): Promise<BodyRow> {
  await lockState(tx, key);
  const [body] = await selectBody(tx, key);
  if (!body) throw notFound("document", key.documentId);
  return body;
}

/** The same without the manifest, which is long and mostly cached. */
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

/** The segments of a manifest, from memory as far as they are there; `keep` says whether others may come there. */
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
 * JSON of the segments of a manifest, as it is cheapest to be sent on. A body that `isFirst` has all segments of its
 * document: finding each by its hash takes longer.
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
 * JSON of some segments by hash, from memory as far as it is there, without bringing more there: whoever shows a block of
 * a body does not need the rest again. `wanted` tells the document of each.
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

/** The segments of each of several bodies; what is not in memory is read in one go. */
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

/** Stores segments that the state of this `seq` brings in; one that is there already is marked as brought in again. */
export const insertSegments = (
  tx: Tx,
  { workspaceId, documentId }: DocumentKey,
  segments: readonly SegmentTexts[],
  seq: number,
): Promise<void> =>
  putSegments.enqueue(tx, {
    rows: segments.map(({ segment: { hash, json }, markdown, html }) => ({
      workspace_id: workspaceId,
      document_id: documentId,
      hash,
      content: json,
      added_revision: seq,
      markdown,
      html,
      rules: RULES,
    })),
  });

const putSegments = statement<{ rows: readonly SegmentRow[] }, unknown>(
  (tx, value) =>
    tx
      .insertInto("segments")
      .values(value("rows"))
      .onConflict((conflict) =>
        conflict.columns(["workspace_id", "document_id", "hash"]).doUpdateSet((eb) => ({
          added_revision: eb.ref("excluded.added_revision"),
          markdown: eb.ref("excluded.markdown"),
          html: eb.ref("excluded.html"),
          rules: eb.ref("excluded.rules"),
        })),
      ),
  {
    rows: "rows",
    fields: ["workspace_id", "document_id", "hash", "content", "added_revision", "markdown", "html", "rules"],
  },
);

export const insertBody = statement<Omit<BodyRow, "steps" | "lock" | "live_revisions">, unknown>((db, value) =>
  db.insertInto("bodies").values({
    workspace_id: value("workspace_id"),
    document_id: value("document_id"),
    document_type: value("document_type"),
    version: value("version"),
    manifest: value("manifest"),
    revision: value("revision"),
    live_revisions: 0,
    style: value("style"),
    steps: "",
    lock: 0,
  }),
);

type NewState = DocumentKey & Pick<BodyRow, "version" | "revision" | "live_revisions">;

const writeWhole = statement<NewState & Pick<BodyRow, "manifest">, unknown>((db, value) =>
  db
    .updateTable("bodies")
    .set({
      version: value("version"),
      manifest: value("manifest"),
      steps: "",
      revision: value("revision"),
      live_revisions: value("live_revisions"),
    })
    .where("workspace_id", "=", value("workspaceId"))
    .where("document_id", "=", value("documentId")),
);

const addStep = statement<NewState & { readonly step: string }, unknown>((db, value) =>
  db
    .updateTable("bodies")
    .set((eb) => ({
      version: value("version"),
      steps: sql`${eb.ref("steps")} || ${value("step")}`,
      revision: value("revision"),
      live_revisions: value("live_revisions"),
    }))
    .where("workspace_id", "=", value("workspaceId"))
    .where("document_id", "=", value("documentId")),
);

/** Segments: the manifest of so many is longer than what a row may have of steps. */
const LONG_MANIFEST = 64;
/** Characters: two or three segments. */
const LONG_STEP = 160;
/** Every so many revisions a long manifest is written whole, which bounds the steps. */
const MOST_STEPS = 16;

/**
 * Stores a new state of a body. Of a long manifest only the step from the one before is written: to write all of it takes
 * as long as the rest of a small edit.
 */
export function updateBody(tx: Tx, state: NewState, manifest: Manifest, difference: Difference): Promise<void> {
  const step = writeStep(difference, difference.after);
  const isWhole = manifest.length < LONG_MANIFEST || step.length > LONG_STEP || state.revision % MOST_STEPS === 0;
  return isWhole
    ? writeWhole.enqueue(tx, { ...state, manifest: writeManifest(manifest) })
    : addStep.enqueue(tx, { ...state, step: `${step};` });
}
