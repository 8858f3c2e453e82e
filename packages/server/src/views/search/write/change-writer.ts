import { defined } from "@svc/document/defined";
import { LEVEL_ZERO_FAN_IN } from "@svc/search/merge/merge-policy";
import type { BuiltSegment } from "@svc/search/segment/segment-build";
import { outlineOf } from "@svc/search/text/outline";
import type { Tx } from "../../../db/database.ts";
import type { SearchCountersRow, SearchDocumentRow } from "../../../db/schema/tables/search.ts";
import { type BlockText, buildTexts, type DocumentBlocks } from "./document-blocks.ts";
import {
  deleteIndexedDocuments,
  hideNumbers,
  listBlocksOf,
  noteIndexedVersion,
  putIndexedDocument,
  showNumber,
} from "./documents.ts";
import {
  findRows,
  INLINE_BLOCKS,
  type IndexedState,
  type IndexState,
  isSettled,
  readIndexState,
} from "./index-state.ts";
import { LockedIndex } from "./locked-index.ts";
import { draftOf, type Pending, wholeOf } from "./pending-document.ts";
import { writeSmallEdit } from "./small-edit.ts";
import { rowAfter, writeSections } from "./write-sections.ts";

/** Writes the changes of a transaction to a workspace's index. */
export class ChangeWriter {
  readonly #tx: Tx;
  readonly #workspaceId: string;
  readonly #pending: readonly Pending[];
  readonly #removed: ReadonlySet<string>;
  /** Blocks that may still be indexed or removed here. */
  #left = INLINE_BLOCKS;

  constructor(tx: Tx, workspaceId: string, pending: readonly Pending[], removed: ReadonlySet<string>) {
    this.#tx = tx;
    this.#workspaceId = workspaceId;
    this.#pending = pending;
    this.#removed = removed;
  }

