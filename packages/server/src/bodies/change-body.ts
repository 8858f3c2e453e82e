import { type BlockPlaces, type CommonEnds, commonEnds, diffPlaces } from "@svc/document/diff";
import { tooLarge } from "@svc/document/schema/validate";
import type { Node } from "@svc/document/types";
import type { Tx } from "../db/database.ts";
import type { DocumentKey } from "../db/document-key.ts";
import type { BodyRow } from "../db/schema/tables/bodies.ts";
import type { DocumentRow } from "../db/schema/tables/documents.ts";
import type { HistoryKind } from "../db/schema/tables/history.ts";
import { statement } from "../db/statement/statement.ts";
import { allOf } from "../db/transaction/last-steps.ts";
import { mapInTurns, yieldToWriters } from "../db/transaction/yield-to-writers.ts";
import { notFound } from "../errors.ts";
import type { Actor } from "../events/actor.ts";
import { ledgerOf } from "../events/ledger.ts";
import { checkExpected, type Expected, requireExpected } from "../http/preconditions.ts";
import type { BodyView, ChangeReason } from "../services/body-views.ts";
import type { Services } from "../services.ts";
import { blockJson } from "./block-json.ts";
import type { BodyState } from "./body.ts";
import { StoredBody } from "./body.ts";
import { recordFirst, recordLive, recordWrite } from "./history/record-state.ts";
import { type Authorship, authorsAfter, authorsOfNew } from "./history/segment-authors.ts";
import { personWriter, type SuggestedBy, writerOf } from "./history/writer.ts";
import { cacheBody, cacheSegments, loadLocked } from "./load-body.ts";
import { compare, missingFrom, versionOf, writeManifest, writeStep } from "./manifest.ts";
import type { MadeBody, NewBody } from "./new-body.ts";
import { findRecentStates, mergeWithTyped, recordStates } from "./recent-states.ts";
import { type RenderedSegment, renderSegment, type SegmentTexts, writeTexts } from "./renderings.ts";
import { recut, type Segment } from "./segment.ts";
import { firstKept, followLive, insertSnapshot, pruneSnapshots } from "./snapshots.ts";
import { type SourceTexts, sourceChange, sourceTexts } from "./source-texts.ts";
import { keepSource, putSource } from "./sources.ts";
import { insertBody, insertSegments, updateBody } from "./store.ts";

export interface BodyChange {
  readonly key: DocumentKey;
  readonly reason: ChangeReason;
  readonly actor: Actor;
  /**
   * The version that the writer read, or `*` for an edit of whatever the body is now. Without one, the edit is merged
   * with what people typed in the last minute.
   */
  readonly expected: Expected | undefined;
  /** Refuse with 428 when no version was sent. */
  readonly needsExpected?: boolean;
  /** The author of the suggestion that `actor` accepted. */
  readonly suggestedBy?: SuggestedBy | undefined;
  /** The people who made a live edit; undefined if it was the actor alone. */
  readonly typists?: Typists | undefined;
  /** Returns the new top-level blocks; unchanged blocks stay the same objects. Throws to refuse. */
  readonly edit: (current: StoredBody) => readonly Node[] | Promise<readonly Node[]>;
  /**
   * Returns the Markdown that the new blocks come from. Called after the edit; undefined if the Markdown says something
   * else.
   */
  readonly source?: (() => string | undefined) | undefined;
  /**
   * The stored form of the new blocks and their source, if the edit returns just its blocks, so that it is not made
   * again.
   */
  readonly made?: MadeBody | undefined;
}

/** The people whose edits a fold brings in. */
interface Typists {
  /** In the order of their last edits. */
  readonly userIds: readonly string[];
  /** The person who edited a block last; undefined for a block that only the fold itself changed. */
  readonly lastIn: (blockId: string) => string | undefined;
}

export interface ChangedBody {
  readonly version: string;
  /** False when the edit resulted in the same content: then at most its source was stored, and there is no event. */
  readonly changed: boolean;
  readonly changes: readonly BlockPlaces[];
  readonly before: StoredBody;
  readonly after: StoredBody;
  /** Whether the edit was merged with what people typed meanwhile. */
  readonly merged: boolean;
  /** The blocks of the edit if it could not be merged with what people typed: then nothing was changed. */
  readonly refused?: readonly Node[];
}

/**
 * The only way to change a body: checks the version, runs the edit, keeps the prior state as a snapshot, stores the new
 * state, updates the views and appends the event, all in the caller's transaction.
 */
