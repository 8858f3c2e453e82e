import { type BlockPlaces, type CommonEnds, commonEnds, diffPlaces } from "@svc/document/diff";
import { tooLarge } from "@svc/document/schema/validate";
import type { Node } from "@svc/document/types";
import type { Tx } from "../db/database.ts";
import type { BodyRow } from "../db/schema/tables/bodies.ts";
import type { DocumentRow } from "../db/schema/tables/documents.ts";
import { statement } from "../db/statement/statement.ts";
import { allOf } from "../db/transaction/last-steps.ts";
import { yieldToWriters } from "../db/transaction/yield-to-writers.ts";
import { notFound } from "../errors.ts";
import type { Actor } from "../events/actor.ts";
import { ledgerOf } from "../events/ledger.ts";
import { checkExpected, type Expected, requireExpected } from "../http/preconditions.ts";
import type { Services } from "../services.ts";
import { cacheBody, loadLocked, StoredBody } from "./body.ts";
import { compare, missingFrom, versionOf, writeManifest, writeStep } from "./manifest.ts";
import type { MadeBody, NewBody } from "./new-body.ts";
import { renderSegment, type SegmentTexts, writeTexts } from "./renderings.ts";
import { recut, type Segment } from "./segment.ts";
import { firstKept, followLive, insertSnapshot, pruneSnapshots } from "./snapshots.ts";
import { type SourceTexts, sourceChange, sourceTexts } from "./source-texts.ts";
import { keepSource, putSource } from "./sources.ts";
import { type BodyState, cacheSegments, type DocumentKey, insertBody, insertSegments, updateBody } from "./store.ts";
import type { ChangeReason, View } from "./view.ts";

export interface BodyChange {
  readonly key: DocumentKey;
  readonly reason: ChangeReason;
  readonly actor: Actor;
  readonly expected: Expected | undefined;
  /** Refuse with 428 when no version was sent. */
  readonly needsExpected?: boolean;
  /** Who proposed the change that `actor` accepted. */
  readonly suggestedBy?: SuggestedBy | undefined;
  /** The new top-level blocks; unchanged blocks stay the same objects. Throws to refuse. */
  readonly edit: (current: StoredBody) => readonly Node[] | Promise<readonly Node[]>;
  /** The Markdown that the new blocks come from, asked for after the edit: undefined where it says something else. */
  readonly source?: (() => string | undefined) | undefined;
  /** What is stored of the new blocks and their source, if the edit answers just its blocks: then it is not made again. */
  readonly made?: MadeBody | undefined;
}

/** The author of an accepted suggestion, as the version that it made names it. */
interface SuggestedBy {
  readonly type: "user" | "token";
  readonly id: string;
  readonly name: string;
  readonly agent: boolean;
}

export interface ChangedBody {
  readonly version: string;
  /** False when the edit came to the same content: then at most its source was stored, and there is no event. */
  readonly changed: boolean;
  readonly changes: readonly BlockPlaces[];
  readonly before: StoredBody;
  readonly after: StoredBody;
}

/**
 * The only way a body changes: check the version, let the edit happen, keep the prior state as a snapshot, store what
 * is new, bring the views up to date and append the event, all in the caller's transaction.
 */
