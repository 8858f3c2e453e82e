import type { Matches } from "../query/matches.ts";
import type { Hit, HitContext } from "../query/result-page.ts";
import { lowerBound } from "../segment/packed-numbers.ts";
import { fieldOfCode, lengthOfCode } from "../segment/segment-format.ts";
import type { DocumentLayout } from "./layout.ts";
import {
  HEADING_WEIGHT,
  POOR_SHARE,
  PRESENCE_WEIGHT,
  SECTION_WEIGHT,
  saturated,
  TITLE_WEIGHT,
  type Weights,
} from "./weights.ts";

export type BestHit = Hit & { readonly context: HitContext };

/** The indexes of a document's matches. */
type Candidates = readonly number[];

/** The matches of the query in the sections of one document. */
class Sections {
  /** Bits of the units in each section, and in its own heading. */
  readonly all: Int32Array;
  readonly masks: Int32Array;
  /** The highest score in each section, and the index of the hit that ranks first there. */
  readonly highest: Float64Array;
  readonly leader: Int32Array;

  constructor(layout: DocumentLayout) {
    const count = layout.headings.length;
    this.all = new Int32Array(count);
    this.masks = new Int32Array(count);
    this.highest = new Float64Array(count);
    this.leader = new Int32Array(count).fill(-1);
  }
}

type Located = { readonly match: number; readonly at: number; readonly section: number };

/**
 * Scores all matches of a document. A heading ranks below the best block of its section, code and fragments below its
 * best text, and the title below all.
 */
export function scoreDocument(
  matches: Matches,
  candidates: Candidates,
  layout: DocumentLayout,
  weights: Weights,
  pinned: ReadonlySet<number>,
): BestHit[] {
  const { numbers, codes, frequencies } = matches;
  const sections = new Sections(layout);
  const located: Located[] = [];
  let title = 0;
  for (const match of candidates) {
    const number = numbers[match]!;
    const found = lowerBound(layout.numbers, number);
    const at = layout.numbers[found] === number ? found : -1;
    const section = at < 0 ? 0 : layout.sections[at]!;
    const mask = maskOf(frequencies, match);
    if (codes[match]! & 1) title |= mask;
    else sections.all[section]! |= mask;
    if (at >= 0 && layout.headings[section] === number) sections.masks[section]! |= mask;
    located.push({ match, at, section });
  }
  const paths = pathMasks(layout, sections.masks);
  const hits = located.map((place) => scored(matches, place, layout, weights, sections, paths, title, pinned));
  return rankPoor(hits, located, layout, sections);
}

export function maskOf(frequencies: readonly Uint32Array[], match: number): number {
  let mask = 0;
  for (let u = 0; u < frequencies.length; u++) if (frequencies[u]![match]! > 0) mask |= 1 << u;
  return mask;
}

/** The units in the open headings of each section, its own among them. */
function pathMasks({ parents }: DocumentLayout, own: Int32Array): Int32Array {
  return own.map((mask, section) => {
    let all = mask;
    for (let up = parents[section]!, steps = 0; up !== 0 && steps < 6; up = parents[up]!, steps++) all |= own[up]!;
    return all;
  });
}

function scored(
  { numbers, codes, frequencies }: Matches,
  { match, at, section }: Located,
  layout: DocumentLayout,
  weights: Weights,
  sections: Sections,
  paths: Int32Array,
  titleMask: number,
  pinned: ReadonlySet<number>,
): BestHit {
  const code = codes[match]!;
  const number = numbers[match]!;
  const field = fieldOfCode(code);
  const length = lengthOfCode(code);
  const isTitle = field === "title";
  const isHeading = at >= 0 && layout.headings[section] === number;
  const ofPath = isTitle ? 0 : isHeading ? paths[layout.parents[section]!]! : paths[section]!;
  const headings = ofPath & ~weights.functionWords;
  const title = isTitle ? 0 : titleMask & ~weights.functionWords;
  const norm = weights.blockNorm(length);
  const inSection = isTitle || at < 0 ? 0 : sections.all[section]! & ~weights.functionWords;
  const tf: number[] = new Array(frequencies.length);
  let score = 0;
  for (let u = 0; u < tf.length; u++) {
    tf[u] = frequencies[u]![match]!;
    const idf = weights.idf[u]!;
    score += idf * saturated(tf[u]!, norm);
    const bit = 1 << u;
    if (weights.functionWords & bit) continue;
    if (tf[u]! > 0 || (headings | title) & bit) score += idf * PRESENCE_WEIGHT;
    if (headings & bit) score += idf * HEADING_WEIGHT;
    if (title & bit) score += idf * TITLE_WEIGHT;
    if (inSection & bit) score += idf * SECTION_WEIGHT;
  }
  const context: HitContext = { headings, title, section: inSection };
  return { pinned: pinned.has(number), score, title: isTitle, number, field, length, tf, boost: 1, context };
}

/** How well a block answers. The blocks that answer best rank first in their section. */
const HEADING = 0;
const POOR = 1;
const TEXT = 2;

function kindOf({ at, section }: Located, { numbers, headings, poor }: DocumentLayout): number {
  if (at < 0) return TEXT;
  if (headings[section] === numbers[at]) return HEADING;
  return poor[at] ? POOR : TEXT;
}

/**
 * The best text of a section, or the best code or fragment of one without a text, takes over the score of a better
 * heading, code or fragment there, which follows it. The factor between the old and the new score is `boost`.
 */
function rankPoor(
  hits: readonly BestHit[],
  located: readonly Located[],
  layout: DocumentLayout,
  { highest, leader }: Sections,
): BestHit[] {
  const kinds = located.map((place) => kindOf(place, layout));
  for (const [i, { score, title }] of hits.entries()) {
    if (title) continue;
    const { section } = located[i]!;
    const first = leader[section]!;
    const isBetter = first < 0 || (kinds[i] === kinds[first] ? score > hits[first]!.score : kinds[i]! > kinds[first]!);
    if (isBetter) leader[section] = i;
    highest[section] = Math.max(highest[section]!, score);
  }
  let highestOfTexts = 0;
  for (const [section, first] of leader.entries())
    if (kinds[first] === TEXT) highestOfTexts = Math.max(highestOfTexts, highest[section]!);
  return hits.map((hit, i) => {
    const { section } = located[i]!;
    const first = leader[section]!;
    if (hit.title) return limited(hit, highestOfTexts);
    if (i === first) return highest[section]! > hit.score ? withScore(hit, highest[section]!) : hit;
    return kinds[i]! < kinds[first]! ? limited(hit, highest[section]!) : hit;
  });
}

const withScore = (hit: BestHit, score: number): BestHit => ({ ...hit, score, boost: score / hit.score });

function limited(hit: BestHit, best: number): BestHit {
  const limit = best * POOR_SHARE;
  return limit === 0 || hit.score <= limit ? hit : withScore(hit, limit);
}
