import { defined } from "@svc/document/defined";
import type { TextBlock } from "./text-blocks.ts";

type Block = Pick<TextBlock, "id" | "kind" | "hash">;

/**
 * Pairs blocks of two lists that are not linked yet. Compares each run of free blocks with the run after the same
 * linked block in the other list, from the front and then from the back, while the kinds match. Skips blocks for which
 * `isFree` and `linkOf` return nothing. Returns left id → right id.
 */
export function pairRuns(
  left: readonly Block[],
  right: readonly Block[],
  /** The right id that a left block is linked to; undefined if it is free; null if it is excluded. */
  linkOf: (leftId: string) => string | undefined | null,
  isFree: (rightId: string) => boolean,
): Map<string, string> {
  const linked = new Set<string>();
  const leftRuns = runsOf(left, ({ id }) => {
    const link = linkOf(id);
    if (typeof link === "string") linked.add(link);
    return link;
  });
  const rightRuns = runsOf(right, ({ id }) => (linked.has(id) ? id : isFree(id) ? undefined : null));
  const pairs = new Map<string, string>();
  for (const [anchor, run] of leftRuns) pairRun(run, rightRuns.get(anchor) ?? [], pairs);
  return pairs;
}

/** Groups free blocks by the linked block before them; the first run has the empty anchor. */
function runsOf(blocks: readonly Block[], anchorOf: (block: Block) => string | undefined | null): Map<string, Block[]> {
  const runs = new Map<string, Block[]>();
  let anchor = "";
  for (const block of blocks) {
    const own = anchorOf(block);
    if (typeof own === "string") anchor = own;
    else if (own === undefined) {
      const run = runs.get(anchor);
      if (run) run.push(block);
      else runs.set(anchor, [block]);
    }
  }
  return runs;
}

function pairRun(left: readonly Block[], right: readonly Block[], pairs: Map<string, string>): void {
  const most = Math.min(left.length, right.length);
  let front = 0;
  while (front < most && defined(left[front]).kind === defined(right[front]).kind) {
    pairs.set(defined(left[front]).id, defined(right[front]).id);
    front++;
  }
  for (let back = 1; back <= most - front; back++) {
    const [one, other] = [defined(left.at(-back)), defined(right.at(-back))];
    if (one.kind !== other.kind) return;
    pairs.set(one.id, other.id);
  }
}

/**
 * Matches new blocks to removed ones: a write without ids (Markdown without anchors) gives every block a new id.
 * Matches equal lines first, then by position. Returns old id → new id.
 */
export function matchReplaced(before: readonly Block[], after: readonly Block[]): Map<string, string> {
  const old = new Set(before.map(({ id }) => id));
  const current = new Set(after.map(({ id }) => id));
  const added = after.filter(({ id }) => !old.has(id));
  if (added.length === 0) return new Map();
  const same = matchSame(
    before.filter(({ id }) => !current.has(id)),
    added,
  );
  const taken = new Set(same.values());
  const linkOf = (id: string) => (current.has(id) ? id : same.get(id));
  const isFree = (id: string) => !old.has(id) && !taken.has(id);
  return new Map([...same, ...pairRuns(before, after, linkOf, isFree)]);
}

function matchSame(gone: readonly Block[], added: readonly Block[]): Map<string, string> {
  const byLine = new Map<string, string[]>();
  for (const { id, kind, hash } of added) {
    if (hash === null) continue;
    const key = `${kind} ${hash}`;
    const ids = byLine.get(key);
    if (ids) ids.push(id);
    else byLine.set(key, [id]);
  }
  for (const ids of byLine.values()) ids.reverse();
  const pairs = new Map<string, string>();
  for (const { id, kind, hash } of gone) {
    const other = byLine.get(`${kind} ${hash}`)?.pop();
    if (other !== undefined) pairs.set(id, other);
  }
  return pairs;
}
