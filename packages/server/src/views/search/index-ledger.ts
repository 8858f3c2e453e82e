import type { Node } from "@svc/document/types";
import type { BodyDelta } from "../../bodies/view.ts";
import type { Db } from "../../db/database.ts";
import type { DocumentRow } from "../../db/tables/documents.ts";
import type { SearchBlockRow, SearchCountersRow, SearchDocumentRow } from "../../db/tables/search.ts";
import { afterCommit, beforeCommit, follows, type LastStep, searchRank } from "../../db/transaction.ts";
import { changedTexts } from "./changed-texts.ts";
import {
  deleteIndexedDocuments,
  findBlocksOfDocument,
  findIndexedDocuments,
  hideNumbers,
  listBlocksOf,
  putIndexedDocument,
  showNumber,
} from "./documents.ts";
import { type BlockText, type DocumentBlocks, LockedIndex, prepareTexts } from "./locked-index.ts";
import { levelZeroFanIn } from "./merge-policy.ts";
import { searchableBlocks } from "./searchable.ts";
import type { BuiltSegment } from "./segment-build.ts";
import { type EditedDocument, writeSmallEdit } from "./small-edit.ts";
import { countersRow } from "./stored-index.ts";

/** Blocks that one transaction indexes or removes itself. What is beyond is left to the background. */
export const inlineBlocks = 2000;
/** Texts of several transactions that are written as one: each stands for a block that goes and one that comes. */
const joinedTexts = inlineBlocks / 4;

/** What one transaction did to a document, as far as search is concerned. */
interface Pending {
  readonly documentId: string;
  /** The version that the changes start from; null for a new document. */
  readonly from: string | null;
  /** Created in this transaction: the index holds nothing of it. */
  readonly isCreated: boolean;
  version: string;
  title: string;
  /** The text that a block has now; undefined when it has none. The title's id is empty. */
  readonly texts: Map<string, string | undefined>;
  /** The whole body, where it is at hand. */
  after: readonly Node[] | undefined;
}

/** What the index holds of a changed document. */
interface Seen {
  readonly pending: Pending;
  readonly row: SearchDocumentRow | undefined;
  /** Those that the change is about; undefined where they are too many to be replaced one by one. */
  readonly blocks: readonly SearchBlockRow[] | undefined;
}

interface Look {
  readonly seen: readonly Seen[];
  /** As they were then. */
  readonly counters: SearchCountersRow | undefined;
}

/**
 * Whether what was seen before the index was locked still holds. A document that is new, or whose row is up to date, is
 * changed by nobody but its writers, and these wait for each other; any other may have been indexed in the background.
 */
const isSettled = ({ pending, row }: Seen, epoch: number): boolean =>
  row ? row.indexed_epoch === epoch && row.indexed_version === pending.from : pending.from === null;

const ledgers = new WeakMap<Db, Map<string, IndexLedger>>();

/** The changes of a transaction to a workspace's index: gathered, and written as its last step but events. */
export function indexLedgerOf(tx: Db, workspaceId: string, wake: () => void): IndexLedger {
  const ofTransaction = ledgers.get(tx) ?? new Map<string, IndexLedger>();
  ledgers.set(tx, ofTransaction);
  const known = ofTransaction.get(workspaceId);
  if (known && !known.written) return known;
  const ledger = new IndexLedger(tx, workspaceId, wake);
  ofTransaction.set(workspaceId, ledger);
  beforeCommit(tx, ledger);
  return ledger;
}

export class IndexLedger implements LastStep {
  readonly rank = searchRank;
  readonly mayRefuse = false;
  readonly workspaceId: string;
  readonly #tx: Db;
  readonly #wake: () => void;
  readonly #pending = new Map<string, Pending>();
  readonly #removed = new Set<string>();
  #left = inlineBlocks;
  /** A look that is under way since the first change, if that is still the only one. */
  #begun: Promise<Look> | undefined;
  written = false;

  constructor(tx: Db, workspaceId: string, wake: () => void) {
    this.#tx = tx;
    this.workspaceId = workspaceId;
    this.#wake = wake;
  }

  bodyChanged(delta: BodyDelta): void {
    const isFirst = this.#pending.size === 0 && this.#removed.size === 0;
    const pending = this.#of(delta.document, delta.beforeVersion, delta.reason === "created");
    pending.version = delta.version;
    pending.after = delta.after;
    if (delta.beforeVersion === null) pending.texts.set("", delta.document.title);
    for (const [id, text] of changedTexts(delta)) pending.texts.set(id, text);
    this.#begun = isFirst && !follows(this.#tx) ? this.#look() : undefined;
    // A failure is the transaction's: whoever waits for a statement of it hears of it.
    this.#begun?.catch(() => undefined);
  }

