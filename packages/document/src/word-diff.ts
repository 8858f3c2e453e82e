export interface Run {
  readonly kind: "same" | "added" | "removed";
  readonly text: string;
}

/** Beyond this many differing words the two texts are shown as replaced: nobody reads a finer mixture. */
const MAX_EDITS = 400;
const MAX_WORDS = 20_000;

/** Words, the white space between them, and single signs; where a script has no spaces, each of its characters. */
const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|\p{L}[\p{L}\p{M}\p{N}'’]*|\p{N}+|\s+|./gsu;
const words = (text: string): string[] => text.match(WORD) ?? [];

/** The word-level difference between two texts, as runs in reading order. */
export function wordDiff(before: string, after: string): Run[] {
  const [a, b] = [words(before), words(after)];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const middle = changes(a.slice(start, a.length - end), b.slice(start, b.length - end));
  return joined([
    ...a.slice(0, start).map((text): Run => ({ kind: "same", text })),
    ...middle,
    ...a.slice(a.length - end).map((text): Run => ({ kind: "same", text })),
  ]);
}

const replaced = (a: readonly string[], b: readonly string[]): Run[] => [
  { kind: "removed", text: a.join("") },
  { kind: "added", text: b.join("") },
];

/** The shortest edit script (Myers), found by how far each diagonal gets with one more edit. */
function changes(a: readonly string[], b: readonly string[]): Run[] {
  if (a.length === 0 || b.length === 0 || a.length + b.length > MAX_WORDS) return replaced(a, b);
  const most = Math.min(a.length + b.length, MAX_EDITS);
  const offset = most + 1;
  const reach = new Int32Array(2 * most + 3);
  const trace: Int32Array[] = [];
  for (let edits = 0; edits <= most; edits++) {
    trace.push(reach.slice(offset - edits - 1, offset + edits + 2));
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const down =
        diagonal === -edits ||
        (diagonal !== edits && at(reach, offset + diagonal - 1) < at(reach, offset + diagonal + 1));
      let x = down ? at(reach, offset + diagonal + 1) : at(reach, offset + diagonal - 1) + 1;
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x++;
      reach[offset + diagonal] = x;
      if (x >= a.length && x - diagonal >= b.length) return walkBack(a, b, trace);
    }
  }
  return replaced(a, b);
}

const at = (numbers: Int32Array, index: number): number => numbers[index] ?? 0;

/** From the end of both texts back along the furthest paths. */
function walkBack(a: readonly string[], b: readonly string[], trace: readonly Int32Array[]): Run[] {
  const runs: Run[] = [];
  let [x, y] = [a.length, b.length];
  for (let edits = trace.length - 1; edits > 0; edits--) {
    const reach = trace[edits]!;
    const middle = edits + 1;
    const diagonal = x - y;
    const down =
      diagonal === -edits ||
      (diagonal !== edits && at(reach, middle + diagonal - 1) < at(reach, middle + diagonal + 1));
    const from = down ? diagonal + 1 : diagonal - 1;
    const fromX = at(reach, middle + from);
    for (const stop = down ? fromX : fromX + 1; x > stop; x--, y--) runs.push({ kind: "same", text: a[x - 1]! });
    if (down) runs.push({ kind: "added", text: b[--y]! });
    else runs.push({ kind: "removed", text: a[--x]! });
  }
  while (x > 0) runs.push({ kind: "same", text: a[--x]! });
  return runs.reverse();
}

/** Neighbours of one kind as one run, and in a stretch of changes all that went before all that came. */
function joined(runs: readonly Run[]): Run[] {
  const result: Run[] = [];
  let [removed, added] = ["", ""];
  const flush = () => {
    if (removed) result.push({ kind: "removed", text: removed });
    if (added) result.push({ kind: "added", text: added });
    [removed, added] = ["", ""];
  };
  let same = "";
  for (const { kind, text } of runs) {
    if (kind !== "same" && same) {
      result.push({ kind: "same", text: same });
      same = "";
    }
    if (kind === "removed") removed += text;
    else if (kind === "added") added += text;
    else {
      flush();
      same += text;
    }
  }
  flush();
  if (same) result.push({ kind: "same", text: same });
  return result;
}