export async function changeBody(app: Services, tx: Tx, change: BodyChange): Promise<ChangedBody> {
  const [before, row] = await Promise.all([
    loadLocked(tx, change.key),
    tx.lock("document", change.key.workspaceId, change.key.documentId),
  ]);
  if (!row) throw notFound("document", change.key.documentId);
  checkExpected(change.needsExpected ? requireExpected(change.expected) : change.expected, before.version);
  if (isLarge(before.segments)) await before.parseInTurns();
  const asked = await change.edit(before);
  const isLive = change.reason === "live";
  const earlier = isLive ? undefined : await findRecentStates(tx, change.key, before);
  const blocks = earlier && change.expected === undefined ? mergeWithTyped(before, asked, earlier) : asked;
  const same = { version: before.version, changed: false, changes: [], before, after: before };
  if (!blocks) return { ...same, merged: false, refused: asked };
  const merged = blocks !== asked;
  const ends = commonEnds(before.blocks, blocks);
  const made = change.made?.blocks === blocks ? change.made : undefined;
  const isWide = blocks.length - ends.start - ends.tail > MANY_BLOCKS;
  if (isWide && !made) await mapInTurns(between(ends, blocks), blockJson);
  const segments = made?.segments ?? recut(before.segments, before.blocks, blocks, ends);
  const version = versionOf(segments);
  if (isWide) await yieldToWriters();
  const textsOf = made
    ? textsIn(made)
    : makeTexts({ version, blocks, segments }, merged ? undefined : change.source?.());
  if (version === before.version) {
    const { source } = await textsOf([], false);
    if (source) await keepSource(tx, change.key, source.texts);
    return { ...same, merged };
  }
  const after = new StoredBody(nextState(before, version, change.reason), segments, blocks);
  const difference = compare(before.segments, segments);
  const added = missingFrom(before.segments, difference.after);
  const dropped = missingFrom(segments, difference.before);
  const isLong = isLarge(added) || isLarge(dropped);
  if (isLong) await yieldToWriters();
  checkSize(app, after);
  for (const guard of app.guards) await guard(tx, change.key, between(ends, before.blocks), between(ends, blocks));
  const changes = diffPlaces(before.blocks, blocks, ends);
  if (isLong) await yieldToWriters();
  const texts = await textsOf(added, isLong);
  const document = await storeChange(app, tx, change, row, {
    before,
    after,
    difference,
    added,
    dropped,
    changes,
    texts,
  });
  if (isLong) await yieldToWriters();
  if (isLive || (earlier && earlier.size > 0)) await recordStates(tx, change.key, { before, changes, earlier });
  await allOf([
    pruneSnapshots(tx, change.key, firstKept(after.seq, app.config.versionRetention) - 1),
    updateViews(app, tx, { document, before, after, isLong, changes, actor: change.actor, reason: change.reason }),
  ]);
  ledgerOf(tx, change.key.workspaceId).event("document.content.updated", document, change.actor);
  cacheBody(after);
  return { version, changed: true, changes, before, after, merged };
}

/** The texts stored beside the row of a changed body. */
interface Texts {
  readonly segments: readonly SegmentTexts[];
  /** Undefined leaves it as it was. */
  readonly source: { readonly texts: SourceTexts | undefined } | undefined;
}
type TextsOf = (added: readonly Segment[], isLong: boolean) => Texts | Promise<Texts>;

