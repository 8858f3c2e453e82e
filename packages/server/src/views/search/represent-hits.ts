import type { Static } from "typebox";
import type { Db } from "../../db/database.ts";
import { documentUri } from "../../resources/documents/represent.ts";
import { type Context, contextOf } from "./context.ts";
import type { SearchResult } from "./evaluate.ts";
import { explainer } from "./explain.ts";
import { type HitRow, HitRows } from "./hit-rows.ts";
import { summaryOf } from "./hit-summary.ts";
import type { Opening } from "./opening.ts";
import { pathTexts } from "./path-texts.ts";
import { PlacedBlocks, readBodies, type ShownBlock } from "./placed-blocks.ts";
import type { Query } from "./query.ts";
import type { Hit } from "./result-page.ts";
import type { HitSummary } from "./schema.ts";

/** A hit with everything that the index does not hold. */
export type ShownHit = {
  readonly hit: Hit;
  readonly row: HitRow;
  readonly block: ShownBlock;
  readonly context: Context;
  readonly path: string;
  readonly summary: Static<typeof HitSummary> | undefined;
};

/** What one process remembers of blocks that were found. */
export class HitMemory {
  readonly rows = new HitRows();
  readonly blocks = new PlacedBlocks();
}

/** The hits of a page as they are in the same snapshot; only of documents that are indexed in their current version. */
export async function showHits(
  db: Db,
  workspaceId: string,
  memory: HitMemory,
  opening: Opening,
  query: Query,
  hits: readonly Hit[],
  options: { readonly summaries: boolean },
): Promise<ShownHit[]> {
  const numbers = hits.map((hit) => hit.number);
  const rows = await memory.rows.read(db, workspaceId, opening, numbers);
  const found = [...rows.values()];
  const blocks = await memory.blocks.read(db, workspaceId, found);
  const pathOf = await pathTexts(db, workspaceId, found);
  const bodies = options.summaries && (await readBodies(db, workspaceId, new Set(found.map((row) => row.id))));
  const shown: ShownHit[] = [];
  for (const hit of hits) {
    const row = rows.get(hit.number);
    const block = blocks.get(hit.number);
    if (!row || !block) continue;
    const summary = bodies ? await summaryOf(db, workspaceId, row.id, bodies.get(row.id)!) : undefined;
    shown.push({ hit, row, block, context: contextOf(block, query), path: pathOf(row), summary });
  }
  return shown;
}

/** What of a hit's JSON follows from its row. */
const written = new WeakMap<HitRow, { readonly head: string; readonly tail: string }>();

function partsOf(row: HitRow): { readonly head: string; readonly tail: string } {
  const known = written.get(row);
  if (known) return known;
  const { id, title, knowledge_base_id, folder_id, document_type, block_id, version, indexed_version } = row;
  const head = JSON.stringify({
    document_id: id,
    title,
    knowledge_base_id,
    folder_id,
    document_type,
    block_id: block_id === "" ? null : block_id,
    document_uri: documentUri(id),
  });
  const tail = JSON.stringify({
    source_version: version,
    indexed_version,
    freshness: "current",
    updated_at: row.updated_at,
  });
  const parts = { head: `${head.slice(0, -1)},"path_text":`, tail: `,${tail.slice(1, -1)},"score":` };
  written.set(row, parts);
  return parts;
}

/** The JSON of a page: a list of `SearchHit`. Put together, as most of it is ready. */
export function writeHits(
  query: Query,
  hits: readonly ShownHit[],
  { statistics }: Pick<SearchResult, "statistics">,
): string {
  const explain = explainer(query, statistics);
  const texts = hits.map(({ hit, row, block, context, path, summary }) => {
    const { head, tail } = partsOf(row);
    const place = `${JSON.stringify(path)},"heading_path":${block.headingPath},"matched_in":"${hit.field}"`;
    const end = summary ? `,"summary":${JSON.stringify(summary)}}` : "}";
    return `${head}${place},"context":${JSON.stringify(context)}${tail}${hit.score},"explanation":${explain(hit)}${end}`;
  });
  return `[${texts.join(",")}]`;
}
