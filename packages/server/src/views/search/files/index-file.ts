import { defined } from "@svc/document/defined";
import type { Lease } from "../../../background/lease.ts";
import type { Database, Tx } from "../../../db/database.ts";
import type { AttachmentRow } from "../../../db/schema/tables/documents.ts";
import type { FileTextPageRow } from "../../../db/schema/tables/file-texts.ts";
import { yieldToEventLoop } from "../../../db/statement/batches.ts";
import { type BlockText, buildTexts } from "../write/document-blocks.ts";
import {
  deleteIndexedDocuments,
  findIndexedDocuments,
  hideNumbers,
  putIndexedDocument,
  showNumber,
} from "../write/documents.ts";
import { LockedIndex } from "../write/locked-index.ts";
import { filesKey } from "./files-key.ts";
import { deleteUnused, listPages, setTextStatus } from "./queries.ts";

/** Pages per transaction: some milliseconds of work each. */
const PAGES_AT_ONCE = 20;

/** The index changed in a way that makes this attempt useless: the next round begins anew. */
class Overtaken extends Error {}

/** Each page is a section of its own, so that pages do not add to each other's scores. */
const blockOf = ({ page, text }: FileTextPageRow): BlockText => ({
  blockId: String(page),
  text,
  section: `page-${page}`,
});

/**
 * Indexes a file as a document of the index of files: its name is the title, and its pages are the blocks. It stays
 * hidden until the last of them is written.
 */
export async function indexFile(database: Database, lease: Lease, file: AttachmentRow): Promise<void> {
  const key = filesKey(file.workspace_id);
  const { number, epoch } = await database.transaction(async (tx) => {
    await lease.hold(tx);
    return begin(tx, key, file);
  });
  for (let from = 1; ; from += PAGES_AT_ONCE) {
    const pages = await listPages(database.read, file, from, PAGES_AT_ONCE);
    const name = { blockId: "", text: file.file_name, section: "" };
    const change = { document: number, added: [...(from === 1 ? [name] : []), ...pages.map(blockOf)], removed: [] };
    const prepared = buildTexts([change]);
    await yieldToEventLoop();
    const isLast = pages.length < PAGES_AT_ONCE;
    await database.transaction(async (tx) => {
      await lease.hold(tx);
      const index = await LockedIndex.lock(tx, key);
      const [row] = await findIndexedDocuments(tx, key, [file.id]);
      if (row?.number !== number || index.epoch !== epoch) throw new Overtaken("The index of files has changed.");
      const [gained] = await index.write([change], prepared);
      const whole = isLast ? { indexed_version: file.sha256, indexed_epoch: epoch } : {};
      const blocks = row.blocks + defined(gained);
      await putIndexedDocument(tx, { ...row, ...whole, blocks, outline: null, outline_version: null });
      if (isLast) await showNumber(tx, key, number);
      await index.save();
      if (isLast) await setTextStatus(tx, file, "ready");
    });
    if (isLast) return;
  }
}

/** Gives the file a new hidden number. What an earlier attempt left is removed in the background. */
async function begin(tx: Tx, key: string, file: AttachmentRow): Promise<{ number: number; epoch: number }> {
  const index = await LockedIndex.lock(tx, key);
  if (index.isForeign) throw new Overtaken("Another version of this program made the index of files.");
  const [before] = await findIndexedDocuments(tx, key, [file.id]);
  if (before) await hideNumbers(tx, key, [before.number], 0);
  if (before) index.leaveWork();
  const number = index.nextDocument();
  await hideNumbers(tx, key, [number], 1);
  const none = { indexed_version: "", indexed_epoch: 0, blocks: 0, outline: null, outline_version: null };
  await putIndexedDocument(tx, { workspace_id: key, document_id: file.id, number, ...none });
  await index.save();
  return { number, epoch: index.epoch };
}

/** Takes a file that cannot be restored any more out of the index, and deletes its text if no other file has it. */
export async function forgetFile(tx: Tx, file: AttachmentRow): Promise<void> {
  await deleteUnused(tx, file);
  const key = filesKey(file.workspace_id);
  const [row] = await findIndexedDocuments(tx, key, [file.id]);
  if (!row) return;
  const index = await LockedIndex.lock(tx, key);
  await hideNumbers(tx, key, [row.number], 0);
  await deleteIndexedDocuments(tx, key, [file.id]);
  index.leaveWork();
  await index.save();
}