const makeTexts = (
  body: Pick<StoredBody, "version" | "blocks" | "segments">,
  markdown: string | undefined,
): TextsOf => {
  const source = sourceChange(markdown, body.blocks);
  const render = (segment: Segment) => renderSegment(segment, source?.kept !== undefined);
  const textsOf = (rendered: readonly RenderedSegment[]): Texts => ({
    segments: rendered.map(writeTexts),
    source: source && { texts: source.kept && sourceTexts({ ...body, rendered }, source.kept) },
  });
  return (added, isLong) => (isLong ? mapInTurns(added, render).then(textsOf) : textsOf(added.map(render)));
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

/** The document of a first body, and who makes it. */
interface FirstBody extends DocumentKey {
  readonly documentType: BodyRow["document_type"];
  readonly actor: Actor;
  readonly isImported: boolean;
}

/** Stores a new document's first body, before its row exists. Makes no snapshot. */
export async function createBody(
  app: Pick<Services, "guards" | "config">,
  tx: Tx,
  { documentType, actor, isImported, ...key }: FirstBody,
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
  const now = Date.now();
  const writer = writerOf(actor);
  const authors = segments.map((part) => [part.hash, authorsOfNew(part, { by: writer, at: now, version })] as const);
  await insertSegments(tx, key, texts, 1, new Map(authors));
  await recordFirst(tx, app.config, key, { body, kind: isImported ? "import" : "write", writer, now });
  if (source) await putSource(tx, key, source);
  // Only the text is cached: parsed blocks stay in memory only while somebody edits them.
  for (const segment of segments) segment.release();
  cacheSegments(segments);
  return body;
}

/**
 * Characters of JSON. A save that adds or removes more delays the writers behind it, so it lets them run between its
 * steps.
 */
const LARGE_CHANGE_CHARS = 500_000;
/** Writing more changed blocks as JSON takes so long that others run meanwhile. */
const MANY_BLOCKS = 2_000;

const isLarge = (segments: readonly Segment[]): boolean =>
  segments.reduce((sum, { json }) => sum + json.length, 0) > LARGE_CHANGE_CHARS;

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

/** Runs every view on a changed body; for a new document `before` is undefined. */
export async function updateViews(
  app: Services,
  tx: Tx,
  { document, before, after, isLong = isLarge(after.segments), changes, actor, reason }: BodyUpdate,
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
  const update = (view: BodyView<Services>) => view.bodyChanged?.(tx, delta, app);
  if (!isLong) return allOf(app.views.map(update));
  for (const view of app.views) {
    await update(view);
    await yieldToWriters();
  }
}

function checkSize(app: Pick<Services, "config">, body: StoredBody): void {
  const limit = app.config.maxDocumentCharacters;
  if (body.characters > limit) throw tooLarge(limit, body.characters);
}

/** A body before and after its change, and the new parts. */
interface NewState {
  readonly before: StoredBody;
  readonly after: StoredBody;
  readonly difference: ReturnType<typeof compare>;
  readonly added: readonly Segment[];
  readonly dropped: readonly Segment[];
  readonly changes: readonly BlockPlaces[];
  readonly texts: Texts;
}

/**
 * Stores the new state, records it in the history and keeps the previous one as a snapshot, unless the change was live.
 * Returns the document's row after the change.
 */
async function storeChange(
  app: Services,
  tx: Tx,
  change: BodyChange,
  row: DocumentRow,
  state: NewState,
): Promise<DocumentRow> {
  const { key } = change;
  const { before, after, difference, added, dropped, texts } = state;
  const now = Date.now();
  const authors = await authorsAfter(tx, key, { ...state, authorOf: authorsIn(change, after.version, now) });
  await insertSegments(tx, key, texts.segments, after.seq, authors);
  cacheSegments(added);
  const recorded = { before, after, difference, dropped, now };
  if (change.reason === "live") {
    const writers = typistsOf(change).map(personWriter);
    const released = await recordLive(tx, app.config, key, { ...recorded, writers });
    await followLive(tx, key, before, after, [...dropped, ...released]);
  } else {
    const writer = writerOf(change.actor, change.suggestedBy);
    await recordWrite(tx, app.config, key, { ...recorded, kind: kindOf(change.reason), writer });
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
  }
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

/** The people who made a live edit; none if the fold only mended the text of programs. */
const typistsOf = ({ typists, actor }: BodyChange): readonly string[] =>
  typists?.userIds ?? (actor.userId === "" ? [] : [actor.userId]);

/** The author of each block that a change adds or modifies. */
function authorsIn({ actor, suggestedBy, typists }: BodyChange, version: string, at: number) {
  const own: Authorship = { by: writerOf(actor, suggestedBy), at, version };
  const byPerson = new Map<string, Authorship>();
  return (blockId: string): Authorship => {
    const userId = typists?.lastIn(blockId);
    if (userId === undefined || userId === actor.userId) return own;
    const known = byPerson.get(userId) ?? { ...own, by: personWriter(userId) };
    byPerson.set(userId, known);
    return known;
  };
}

const kindOf = (reason: ChangeReason): HistoryKind =>
  reason === "rollback" ? "restore" : reason === "suggestion" ? "suggestion" : "write";

/** The program that made a change; null for a person in the browser. */
const clientJson = ({ tokenId, client }: Actor): string | null =>
  tokenId === null ? null : JSON.stringify({ token_id: tokenId, ...client });

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
