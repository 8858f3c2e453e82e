import { defined } from "@svc/document/defined";
import { Cache } from "../../../cache/cache.ts";
import type { Reader } from "../../../db/database.ts";
import { changesBetween } from "../read/changes-between.ts";
import type { FoundBlock } from "../read/found-block.ts";
import { HitDocument } from "../read/hit-document.ts";
import { type BlockRow, findBlockRows, findHitDocuments } from "../read/hit-rows.ts";
import { locateBlocks } from "../read/located-blocks.ts";
import { CachedBlocks, followsFromEvents, type KnownState } from "./cached-blocks.ts";

/** After more changes than this, all documents are read again. */
const MAX_CHANGES = 1000;

const BLOCKS = new Cache<CachedBlocks>("search_blocks");
/** The used share of the largest entry: one search may add so much that it needs the rest. */
const FILLED = 0.75;

/**
 * Documents with recently found blocks, in the latest state of their workspace that was seen. When documents change,
 * which the workspace's events show, only those are dropped. A search that others have overtaken, in an earlier state,
 * does not use the changed ones. The events belong to the reader's snapshot, so the result equals that of a query.
 */
export class FoundBlocks {
  /** Identifies the database. */
  readonly #key: string;

  constructor(key: string) {
    this.#key = key;
  }

  /** Returns blocks by number, without those that are not in the current version of their document. */
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
    const known = (number: number): HitDocument | undefined => {
      const document = cached.document(number);
      return document && !changed.has(document.row.id) ? document : undefined;
    };
    const read = await readUnknown(db, workspaceId, rows, known);
    const placed = await locateBlocks(db, workspaceId, rows, (number) => known(number) ?? read?.get(number));
    for (const block of placed) found.set(block.number, block);
    this.#keep(workspaceId, state, cached, placed, read);
    return found;
  }

  /**
   * Stores the blocks that are the same in the cache's current state: another search may have moved it on meanwhile.
   */
  #keep(
    workspaceId: string,
    state: KnownState,
    cached: CachedBlocks,
    blocks: readonly FoundBlock[],
    documents: ReadonlyMap<number, HitDocument> | undefined,
  ): void {
    const changed = cached.changedSince(state);
    if (!changed) return;
    const { bytes } = cached;
    if (documents)
      for (const document of documents.values()) if (!changed.has(document.row.id)) cached.addDocument(document);
    for (const block of blocks) if (!changed.has(block.document.row.id)) cached.add(block);
    if (cached.bytes === bytes) return;
    cached.makeRoom(BLOCKS.largest * FILLED);
    BLOCKS.put(this.#key + workspaceId, cached, cached.bytes);
  }

  /** Returns the cache at this state or a later one, without the documents that have changed since. */
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

/** Reads the documents of the rows that are not cached, by number; usually all are, and it returns undefined. */
async function readUnknown(
  db: Reader,
  workspaceId: string,
  rows: readonly BlockRow[],
  known: (number: number) => HitDocument | undefined,
): Promise<ReadonlyMap<number, HitDocument> | undefined> {
  const missing = new Set<number>();
  for (const { document } of rows) if (!known(document)) missing.add(document);
  if (missing.size === 0) return undefined;
  const read = await findHitDocuments(db, workspaceId, [...missing]);
  return new Map(read.map((row) => [row.number, new HitDocument(row)]));
}
