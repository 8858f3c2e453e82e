import type { Group } from "../best/group.ts";
import { countHits, type SegmentLists } from "../best/lists.ts";
import { matchAny } from "../best/match-any.ts";
import type { PageSource, SegmentView } from "../segment/segment-view.ts";
import type { PageKey } from "../segment/store-port.ts";
import type { Statistics } from "./bm25.ts";
import { countShown, DocumentFilter, documentsOf } from "./document-filter.ts";
import type { Evaluation, Pause } from "./evaluation.ts";
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
  /** Which documents count; undefined means all. */
  readonly accepts?: (document: number) => boolean;
  /** The visible documents of a restricted reader, so that statistics cover those alone. */
  readonly shows?: (document: number) => boolean;
  /** Block numbers that come first in `topk` if they match: titles equal to the query. */
  readonly pinned?: ReadonlySet<number>;
  /** Live title blocks that match whatever words they contain: those of documents named by id. */
  readonly named?: readonly NamedBlock[];
  /** `topk`: the last key and the statistics of the first page, so that unchanged blocks keep their scores. */
  readonly afterKey?: TopKey;
  readonly frozen?: Statistics;
  /** Nothing but pages of the best hits is taken from the evaluation. */
  readonly onlyBest?: boolean;
  /** `exhaustive`: the last number. */
  readonly afterNumber?: number;
};

/** The parameters of a page of an evaluation. */
type PageRequest = Pick<SearchRequest, "mode" | "limit" | "pinned" | "afterKey" | "frozen" | "afterNumber">;

/** Counts cover the whole filtered result, whatever the page. */
export type SearchResult = ResultPage &
  Pick<Evaluation, "counts" | "statistics"> & {
    /** The page's documents, if they were asked for: `hits` has those of all of them. */
    readonly groups?: readonly Group[];
  };

/** A segment in which the query's terms have been looked up; phrases still need their position pages. */
type OpenSegment = {
  readonly view: SegmentView;
  readonly required: readonly OpenUnit[];
  readonly excluded: readonly OpenUnit[];
};

/** A query whose term pages have been read; phrases still need `positionPages`. */
type OpenQuery = {
  /** The number of required units. */
  readonly units: number;
  /** With `match=best`: which of them are conditions. */
  readonly conditions: readonly boolean[] | undefined;
  /** A block needs any of the words, and nothing else decides. */
  readonly isPlain: boolean;
  readonly segments: readonly OpenSegment[];
  readonly positionPages: readonly PageKey[];
};

/** `segments` ascending by number, `terms` over the pages that `termPagesNeeded` returned. */
export async function openQuery(
  segments: readonly SegmentView[],
  { required, excluded, match }: Query,
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
  const conditions = match === "best" ? required.map(({ isCondition = false }) => isCondition) : undefined;
  const isPlain = conditions !== undefined && !conditions.includes(true) && excluded.length === 0;
  return { units: required.length, conditions, isPlain, segments: opened, positionPages: [...keys.values()] };
}

/** `pages` contains the position pages that `openQuery` returned. */
export async function evaluate(
  open: OpenQuery,
  pages: PageSource,
  request: Pick<SearchRequest, "n" | "totalLength" | "nextDocument" | "accepts" | "shows" | "named" | "onlyBest">,
  pause: Pause,
): Promise<Evaluation> {
  if (open.isPlain && request.onlyBest && !request.named?.length) return evaluateLists(open, pages, request, pause);
  const { n, totalLength, shows, named = [] } = request;
  const df = new Array<number>(open.units).fill(0);
  const filter = new DocumentFilter(request.accepts, request.nextDocument);
  const matches: Matches[] = [];
  const documents: Uint32Array[] = [];
  const { conditions } = open;
  let allWords = 0;
  for (const { view, required, excluded } of open.segments) {
    const lists = required.map((unit) => unit.close(pages));
    for (const [unit, list] of lists.entries()) df[unit]! += shows ? countShown(list, view, shows) : list.size;
    const unwanted = excluded.map((unit) => unit.close(pages));
    const own = named.filter(({ number }) => number >= view.base && number <= view.last);
    const found = conditions ? matchAny(lists, conditions, unwanted) : matchAll(lists, unwanted);
    const kept = filter.keep(own.reduce(insertNamed, found), view);
    if (kept.size > 0) matches.push(kept);
    if (conditions && kept.size > 0) {
      documents.push(documentsOf(kept, view));
      allWords += countComplete(kept);
    }
    const rest = pause();
    if (rest) await rest;
  }
  const { counts } = filter;
  const statistics = { n, totalLength, df };
  if (!conditions) return { matches, counts: { ...counts, all_words: counts.total }, statistics };
  return { matches, documents, counts: { ...counts, all_words: allWords }, statistics };
}

/** For the best hits alone: the lists of the words are kept as they are. */
async function evaluateLists(
  open: OpenQuery,
  pages: PageSource,
  { n, totalLength, accepts, shows }: Pick<SearchRequest, "n" | "totalLength" | "accepts" | "shows">,
  pause: Pause,
): Promise<Evaluation> {
  const df = new Array<number>(open.units).fill(0);
  const segments: SegmentLists[] = [];
  for (const { view, required } of open.segments) {
    const lists = required.map((unit) => unit.close(pages));
    for (const [unit, list] of lists.entries()) df[unit]! += shows ? countShown(list, view, shows) : list.size;
    if (lists.some(({ size }) => size > 0)) segments.push({ view, lists });
    const rest = pause();
    if (rest) await rest;
  }
  const lists = { segments, accepts };
  return { matches: [], lists, counts: countHits(lists, { n, totalLength }), statistics: { n, totalLength, df } };
}

/** Counts the matches that have all units themselves. */
function countComplete({ size, frequencies }: Matches): number {
  let count = 0;
  for (let i = 0; i < size; i++) {
    let u = 0;
    while (u < frequencies.length && frequencies[u]![i]! > 0) u++;
    if (u === frequencies.length) count++;
  }
  return count;
}

const nothingPinned: ReadonlySet<number> = new Set();

/** Returns the requested page. */
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
