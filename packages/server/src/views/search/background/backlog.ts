import { defined } from "@svc/document/defined";
import type { BuiltSegment } from "@svc/search/segment/segment-build";
import type { StoredBody } from "../../../bodies/body.ts";
import { readBody } from "../../../bodies/load-body.ts";
import type { Database, Reader, Tx } from "../../../db/database.ts";
import type { SearchDocumentRow } from "../../../db/schema/tables/search.ts";
import { yieldToEventLoop } from "../../../db/statement/batches.ts";
import { type BlockText, buildTexts } from "../write/document-blocks.ts";
import {
  findBlocksById,
  findIndexedDocuments,
  hideNumbers,
  listBlocksOf,
  putIndexedDocument,
  showNumber,
} from "../write/documents.ts";
import { LockedIndex } from "../write/locked-index.ts";
import { type BodyTexts, textsHere } from "./body-texts.ts";
import { textsInWorker } from "./texts-in-worker.ts";

/** Blocks per transaction: about ten milliseconds of work. */
const BLOCKS_AT_ONCE = 200;

/** A document whose index is out of date, with everything the index should hold. */
interface Waiting extends BodyTexts {
  readonly documentId: string;
  readonly version: string;
}

/** Removes some blocks of hidden documents. Returns false if there were none. */
export async function removeHidden(database: Database, workspaceId: string): Promise<boolean> {
  const hidden = await database.read
    .selectFrom("search_hidden")
    .select("number")
    .where("workspace_id", "=", workspaceId)
    .where("building", "=", 0)
    .limit(20)
    .execute();
  if (hidden.length === 0) return false;
  await database.transaction(async (tx) => {
    const index = await LockedIndex.lock(tx, workspaceId);
    let left = BLOCKS_AT_ONCE * 2;
    const changes = [];
    for (const { number } of hidden) {
      const removed = await listBlocksOf(tx, workspaceId, number, left);
      left -= removed.length;
      changes.push({ document: number, added: [], removed });
      if (left === 0) break;
      await showNumber(tx, workspaceId, number);
    }
    await index.write(changes);
    await index.save();
  });
  return true;
}

const waitingOf = async (
  db: Reader,
  workspaceId: string,
  documentId: string,
  read: (title: string, body: StoredBody) => BodyTexts | Promise<BodyTexts>,
): Promise<Waiting | undefined> => {
  const row = await db
    .selectFrom("documents")
    .select("title")
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", documentId)
    .executeTakeFirst();
  if (!row) return undefined;
  const body = await readBody(db, { workspaceId, documentId });
  return { documentId, version: body.version, ...(await read(row.title, body)) };
};

/** Indexes some waiting documents. Returns false if there were none, or if another version made the index. */
export async function indexWaiting(
  { database, signal }: { database: Database; signal: AbortSignal },
  workspaceId: string,
  epoch: number,
): Promise<boolean> {
  const rows = await database.read
    .selectFrom("search_documents")
    .select("document_id")
    .where("workspace_id", "=", workspaceId)
    .where("indexed_epoch", "<", epoch)
    .orderBy("indexed_epoch")
    .orderBy("document_id")
    .limit(32)
    .execute();
  const small: Waiting[] = [];
  let blocks = 0;
  for (const { document_id } of rows) {
    const waiting = await database.snapshot((db) => waitingOf(db, workspaceId, document_id, textsInWorker));
    if (!waiting) continue;
    if (waiting.added.length > BLOCKS_AT_ONCE) {
      await indexLarge(database, workspaceId, waiting, signal);
      return true;
    }
    small.push(waiting);
    blocks += waiting.added.length;
    if (blocks >= BLOCKS_AT_ONCE) break;
  }
  if (small.length === 0) return false;
  const prepared = buildTexts(small);
  await yieldToEventLoop();
  await database.transaction((tx) => indexSmall(tx, workspaceId, small, prepared));
  return true;
}