  /** `pendingRead` reads the index for everything pending. Returns whether there is work for the background. */
  async write(pendingRead: Promise<IndexState> | undefined): Promise<boolean> {
    const drafts = this.#pending.map(draftOf);
    const draft = isInline(drafts) ? buildTexts(drafts) : undefined;
    const { seen, counters } = await (pendingRead ?? this.#look());
    if (draft && counters && (await this.#writeSmall(counters, seen, drafts, draft)))
      return counters.backlog === 1 || counters.level_zero + 1 >= LEVEL_ZERO_FAN_IN;
    const index = await LockedIndex.lock(this.#tx, this.#workspaceId);
    const changes = await this.#removals(index);
    const rows: { readonly row: SearchDocumentRow; readonly pending: Pending }[] = [];
    const known = seen.every((one) => isSettled(one, index.epoch)) ? seen : (await this.#look()).seen;
    for (const [i, { pending, row: before, blocks }] of known.entries()) {
      const { row, change } = await this.#plan(index, pending, before, {
        added: defined(drafts[i]).added,
        removed: blocks ?? [],
      });
      if (row) rows.push({ row, pending });
      if (row && change) changes.push(change);
    }
    const gained = await index.write(changes, draft && isAsDrafted(changes, drafts) ? draft : buildTexts(changes));
    const gainedBy = new Map(changes.map(({ document }, i) => [document, defined(gained[i])]));
    const there = new Set(known.map(({ row }) => row?.number));
    for (const { row, pending } of rows) {
      const next = { ...row, blocks: row.blocks + (gainedBy.get(row.number) ?? 0) };
      if (there.has(row.number)) await this.#noteChanged(next, pending);
      else await putIndexedDocument(this.#tx, { ...next, outline: outlineJson(next, pending) });
    }
    await index.save();
    return index.hasWork || index.levelZero >= LEVEL_ZERO_FAN_IN;
  }

  /** Handles most edits: see `writeSmallEdit`. */
  async #writeSmall(
    counters: SearchCountersRow,
    seen: readonly IndexedState[],
    drafts: readonly Pick<DocumentBlocks, "added">[],
    built: BuiltSegment,
  ): Promise<boolean> {
    if (this.#removed.size > 0) return false;
    const changes: DocumentBlocks[] = [];
    for (const [i, one] of seen.entries()) {
      if (!one.row || !one.blocks || !isSettled(one, counters.epoch)) return false;
      changes.push({ document: one.row.number, added: defined(drafts[i]).added, removed: one.blocks });
    }
    const gained = await writeSmallEdit(this.#tx, counters, changes, built);
    if (!gained) return false;
    for (const [i, { row, pending }] of seen.entries()) {
      const next = rowAfter(defined(row), pending);
      await this.#noteChanged({ ...next, blocks: next.blocks + defined(gained[i]) }, pending);
    }
    return true;
  }

  /** Updates the row of a document that was in the index. */
  async #noteChanged(row: SearchDocumentRow, pending: Pending): Promise<void> {
    await noteIndexedVersion.enqueue(this.#tx, row);
    await writeSections(this.#tx, row, pending);
  }

  #look(): Promise<IndexState> {
    return readIndexState(this.#tx, this.#workspaceId, this.#pending);
  }

  /** A few blocks are removed at once; many are hidden at once and removed in the background. */
  async #removals(index: LockedIndex): Promise<DocumentBlocks[]> {
    if (this.#removed.size === 0) return [];
    const rows = [...(await findRows(this.#tx, this.#workspaceId, [...this.#removed])).values()];
    await deleteIndexedDocuments(
      this.#tx,
      this.#workspaceId,
      rows.map((row) => row.document_id),
    );
    const blocks = rows.reduce((sum, row) => sum + row.blocks, 0);
    const isSmall = blocks <= this.#left && rows.length <= 100;
    if (!isSmall) {
      await this.#hide(
        index,
        rows.map((row) => row.number),
      );
      return [];
    }
    this.#left -= blocks;
    const changes: DocumentBlocks[] = [];
    for (const { number } of rows) {
      const removed = await listBlocksOf(this.#tx, this.#workspaceId, number, INLINE_BLOCKS + 1);
      changes.push({ document: number, added: [], removed });
      await showNumber(this.#tx, this.#workspaceId, number);
    }
    return changes;
  }

  async #hide(index: LockedIndex, numbers: readonly number[]): Promise<void> {
    await hideNumbers(this.#tx, this.#workspaceId, numbers, 0);
    index.leaveWork();
  }

  /** Decides about a document's row, and about its blocks if they are indexed now. */
  async #plan(
    index: LockedIndex,
    pending: Pending,
    row: SearchDocumentRow | undefined,
    blocks: Omit<DocumentBlocks, "document">,
  ): Promise<{ row?: SearchDocumentRow; change?: DocumentBlocks }> {
    const isCurrent = row?.indexed_epoch === index.epoch && row.indexed_version === pending.from;
    if (isCurrent && !index.isForeign && 2 * pending.texts.size <= this.#left) {
      this.#left -= blocks.added.length + blocks.removed.length;
      return { row: rowAfter(row, pending), change: { document: row.number, ...blocks } };
    }
    if (!isCurrent && !pending.after) return {};
    const texts = this.#wholeOf(pending, blocks.added);
    const isInline = texts !== undefined && texts.length <= this.#left && !index.isForeign;
    // A document that waits for the background stays waiting: it will be indexed in its state at that time.
    if (!isInline && row && !isCurrent) return {};
    return this.#planWhole(index, pending, row, isInline ? texts : undefined);
  }

  /** Returns all texts of the document, unless there are certainly too many to index now. */
  #wholeOf(pending: Pending, draft: readonly BlockText[]): readonly BlockText[] | undefined {
    if (pending.from === null) return draft;
    return pending.after !== undefined && pending.after.length > this.#left ? undefined : wholeOf(pending);
  }

  /** Gives the document a new number and hides the blocks of the old one. Without texts it has to wait. */
  async #planWhole(
    index: LockedIndex,
    pending: Pending,
    row: SearchDocumentRow | undefined,
    texts: readonly BlockText[] | undefined,
  ) {
    if (row) await this.#hide(index, [row.number]);
    const number = index.nextDocument();
    if (!texts) index.leaveWork();
    const next: SearchDocumentRow = {
      workspace_id: this.#workspaceId,
      document_id: pending.documentId,
      number,
      indexed_version: pending.version,
      indexed_epoch: texts ? index.epoch : 0,
      blocks: 0,
      outline_version: texts && pending.after ? pending.version : null,
    };
    if (!texts) return { row: next };
    this.#left -= texts.length;
    return { row: next, change: { document: number, added: texts, removed: [] } };
  }
}

/** The outline of a document that is indexed as a whole. */
const outlineJson = ({ outline_version }: SearchDocumentRow, { after = [] }: Pending): string | null =>
  outline_version === null ? null : JSON.stringify(outlineOf(after));

const isInline = (drafts: readonly { readonly added: readonly BlockText[] }[]): boolean =>
  drafts.reduce((sum, { added }) => sum + added.length, 0) <= INLINE_BLOCKS;

/**
 * Nearly always true. False if the index held another version of a document, or if there is too much to write at once.
 */
function isAsDrafted(changes: readonly DocumentBlocks[], drafts: readonly Pick<DocumentBlocks, "added">[]): boolean {
  const written = changes.filter(({ added }) => added.length > 0);
  const drafted = drafts.filter(({ added }) => added.length > 0);
  return written.length === drafted.length && written.every(({ added }, i) => added === defined(drafted[i]).added);
}
