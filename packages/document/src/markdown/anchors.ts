import { defined } from "../defined.ts";
import { DocumentError } from "../errors.ts";
import { type KeysOf, matchBlocks, type Pair, sameBlocks } from "../match.ts";
import type { NewId, Node } from "../types.ts";
import { anchorComment, mayHaveAnchors } from "./anchor-comment.ts";
import { readChangedPart } from "./changed-part.ts";
import { type Anchor, readAnchoredBlocks } from "./parse-blocks.ts";
import { keyOf, reconcile, sameButIds, withIds } from "./reconcile.ts";
import { wordsOf } from "./restyle.ts";
import { missingEnd } from "./rules/html-block.ts";
import { type Markdown, serialiseBlock } from "./serialise.ts";
import { type Token, tokenize } from "./tokenizer.ts";
import { trimBlanksEnd } from "./trim.ts";

const idOf = (block: Node): string => (typeof block.attrs?.id === "string" ? block.attrs.id : "");
const markdownOf = (block: Node): string => serialiseBlock(block).text;

/** The Markdown of one block; the server may answer from memory. */
type MarkdownOf = (block: Node) => string;

/** Puts a block's anchor before its Markdown, which ends before the next anchor. `slug` is for headings. */
export function anchorBlock(id: string, slug: string | undefined, markdown: string): string {
  const missing = missingEnd(markdown);
  return `${anchorComment(id, slug)}\n${markdown}\n${missing ? `${missing}\n` : ""}`;
}

/** Blocks with an anchor comment before each; `slugs` maps heading ids to their slugs. */
export function serialiseAnchored(blocks: readonly Node[], slugs: ReadonlyMap<string, string>): Markdown {
  const written = blocks.map((block) => ({ id: idOf(block), ...serialiseBlock(block) }));
  const text = written.map(({ id, text }) => anchorBlock(id, slugs.get(id), text)).join("\n");
  return { text, warnings: written.flatMap(({ warnings }) => warnings) };
}

/** Answers the stored block an anchor names, refusing ids that are there twice or not known. */
function anchorLookup(previous: readonly Node[]): (anchor: Anchor) => Node {
  const known = new Map(previous.map((block) => [idOf(block), block]));
  const seen = new Set<string>();
  return ({ id, line }) => {
    const details = { block_id: id, line };
    if (seen.has(id)) throw new DocumentError("duplicate_anchor", `The anchor of ${id} is there twice.`, details);
    const stored = known.get(id);
    if (!stored) throw new DocumentError("unknown_anchor", `No top-level block has the id ${id}.`, details);
    seen.add(id);
    return stored;
  };
}

const isBlank = (line: string): boolean => /^[ \t]*$/.test(line);

/** Lines of the source, and for each top-level token that begins a block the lines it covers. */
interface Source {
  readonly lines: readonly string[];
  /** Line numbers that no top-level block runs across: a text may end there. */
  readonly ends: ReadonlySet<number>;
}

function readSource(text: string, tokens: readonly Token[]): Source {
  const lines = text.split(/\r\n?|\n/);
  const ends = new Set<number>([lines.length]);
  for (const token of tokens) {
    if (token.level !== 0 || token.nesting < 0 || !token.map) continue;
    let end = token.map[1];
    while (end > token.map[0] && isBlank(lines[end - 1]!)) end--;
    ends.add(end);
  }
  return { lines, ends };
}

/** The line after the given Markdown if it stands at `start` and a block ends with it, else null. */
function endOf(source: Source, start: number, markdown: string): number | null {
  let first = start;
  while (first < source.lines.length && isBlank(source.lines[first]!)) first++;
  // As it was sent: UTF-8 has no half surrogate pairs.
  const wanted = markdown.toWellFormed().split("\n");
  const end = first + wanted.length;
  const last = wanted.pop()!;
  if (!source.ends.has(end) || trimBlanksEnd(source.lines[end - 1]!) !== trimBlanksEnd(last)) return null;
  return wanted.every((line, i) => line === source.lines[first + i]) ? end : null;
}

interface ParseOptions {
  readonly writeMarkdown?: MarkdownOf;
  /** A block without an anchor keeps the id of the stored block that its content matches. */
  readonly matchIds?: boolean;
  /** The Markdown that the previous body was read from, if it is known: what is the same there is not read again. */
  readonly source?: string | undefined;
  /** The Markdown that gave the previous body its style: blocks are known again by its words as well. */
  readonly style?: string | undefined;
}

