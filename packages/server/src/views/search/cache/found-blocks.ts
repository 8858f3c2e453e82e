import { defined } from "@svc/document/defined";
import { Cache } from "../../../cache/cache.ts";
import type { Reader } from "../../../db/database.ts";
import { changesBetween } from "../read/changes-between.ts";
import { FoundBlock } from "../read/found-block.ts";
import { findHitRows } from "../read/hit-rows.ts";
import { placeBlocks } from "../read/placed-blocks.ts";
import { CachedBlocks, followsFromEvents, type KnownState } from "./cached-blocks.ts";

/** After more changes than these all blocks are read again. */
const MAX_CHANGES = 1000;

const BLOCKS = new Cache<CachedBlocks>("search_blocks", { share: 1 / 16 });

/**
 * Blocks that were found lately, in the last state of their workspace that was seen. When documents have changed since,
 * which ones its events tell, those alone are forgotten; a search that others have overtaken, in an earlier state, does
 * without them. The events belong to the reader's snapshot, and so what it gets is what queries there would give.
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
      if (block && !changed.has(block.row.id)) found.set(number, block);
      else missing.push(number);
    }
    if (missing.length === 0) return found;
    const rows = await findHitRows(db, workspaceId, missing);
    const placed = await placeBlocks(db, workspaceId, rows);
    // Another search may have brought it on meanwhile.
    const changedNow = cached.changedSince(state);
    for (const row of rows) {
      const shown = placed.get(row.number);
      if (!shown) continue;
      const block = new FoundBlock(row, shown);
      found.set(row.number, block);
      if (changedNow && !changedNow.has(row.id)) cached.add(block);
    }
    if (changedNow) BLOCKS.put(this.#key + workspaceId, cached, cached.bytes);
    return found;
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
