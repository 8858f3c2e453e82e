import { defined } from "@svc/document/defined";
import { StoredBody } from "../../../bodies/body.ts";
import { loadSegmentsOf, readSegmentTexts } from "../../../bodies/store.ts";
import { Cache } from "../../../cache/cache.ts";
import type { Reader } from "../../../db/database.ts";
import type { BodyRow } from "../../../db/schema/tables/bodies.ts";
import { statement } from "../../../db/statement/statement.ts";
import { BodyLayout } from "./body-layout.ts";
import { placeBlock } from "./body-places.ts";
import { FoundBlock } from "./found-block.ts";
import type { HitDocument } from "./hit-document.ts";
import type { BlockRow } from "./hit-rows.ts";

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

/** What a body is made of, by its version. */
const LAYOUTS = new Cache<BodyLayout>("search_layouts", { share: 1 / 16 });

/**
 * What hits show, without blocks that are not in the body of their document, which `documentOf` gives by its number in the
 * same snapshot. Nearly all of it stands in the rows. A title stands under no heading.
 */
export async function placeBlocks(
  db: Reader,
  workspaceId: string,
  rows: readonly BlockRow[],
  documentOf: (number: number) => HitDocument | undefined,
): Promise<readonly FoundBlock[]> {
  const blocks: FoundBlock[] = [];
  const others: FoundRow[] = [];
  for (const row of rows) {
    const document = documentOf(row.document);
    if (!document) continue;
    const block = placedByRow(row, document);
    if (block) blocks.push(block);
    else others.push({ row, document });
  }
  if (others.length > 0) await findInBodies(db, workspaceId, others, blocks);
  return blocks;
}

/** Undefined where the rows do not tell enough: the text is long, or an older version of this program wrote them. */
export function placedByRow(row: BlockRow, document: HitDocument): FoundBlock | undefined {
  const { title, version, outline_version } = document.row;
  const { block_id, text, section } = row;
  if (block_id === "") return new FoundBlock(row, document, title, "[]");
  if (text === null || section === null || outline_version !== version) return undefined;
  return new FoundBlock(row, document, text, document.headingPath(section));
}

/** A block's row, and its document of the same snapshot. */
type FoundRow = { readonly row: BlockRow; readonly document: HitDocument };

async function findInBodies(
  db: Reader,
  workspaceId: string,
  rows: readonly FoundRow[],
  blocks: FoundBlock[],
): Promise<void> {
  const layouts = await layoutsOf(db, workspaceId, rows);
  const sought = rows.map(({ row, document }) => {
    const layout = defined(layouts.get(document.row.version));
    return { row, document, layout, places: layout.placesOf(row.block_id) };
  });
  const wanted = new Map<string, string>();
  for (const { document, layout, places } of sought)
    for (const { segment } of places) wanted.set(defined(layout.hashes[segment]), document.row.id);
  const texts = await readSegmentTexts(db, workspaceId, wanted);
  for (const { row, document, layout, places } of sought) {
    const jsonOf = (segment: number) => defined(texts.get(defined(layout.hashes[segment])));
    const placed = placeBlock(layout, row.block_id, places, jsonOf);
    if (placed) blocks.push(new FoundBlock(row, document, placed.text, JSON.stringify(placed.headingPath)));
  }
}

/** By version, of the documents whose blocks these are. Whole bodies are read of those that are not in memory. */
async function layoutsOf(
  db: Reader,
  workspaceId: string,
  rows: readonly FoundRow[],
): Promise<ReadonlyMap<string, BodyLayout>> {
  const found = new Map<string, BodyLayout>();
  const missing = new Set<string>();
  for (const { document } of rows) {
    const { id, version } = document.row;
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
