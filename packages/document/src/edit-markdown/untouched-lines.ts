import { type Token, tokenizeBlocks } from "../markdown/tokenizer.ts";
import type { Place } from "./places.ts";
import type { ReadRun } from "./read-run.ts";
import { firstIndex } from "./source-text.ts";

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

/** Lines of the old text that a replacement touches, `to` not included. */
interface TouchedLines {
  readonly from: number;
  readonly to: number;
  /** How many lines this replacement and those before it add. */
  readonly added: number;
}

const lineEndsIn = (text: string): number => text.split("\n").length - 1;

/** The lines that places of a text touch. A place that ends with a line end does not touch the line after it. */
export function linesOf(text: string, places: readonly Place[], by: string): readonly TouchedLines[] {
  const brought = lineEndsIn(by);
  let [at, line, added] = [0, 0, 0];
  return places.map(({ from, to }) => {
    const part = text.slice(from, to);
    const first = line + lineEndsIn(text.slice(at, from));
    line = first + lineEndsIn(part);
    at = to;
    added += brought - lineEndsIn(part);
    return { from: first, to: part.endsWith("\n") ? line : line + 1, added };
  });
}

/**
 * The first line of the old text that the replacement does not touch and that would be read differently: a row that is
 * no row any more although the head of its table stays, or text within a fence that is still open. Undefined if there is
 * none.
 */
export function changedLine(
  old: string,
  text: string,
  { tokens, linesBefore, blocks }: ReadRun,
  touched: readonly TouchedLines[],
): number | undefined {
  if (blocks.length === 1 && blocks[0]?.type === "table" && blocks[0].content?.length === lineEndsIn(text))
    return undefined;
  const leaves = leavesOf(tokens);
  const mayHaveRows = old.includes("| -") || old.includes("| :");
  if (!mayHaveRows && !leaves.some(({ kind }) => kind === "verbatim")) return undefined;
  const rows = new Set(leaves.flatMap(({ kind, from }) => (kind === "row" ? [from] : [])));
  const covered = new Map(leaves.filter(({ kind }) => kind === "verbatim").flatMap((leaf) => linesIn(leaf)));
  const after = (line: number): number => firstIndex(touched, ({ to }) => to > line);
  const isTouched = (from: number, to: number): boolean => (touched[after(from)]?.from ?? to) < to;
  const lineAfter = (line: number): number => linesBefore + line + (touched[after(line) - 1]?.added ?? 0);
  const isChanged = ({ kind, from, to }: Leaf): boolean => {
    if (isTouched(from, to)) return false;
    const line = lineAfter(from);
    return kind === "row" ? !rows.has(line) : covered.get(line) !== (kind === "verbatim" ? line : undefined);
  };
  const oldTokens = tokenizeBlocks(old);
  const headless = oldTokens.filter(({ type, map }) => type === "table_open" && map && isTouched(map[0], map[0] + 2));
  const isLeft = ({ from }: Leaf) => !headless.some(({ map }) => map && map[0] <= from && from < map[1]);
  return leavesOf(oldTokens).find((leaf) => isLeft(leaf) && isChanged(leaf))?.from;
}

const linesIn = ({ from, to }: Leaf): [line: number, start: number][] =>
  Array.from({ length: to - from }, (_, i) => [from + i, from]);
