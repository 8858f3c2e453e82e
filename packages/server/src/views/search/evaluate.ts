import type { Statistics } from "./bm25.ts";
import { DocumentSet, DocumentWalker } from "./document-filter.ts";
import type { LookupError, PageKey, PageSource, SegmentView } from "./lookup.ts";
import { Matcher } from "./matcher.ts";
import type { PostingList } from "./posting-list.ts";
import type { Query } from "./query.ts";
import { type Hit, NumberPage, type ResultPage, type SearchRequest, TopPage } from "./result-page.ts";
import { type OpenUnit, openUnit } from "./unit-match.ts";

export type HitCounts = { total: number; documents: number; content: number; title: number };

/** `more`: hits follow the last one of this page. Counts are of the whole filtered result, whatever the page. */
export type SearchResult = {
  readonly hits: readonly Hit[];
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

/** `pages` with the position pages that `openQuery` asked for. */
export function evaluate(open: OpenQuery, pages: PageSource, request: SearchRequest): SearchResult {
  const required = open.required.map((unit) => unit.close(pages));
  const excluded = open.excluded.map((unit) => unit.close(pages));
  const { n, totalLength } = request;
  const statistics = request.frozen ?? { n, totalLength, df: required.map((list) => list.size) };
  const page = request.mode === "topk" ? new TopPage(request, statistics) : new NumberPage(request, statistics);
  const counts = walk(open.segments, required, excluded, request, page);
  return { ...page.finish(), counts, statistics };
}

function walk(
  segments: readonly SegmentView[],
  required: readonly PostingList[],
  excluded: readonly PostingList[],
  { accepts }: SearchRequest,
  page: ResultPage,
): HitCounts {
  const documents = new DocumentSet();
  const walker = new DocumentWalker(segments);
  const match = new Matcher(required, excluded);
  let total = 0;
  let title = 0;
  while (match.next()) {
    const document = walker.documentOf(match.number);
    if (accepts && !accepts(document)) continue;
    total++;
    title += match.code & 1;
    documents.add(document);
    page.take(match.number, match.code, document, required, match.at);
  }
  return { total, documents: documents.size, content: total - title, title };
}
