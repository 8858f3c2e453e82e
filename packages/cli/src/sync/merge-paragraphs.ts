import { defined } from "@svc/document/defined";
import { commonLines } from "../text/diff-lines.ts";
import { type Unit, unitKey, unitsOf } from "./anchored-text.ts";

/**
 * Merges two changes of a text by paragraphs; undefined if they overlap. Takes paragraphs that `local` did not change
 * from `remote`, which has the newest anchors. Keeps blank lines and line ends unchanged, because they are text in
 * indented code.
 */
export function mergeParagraphs(base: string, local: string, remote: string): string | undefined {
  const [b, l, r] = [sideOf(base), sideOf(local), sideOf(remote)];
  const [toLocal, toRemote] = [new Map(commonLines(b.keys, l.keys)), new Map(commonLines(b.keys, r.keys))];
  const merged: Unit[] = [];
  const from = { b: 0, l: 0, r: 0 };
  for (let at = 0; at <= b.keys.length; at++) {
    const end = at === b.keys.length;
    const [atLocal, atRemote] = end ? [l.keys.length, r.keys.length] : [toLocal.get(at), toRemote.get(at)];
    if (atLocal === undefined || atRemote === undefined) continue;
    const chunk = mergeChunk(slice(b, from.b, at), slice(l, from.l, atLocal), slice(r, from.r, atRemote));
    if (!chunk) return undefined;
    merged.push(...chunk);
    if (!end) merged.push(sameWords(defined(b.units[at]), defined(l.units[atLocal]), defined(r.units[atRemote])));
    Object.assign(from, { b: at + 1, l: atLocal + 1, r: atRemote + 1 });
  }
  const blankLine = /\r\n/.test(local) ? "\r\n\r\n" : "\n\n";
  const ending = ofEither(gapAtEnd(b), gapAtEnd(l), gapAtEnd(r));
  return ofEither(b.lead, l.lead, r.lead) + joined(merged, blankLine, ending);
}

interface Side {
  readonly lead: string;
  readonly units: readonly Unit[];
  readonly keys: readonly string[];
}

const sideOf = (text: string): Side => {
  const { lead, units } = unitsOf(text);
  return { lead, units, keys: units.map(unitKey) };
};

const slice = ({ lead, units, keys }: Side, from: number, to: number): Side => ({
  lead,
  units: units.slice(from, to),
  keys: keys.slice(from, to),
});

const gapAtEnd = ({ units }: Side): string => units.at(-1)?.gap ?? "";

/** The changed side wins; if both changed, the local side does. */
const ofEither = (base: string, local: string, remote: string): string => (local === base ? remote : local);

/** Merges a paragraph with unchanged words, because its indentation or the gap after it may still have changed. */
const sameWords = (base: Unit, local: Unit, remote: Unit): Unit => ({
  text: ofEither(base.text, local.text, remote.text),
  gap: ofEither(base.gap, local.gap, remote.gap),
});

const same = (a: Side, b: Side): boolean =>
  a.keys.length === b.keys.length && a.keys.every((key, index) => key === b.keys[index]);

const isUntouched = (base: Side, local: Side): boolean =>
  base.units.length === local.units.length && base.units.every(({ text }, index) => text === local.units[index]?.text);

/** Merges the text between two points that all three versions share: returns the changed side, or undefined if both changed. */
function mergeChunk(base: Side, local: Side, remote: Side): readonly Unit[] | undefined {
  if (isUntouched(base, local) || same(local, remote)) return remote.units;
  return same(base, remote) ? local.units : mergeNeighbours(base, local, remote);
}

/** Merges adjacent paragraphs that the two sides changed separately, if neither side added or removed any. */
function mergeNeighbours(base: Side, local: Side, remote: Side): readonly Unit[] | undefined {
  const { length } = base.units;
  if (length < 2 || local.units.length !== length || remote.units.length !== length) return undefined;
  const units = base.units.map(({ text }, at) => {
    if (text === local.units[at]?.text || local.keys[at] === remote.keys[at]) return remote.units[at];
    return base.keys[at] === remote.keys[at] ? local.units[at] : undefined;
  });
  return units.every((unit) => unit !== undefined) ? units : undefined;
}

/** Joins paragraphs, with a blank line after each that had none because it was the last of its text. */
function joined(units: readonly Unit[], blankLine: string, ending: string): string {
  const texts = units.map(({ text, gap }, index) => {
    if (index === units.length - 1) return text + ending;
    return text + (/\n\r?\n/.test(gap) ? gap : blankLine);
  });
  return texts.join("");
}
