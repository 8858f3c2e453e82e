import type { Query } from "../query/query.ts";
import { findMatches } from "./find-matches.ts";
import type { ScannedText } from "./scanned-text.ts";
import { borderAfter, borderBefore } from "./text-border.ts";
import type { TextMatch } from "./text-match.ts";

/** `before + match + after` is a verbatim part of the text. */
export type Context = { before: string; match: string; after: string };

/** UTF-16 units on each side of the match, and how many of them may be dropped to end at a space. */
const SIDE = 80;
const SPACE_SEARCH = 24;
/** A longer match is cut. */
const MAX_MATCH = 400;

/** The match whose surroundings show most of the query. Without a match, the beginning of the text. */
export function contextOf(scanned: ScannedText, query: Query): Context {
  const { text } = scanned;
  const match = densest(findMatches(scanned, query));
  if (!match) return { before: "", match: "", after: text.slice(0, cutAfter(text, 2 * SIDE)) };
  const isLong = match.end - match.start > MAX_MATCH;
  const end = isLong ? borderBefore(text, match.start + MAX_MATCH) : match.end;
  const from = cutBefore(text, match.start);
  const to = isLong ? end : cutAfter(text, end + SIDE, end);
  return { before: text.slice(from, match.start), match: text.slice(match.start, end), after: text.slice(end, to) };
}

/** The first match with the most different units in reach, then the most matches. */
function densest(matches: readonly TextMatch[]): TextMatch | undefined {
  if (matches.length < 2) return matches[0];
  const units = new Map<number, number>();
  let best: TextMatch | undefined;
  let bestUnits = 0;
  let bestCount = 0;
  let ahead = 0;
  for (const [i, match] of matches.entries()) {
    for (; ahead < matches.length && matches[ahead]!.end <= match.end + SIDE; ahead++) {
      const { unit } = matches[ahead]!;
      units.set(unit, (units.get(unit) ?? 0) + 1);
    }
    const count = ahead - i;
    if (units.size > bestUnits || (units.size === bestUnits && count > bestCount)) {
      best = match;
      bestUnits = units.size;
      bestCount = count;
    }
    forget(units, match.unit);
  }
  return best;
}

function forget(units: Map<number, number>, unit: number): void {
  const left = (units.get(unit) ?? 0) - 1;
  if (left > 0) units.set(unit, left);
  else units.delete(unit);
}

/** The start of the text before a match: after a space if one is near. */
function cutBefore(text: string, matchStart: number): number {
  const earliest = matchStart - SIDE;
  if (earliest <= 0) return 0;
  for (let at = earliest; at < earliest + SPACE_SEARCH; at++) {
    if (isSpace(text, at - 1)) return Math.min(borderAfter(text, at), matchStart);
  }
  return Math.min(borderAfter(text, earliest), matchStart);
}

/** The end of the text after a match: before a space if one is near. */
function cutAfter(text: string, latest: number, least = 0): number {
  if (latest >= text.length) return text.length;
  for (let at = latest; at > Math.max(least, latest - SPACE_SEARCH); at--) {
    if (isSpace(text, at)) return Math.max(borderBefore(text, at), least);
  }
  return Math.max(borderBefore(text, latest), least);
}

function isSpace(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit === 0x20 || ((unit < 0x20 || unit > 0x7e) && /\s/.test(text.charAt(at)));
}
