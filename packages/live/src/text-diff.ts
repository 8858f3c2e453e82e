import { defined } from "@svc/document/defined";

/** One step from an old list to a new one: the number of items kept, removed, or inserted. */
interface DiffStep {
  readonly kind: "keep" | "delete" | "insert";
  readonly count: number;
}

/** Above this number of differences the rest is replaced as a whole: comparing further takes long and yields little. */
const MAX_DIFFERENCES = 1000;

const WORD = /^[\p{L}\p{N}\p{M}_]$/u;

/** A range of the old list that differs in the new one. Words are never cut. */
export interface Hunk {
  /** The start in the old list and in the new one. */
  readonly before: number;
  readonly after: number;
  readonly removed: number;
  readonly added: number;
}

/**
 * The few, ordered steps from one list of characters to another. Compares words first, as a person would, so changes of
 * neighbouring words stay separate. Keeps equal characters at both ends of a replaced word.
 */
export function diffSteps(before: readonly string[], after: readonly string[]): DiffStep[] {
  const steps: DiffStep[] = [];
  let done = 0;
  for (const hunk of diffHunks(before, after)) {
    push(steps, "keep", hunk.before - done);
    done = hunk.before + hunk.removed;
    replaceSteps(steps, before.slice(hunk.before, done), after.slice(hunk.after, hunk.after + hunk.added));
  }
  push(steps, "keep", before.length - done);
  return steps;
}

/** The ranges where two lists of characters differ, word by word. */
export function diffHunks(before: readonly string[], after: readonly string[]): Hunk[] {
  const [old, now] = [wordsOf(before), wordsOf(after)];
  const hunks: Hunk[] = [];
  let [i, j, oldWord, newWord] = [0, 0, 0, 0];
  let [removed, added] = [0, 0];
  const end = () => {
    if (removed + added > 0) hunks.push({ before: i, after: j, removed, added });
    [i, j] = [i + removed, j + added];
    [removed, added] = [0, 0];
  };
  for (const { kind, count } of wordSteps(old.texts, now.texts))
    for (let n = 0; n < count; n++) {
      if (kind === "delete") removed += defined(old.lengths[oldWord++]);
      else if (kind === "insert") added += defined(now.lengths[newWord++]);
      else {
        end();
        const length = defined(old.lengths[oldWord++]);
        newWord++;
        [i, j] = [i + length, j + length];
      }
    }
  end();
  return hunks;
}

/** Runs of letters and digits; each other character is a word of its own. */
function wordsOf(characters: readonly string[]): { readonly texts: string[]; readonly lengths: number[] } {
  const texts: string[] = [];
  const lengths: number[] = [];
  let isWord = false;
  for (const character of characters) {
    const goesOn = WORD.test(character);
    if (goesOn && isWord) {
      texts[texts.length - 1] += character;
      lengths[lengths.length - 1]!++;
    } else {
      texts.push(character);
      lengths.push(1);
    }
    isWord = goesOn;
  }
  return { texts, lengths };
}

function replaceSteps(steps: DiffStep[], before: readonly string[], after: readonly string[]): void {
  const { start, tail } = commonEnds(before, after);
  push(steps, "keep", start);
  push(steps, "delete", before.length - start - tail);
  push(steps, "insert", after.length - start - tail);
  push(steps, "keep", tail);
}

function commonEnds(before: readonly string[], after: readonly string[]): { start: number; tail: number } {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  let tail = 0;
  while (tail < most - start && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  return { start, tail };
}

function wordSteps(before: readonly string[], after: readonly string[]): DiffStep[] {
  const { start, tail } = commonEnds(before, after);
  const steps: DiffStep[] = [];
  push(steps, "keep", start);
  const middle = between(before.slice(start, before.length - tail), after.slice(start, after.length - tail));
  for (const { kind, count } of middle) push(steps, kind, count);
  push(steps, "keep", tail);
  return steps;
}

function push(steps: DiffStep[], kind: DiffStep["kind"], count: number): void {
  if (count === 0) return;
  const last = steps.at(-1);
  if (last?.kind === kind) steps[steps.length - 1] = { kind, count: last.count + count };
  else steps.push({ kind, count });
}

/** Myers' algorithm. */
function between(before: readonly string[], after: readonly string[]): DiffStep[] {
  const [n, m] = [before.length, after.length];
  const replaced: DiffStep[] = [
    { kind: "delete", count: n },
    { kind: "insert", count: m },
  ];
  if (n === 0 || m === 0) return replaced;
  const most = Math.min(n + m, MAX_DIFFERENCES);
  /** By number of differences: how far each diagonal got in `before`. */
  const rounds: Int32Array[] = [];
  const reach = new Int32Array(2 * most + 3);
  const centre = most + 1;
  for (let d = 0; d <= most; d++) {
    rounds.push(reach.slice());
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && defined(reach[centre + k - 1]) < defined(reach[centre + k + 1]));
      let x = down ? defined(reach[centre + k + 1]) : defined(reach[centre + k - 1]) + 1;
      while (x < n && x - k < m && x - k >= 0 && before[x] === after[x - k]) x++;
      reach[centre + k] = x;
      if (x >= n && x - k >= m) return walkBack(rounds, n, m, d, centre);
    }
  }
  return replaced;
}

function walkBack(
  rounds: readonly Int32Array[],
  n: number,
  m: number,
  differences: number,
  centre: number,
): DiffStep[] {
  const steps: DiffStep[] = [];
  let [x, y] = [n, m];
  for (let d = differences; d > 0; d--) {
    const reach = defined(rounds[d]);
    const k = x - y;
    const down = k === -d || (k !== d && defined(reach[centre + k - 1]) < defined(reach[centre + k + 1]));
    const previous = down ? k + 1 : k - 1;
    const fromX = defined(reach[centre + previous]);
    const fromY = fromX - previous;
    const startX = down ? fromX : fromX + 1;
    push(steps, "keep", x - startX);
    push(steps, down ? "insert" : "delete", 1);
    [x, y] = [fromX, fromY];
  }
  push(steps, "keep", x);
  return steps.reverse();
}
