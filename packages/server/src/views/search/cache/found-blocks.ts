import { Memory } from "../../../bodies/memory.ts";
import type { Reader } from "../../../db/database.ts";
import { changesBetween } from "../read/changes-between.ts";
import { FoundBlock } from "../read/found-block.ts";
import { findHitRows } from "../read/hit-rows.ts";
import { PlacedBlocks } from "../read/placed-blocks.ts";
import { followsFromEvents, KnownBlocks, type KnownState } from "./known-blocks.ts";

/** After more changes than these all blocks are read anew. */
const mostChanges = 1000;

/**
 * Blocks that were found lately, in the last state of their workspace that was seen. When documents have changed since,
 * which ones its events tell, those alone are forgotten; a search that others have overtaken, in an earlier state, does
 * without them. The events belong to the reader's snapshot, and so what it gets is what queries there would give.
 */
export class FoundBlocks {
  private readonly known = new Memory<KnownBlocks>(16 * 1024 * 1024);
  private readonly placed = new PlacedBlocks();

  /** By number; without those that are not to be found in their document's current version. */
  async read(
    db: Reader,
    workspaceId: string,
    state: KnownState,
    numbers: readonly number[],
  ): Promise<ReadonlyMap<number, FoundBlock>> {
    const known = await this.knownFor(db, workspaceId, state);
    const changed = known.changedSince(state)!;
    const found = new Map<number, FoundBlock>();
    const missing: number[] = [];
    for (const number of numbers) {
      const block = known.get(number);
      if (block && !changed.has(block.row.id)) found.set(number, block);
      else missing.push(number);
    }
    if (missing.length === 0) return found;
    const rows = await findHitRows(db, workspaceId, missing);
    const placed = await this.placed.read(db, workspaceId, rows);
    // Another search may have brought it on meanwhile.
    const changedNow = known.changedSince(state);
    for (const row of rows) {
      const shown = placed.get(row.number);
      if (!shown) continue;
      const block = new FoundBlock(row, shown);
      found.set(row.number, block);
      if (changedNow && !changedNow.has(row.id)) known.add(block);
    }
    if (changedNow) this.known.set(workspaceId, known, known.bytes);
    return found;
  }

  /** What is known in this state or a later one: what was known before, without the documents that have changed since. */
  private async knownFor(db: Reader, workspaceId: string, state: KnownState): Promise<KnownBlocks> {
    const known = this.known.get(workspaceId);
    if (!known) return new KnownBlocks(state);
    if (known.changedSince(state)) return known;
    const before = known.state;
    const changes =
      followsFromEvents(before, state) &&
      (await changesBetween(db, workspaceId, before.event, state.event, mostChanges));
    if (known.changedSince(state)) return known;
    if (!changes || known.state !== before) return new KnownBlocks(state);
    known.bringOn(state, changes);
    return known;
  }
}