export async function changeBody(app: Services, tx: Tx, change: BodyChange): Promise<ChangedBody> {
  const [before, row] = await Promise.all([loadLocked(tx, change.key), lockDocument(tx, change.key)]);
  if (!row) throw notFound("document", change.key.documentId);
  checkExpected(change.needsExpected ? requireExpected(change.expected) : change.expected, before.version);
  const blocks = await change.edit(before);
  const ends = commonEnds(before.blocks, blocks);
  const made = change.made?.blocks === blocks ? change.made : undefined;
  const segments = made?.segments ?? recut(before.segments, before.blocks, blocks, ends);
  const version = versionOf(segments);
  const textsOf = made ? textsIn(made) : makeTexts({ version, blocks, segments }, change.source?.());
  if (version === before.version) {
    const { source } = textsOf([]);
    if (source) await keepSource(tx, change.key, source.texts);
    return { version, changed: false, changes: [], before, after: before };
  }
  const after = new StoredBody(nextState(before, version, change.reason), segments, blocks);
  const difference = compare(before.segments, segments);
  const added = missingFrom(before.segments, difference.after);
  const dropped = missingFrom(segments, difference.before);
  const isLong = isMuch(added) || isMuch(dropped);
  if (isLong) await yieldToWriters();
  checkSize(app, after);
  for (const guard of app.guards) await guard(tx, change.key, between(ends, before.blocks), between(ends, blocks));
  const document = await store(tx, change, row, { before, after, difference, added, dropped, texts: textsOf(added) });
  if (isLong) await yieldToWriters();
  const changes = diffPlaces(before.blocks, blocks, ends);
  await allOf([
    pruneSnapshots(tx, change.key, firstKept(after.seq, app.config.versionRetention) - 1),
    tellViews(app, tx, { document, before, after, isLong, changes, actor: change.actor, reason: change.reason }),
  ]);
  ledgerOf(tx, change.key.workspaceId).event("document.content.updated", document, change.actor);
  cacheBody(after);
  return { version, changed: true, changes, before, after };
}

/** What is stored of a body that was changed, beside its row. */
interface Texts {
  readonly segments: readonly SegmentTexts[];
  /** Undefined leaves it as it was. */
  readonly source: { readonly texts: SourceTexts | undefined } | undefined;
}
type TextsOf = (added: readonly Segment[]) => Texts;

const makeTexts = (
  body: Pick<StoredBody, "version" | "blocks" | "segments">,
  markdown: string | undefined,
): TextsOf => {
  const source = sourceChange(markdown, body.blocks);
  return (added) => {
    const rendered = added.map((segment) => renderSegment(segment, source?.kept !== undefined));
    return {
      segments: rendered.map(writeTexts),
      source: source && { texts: source.kept && sourceTexts({ ...body, rendered }, source.kept) },
    };
  };
};

const textsIn =
  ({ texts, source }: MadeBody): TextsOf =>
  (added) => {
    const hashes = new Set(added.map(({ hash }) => hash));
    return { segments: texts.filter(({ segment }) => hashes.has(segment.hash)), source: { texts: source } };
  };

const nextState = (before: StoredBody, version: string, reason: ChangeReason): BodyState => ({
  version,
  revision: before.revision + 1,
  live_revisions: before.liveRevisions + (reason === "live" ? 1 : 0),
  document_type: before.documentType,
});

const between = ({ start, tail }: CommonEnds, blocks: readonly Node[]): readonly Node[] =>
  blocks.slice(start, blocks.length - tail);

/** Stores a new document's first body, before its row exists. It makes no snapshot. */
export async function createBody(
  app: Services,
  tx: Tx,
  key: DocumentKey,
  documentType: BodyRow["document_type"],
  { version, segments, texts, source }: NewBody,
): Promise<StoredBody> {
  const body = new StoredBody({ version, revision: 1, live_revisions: 0, document_type: documentType }, segments);
  for (const guard of app.guards) await guard(tx, key, [], body.blocks);
  await insertBody(tx, {
    workspace_id: key.workspaceId,
    document_id: key.documentId,
    document_type: documentType,
    version,
    manifest: writeManifest(segments),
    revision: 1,
    style: source?.style ?? "",
  });
  await insertSegments(tx, key, texts, 1);
  if (source) await putSource(tx, key, source);
  // Only the text is cached: parsed blocks stay in memory only where somebody edits them.
  for (const segment of segments) segment.release();
  cacheSegments(segments);
  return body;
}

/**
 * Characters of JSON. A save that brings or takes more is felt by whoever waits behind it, and lets them run between its
 * steps.
 */
const MUCH = 500_000;

const isMuch = (segments: readonly Segment[]): boolean =>
  segments.reduce((sum, { json }) => sum + json.length, 0) > MUCH;