/** Returns the documents whose body and title have not changed since they were read. */
async function unchangedOf(tx: Tx, workspaceId: string, waiting: readonly Waiting[]): Promise<Set<Waiting>> {
  const documents = await tx
    .selectFrom("documents")
    .select(["id", "version", "title"])
    .where("workspace_id", "=", workspaceId)
    .where(
      "id",
      "in",
      waiting.map((item) => item.documentId),
    )
    .execute();
  const now = new Map(documents.map((document) => [document.id, document]));
  const isSame = ({ documentId, version, added }: Waiting): boolean => {
    const document = now.get(documentId);
    return document?.version === version && document.title === defined(added[0]).text;
  };
  return new Set(waiting.filter(isSame));
}

/** Returns the documents that still wait unchanged. The others wait for the next round. */
async function stillWaiting(
  tx: Tx,
  workspaceId: string,
  epoch: number,
  waiting: readonly Waiting[],
): Promise<{ item: Waiting; row: SearchDocumentRow }[]> {
  const ids = waiting.map((item) => item.documentId);
  const rows = new Map((await findIndexedDocuments(tx, workspaceId, ids)).map((row) => [row.document_id, row]));
  const unchanged = await unchangedOf(tx, workspaceId, waiting);
  return waiting.flatMap((item) => {
    const row = rows.get(item.documentId);
    return row && row.indexed_epoch < epoch && unchanged.has(item) ? [{ item, row }] : [];
  });
}

async function indexSmall(
  tx: Tx,
  workspaceId: string,
  waiting: readonly Waiting[],
  prepared: BuiltSegment,
): Promise<void> {
  const index = await LockedIndex.lock(tx, workspaceId);
  if (index.isForeign) return;
  const found = await stillWaiting(tx, workspaceId, index.epoch, waiting);
  await hideNumbers(
    tx,
    workspaceId,
    found.map(({ row }) => row.number),
    0,
  );
  const changes = found.map(({ item }) => ({ document: index.nextDocument(), added: item.added, removed: [] }));
  const isAsPrepared = found.length === waiting.length;
  const gained = await index.write(changes, isAsPrepared ? prepared : buildTexts(changes));
  for (const [i, { item, row }] of found.entries())
    await putIndexedDocument(tx, {
      ...row,
      number: defined(changes[i]).document,
      indexed_version: item.version,
      indexed_epoch: index.epoch,
      blocks: defined(gained[i]),
      outline: item.outline,
      outline_version: item.version,
    });
  await index.save();
}

/** The texts in the index of a document that is being indexed, with their sections, by block id. */
type Held = Map<string, string>;

const heldForm = ({ section, text }: BlockText): string => `${section} ${text}`;

/**
 * Indexes a large document in several transactions, under a number that stays hidden until the last of them. The
 * document may change between steps: each step uses its current state, so it ends however often people edit it.
 */
async function indexLarge(
  database: Database,
  workspaceId: string,
  waiting: Waiting,
  signal: AbortSignal,
): Promise<void> {
  const number = await database.transaction((tx) => begin(tx, workspaceId, waiting.documentId));
  const held: Held = new Map();
  let before: Step | undefined;
  for (let seen: Waiting | undefined = waiting; number !== undefined && seen && !signal.aborted; ) {
    const part = before?.seen === seen ? partOf(before.part.rest, []) : nextPart(seen, held);
    const prepared = buildTexts([part]);
    await yieldToEventLoop();
    const known: Prepared = { seen, part, prepared };
    const step: Step | undefined = await database.transaction((tx) => indexPart(tx, workspaceId, number, held, known));
    for (const id of step?.part.outdated ?? []) held.delete(id);
    for (const one of step?.part.added ?? []) held.set(one.blockId, heldForm(one));
    before = step;
    seen = step?.part.isLast ? undefined : step?.seen;
  }
}

interface Part {
  readonly added: readonly BlockText[];
  /** Indexed blocks that were deleted or have another text now. */
  readonly outdated: readonly string[];
  /** The texts still to be added after it if the document does not change. */
  readonly rest: readonly BlockText[];
  readonly isLast: boolean;
}

