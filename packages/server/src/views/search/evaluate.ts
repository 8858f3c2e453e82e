import type { Statistics } from "./bm25.ts";
import { documentOf, filterMatches, type HitCounts } from "./document-filter.ts";
import type { LookupError, PageSource, SegmentView } from "./lookup.ts";
import { matchAll, type NamedBlock, withNamed } from "./matches.ts";
import type { Query } from "./query.ts";
import { type Hit, numberPage, topPage } from "./result-page.ts";
import type { PageKey } from "./store-port.ts";
import type { TopKey } from "./top-hits.ts";
import { type OpenUnit, openUnit } from "./unit-match.ts";

export type SearchRequest = {
  readonly mode: "topk" | "exhaustive";
  readonly limit: number;
  /** Live blocks of the workspace and the sum of their lengths. */
  readonly n: number;
  readonly totalLength: number;
  /** Which documents count; absent means all. */
  readonly accepts?: (document: number) => boolean;
  /** Block numbers that come first in `topk` if they match: titles equal to the query. */
  readonly pinned?: ReadonlySet<number>;
  /** Live title blocks that count as matches whatever words they have: those of documents named by their id. */
  readonly named?: readonly NamedBlock[];
  /** `topk`: the last key and the statistics of the first page, so that unchanged blocks keep their scores. */
  readonly afterKey?: TopKey;
  readonly frozen?: Statistics;
  /** `exhaustive`: the last number. */
  readonly afterNumber?: number;
};

export type DocumentHit = Hit & { readonly document: number };

/** Counts are of the whole filtered result, whatever the page. */
export type SearchResult = {
  readonly hits: readonly DocumentHit[];
  /** Hits follow the last one of this page. */
  readonly more: boolean;
  readonly counts: HitCounts;
  readonly statistics: Statistics;
};

/** A query whose term pages are read; phrases still need `positionPages`. */
export type OpenQuery = {
  readonly segments: readonly SegmentView[];
  readonly required: readonly OpenUnit[];
  readonly excluded: readonly OpenUnit[];
  readonly positionPages: readonly PageKey[];
};

/** `segments` ascending by number, `pages` with what `termPagesNeeded` asked for. */
export function openQuery(segments: readonly SegmentView[], query: Query, pages: PageSource): OpenQuery | LookupError {
  const opened: OpenUnit[] = [];
  for (const unit of [...query.required, ...query.excluded]) {
    const open = openUnit(segments, unit, pages);
    if ("error" in open) return open;
    opened.push(open);
  }
  const keys = new Map(
    opened.flatMap((unit) => unit.positionPages).map((key) => [`${key.segment}/${key.number}`, key]),
  );
  const required = opened.slice(0, query.required.length);
  return { segments, required, excluded: opened.slice(required.length), positionPages: [...keys.values()] };
}

const nothingPinned: ReadonlySet<number> = new Set();

/** `pages` with the position pages that `openQuery` asked for. */
export function evaluate(open: OpenQuery, pages: PageSource, request: SearchRequest): SearchResult {
  const required = open.required.map((unit) => unit.close(pages));
  const excluded = open.excluded.map((unit) => unit.close(pages));
  const { n, totalLength, mode, limit, pinned = nothingPinned } = request;
  const statistics = request.frozen ?? { n, totalLength, df: required.map((list) => list.size) };
  const found = withNamed(matchAll(required, excluded), request.named ?? []);
  const { matches, counts } = filterMatches(found, open.segments, request.accepts);
  const { hits, more } =
    mode === "topk"
      ? topPage(matches, statistics, limit, request.afterKey, pinned)
      : numberPage(matches, statistics, limit, request.afterNumber ?? -1);
  const placed = hits.map((hit) => ({ ...hit, document: documentOf(open.segments, hit.number) }));
  return { hits: placed, more, counts, statistics };
}
