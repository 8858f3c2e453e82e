import { StoredBody } from "../../bodies/body.ts";
import { Memory } from "../../bodies/memory.ts";
import { loadSegments } from "../../bodies/store.ts";
import type { Db } from "../../db/database.ts";
import { prepareList } from "../../db/prepared-lists.ts";
import { placeBlock } from "./body-places.ts";
import type { HitRow } from "./hit-rows.ts";
import { ScannedText } from "./scanned-text.ts";

const bodiesByDocument = prepareList((db, ids: readonly string[]) =>
  db.selectFrom("bodies").selectAll().where("workspace_id", "=", "").where("document_id", "in", ids),
);

/** Bodies of documents of the same snapshot, their segments from memory as far as they are there. */
export async function readBodies(
  db: Db,
  workspaceId: string,
  ids: ReadonlySet<string>,
): Promise<ReadonlyMap<string, StoredBody>> {
  const bodies = new Map<string, StoredBody>();
  for (const row of await bodiesByDocument(db, [workspaceId], [...ids])) {
    const key = { workspaceId, documentId: row.document_id };
    bodies.set(row.document_id, new StoredBody(row, await loadSegments(db, key, row.manifest)));
  }
  return bodies;
}

/** A block's text and the headings it stands under, as JSON. */
export class ShownBlock extends ScannedText {
  readonly headingPath: string;

  constructor(text: string, headingPath: readonly string[]) {
    super(text);
    this.headingPath = JSON.stringify(headingPath);
  }

  /** What it takes in memory, roughly. */
  get bytes(): number {
    return 300 + 2 * (this.text.length + this.headingPath.length) + this.beginning.bytes;
  }
}

/** Blocks that were found lately. Where a block stands and what it says follows from its id and the body's version. */
export class PlacedBlocks {
  private readonly known = new Memory<ShownBlock>(16 * 1024 * 1024);

  /** By number; without blocks that are not in the body. A title stands under no heading. */
  async read(db: Db, workspaceId: string, rows: readonly HitRow[]): Promise<ReadonlyMap<number, ShownBlock>> {
    const blocks = new Map<number, ShownBlock>();
    const missing: HitRow[] = [];
    for (const row of rows) {
      const block = row.block_id === "" ? new ShownBlock(row.title, []) : this.known.get(nameOf(row));
      if (block) blocks.set(row.number, block);
      else missing.push(row);
    }
    if (missing.length === 0) return blocks;
    const bodies = await readBodies(db, workspaceId, new Set(missing.map((row) => row.id)));
    for (const row of missing) {
      const placed = placeBlock(bodies.get(row.id)!, row.block_id);
      if (!placed) continue;
      const block = new ShownBlock(placed.text, placed.headingPath);
      blocks.set(row.number, block);
      this.known.set(nameOf(row), block, block.bytes);
    }
    return blocks;
  }
}

const nameOf = ({ version, block_id }: HitRow): string => version + block_id;
