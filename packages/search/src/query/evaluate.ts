import type { PageSource, SegmentView } from "../segment/segment-view.ts";
import type { PageKey } from "../segment/store-port.ts";
import type { Statistics } from "./bm25.ts";
import { countShown, DocumentFilter, type HitCounts } from "./document-filter.ts";
import type { LookupError, TermSource } from "./lookup.ts";
import { insertNamed, type Matches, matchAll, type NamedBlock } from "./matches.ts";
import type { Query, Unit } from "./query.ts";
import { numberPage, type ResultPage, topPage } from "./result-page.ts";
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
  /** For a reader who does not see every document: which ones, so that statistics are of those alone. */
  readonly shows?: (document: number) => boolean;
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

/** What makes a page of an evaluation. */
type PageRequest = Pick<SearchRequest, "mode" | "limit" | "pinned" | "afterKey" | "frozen" | "afterNumber">;

/** Every match of a query in one state of the index, by segment, ascending; segments without any are left out. */
export type Evaluation = {
  readonly matches: readonly Matches[];
  readonly counts: HitCounts;
  readonly statistics: Statistics;
};

/** Counts are of the whole filtered result, whatever the page. */
export type SearchResult = ResultPage & Pick<Evaluation, "counts" | "statistics">;

/** A segment in which the query's terms are looked up; phrases still need their position pages. */
type OpenSegment = {
  readonly view: SegmentView;
  readonly required: readonly OpenUnit[];
  readonly excluded: readonly OpenUnit[];
};

/** A query whose term pages are read; phrases still need `positionPages`. */
type OpenQuery = {
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
    const rest = pause();
    if (rest) await rest;
  }
  const units = opened.flatMap((segment) => [...segment.required, ...segment.excluded]);
  const keys = new Map(units.flatMap((unit) => unit.positionPages).map((key) => [`${key.segment}/${key.number}`, key]));
  return { units: required.length, segments: opened, positionPages: [...keys.values()] };
}

/** `pages` with the position pages that `openQuery` asked for. */
export async function evaluate(
  open: OpenQuery,
  pages: PageSource,
  request: Pick<SearchRequest, "n" | "totalLength" | "nextDocument" | "accepts" | "shows" | "named">,
  pause: Pause,
): Promise<Evaluation> {
  const { n, totalLength, shows, named = [] } = request;
  const df = new Array<number>(open.units).fill(0);
  const filter = new DocumentFilter(request.accepts, request.nextDocument);
  const matches: Matches[] = [];
  for (const { view, required, excluded } of open.segments) {
    const lists = required.map((unit) => unit.close(pages));
    for (const [unit, list] of lists.entries()) df[unit]! += shows ? countShown(list, view, shows) : list.size;
    const unwanted = excluded.map((unit) => unit.close(pages));
    const own = named.filter(({ number }) => number >= view.base && number <= view.last);
    const kept = filter.keep(own.reduce(insertNamed, matchAll(lists, unwanted)), view);
    if (kept.size > 0) matches.push(kept);
    const rest = pause();
    if (rest) await rest;
  }
  return { matches, counts: filter.counts, statistics: { n, totalLength, df } };
}

const nothingPinned: ReadonlySet<number> = new Set();

/** The page that was asked for. */
export function pageOf(
  { matches, counts, statistics: own }: Evaluation,
  { mode, limit, pinned = nothingPinned, ...after }: PageRequest,
): SearchResult {
  const statistics = after.frozen ?? own;
  const page =
    mode === "topk"
      ? topPage(matches, statistics, limit, after.afterKey, pinned)
      : numberPage(matches, statistics, limit, after.afterNumber ?? -1);
  return { ...page, counts, statistics };
}
