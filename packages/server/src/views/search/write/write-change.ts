import { isStorable } from "@svc/document/storable";
import type { IndexChange, IndexedBlock } from "@svc/search/segment/index-writer";
import type { Tx } from "../../../db/database.ts";
import type { SearchBlockTable, SearchBlockText } from "../../../db/schema/tables/search.ts";
import { statement } from "../../../db/statement/statement.ts";
import { newStamp } from "../read/stored-index.ts";
import type { BlockText, DocumentBlocks } from "./document-blocks.ts";
import type { IndexKey, Numbering } from "./numbering.ts";
import { insertPages } from "./segment-pages.ts";

/**
 * Writes a change to an index: one segment, and the rows of its blocks. The caller updates the counters. Returns how
 * many blocks each document gained. `change` was made from `changes`, counted from the numbering's first number.
 */
export async function writeChange(
  tx: Tx,
  index: IndexKey,
  numbering: Numbering,
  changes: readonly DocumentBlocks[],
  change: IndexChange,
): Promise<number[]> {
  await insertSegment(tx, index, numbering, change);
  const replaced = replacements(changes, change.added);
  const rows = replaced.flatMap(({ placed }) => placed);
  const gone = replaced.flatMap((document) => document.gone);
  const keepsRows = gone.length === 0 && rows.length <= MAX_KEPT_ROWS && rows.every(({ old }) => old !== undefined);
  if (keepsRows || !numbering.isKnown) await replaceOneByOne(tx, index, numbering, change, rows, gone);
  else await replaceTogether(tx, index, changes, rows);
  return changes.map(({ removed }, i) => (replaced[i]?.placed.length ?? 0) - removed.length);
}

/** Up to this many blocks that only get new numbers keep their rows, each by a separate statement. */
const MAX_KEPT_ROWS = 4;

async function insertSegment(
  tx: Tx,
  { workspaceId, epoch }: IndexKey,
  { statements, at }: Numbering,
  { segment, counters: { nextNumber } }: IndexChange,
): Promise<void> {
  if (!segment) return;
  const { base, last, pages, blocks, termPages, removed, runs, payload } = segment;
  const numbers = { at: at(base, nextNumber), lastAt: at(last, nextNumber) };
  const values = { workspaceId, epoch, stamp: newStamp(), ...numbers, blocks, termPages, removed, runs, payload };
  if (pages.length === 0) return statements.insertSegment.enqueue(tx, values);
  for (const { id } of await statements.insertSegment(tx, values)) await insertPages(tx, workspaceId, id, pages);
}

/** A block with its number. */
interface Placed {
  readonly document: number;
  readonly added: BlockText;
  readonly block: IndexedBlock;
  /** The previous number of the same block, if any. */
  readonly old: number | undefined;
}

/** The new state of a document's rows. */
interface Replaced {
  readonly placed: readonly Placed[];
  /** Numbers of the removed blocks. */
  readonly gone: readonly number[];
}

function replacements(changes: readonly DocumentBlocks[], numbered: IndexChange["added"]): Replaced[] {
  let at = 0;
  return changes.map(({ document, added, removed }) => {
    const before = new Map(removed.map((row) => [row.block_id, row.number]));
    const placed: Placed[] = [];
    for (const one of added) {
      const block = numbered[at++];
      if (!block) continue;
      placed.push({ document, added: one, block, old: before.get(one.blockId) });
      before.delete(one.blockId);
    }
    return { placed, gone: [...before.values()] };
  });
}

/** Characters. A longer text is read from the body when it is shown, so that rows stay short. */
const MAX_TEXT = 4096;

/** The columns for showing a block. A title is in its document's row. */
const shownPart = ({ blockId, text, section }: BlockText): SearchBlockText => ({
  text: blockId !== "" && text.length <= MAX_TEXT && isStorable(text) ? text : null,
  section,
});

const deleteBlock = statement<Pick<IndexKey, "workspaceId"> & { readonly number: number }, unknown>((tx, value) =>
  tx.deleteFrom("search_blocks").where("workspace_id", "=", value("workspaceId")).where("number", "=", value("number")),
);

/** Waits for nothing: all statements are sent with the next one, at the latest the commit. */
async function replaceOneByOne(
  tx: Tx,
  { workspaceId, epoch }: IndexKey,
  { statements, at }: Numbering,
  { counters: { nextNumber } }: IndexChange,
  rows: readonly Placed[],
  gone: readonly number[],
): Promise<void> {
  for (const { document, added, block, old } of rows) {
    const number = { workspaceId, epoch, at: at(block.number, nextNumber) };
    const values = { ...number, length: block.length, ...shownPart(added) };
    if (old === undefined) await statements.insertBlock.enqueue(tx, { ...values, document, block_id: added.blockId });
    else await statements.renumberBlock.enqueue(tx, { ...values, old });
  }
  for (const number of gone) await deleteBlock.enqueue(tx, { workspaceId, number });
}

const insertBlocks = statement<{ rows: readonly SearchBlockTable[] }, unknown>(
  (tx, value) => tx.insertInto("search_blocks").values(value("rows")),
  { rows: "rows", fields: ["workspace_id", "number", "document", "block_id", "length", "text", "section"] },
);

const deleteBlocks = statement<{ workspaceId: string; numbers: readonly number[] }, unknown>(
  (tx, value) =>
    tx
      .deleteFrom("search_blocks")
      .where("workspace_id", "=", value("workspaceId"))
      .where("number", "in", value("numbers")),
  { list: "numbers" },
);

async function replaceTogether(
  tx: Tx,
  { workspaceId }: IndexKey,
  changes: readonly DocumentBlocks[],
  rows: readonly Placed[],
): Promise<void> {
  const numbers = changes.flatMap((change) => change.removed.map(({ number }) => number));
  await deleteBlocks(tx, { workspaceId, numbers });
  await insertBlocks.enqueue(tx, {
    rows: rows.map(({ document, added, block: { number, length } }) => ({
      workspace_id: workspaceId,
      number,
      document,
      block_id: added.blockId,
      length,
      ...shownPart(added),
    })),
  });
}