  titleChanged(document: DocumentRow): void {
    const pending = this.#of(document, document.version);
    pending.title = document.title;
    pending.texts.set("", document.title);
    this.#begun = undefined;
  }

  removed(documents: readonly DocumentRow[]): void {
    this.#begun = undefined;
    for (const { id } of documents) {
      this.#pending.delete(id);
      this.#removed.add(id);
    }
  }

  /** Edits of later transactions are written as if they were one: their documents as they have become in the end. */
  join(later: LastStep): boolean {
    if (!(later instanceof IndexLedger) || this.#removed.size > 0 || later.#removed.size > 0) return false;
    // What is left to the background depends on what each transaction brings, not on who comes with it.
    if (this.#size + later.#size > joinedTexts) return false;
    this.#begun = undefined;
    for (const [id, pending] of later.#pending) {
      const known = this.#pending.get(id);
      if (!known) this.#pending.set(id, pending);
      else {
        const { version, title, after } = pending;
        Object.assign(known, { version, title, after: after ?? known.after });
        for (const [block, text] of pending.texts) known.texts.set(block, text);
      }
    }
    return true;
  }

  /** Texts that come or go. */
  get #size(): number {
    return this.#pending.values().reduce((sum, { texts }) => sum + texts.size, 0);
  }

  #of({ id, title, version }: DocumentRow, from: string | null, isCreated = false): Pending {
    const known = this.#pending.get(id);
    if (known) return known;
    const pending: Pending = { documentId: id, from, isCreated, version, title, texts: new Map(), after: undefined };
    this.#pending.set(id, pending);
    return pending;
  }

