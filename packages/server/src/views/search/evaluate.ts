import type { Statistics } from "./bm25.ts";
import { DocumentFilter, documentOf, type HitCounts } from "./document-filter.ts";
import type { LookupError, PageSource, SegmentView, TermSource } from "./lookup.ts";
import { insertNamed, type Matches, matchAll, type NamedBlock } from "./matches.ts";
import type { Query, Unit } from "./query.ts";
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
  /** Document numbers are below this. */
  readonly nextDocument: number;
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

/** A segment in which the query's terms are looked up; phrases still need their position pages. */
type OpenSegment = {
  readonly view: SegmentView;
  readonly required: readonly OpenUnit[];
  readonly excluded: readonly OpenUnit[];
};

/** A query whose term pages are read; phrases still need `positionPages`. */
export type OpenQuery = {
  /** How many required units it has. */
  readonly units: number;
  readonly segments: readonly OpenSegment[];
  readonly positionPages: readonly PageKey[];
};

/** Called between steps: lets others run when it is time. */
export type Pause = () => Promise<void> | undefined;

/** `segments` ascending by number, `terms` over the pages that `termPagesNeeded` asked for. */
export async function openQuery(
  segments: readonly SegmentView[],
  { required, excluded }: Query,
  terms: TermSource,
  pause: Pause,
): Promise<OpenQuery | LookupError> {
  const opened: OpenSegment[] = [];
  for (const view of segments) {
    const open = (unit: Unit): OpenUnit => openUnit(view, unit, terms);
    opened.push({ view, required: required.map(open), excluded: excluded.map(open) });
    if (terms.isTooBroad) return { error: "prefix_too_broad" };
    await pause();
  }
  const units = opened.flatMap((segment) => [...segment.required, ...segment.excluded]);
  const keys = new Map(units.flatMap((unit) => unit.positionPages).map((key) => [`${key.segment}/${key.number}`, key]));
  return { units: required.length, segments: opened, positionPages: [...keys.values()] };
}

const nothingPinned: ReadonlySet<number> = new Set();

/** `pages` with the position pages that `openQuery` asked for. */
export async function evaluate(
  open: OpenQuery,
  pages: PageSource,
  request: SearchRequest,
  pause: Pause,
): Promise<SearchResult> {
  const { n, totalLength, mode, limit, pinned = nothingPinned, named = [] } = request;
  const df = new Array<number>(open.units).fill(0);
  const filter = new DocumentFilter(request.accepts, request.nextDocument);
  const matches: Matches[] = [];
  for (const { view, required, excluded } of open.segments) {
    const lists = required.map((unit) => unit.close(pages));
    for (const [unit, list] of lists.entries()) df[unit]! += list.size;
    const unwanted = excluded.map((unit) => unit.close(pages));
    const own = named.filter(({ number }) => number >= view.base && number <= view.last);
    matches.push(filter.keep(own.reduce(insertNamed, matchAll(lists, unwanted)), view));
    await pause();
  }
  const statistics = request.frozen ?? { n, totalLength, df };
  const { hits, more } =
    mode === "topk"
      ? topPage(matches, statistics, limit, request.afterKey, pinned)
      : numberPage(matches, statistics, limit, request.afterNumber ?? -1);
  const segments = open.segments.map((segment) => segment.view);
  const placed = hits.map((hit) => ({ ...hit, document: documentAt(segments, hit.number) }));
  return { hits: placed, more, counts: filter.counts, statistics };
}

const documentAt = (segments: readonly SegmentView[], number: number): number =>
  documentOf(segments.find((segment) => segment.last >= number)!, number);
