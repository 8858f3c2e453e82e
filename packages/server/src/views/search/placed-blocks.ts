import { StoredBody } from "../../bodies/body.ts";
import { Memory } from "../../bodies/memory.ts";
import { loadSegmentsOf, readSegmentTexts } from "../../bodies/store.ts";
import type { Db } from "../../db/database.ts";
import { prepareList } from "../../db/prepared-lists.ts";
import { BodyLayout } from "./body-layout.ts";
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
  const rows = await bodiesByDocument(db, [workspaceId], [...ids]);
  const segments = await loadSegmentsOf(db, workspaceId, rows);
  return new Map(rows.map((row, i) => [row.document_id, new StoredBody(row, segments[i]!)]));
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
    return 300 + 2 * (this.text.length + this.headingPath.length) + this.tokenBytes;
  }
}

/** Blocks that were found lately. Where a block stands and what it says follows from its id and the body's version. */
export class PlacedBlocks {
  private readonly known = new Memory<ShownBlock>(16 * 1024 * 1024);
  /** By version. */
  private readonly layouts = new Memory<BodyLayout>(16 * 1024 * 1024);

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
    const layouts = await this.layoutsOf(db, workspaceId, missing);
    const texts = await segmentsOf(db, workspaceId, missing, layouts);
    for (const row of missing) {
      const layout = layouts.get(row.version)!;
      const placed = placeBlock(layout, row.block_id, (segment) => texts.get(layout.hashes[segment]!)!);
      if (!placed) continue;
      const block = new ShownBlock(placed.text, placed.headingPath);
      blocks.set(row.number, block);
      this.known.set(nameOf(row), block, block.bytes);
    }
    return blocks;
  }

  /** By version. Whole bodies are read of those that are not in memory. */
  private async layoutsOf(
    db: Db,
    workspaceId: string,
    rows: readonly HitRow[],
  ): Promise<ReadonlyMap<string, BodyLayout>> {
    const found = new Map<string, BodyLayout>();
    const missing = new Set<string>();
    for (const { id, version } of rows) {
      const layout = found.get(version) ?? this.layouts.get(version);
      if (layout) found.set(version, layout);
      else missing.add(id);
    }
    if (missing.size === 0) return found;
    for (const { version, segments } of (await readBodies(db, workspaceId, missing)).values()) {
      const layout = new BodyLayout(segments);
      found.set(version, layout);
      this.layouts.set(version, layout, layout.bytes);
    }
    return found;
  }
}

/** JSON of the segments that these blocks may be in, by hash. */
function segmentsOf(
  db: Db,
  workspaceId: string,
  rows: readonly HitRow[],
  layouts: ReadonlyMap<string, BodyLayout>,
): Promise<ReadonlyMap<string, string>> {
  const wanted = new Map<string, { readonly documentId: string; readonly hash: string }>();
  for (const { id, version, block_id } of rows) {
    const layout = layouts.get(version)!;
    for (const segment of layout.segmentsWith(block_id)) {
      const hash = layout.hashes[segment]!;
      wanted.set(hash, { documentId: id, hash });
    }
  }
  return readSegmentTexts(db, workspaceId, wanted.values());
}

const nameOf = ({ version, block_id }: HitRow): string => version + block_id;