  async write(): Promise<void> {
    this.written = true;
    if (this.#pending.size === 0 && this.#removed.size === 0) return;
    const drafts = [...this.#pending.values()].map(draftOf);
    const draft = isInline(drafts) ? prepareTexts(drafts) : undefined;
    const { seen, counters } = await (this.#begun ?? this.#look());
    if (draft && counters && (await this.#writeSmall(counters, seen, drafts, draft))) return;
    const index = await LockedIndex.lock(this.#tx, this.workspaceId);
    const changes = await this.#removals(index);
    const rows: SearchDocumentRow[] = [];
    const known = seen.every((one) => isSettled(one, index.epoch)) ? seen : (await this.#look()).seen;
    for (const [i, { pending, row: before, blocks }] of known.entries()) {
      const { row, change } = await this.#plan(index, pending, before, {
        added: drafts[i]!.added,
        removed: blocks ?? [],
      });
      if (row) rows.push(row);
      if (row && change) changes.push(change);
    }
    const gained = await index.write(changes, draft && isAsDrafted(changes, drafts) ? draft : prepareTexts(changes));
    const gainedBy = new Map(changes.map(({ document }, i) => [document, gained[i]!]));
    const there = new Set(known.map(({ row }) => row?.number));
    for (const row of rows) {
      const next = { ...row, blocks: row.blocks + (gainedBy.get(row.number) ?? 0) };
      if (there.has(row.number)) await index.noteVersion(next);
      else await putIndexedDocument(this.#tx, next);
    }
    await index.save();
    if (index.hasWork || index.levelZero >= levelZeroFanIn) afterCommit(this.#tx, this.#wake);
  }

  /** Most edits: see `writeSmallEdit`. */
  async #writeSmall(
    counters: SearchCountersRow,
    seen: readonly Seen[],
    drafts: readonly Pick<DocumentBlocks, "added">[],
    built: BuiltSegment,
  ): Promise<boolean> {
    if (this.#removed.size > 0) return false;
    const documents: EditedDocument[] = [];
    for (const [i, one] of seen.entries()) {
      if (!one.row || !one.blocks || !isSettled(one, counters.epoch)) return false;
      const change = { document: one.row.number, added: drafts[i]!.added, removed: one.blocks };
      documents.push({ row: one.row, version: one.pending.version, change });
    }
    if (!(await writeSmallEdit(this.#tx, counters, documents, built))) return false;
    if (counters.backlog === 1 || counters.level_zero + 1 >= levelZeroFanIn) afterCommit(this.#tx, this.#wake);
    return true;
  }

  /** What the index holds of the changed documents, with the blocks that make way for others. */
  async #look(): Promise<Look> {
    const older = [...this.#pending.values()].filter(({ isCreated }) => !isCreated);
    const [rows, [counters], ...found] = await Promise.all([
      this.#known(older.map(({ documentId }) => documentId)),
      older.length > 0 ? countersRow(this.#tx, this.workspaceId) : [],
      ...this.#pending.values().map((pending) => this.#blocksOf(pending)),
    ]);
    const seen = [...this.#pending.values()].map((pending, i) => {
      const row = rows.get(pending.documentId);
      return { pending, row, blocks: row?.indexed_version === pending.from ? found[i] : [] };
    });
    return { seen, counters };
  }

  #blocksOf({ documentId, from, texts }: Pending): Promise<SearchBlockRow[]> | undefined {
    if (from === null || 2 * texts.size > inlineBlocks) return undefined;
    return findBlocksOfDocument(this.#tx, this.workspaceId, documentId, [...texts.keys()]);
  }

  async #known(ids: readonly string[]): Promise<Map<string, SearchDocumentRow>> {
    const rows = await findIndexedDocuments(this.#tx, this.workspaceId, ids);
    return new Map(rows.map((row) => [row.document_id, row]));
  }

  /** Few blocks go at once; many are hidden at once, and removed in the background. */
  async #removals(index: LockedIndex): Promise<DocumentBlocks[]> {
    if (this.#removed.size === 0) return [];
    const rows = [...(await this.#known([...this.#removed])).values()];
    await deleteIndexedDocuments(
      this.#tx,
      this.workspaceId,
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
      const removed = await listBlocksOf(this.#tx, this.workspaceId, number, inlineBlocks + 1);
      changes.push({ document: number, added: [], removed });
      await showNumber(this.#tx, this.workspaceId, number);
    }
    return changes;
  }

  async #hide(index: LockedIndex, numbers: readonly number[]): Promise<void> {
    await hideNumbers(this.#tx, this.workspaceId, numbers, 0);
    index.leaveWork();
  }

  /** What becomes of a document's row, and of its blocks if they are indexed now. */
  async #plan(
    index: LockedIndex,
    pending: Pending,
    row: SearchDocumentRow | undefined,
    blocks: Omit<DocumentBlocks, "document">,
  ): Promise<{ row?: SearchDocumentRow; change?: DocumentBlocks }> {
    const isCurrent = row?.indexed_epoch === index.epoch && row.indexed_version === pending.from;
    if (isCurrent && !index.isForeign && 2 * pending.texts.size <= this.#left) {
      this.#left -= blocks.added.length + blocks.removed.length;
      return { row: { ...row, indexed_version: pending.version }, change: { document: row.number, ...blocks } };
    }
    if (!isCurrent && !pending.after) return {};
    const texts = this.#wholeOf(pending, blocks.added);
    const isInline = texts !== undefined && texts.length <= this.#left && !index.isForeign;
    // What waits for the background goes on waiting: it will be indexed as it is then.
    if (!isInline && row && !isCurrent) return {};
    return this.#planWhole(index, pending, row, isInline ? texts : undefined);
  }

  /** All texts of the document, unless they are certainly too many to be indexed now. */
  #wholeOf(pending: Pending, draft: readonly BlockText[]): readonly BlockText[] | undefined {
    if (pending.from === null) return draft;
    return pending.after !== undefined && pending.after.length > this.#left ? undefined : wholeOf(pending);
  }

  /** The document gets a new number; what was indexed under the old one is hidden. Without texts it has to wait. */
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
      workspace_id: this.workspaceId,
      document_id: pending.documentId,
      number,
      indexed_version: pending.version,
      indexed_epoch: texts ? index.epoch : 0,
      blocks: 0,
    };
    if (!texts) return { row: next };
    this.#left -= texts.length;
    return { row: next, change: { document: number, added: texts, removed: [] } };
  }
}

/** What a document gains, as far as that is known without looking at the index: all of it if it is new. */
function draftOf({ texts }: Pending): { readonly added: readonly BlockText[] } {
  const added: BlockText[] = [];
  for (const [blockId, text] of texts) if (text !== undefined) added.push({ blockId, text });
  return { added };
}

const isInline = (drafts: readonly { readonly added: readonly BlockText[] }[]): boolean =>
  drafts.reduce((sum, { added }) => sum + added.length, 0) <= inlineBlocks;

/** Nearly always. Not so when the index held another version of a document, or there is more than is written at once. */
function isAsDrafted(changes: readonly DocumentBlocks[], drafts: readonly Pick<DocumentBlocks, "added">[]): boolean {
  const written = changes.filter(({ added }) => added.length > 0);
  const drafted = drafts.filter(({ added }) => added.length > 0);
  return written.length === drafted.length && written.every(({ added }, i) => added === drafted[i]!.added);
}

function wholeOf({ after, title }: Pending): BlockText[] | undefined {
  return (
    after && [{ blockId: "", text: title }, ...searchableBlocks(after).map(({ id, text }) => ({ blockId: id, text }))]
  );
}