/** A block that was read, and which stored one its anchor names. */
interface ReadBlock {
  readonly block: Node;
  readonly stored: Node | null;
}

/**
 * Reads Markdown with or without anchors over the previous body. A block whose anchor is kept keeps its id, and is kept
 * as it was stored when its text is what was written for it; where the text changed, nested blocks that still match
 * keep their ids. Everything else gets new ids, unless `matchIds` finds the block that it was.
 */
export function parseAnchored(
  text: string,
  previous: readonly Node[],
  newId: NewId,
  { writeMarkdown = markdownOf, matchIds = false, source: earlier, style }: ParseOptions = {},
): Node[] {
  const isMatched = matchIds && earlier !== undefined && !mayHaveAnchors(text);
  const changed = isMatched ? readChangedPart({ source: earlier, blocks: previous }, text) : undefined;
  if (changed) {
    const { start, tail, read } = changed;
    const end = previous.length - tail;
    const part = matchStored(read.map(withoutAnchor), previous.slice(start, end), writeMarkdown);
    return [...previous.slice(0, start), ...part.map((block) => withIds(block, newId)), ...previous.slice(end)];
  }
  const storedUnder = anchorLookup(previous);
  const styled = styledWords(style, previous);
  const tokens = tokenize(text);
  let source: Source | undefined;
  const blocks: ReadBlock[] = [];
  let keptUntil = 0;
  readAnchoredBlocks(tokens, (block, anchor, line) => {
    if (!anchor) {
      // Text of a kept block beyond its first block is already part of that block.
      if (line >= keptUntil) blocks.push(withoutAnchor(block));
      return;
    }
    const stored = storedUnder(anchor);
    source ??= readSource(text, tokens);
    const words = styled(stored);
    const styledEnd = words === undefined ? null : endOf(source, anchor.line, words);
    const end = styledEnd ?? endOf(source, anchor.line, writeMarkdown(stored));
    if (end !== null) keptUntil = end;
    blocks.push({ block: end === null ? withIds(reconcile(stored, block), newId, anchor.id) : stored, stored });
  });
  const matched = matchIds ? matchStored(blocks, previous, writeMarkdown) : blocks.map(({ block }) => block);
  return matched.map((block) => withIds(block, newId));
}

/** The words of each block in a source, which is looked through when they are first asked for. */
function styledWords(source: string | undefined, blocks: readonly Node[]): (block: Node) => string | undefined {
  let words: Map<Node, string | undefined> | undefined;
  return (block) => {
    if (source === undefined) return undefined;
    if (!words) {
      const all = wordsOf(source, blocks);
      words = new Map(blocks.map((one, i) => [one, all[i]]));
    }
    return words.get(block);
  };
}

const withoutAnchor = (block: Node): ReadBlock => ({ block, stored: null });

/** The blocks that were read; one takes the id of the stored block that its content matches, others have no id. */
export const matchByContent = (read: readonly Node[], previous: readonly Node[], writeMarkdown: MarkdownOf): Node[] =>
  matchStored(read.map(withoutAnchor), previous, writeMarkdown);

/** The blocks; one without an anchor takes the id of the stored block that its content matches. */
function matchStored(blocks: readonly ReadBlock[], previous: readonly Node[], writeMarkdown: MarkdownOf): Node[] {
  const places = new Map(previous.map((block, place) => [block, place]));
  const known = blocks.flatMap(({ stored }, i): Pair[] => (stored ? [[places.get(stored)!, i]] : []));
  const result = blocks.map(({ block }) => block);
  const keys = new Map<Node, string>();
  const keysOf: KeysOf = {
    old: (block) => `${block.type} ${writeMarkdown(block)}`,
    current: (block) => keys.get(block) ?? keys.set(block, keyOf(block)).get(block)!,
    isSame: sameButIds,
  };
  for (const [place, i] of matchBlocks(previous, result, known, keysOf, true)) {
    if (defined(blocks[i]).stored) continue;
    const stored = previous[place]!;
    result[i] = sameBlocks(stored, result[i]!, keysOf) ? stored : reconcile(stored, result[i]!);
  }
  return result;
}
