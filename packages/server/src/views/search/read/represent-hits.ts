import { defined } from "@svc/document/defined";
import type { SearchResult } from "@svc/search/query/evaluate";
import { explainer } from "@svc/search/query/explain";
import type { Query } from "@svc/search/query/query";
import type { Hit } from "@svc/search/query/result-page";
import { type Context, contextOf } from "@svc/search/snippet/context";
import type { Static } from "typebox";
import type { Reader } from "../../../db/database.ts";
import { pathTexts } from "../../../resources/documents/path-texts.ts";
import type { FoundBlocks } from "../cache/found-blocks.ts";
import type { HitSummary } from "../schema.ts";
import type { FoundBlock } from "./found-block.ts";
import { summaryOf } from "./hit-summary.ts";
import type { Opening } from "./opening.ts";
import { readBodies } from "./placed-blocks.ts";

/** A hit with everything that the index does not hold. */
export type ShownHit = {
  readonly hit: Hit;
  readonly block: FoundBlock;
  readonly context: Context;
  readonly path: string;
  readonly summary: Static<typeof HitSummary> | undefined;
};

/** The hits of a page as they are in the same snapshot; only of documents that are indexed in their current version. */
export async function showHits(
  db: Reader,
  workspaceId: string,
  memory: FoundBlocks,
  opening: Opening,
  query: Query,
  hits: readonly Hit[],
  options: { readonly summaries: boolean },
): Promise<ShownHit[]> {
  const numbers = hits.map((hit) => hit.number);
  const blocks = await memory.read(db, workspaceId, opening, numbers);
  const rows = numbers.flatMap((number) => blocks.get(number)?.row ?? []);
  const pathOf = await pathTexts(db, workspaceId, rows);
  const bodies = options.summaries && (await readBodies(db, workspaceId, new Set(rows.map((row) => row.id))));
  const shown: ShownHit[] = [];
  for (const hit of hits) {
    const block = blocks.get(hit.number);
    if (!block) continue;
    const { id } = block.row;
    const summary = bodies ? await summaryOf(db, workspaceId, id, defined(bodies.get(id))) : undefined;
    shown.push({ hit, block, context: contextOf(block.shown, query), path: pathOf(block.row), summary });
  }
  return shown;
}

/** The JSON of a page: a list of `SearchHit`. Put together, as most of it is ready. */
export function writeHits(
  query: Query,
  hits: readonly ShownHit[],
  { statistics }: Pick<SearchResult, "statistics">,
): string {
  const explain = explainer(query, statistics);
  const texts = hits.map(({ hit, block, context, path, summary }) => {
    const { head, tail, shown } = block;
    const place = `${JSON.stringify(path)},"heading_path":${shown.headingPath},"matched_in":"${hit.field}"`;
    const end = summary ? `,"summary":${JSON.stringify(summary)}}` : "}";
    return `${head}${place},"context":${JSON.stringify(context)}${tail}${hit.score},"explanation":${explain(hit)}${end}`;
  });
  return `[${texts.join(",")}]`;
}
