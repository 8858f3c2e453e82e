import { defined } from "@svc/document/defined";
import { ScannedText } from "@svc/search/snippet/scanned-text";
import { StoredBody } from "../../../bodies/body.ts";
import { loadSegmentsOf, readSegmentTexts } from "../../../bodies/store.ts";
import { Cache } from "../../../cache/cache.ts";
import type { Reader } from "../../../db/database.ts";
import type { BodyRow } from "../../../db/schema/tables/bodies.ts";
import { statement } from "../../../db/statement/statement.ts";
import { BodyLayout } from "./body-layout.ts";
import { placeBlock } from "./body-places.ts";
import type { HitRow } from "./hit-rows.ts";

const bodiesByDocument = statement<{ workspaceId: string; ids: readonly string[] }, BodyRow>(
  (db, value) =>
    db
      .selectFrom("bodies")
      .selectAll()
      .where("workspace_id", "=", value("workspaceId"))
      .where("document_id", "in", value("ids")),
  { list: "ids" },
);

/** Bodies of documents of the same snapshot, their segments from memory as far as they are there. */
export async function readBodies(
  db: Reader,
  workspaceId: string,
  ids: ReadonlySet<string>,
): Promise<ReadonlyMap<string, StoredBody>> {
  const rows = await bodiesByDocument(db, { workspaceId, ids: [...ids] });
  const segments = await loadSegmentsOf(db, workspaceId, rows);
  return new Map(rows.map((row, i) => [row.document_id, new StoredBody(row, defined(segments[i]))]));
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

/** What a body is made of, by its version. */
const LAYOUTS = new Cache<BodyLayout>("search_layouts", { share: 1 / 16 });

/** Finds blocks in bodies. By number; without blocks that are not in the body. A title stands under no heading. */
export async function placeBlocks(
  db: Reader,
  workspaceId: string,
  rows: readonly HitRow[],
): Promise<ReadonlyMap<number, ShownBlock>> {
  const layouts = await layoutsOf(db, workspaceId, rows);
  const sought = rows.map((row) => {
    const layout = row.block_id === "" ? undefined : defined(layouts.get(row.version));
    return { row, layout, places: layout?.placesOf(row.block_id) ?? [] };
  });
  const wanted = new Map<string, string>();
  for (const { row, layout, places } of sought)
    for (const { segment } of places) wanted.set(defined(defined(layout).hashes[segment]), row.id);
  const texts = await readSegmentTexts(db, workspaceId, wanted);
  const blocks = new Map<number, ShownBlock>();
  for (const { row, layout, places } of sought) {
    const jsonOf = (segment: number) => defined(texts.get(defined(defined(layout).hashes[segment])));
    const placed = layout ? placeBlock(layout, row.block_id, places, jsonOf) : { text: row.title, headingPath: [] };
    if (placed) blocks.set(row.number, new ShownBlock(placed.text, placed.headingPath));
  }
  return blocks;
}

/** By version, of the documents whose blocks these are. Whole bodies are read of those that are not in memory. */
async function layoutsOf(
  db: Reader,
  workspaceId: string,
  rows: readonly HitRow[],
): Promise<ReadonlyMap<string, BodyLayout>> {
  const found = new Map<string, BodyLayout>();
  const missing = new Set<string>();
  for (const { id, version, block_id } of rows) {
    if (block_id === "") continue;
    const layout = found.get(version) ?? LAYOUTS.get(version);
    if (layout) found.set(version, layout);
    else missing.add(id);
  }
  if (missing.size === 0) return found;
  for (const { version, segments } of (await readBodies(db, workspaceId, missing)).values()) {
    const layout = new BodyLayout(segments);
    found.set(version, layout);
    LAYOUTS.put(version, layout, layout.bytes);
  }
  return found;
}
