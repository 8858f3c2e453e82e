import { defined } from "../defined.ts";
import { endsWithMark, MARK } from "../markdown/changed-part.ts";
import { parseMarkdown } from "../markdown/parse.ts";
import { readBlocks } from "../markdown/parse-blocks.ts";
import { sameButIds } from "../markdown/reconcile.ts";
import { type Token, tokenize } from "../markdown/tokenizer.ts";
import { hasBlockId } from "../schema/nodes.ts";
import type { Node } from "../types.ts";
import type { EditedRun } from "./edited-run.ts";
import { areLists } from "./join-lists.ts";
import type { SpanText } from "./source-text.ts";

/** The blocks that a run is read as after the replacement. */
export interface ReadRun {
  /** The stored blocks that they replace: those of the run, and neighbours that they became part of. */
  readonly first: number;
  readonly last: number;
  readonly blocks: readonly Node[];
  readonly tokens: readonly Token[];
  /** Lines of context that stand before the run in the text of the tokens. */
  readonly linesBefore: number;
}

/** The position of a neighbour that would be read differently. */
interface ChangedNeighbour {
  readonly changed: number;
}

/**
 * Reads the replaced text of a run as it would be read within the page: a list or a footnote before it may take in what
 * it begins with, what it leaves open takes in the block after it, and lists side by side become one.
 */
export function readRun(
  stored: readonly Node[],
  source: SpanText,
  run: EditedRun,
  text: string,
): ReadRun | ChangedNeighbour {
  const { first, last } = run;
  const left = first > 0 && takesInMore(defined(stored[first - 1])) && mayContinue(text);
  let within = readWithin(source, run, text, { left, right: false });
  if (!within) return { changed: last + 1 };
  const right = areLists(within.blocks.at(-1), stored[last + 1]);
  if (right) within = readWithin(source, run, text, { left, right });
  if (!within) return { changed: last + 2 };
  const before = left ? contextIn(source, first - 1) : [];
  const after = right ? contextIn(source, last + 1) : [];
  const start = readAlike(before, within.blocks, "start");
  const tail = readAlike(after, within.blocks, "end");
  if (start === undefined) return { changed: first - 1 };
  if (tail === undefined) return { changed: last + 1 };
  return {
    ...within,
    blocks: within.blocks.slice(start, within.blocks.length - tail),
    first: left && start === 0 ? first - 1 : first,
    last: right && tail === 0 ? last + 1 : last,
  };
}

const takesInMore = ({ type }: Node): boolean => areLists({ type }, { type }) || type === "footnoteDefinition";

/** Whether a text may go on with the list or footnote before it: it has nothing to see, is indented, or begins a list. */
function mayContinue(text: string): boolean {
  const begin = text.length - text.trimStart().length;
  const line = text.lastIndexOf("\n", begin - 1) + 1;
  return begin === text.length || /[ \t\-+*\d[<]/.test(text[line] ?? "");
}

const contextIn = ({ text, starts, ends }: SpanText, position: number): readonly Node[] =>
  parseMarkdown(text.slice(starts[position], ends[position]));

/** Reads a run with the neighbours that it may join; undefined if it would take in the block after them. */
function readWithin(
  { text: page, starts, ends }: SpanText,
  { first, last }: EditedRun,
  text: string,
  { left, right }: { readonly left: boolean; readonly right: boolean },
): Omit<ReadRun, "first" | "last"> | undefined {
  const before = left ? page.slice(starts[first - 1], starts[first]) : "";
  const after = right ? page.slice(ends[last], ends[last + 1]) : "";
  const end = right ? last + 1 : last;
  const gap = end + 1 < starts.length ? page.slice(ends[end], starts[end + 1]) : undefined;
  const all = tokenize(before + text + after + (gap === undefined ? "" : gap + MARK));
  if (gap !== undefined && !endsWithMark(all)) return undefined;
  const tokens = gap === undefined ? all : all.slice(0, -3);
  return {
    blocks: readBlocks(tokens),
    tokens,
    linesBefore: before.split("\n").length - 1,
  };
}

/**
 * How many of the blocks at one end are the neighbour, read as it is read alone. 0 where it only grew; undefined where
 * it is read differently.
 */
function readAlike(alone: readonly Node[], blocks: readonly Node[], at: "start" | "end"): number | undefined {
  const end = (nodes: readonly Node[], count: number) => (at === "start" ? nodes.slice(0, count) : nodes.slice(-count));
  if (alone.length === 0 || areAlike(alone, end(blocks, alone.length))) return alone.length;
  const [neighbour] = alone;
  const [grown] = end(blocks, 1);
  if (!neighbour || !grown || alone.length > 1 || neighbour.type !== grown.type) return undefined;
  const items = neighbour.content ?? [];
  const others = grown.content ?? [];
  return areAlike(items, end(others, items.length)) || (at === "start" && hasGrown(neighbour, grown)) ? 0 : undefined;
}

const areAlike = (some: readonly Node[], others: readonly Node[]): boolean =>
  some.length === others.length && some.every((one, i) => sameButIds(one, defined(others[i])));

/** Whether a container has all that it had, and more behind it or at the end of its last part. */
function hasGrown(container: Node, grown: Node): boolean {
  const parts = container.content ?? [];
  const others = grown.content ?? [];
  const last = parts.length - 1;
  if (container.type !== grown.type || last < 0 || others.length <= last || !hasBlockId(defined(parts[0]).type))
    return false;
  if (!areAlike(parts.slice(0, last), others.slice(0, last))) return false;
  return (
    sameButIds(defined(parts[last]), defined(others[last])) || hasGrown(defined(parts[last]), defined(others[last]))
  );
}
