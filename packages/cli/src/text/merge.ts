import { commonLines, linesOf } from "./diff-lines.ts";

export interface Labels {
  readonly mine: string;
  readonly base: string;
  readonly theirs: string;
}

export interface Merged {
  readonly text: string;
  /** How many places both sides changed in different ways; each is in the text, three ways, between markers. */
  readonly conflicts: number;
}

const OPEN = "<<<<<<<";
const BASE = "|||||||";
const MIDDLE = "=======";
const CLOSE = ">>>>>>>";

/** Two edits of one text put together line by line, as version control does it. */
export function mergeTexts(base: string, mine: string, theirs: string, labels: Labels): Merged {
  const sides = { base: linesOf(base), mine: linesOf(mine), theirs: linesOf(theirs) };
  const lines: string[] = [];
  let conflicts = 0;
  for (const part of partsOf(sides.base, sides.mine, sides.theirs)) {
    const settled = settle(part);
    if (!settled) conflicts++;
    lines.push(...(settled ?? marked(part, labels)));
  }
  return { text: lines.length === 0 ? "" : `${lines.join("\n")}\n`, conflicts };
}

/** Whether a text still has an unresolved conflict. */
export const hasConflictMarkers = (text: string): boolean => {
  const lines = linesOf(text);
  return [`${OPEN} `, `${BASE} `, `${CLOSE} `].every((marker) => lines.some((line) => line.startsWith(marker)));
};

/** The undecided places of a text, each with its markers. */
export const conflictsIn = (text: string): string[] => text.match(/^<{7} [\s\S]*?^>{7} .*$/gm) ?? [];

interface Part {
  readonly base: readonly string[];
  readonly mine: readonly string[];
  readonly theirs: readonly string[];
}

/** The texts cut wherever all three have the same line. */
function partsOf(base: readonly string[], mine: readonly string[], theirs: readonly string[]): Part[] {
  const inMine = new Map(commonLines(base, mine));
  const inTheirs = new Map(commonLines(base, theirs));
  const parts: Part[] = [];
  const at = { base: 0, mine: 0, theirs: 0 };
  const cut = (i: number, j: number, k: number) => {
    if (i > at.base || j > at.mine || k > at.theirs)
      parts.push({ base: base.slice(at.base, i), mine: mine.slice(at.mine, j), theirs: theirs.slice(at.theirs, k) });
  };
  for (const [i, line] of base.entries()) {
    const [j, k] = [inMine.get(i), inTheirs.get(i)];
    if (j === undefined || k === undefined) continue;
    cut(i, j, k);
    parts.push({ base: [line], mine: [line], theirs: [line] });
    Object.assign(at, { base: i + 1, mine: j + 1, theirs: k + 1 });
  }
  cut(base.length, mine.length, theirs.length);
  return parts;
}

const equal = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((line, index) => line === b[index]);

function settle({ base, mine, theirs }: Part): readonly string[] | undefined {
  if (equal(mine, theirs) || equal(base, theirs)) return mine;
  return equal(base, mine) ? theirs : undefined;
}

/** Neighbours of which one side changed some and the other side others; none is more, none is less. */
function settleEach({ base, mine, theirs }: Part): readonly string[] | undefined {
  if (mine.length !== base.length || theirs.length !== base.length) return undefined;
  const each = base.map((from, i) =>
    settle({ base: [from], mine: mine.slice(i, i + 1), theirs: theirs.slice(i, i + 1) }),
  );
  return each.every((one) => one !== undefined) ? each.flat() : undefined;
}

const marked = ({ base, mine, theirs }: Part, labels: Labels): string[] => [
  `${OPEN} ${labels.mine}`,
  ...mine,
  `${BASE} ${labels.base}`,
  ...base,
  MIDDLE,
  ...theirs,
  `${CLOSE} ${labels.theirs}`,
];

/** One place three ways, between markers: texts of mine, of the base and of theirs. */
export const threeWays = (sides: readonly string[], labels: Labels): string => {
  const [mine = [], base = [], theirs = []] = sides.map(linesOf);
  return marked({ mine, base, theirs }, labels).join("\n");
};

/** Two edits of one text put together word by word; undefined where both changed the same words. */
export function mergeWords(base: string, mine: string, theirs: string): string | undefined {
  const words = (text: string): string[] => text.match(/\S+\s*|^\s+/g) ?? [];
  const parts = partsOf(words(base), words(mine), words(theirs)).map((part) => settle(part) ?? settleEach(part));
  return parts.every((part) => part !== undefined) ? parts.flat().join("") : undefined;
}
