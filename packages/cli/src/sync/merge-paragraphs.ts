import { defined } from "@svc/document/defined";
import { commonLines } from "../text/diff-lines.ts";
import { joinUnits, unitKey, unitsOf } from "./anchored-text.ts";

/**
 * Both changes of one text, paragraph by paragraph, or undefined where they touch the same place. What neither side
 * changed is taken from `remote`, which has the newest anchors.
 */
export function mergeParagraphs(base: string, local: string, remote: string): string | undefined {
  const [b, l, r] = [sideOf(base), sideOf(local), sideOf(remote)];
  const [toLocal, toRemote] = [new Map(commonLines(b.keys, l.keys)), new Map(commonLines(b.keys, r.keys))];
  const merged: string[] = [];
  const from = { b: 0, l: 0, r: 0 };
  for (let at = 0; at <= b.keys.length; at++) {
    const end = at === b.keys.length;
    const [atLocal, atRemote] = end ? [l.keys.length, r.keys.length] : [toLocal.get(at), toRemote.get(at)];
    if (atLocal === undefined || atRemote === undefined) continue;
    const chunk = mergeChunk(slice(b, from.b, at), slice(l, from.l, atLocal), slice(r, from.r, atRemote));
    if (!chunk) return undefined;
    merged.push(...chunk, ...(end ? [] : [defined(r.units[atRemote])]));
    Object.assign(from, { b: at + 1, l: atLocal + 1, r: atRemote + 1 });
  }
  return joinUnits(merged);
}

interface Side {
  readonly units: readonly string[];
  readonly keys: readonly string[];
}

const sideOf = (text: string): Side => {
  const units = unitsOf(text);
  return { units, keys: units.map(unitKey) };
};

const slice = ({ units, keys }: Side, from: number, to: number): Side => ({
  units: units.slice(from, to),
  keys: keys.slice(from, to),
});

const same = (a: Side, b: Side): boolean =>
  a.keys.length === b.keys.length && a.keys.every((key, index) => key === b.keys[index]);

/** What stands between two places that all three have: the side that changed it, or undefined when both did. */
function mergeChunk(base: Side, local: Side, remote: Side): readonly string[] | undefined {
  if (same(base, local) || same(local, remote)) return remote.units;
  return same(base, remote) ? local.units : mergeNeighbours(base, local, remote);
}

/** Paragraphs side by side, of which one side changed some and the other side others; none is more, none is less. */
function mergeNeighbours(base: Side, local: Side, remote: Side): readonly string[] | undefined {
  const { length } = base.units;
  if (length < 2 || local.units.length !== length || remote.units.length !== length) return undefined;
  const units = base.keys.map((key, at) => {
    if (key === local.keys[at] || local.keys[at] === remote.keys[at]) return remote.units[at];
    return key === remote.keys[at] ? local.units[at] : undefined;
  });
  return units.every((unit) => unit !== undefined) ? units : undefined;
}
