import type { Db } from "../../db/database.ts";
import { documentUri } from "../../resources/documents/represent.ts";
import { findHitRows, type HitRow } from "./hit-rows.ts";
import { PlacedBlocks, type ShownBlock } from "./placed-blocks.ts";
import { StateMemory, type WorkspaceState } from "./workspace-state.ts";

/** A block that was found: its row, its text, and what of its JSON follows from the row. */
export class FoundBlock {
  readonly row: HitRow;
  readonly shown: ShownBlock;
  /** Up to the value of `path_text`, and from after `context` up to the value of `score`. */
  readonly head: string;
  readonly tail: string;

  constructor(row: HitRow, shown: ShownBlock) {
    this.row = row;
    this.shown = shown;
    const { id, title, knowledge_base_id, folder_id, document_type, version, indexed_version, updated_at } = row;
    const block_id = row.block_id === "" ? null : row.block_id;
    const place = { document_id: id, title, knowledge_base_id, folder_id, document_type, block_id };
    const head = JSON.stringify({ ...place, document_uri: documentUri(id) });
    const tail = JSON.stringify({ source_version: version, indexed_version, freshness: "current", updated_at });
    this.head = `${head.slice(0, -1)},"path_text":`;
    this.tail = `,${tail.slice(1, -1)},"score":`;
  }

  /** What it takes in memory, roughly. */
  get bytes(): number {
    return 500 + 2 * (this.head.length + this.tail.length) + this.shown.bytes;
  }
}

/**
 * Blocks that were found lately, by number, in one state of the workspace. It is that of the reader's snapshot, and so
 * what it gets is what queries there would give.
 */
export class FoundBlocks {
  private readonly known = new StateMemory<number, FoundBlock>(16 * 1024 * 1024);
  private readonly placed = new PlacedBlocks();

  /** By number; without those that are not to be found in their document's current version. */
  async read(
    db: Db,
    workspaceId: string,
    state: WorkspaceState,
    numbers: readonly number[],
  ): Promise<ReadonlyMap<number, FoundBlock>> {
    const known = this.known.of(workspaceId, state);
    const missing = numbers.filter((number) => !known.items.has(number));
    if (missing.length === 0) return known.items;
    const rows = await findHitRows(db, workspaceId, missing);
    const placed = await this.placed.read(db, workspaceId, rows);
    for (const row of rows) {
      const shown = placed.get(row.number);
      if (!shown) continue;
      const block = new FoundBlock(row, shown);
      known.add(row.number, block, block.bytes);
    }
    this.known.keep(workspaceId, known);
    return known.items;
  }
}