function partOf(missing: readonly BlockText[], outdated: readonly string[]): Part {
  const rest = missing.slice(BLOCKS_AT_ONCE);
  return { added: missing.slice(0, BLOCKS_AT_ONCE), outdated, rest, isLast: rest.length === 0 };
}

/** Computes the next part of a document that may have changed. This looks at every block, which takes long for many. */
function nextPart({ added: wanted }: Waiting, held: Held): Part {
  if (held.size === 0) return partOf(wanted, []);
  const missing = wanted.filter((one) => held.get(one.blockId) !== heldForm(one));
  const ids = new Set(wanted.map(({ blockId }) => blockId));
  const gone = [...held.keys()].filter((id) => !ids.has(id));
  const changed = missing.flatMap(({ blockId }) => (held.has(blockId) ? [blockId] : []));
  return partOf(missing, [...gone, ...changed]);
}

async function begin(tx: Tx, workspaceId: string, documentId: string): Promise<number | undefined> {
  const index = await LockedIndex.lock(tx, workspaceId);
  const [row] = index.isForeign ? [] : await findIndexedDocuments(tx, workspaceId, [documentId]);
  if (!row || row.indexed_epoch >= index.epoch) return undefined;
  const number = index.nextDocument();
  await hideNumbers(tx, workspaceId, [row.number], 0);
  await hideNumbers(tx, workspaceId, [number], 1);
  const none = { indexed_version: "", outline: null, outline_version: null };
  await putIndexedDocument(tx, { ...row, ...none, number, indexed_epoch: 0, blocks: 0 });
  await index.save();
  return number;
}

interface Step {
  readonly seen: Waiting;
  readonly part: Part;
}
type Prepared = Step & { readonly prepared: BuiltSegment };

/** Returns undefined if the document has been deleted or renumbered: its blocks stay hidden and are removed. */
async function indexPart(
  tx: Tx,
  workspaceId: string,
  number: number,
  held: Held,
  known: Prepared,
): Promise<Step | undefined> {
  const index = await LockedIndex.lock(tx, workspaceId);
  const { documentId } = known.seen;
  const rows = index.isForeign ? [] : await findIndexedDocuments(tx, workspaceId, [documentId]);
  const row = rows.find((one) => one.number === number);
  const isSame = (await unchangedOf(tx, workspaceId, [known.seen])).has(known.seen);
  // Other writers wait for the index lock, so this thread does the work: handing it to another would take longer.
  const seen = isSame ? known.seen : await waitingOf(tx, workspaceId, documentId, textsHere);
  if (!row || !seen) {
    await hideNumbers(tx, workspaceId, [number], 0);
    await index.save();
    return undefined;
  }
  const part = isSame ? known.part : nextPart(seen, held);
  const removed = await findBlocksById(tx, workspaceId, number, part.outdated);
  const change = { document: number, added: part.added, removed };
  const [gained] = await index.write([change], isSame ? known.prepared : buildTexts([change]));
  const next = { ...row, blocks: row.blocks + defined(gained) };
  if (part.isLast) {
    await showNumber(tx, workspaceId, number);
    const { version, outline } = seen;
    const whole = { indexed_version: version, indexed_epoch: index.epoch, outline, outline_version: version };
    await putIndexedDocument(tx, { ...next, ...whole });
  } else await putIndexedDocument(tx, { ...next, outline: null });
  await index.save();
  return { seen, part };
}

/** Records that nothing waits, if that is still true. */
export async function clearBacklog(tx: Tx, workspaceId: string): Promise<void> {
  const index = await LockedIndex.lock(tx, workspaceId);
  const waiting = await tx
    .selectFrom("search_documents")
    .select("document_id")
    .where("workspace_id", "=", workspaceId)
    .where("indexed_epoch", "<", index.epoch)
    .limit(1)
    .execute();
  const hidden = await tx
    .selectFrom("search_hidden")
    .select("number")
    .where("workspace_id", "=", workspaceId)
    .limit(1)
    .execute();
  if (waiting.length + hidden.length > 0) return;
  index.leaveNothing();
  await index.save();
}
