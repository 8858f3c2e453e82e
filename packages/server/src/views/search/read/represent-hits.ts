import { defined } from "@svc/document/defined";
import { missingWords } from "@svc/search/best/explain-best";
import type { SearchResult } from "@svc/search/query/evaluate";
import { explainer } from "@svc/search/query/explain";
import type { Query } from "@svc/search/query/query";
import type { Hit } from "@svc/search/query/result-page";
import { type Context, contextOf } from "@svc/search/snippet/context";
import type { Static } from "typebox";
import type { Reader } from "../../../db/database.ts";
import { pathTexts } from "../../../domain/library/documents/path-texts.ts";
import type { FoundBlocks } from "../cache/found-blocks.ts";
import type { HitSummary } from "../schema.ts";
import type { FoundBlock } from "./found-block.ts";
import type { HitDocument } from "./hit-document.ts";
import { summaryOf } from "./hit-summary.ts";
import { readBodies } from "./located-blocks.ts";
import type { Opening } from "./opening.ts";

/** A hit with all the data that the index does not hold. */
export type ShownHit = {
  readonly hit: Hit;
  readonly block: FoundBlock;
  readonly context: Context;
  readonly path: string;
  readonly summary: Static<typeof HitSummary> | undefined;
};

/** Loads the hits of a page from the same snapshot; only of documents that are indexed in their current version. */
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
  const documents = new Set<HitDocument["row"]>();
  for (const { document } of blocks.values()) documents.add(document.row);
  const pathOf = await pathTexts(db, workspaceId, documents);
  const ids = () => new Set(Array.from(documents, (row) => row.id));
  const bodies = options.summaries && (await readBodies(db, workspaceId, ids()));
  const shown: ShownHit[] = [];
  for (const hit of hits) {
    const block = blocks.get(hit.number);
    if (!block) continue;
    const { row } = block.document;
    const summary = bodies ? await summaryOf(db, workspaceId, row.id, defined(bodies.get(row.id))) : undefined;
    shown.push({ hit, block, context: contextOf(block, query), path: pathOf(row), summary });
  }
  return shown;
}

/** Returns the JSON of a page: a list of `SearchHit`. It is concatenated, because most parts are ready. */
export function writeHits(
  query: Query,
  hits: readonly ShownHit[],
  { statistics }: Pick<SearchResult, "statistics">,
): string {
  const explain = explainer(query, statistics);
  const texts = hits.map((shown) => writeHit(query, shown, explain));
  return `[${texts.join(",")}]`;
}

function writeHit(query: Query, shown: ShownHit, explain: (hit: Hit) => string): string {
  const { hit, block, context, path, summary } = shown;
  const { document, blockId, headingPath } = block;
  const named = `${document.head}${blockId === "" ? "null" : JSON.stringify(blockId)}${document.middle}`;
  const place = `${document.pathJson(path)},"heading_path":${headingPath},"matched_in":"${hit.field}"`;
  const missing = query.match === "best" ? JSON.stringify(missingWords(query, hit)) : "[]";
  const found = `,"context":${JSON.stringify(context)},"missing":${missing}${document.tail}${hit.score}`;
  const end = summary ? `,"summary":${JSON.stringify(summary)}}` : "}";
  return `${named}${place}${found},"explanation":${explain(hit)}${end}`;
}

/** Returns the JSON of a page of documents: each is its best hit, with its best three and their number. */
export function writeGroups(
  query: Query,
  hits: readonly ShownHit[],
  { statistics, groups = [] }: Pick<SearchResult, "statistics" | "groups">,
): string {
  const explain = explainer(query, statistics);
  const byNumber = new Map(hits.map((shown) => [shown.hit.number, shown]));
  const texts = groups.flatMap(({ hits: own, count }) => {
    const written = own.flatMap(({ number }) => {
      const shown = byNumber.get(number);
      return shown ? [writeHit(query, shown, explain)] : [];
    });
    const [first] = written;
    return first === undefined ? [] : [`${first.slice(0, -1)},"hit_count":${count},"hits":[${written.join(",")}]}`];
  });
  return `[${texts.join(",")}]`;
}
