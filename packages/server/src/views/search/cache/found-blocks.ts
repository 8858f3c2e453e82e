import { defined } from "@svc/document/defined";
import { Cache } from "../../../cache/cache.ts";
import type { Reader } from "../../../db/database.ts";
import { changesBetween } from "../read/changes-between.ts";
import type { FoundBlock } from "../read/found-block.ts";
import { HitDocument } from "../read/hit-document.ts";
import { type BlockRow, findBlockRows, findHitDocuments } from "../read/hit-rows.ts";
import { type FoundRow, placeBlocks } from "../read/placed-blocks.ts";
import { CachedBlocks, followsFromEvents, type KnownState } from "./cached-blocks.ts";

/** After more changes than these all documents are read again. */
const MAX_CHANGES = 1000;

const BLOCKS = new Cache<CachedBlocks>("search_blocks", { share: 1 / 4 });
/** How much of the largest entry is used: one search may add so much that the rest is needed. */
const FILLED = 0.75;

/**
 * Documents whose blocks were found lately, in the last state of their workspace that was seen. When documents have
 * changed since, which ones its events tell, those alone are forgotten; a search that others have overtaken, in an
 * earlier state, does without them. The events belong to the reader's snapshot, and so what it gets is what queries there
 * would give.
 */
export class FoundBlocks {
  /** Of the database. */
  readonly #key: string;

  constructor(key: string) {
    this.#key = key;
  }

  /** By number; without those that are not to be found in their document's current version. */
  async read(
    db: Reader,
    workspaceId: string,
    state: KnownState,
    numbers: readonly number[],
  ): Promise<ReadonlyMap<number, FoundBlock>> {
    const cached = await this.#cachedFor(db, workspaceId, state);
    const changed = defined(cached.changedSince(state));
    const found = new Map<number, FoundBlock>();
    const missing: number[] = [];
    for (const number of numbers) {
      const block = cached.get(number);
      if (block && !changed.has(block.document.row.id)) found.set(number, block);
      else missing.push(number);
    }
    if (missing.length === 0) return found;
    const rows = await findBlockRows(db, workspaceId, missing);
    const { placed, read } = await this.#place(db, workspaceId, rows, (number) => {
      const document = cached.document(number);
      return document && !changed.has(document.row.id) ? document : undefined;
    });
    for (const block of placed) found.set(block.number, block);
    this.#keep(workspaceId, state, cached, placed, read);
    return found;
  }

  /** The blocks of rows; `read` are the documents of theirs that `known` does not have. */
  async #place(
    db: Reader,
    workspaceId: string,
    rows: readonly BlockRow[],
    known: (number: number) => HitDocument | undefined,
  ): Promise<{ readonly placed: Iterable<FoundBlock>; readonly read: readonly HitDocument[] }> {
    const documents = new Map<number, HitDocument>();
    const missing = new Set<number>();
    for (const { document: number } of rows) {
      const document = known(number);
      if (document) documents.set(number, document);
      else missing.add(number);
    }
    const read =
      missing.size === 0
        ? []
        : (await findHitDocuments(db, workspaceId, [...missing])).map((row) => new HitDocument(row));
    for (const document of read) documents.set(document.row.number, document);
    const found: FoundRow[] = [];
    for (const row of rows) {
      const document = documents.get(row.document);
      if (document) found.push({ row, document });
    }
    return { placed: (await placeBlocks(db, workspaceId, found)).values(), read };
  }

  /** Keeps what is the same in the state that the cache has now: another search may have brought it on meanwhile. */
  #keep(
    workspaceId: string,
    state: KnownState,
    cached: CachedBlocks,
    blocks: Iterable<FoundBlock>,
    documents: readonly HitDocument[],
  ): void {
    const changed = cached.changedSince(state);
    if (!changed) return;
    for (const document of documents) if (!changed.has(document.row.id)) cached.addDocument(document);
    for (const block of blocks) if (!changed.has(block.document.row.id)) cached.add(block);
    cached.makeRoom(BLOCKS.largest * FILLED);
    BLOCKS.put(this.#key + workspaceId, cached, cached.bytes);
  }

  /** What is known in this state or a later one: what was known before, without the documents that have changed since. */
  async #cachedFor(db: Reader, workspaceId: string, state: KnownState): Promise<CachedBlocks> {
    const cached = BLOCKS.get(this.#key + workspaceId);
    if (!cached) return new CachedBlocks(state);
    if (cached.changedSince(state)) return cached;
    const before = cached.state;
    const changes =
      followsFromEvents(before, state) &&
      (await changesBetween(db, workspaceId, before.event, state.event, MAX_CHANGES));
    if (cached.changedSince(state)) return cached;
    if (!changes || cached.state !== before) return new CachedBlocks(state);
    cached.bringOn(state, changes);
    return cached;
  }
}
