import { defined } from "@svc/document/defined";
import { StoredBody } from "../../../bodies/body.ts";
import { loadSegmentsOf, readSegmentTexts } from "../../../bodies/load-body.ts";
import { Cache } from "../../../cache/cache.ts";
import type { Reader } from "../../../db/database.ts";
import type { BodyRow } from "../../../db/schema/tables/bodies.ts";
import { statement } from "../../../db/statement/statement.ts";
import { BodyLayout } from "./body-layout.ts";
import { FoundBlock } from "./found-block.ts";
import type { HitDocument } from "./hit-document.ts";
import type { BlockRow } from "./hit-rows.ts";
import { locateBlock } from "./locate-block.ts";

const bodiesByDocument = statement<{ workspaceId: string; ids: readonly string[] }, BodyRow>(
  (db, value) =>
    db
      .selectFrom("bodies")
      .selectAll()
      .where("workspace_id", "=", value("workspaceId"))
      .where("document_id", "in", value("ids")),
  { list: "ids" },
);

/** Loads bodies of documents of the same snapshot, with cached segments where possible. */
export async function readBodies(
  db: Reader,
  workspaceId: string,
  ids: ReadonlySet<string>,
): Promise<ReadonlyMap<string, StoredBody>> {
  const rows = await bodiesByDocument(db, { workspaceId, ids: [...ids] });
  const segments = await loadSegmentsOf(db, workspaceId, rows);
  return new Map(rows.map((row, i) => [row.document_id, new StoredBody(row, defined(segments[i]))]));
}

/** The layouts of bodies, by version. */
const LAYOUTS = new Cache<BodyLayout>("search_layouts", { share: 1 / 16 });

/**
 * Returns the found blocks, without those that are no longer in the body of their document. `documentOf` returns a
 * document of the same snapshot by its number. The rows hold almost all of the data. A title has no headings above it.
 */
export async function locateBlocks(
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
    const block = locateByRow(row, document);
    if (block) blocks.push(block);
    else others.push({ row, document });
  }
  if (others.length > 0) await findInBodies(db, workspaceId, others, blocks);
  return blocks;
}

/**
 * Returns undefined if the rows do not hold enough: the text is long, or an older version of this program wrote them.
 */
export function locateByRow(row: BlockRow, document: HitDocument): FoundBlock | undefined {
  const { title, version, outline_version } = document.row;
  const { block_id, text, section } = row;
  if (block_id === "") return new FoundBlock(row, document, title, "[]");
  if (text === null || section === null || outline_version !== version) return undefined;
  return new FoundBlock(row, document, text, document.headingPath(section));
}

/** A block's row and its document of the same snapshot. */
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
    return { row, document, layout, locations: layout.locationsOf(row.block_id) };
  });
  const wanted = new Map<string, string>();
  for (const { document, layout, locations } of sought)
    for (const { segment } of locations) wanted.set(defined(layout.hashes[segment]), document.row.id);
  const texts = await readSegmentTexts(db, workspaceId, wanted);
  for (const { row, document, layout, locations } of sought) {
    const jsonOf = (segment: number) => defined(texts.get(defined(layout.hashes[segment])));
    const placed = locateBlock(layout, row.block_id, locations, jsonOf);
    if (placed) blocks.push(new FoundBlock(row, document, placed.text, JSON.stringify(placed.headingPath)));
  }
}

/** The layouts of the documents with these blocks, by version. Loads the whole bodies of those that are not cached. */
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
