import type { Node } from "@svc/document/types";
import { readBody } from "../../bodies/body.ts";
import { breathe } from "../../db/batches.ts";
import type { Database, Db } from "../../db/database.ts";
import type { SearchDocumentRow } from "../../db/tables/search.ts";
import { findIndexedDocuments, hideNumbers, listBlocksOf, putIndexedDocument, showNumber } from "./documents.ts";
import type { PreparedBlocks } from "./index-writer.ts";
import { type BlockText, LockedIndex, prepareTexts } from "./locked-index.ts";
import { searchableBlocks } from "./searchable.ts";

/** Blocks per transaction: about ten milliseconds of work. */
const blocksAtOnce = 200;

/** A document whose index does not hold its body, with all it should hold. */
interface Waiting {
  readonly documentId: string;
  readonly version: string;
  /** The title first. */
  readonly added: readonly BlockText[];
}

/** Removes some blocks of hidden documents. False when there were none. */
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
    let left = blocksAtOnce * 2;
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

const waitingOf = async (db: Db, workspaceId: string, documentId: string): Promise<Waiting | undefined> => {
  const row = await db
    .selectFrom("documents")
    .select("title")
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", documentId)
    .executeTakeFirst();
  if (!row) return undefined;
  const body = await readBody(db, { workspaceId, documentId });
  return { documentId, version: body.version, added: [{ blockId: "", text: row.title }, ...textsOf(body.blocks)] };
};

const textsOf = (blocks: readonly Node[]): BlockText[] =>
  searchableBlocks(blocks).map(({ id, text }) => ({ blockId: id, text }));

/** Indexes some documents that wait for it. False when there were none, or the index is another version's. */
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
    const waiting = await database.snapshot((db) => waitingOf(db, workspaceId, document_id));
    if (!waiting) continue;
    if (waiting.added.length > blocksAtOnce) {
      await indexLarge(database, workspaceId, waiting, signal);
      return true;
    }
    small.push(waiting);
    blocks += waiting.added.length;
    if (blocks >= blocksAtOnce) break;
  }
  if (small.length === 0) return false;
  const prepared = prepareTexts(small);
  await breathe();
  await database.transaction((tx) => indexSmall(tx, workspaceId, small, prepared));
  return true;
}

/** Those whose body and title are still what they were. The others wait for the next round. */
async function stillWaiting(
  tx: Db,
  workspaceId: string,
  epoch: number,
  waiting: readonly Waiting[],
): Promise<{ item: Waiting; row: SearchDocumentRow }[]> {
  const ids = waiting.map((item) => item.documentId);
  const rows = new Map((await findIndexedDocuments(tx, workspaceId, ids)).map((row) => [row.document_id, row]));
  const documents = await tx
    .selectFrom("documents")
    .select(["id", "version", "title"])
    .where("workspace_id", "=", workspaceId)
    .where("id", "in", ids)
    .execute();
  const now = new Map(documents.map((document) => [document.id, document]));
  return waiting.flatMap((item) => {
    const row = rows.get(item.documentId);
    const document = now.get(item.documentId);
    const isSame = document?.version === item.version && document.title === item.added[0]!.text;
    return row && row.indexed_epoch < epoch && isSame ? [{ item, row }] : [];
  });
}

async function indexSmall(
  tx: Db,
  workspaceId: string,
  waiting: readonly Waiting[],
  prepared: PreparedBlocks,
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
  const gained = await index.write(changes, isAsPrepared ? prepared : prepareTexts(changes));
  for (const [i, { item, row }] of found.entries())
    await putIndexedDocument(tx, {
      ...row,
      number: changes[i]!.document,
      indexed_version: item.version,
      indexed_epoch: index.epoch,
      blocks: gained[i]!,
    });
  await index.save();
}

/** In several transactions, under a number that is hidden until the last of them. */
async function indexLarge(
  database: Database,
  workspaceId: string,
  waiting: Waiting,
  signal: AbortSignal,
): Promise<void> {
  const begun = await database.transaction((tx) => begin(tx, workspaceId, waiting));
  if (begun === undefined) return;
  for (let at = 0; at < waiting.added.length && !signal.aborted; at += blocksAtOnce) {
    const prepared = prepareTexts([{ added: waiting.added.slice(at, at + blocksAtOnce) }]);
    await breathe();
    const isOn = await database.transaction((tx) => indexPart(tx, workspaceId, waiting, begun, at, prepared));
    if (!isOn) return;
  }
}

async function begin(tx: Db, workspaceId: string, waiting: Waiting): Promise<number | undefined> {
  const index = await LockedIndex.lock(tx, workspaceId);
  const [found] = index.isForeign ? [] : await stillWaiting(tx, workspaceId, index.epoch, [waiting]);
  if (!found) return undefined;
  const number = index.nextDocument();
  await hideNumbers(tx, workspaceId, [found.row.number], 0);
  await hideNumbers(tx, workspaceId, [number], 1);
  await putIndexedDocument(tx, { ...found.row, number, indexed_version: "", indexed_epoch: 0, blocks: 0 });
  await index.save();
  return number;
}

/** False when the document has changed or gone meanwhile: what is there stays hidden, and is removed. */
async function indexPart(
  tx: Db,
  workspaceId: string,
  waiting: Waiting,
  number: number,
  at: number,
  prepared: PreparedBlocks,
): Promise<boolean> {
  const index = await LockedIndex.lock(tx, workspaceId);
  const [found] = index.isForeign ? [] : await stillWaiting(tx, workspaceId, index.epoch, [waiting]);
  if (found?.row.number !== number) {
    await hideNumbers(tx, workspaceId, [number], 0);
    await index.save();
    return false;
  }
  const added = waiting.added.slice(at, at + blocksAtOnce);
  const [gained] = await index.write([{ document: number, added, removed: [] }], prepared);
  const row = { ...found.row, blocks: found.row.blocks + gained! };
  if (at + blocksAtOnce < waiting.added.length) await putIndexedDocument(tx, row);
  else {
    await showNumber(tx, workspaceId, number);
    await putIndexedDocument(tx, { ...row, indexed_version: waiting.version, indexed_epoch: index.epoch });
  }
  await index.save();
  return true;
}

/** Notes that nothing waits, if that is still so. */
export async function clearBacklog(tx: Db, workspaceId: string): Promise<void> {
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