interface BodyUpdate {
  readonly document: DocumentRow;
  readonly before: StoredBody | undefined;
  readonly after: StoredBody;
  /** Whether others should run between its steps. */
  readonly isLong?: boolean;
  readonly changes: readonly BlockPlaces[];
  readonly actor: Actor;
  readonly reason: ChangeReason;
}

/** Runs every view over what happened to a body; for a new document `before` is undefined. */
export async function tellViews(
  app: Services,
  tx: Tx,
  { document, before, after, isLong = isMuch(after.segments), changes, actor, reason }: BodyUpdate,
): Promise<void> {
  const delta = {
    document,
    revision: after.revision,
    beforeVersion: before?.version ?? null,
    version: after.version,
    before: before?.blocks ?? [],
    after: after.blocks,
    changes,
    actor,
    reason,
  };
  const tell = (view: View) => view.bodyChanged?.(tx, delta, app);
  if (!isLong) return allOf(app.views.map(tell));
  for (const view of app.views) {
    await tell(view);
    await yieldToWriters();
  }
}

function checkSize(app: Services, body: StoredBody): void {
  const limit = app.config.maxDocumentCharacters;
  if (body.characters > limit) throw tooLarge(limit, body.characters);
}

/** A body before and after its change, and what is new. */
interface NewState {
  readonly before: StoredBody;
  readonly after: StoredBody;
  readonly difference: ReturnType<typeof compare>;
  readonly added: readonly Segment[];
  readonly dropped: readonly Segment[];
  readonly texts: Texts;
}

/** Stores what is new and keeps what was there as a snapshot, unless it was live. Answers the document's row as it is then. */
async function store(
  tx: Tx,
  change: BodyChange,
  row: DocumentRow,
  { before, after, difference, added, dropped, texts }: NewState,
): Promise<DocumentRow> {
  const { key } = change;
  const now = Date.now();
  await insertSegments(tx, key, texts.segments, after.seq);
  cacheSegments(added);
  if (change.reason === "live") await followLive(tx, key, before, after, dropped);
  else
    await insertSnapshot.enqueue(tx, {
      workspace_id: key.workspaceId,
      document_id: key.documentId,
      seq: before.seq,
      version: before.version,
      manifest: writeStep(difference, difference.before),
      dropped: dropped.map(({ hash }) => hash).join(","),
      byte_size: before.byteSize,
      character_count: before.characters,
      reason: change.reason,
      creator_id: change.actor.userId,
      created_at: now,
      suggested_by: change.suggestedBy ? JSON.stringify(change.suggestedBy) : null,
      client: clientJson(change.actor),
    });
  const { version, revision, liveRevisions: live_revisions } = after;
  await updateBody(tx, { ...key, version, revision, live_revisions }, after.segments, difference);
  const figures = {
    version,
    character_count: after.characters,
    block_count: after.blocks.length,
    updated_at: now,
    updated_by: change.actor.userId,
  };
  await updateFigures.enqueue(tx, { ...key, ...figures });
  if (texts.source) await keepSource(tx, key, texts.source.texts);
  return { ...row, ...figures };
}

/** The program that made a change; null for a person in the browser. */
const clientJson = ({ tokenId, client }: Actor): string | null =>
  tokenId === null ? null : JSON.stringify({ token_id: tokenId, ...client });

/** The document's row, locked as its body is: asked for at the same time, where that is one question. */
export const lockDocument = (tx: Tx, { workspaceId, documentId }: DocumentKey): Promise<DocumentRow | undefined> =>
  tx.lock("document", workspaceId, documentId);

type DocumentFigures = DocumentKey &
  Pick<DocumentRow, "version" | "character_count" | "block_count" | "updated_at" | "updated_by">;

const updateFigures = statement<DocumentFigures, unknown>((db, value) =>
  db
    .updateTable("documents")
    .set({
      version: value("version"),
      character_count: value("character_count"),
      block_count: value("block_count"),
      updated_at: value("updated_at"),
      updated_by: value("updated_by"),
    })
    .where("workspace_id", "=", value("workspaceId"))
    .where("id", "=", value("documentId")),
);
