import { type Token, tokenizeBlocks } from "../markdown/tokenizer.ts";
import type { ReadRun } from "./read-run.ts";

/** How a line is read: as a row of a table, verbatim, or as text. */
type Kind = "row" | "verbatim" | "text";

interface Leaf {
  readonly kind: Kind;
  readonly from: number;
  readonly to: number;
}

const verbatim: ReadonlySet<string> = new Set(["fence", "code_block", "html_block", "math_block"]);

function leavesOf(tokens: readonly Token[]): Leaf[] {
  const leaves: Leaf[] = [];
  for (const { type, map } of tokens) {
    const kind = type === "tr_open" ? "row" : type === "inline" ? "text" : verbatim.has(type) ? "verbatim" : undefined;
    if (kind && map) leaves.push({ kind, from: map[0], to: map[1] });
  }
  return leaves;
}

/**
 * The first line of the old text that the replacement leaves as it is and that would be read differently: a row that is
 * no row any more although the head of its table stays, or text within a fence that is still open. Undefined if there is
 * none.
 */
export function changedLine(old: string, text: string, { tokens, linesBefore, blocks }: ReadRun): number | undefined {
  const lines = text.split("\n");
  if (blocks.length === 1 && blocks[0]?.type === "table" && blocks[0].content?.length === lines.length - 1)
    return undefined;
  const leaves = leavesOf(tokens);
  const mayHaveRows = old.includes("| -") || old.includes("| :");
  if (!mayHaveRows && !leaves.some(({ kind }) => kind === "verbatim")) return undefined;
  const oldLines = old.split("\n");
  const { start, tail } = sameEnds(oldLines, lines);
  const rows = new Set(leaves.flatMap(({ kind, from }) => (kind === "row" ? [from] : [])));
  const covered = new Map(leaves.filter(({ kind }) => kind === "verbatim").flatMap((leaf) => linesIn(leaf)));
  const isChanged = ({ kind, from, to }: Leaf): boolean => {
    if (isTouched(from, to)) return false;
    const line = linesBefore + (to <= start ? from : from + lines.length - oldLines.length);
    return kind === "row" ? !rows.has(line) : covered.get(line) !== (kind === "verbatim" ? line : undefined);
  };
  const oldTokens = tokenizeBlocks(old);
  const isTouched = (from: number, to: number): boolean => to > start && from < oldLines.length - tail;
  const headless = oldTokens.filter(({ type, map }) => type === "table_open" && map && isTouched(map[0], map[0] + 2));
  const isLeft = ({ from }: Leaf) => !headless.some(({ map }) => map && map[0] <= from && from < map[1]);
  return leavesOf(oldTokens).find((leaf) => isLeft(leaf) && isChanged(leaf))?.from;
}

const linesIn = ({ from, to }: Leaf): [line: number, start: number][] =>
  Array.from({ length: to - from }, (_, i) => [from + i, from]);

/** How many lines both texts begin and end with. */
function sameEnds(a: readonly string[], b: readonly string[]): { readonly start: number; readonly tail: number } {
  const limit = Math.min(a.length, b.length);
  let start = 0;
  while (start < limit && a[start] === b[start]) start++;
  let tail = 0;
  while (tail < limit - start && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  return { start, tail };
}
