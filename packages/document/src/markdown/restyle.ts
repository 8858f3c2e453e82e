import { defined } from "../defined.ts";
import { longestIncreasing } from "../longest-increasing.ts";
import type { Node } from "../types.ts";
import { parseMarkdown } from "./parse.ts";
import { readAnchoredBlocks } from "./parse-blocks.ts";
import { missingEnd } from "./rules/html-block.ts";
import { serialiseBlock, serialiseBody } from "./serialise.ts";
import { endOf, gapBetween } from "./serialise-parts.ts";
import { BYTE_ORDER_MARK, tokenize, withoutMark } from "./tokenizer.ts";

/**
 * Serialises a body in the style of a source text that it was once parsed from. Blocks that the source contains keep
 * their source text; other blocks are serialised, and so are blocks that would parse differently next to them. Returns
 * undefined if the result would still not parse to this body.
 */
export function restyle(source: string, blocks: readonly Node[]): string | undefined {
  const plain = withoutMark(source);
  const isWindows = /\r\n/.test(plain) && !/(?:^|[^\r])\n|\r(?!\n)/.test(plain);
  const text = restyleLines(readPieces(isWindows ? plain.replaceAll("\r\n", "\n") : plain), blocks);
  if (text === undefined) return undefined;
  return (plain === source ? "" : BYTE_ORDER_MARK) + (isWindows ? text.replaceAll("\n", "\r\n") : text);
}

/**
 * The blocks to serialise again in each attempt: of blocks in a row that parse differently only the last, then all of
 * them, then also this many blocks around them.
 */
const ATTEMPTS = ["last", 0, 1, 4] as const;

function restyleLines(source: Source, blocks: readonly Node[]): string | undefined {
  const wanted = serialiseBody(blocks).text;
  const anew = new Set<number>();
  for (const around of [...ATTEMPTS, undefined]) {
    const text = assemble(source, blocks, anew);
    const read = parseMarkdown(text);
    if (serialiseBody(read).text === wanted) return text;
    if (around === undefined) break;
    const places = readOtherwise(blocks, read);
    const reach = around === "last" ? 0 : around;
    for (const place of around === "last" ? places.filter((i, n) => places[n + 1] !== i + 1) : places)
      for (let i = place - reach; i <= place + reach; i++) anew.add(i);
  }
  return undefined;
}

/** The positions of blocks that are missing, or out of order, in the parsed text. */
function readOtherwise(blocks: readonly Node[], read: readonly Node[]): number[] {
  const places = new Map<string, number[]>();
  for (let i = read.length - 1; i >= 0; i--) {
    const key = keyOf(defined(read[i]));
    const others = places.get(key);
    if (others) others.push(i);
    else places.set(key, [i]);
  }
  const found = blocks.map((block) => places.get(keyOf(block))?.pop());
  const there = found.flatMap((place, i) => (place === undefined ? [] : [{ place, i }]));
  const inOrder = new Set(longestIncreasing(there.map(({ place }) => place)).map((n) => defined(there[n]).i));
  return blocks.flatMap((_, i) => (inOrder.has(i) ? [] : [i]));
}

/** A range of source lines with the blocks that it parses to, and the lines up to the next range. */
interface Piece {
  readonly blocks: readonly Node[];
  readonly text: string;
  /** Blank lines, and definitions of references. */
  readonly gap: string;
}

interface Source {
  /** The text before the first piece. */
  readonly head: string;
  readonly pieces: readonly Piece[];
}

function readPieces(source: string): Source {
  const tokens = tokenize(source);
  const lines = source.split(/(?<=\n)/);
  const starts: number[] = [];
  const found = new Map<number, Node[]>();
  readAnchoredBlocks(tokens, (block, _anchor, line) => {
    if (!found.has(line)) {
      found.set(line, []);
      starts.push(line);
    }
    defined(found.get(line)).push(block);
  });
  /** The end of the last top-level token that begins before a line. */
  const ends = tokens.flatMap((token) => (token.level === 0 && token.map ? [token.map] : []));
  let next = 0;
  const pieces = starts.map((start, i): Piece => {
    const limit = starts[i + 1] ?? lines.length;
    let end = start + 1;
    for (; next < ends.length && defined(ends[next])[0] < limit; next++) end = Math.max(end, defined(ends[next])[1]);
    while (end > start + 1 && /^[ \t]*\n?$/.test(defined(lines[end - 1]))) end--;
    const text = lines.slice(start, end).join("");
    const bare = text.replace(/\n$/, "");
    return { blocks: found.get(start)!, text: bare, gap: text.slice(bare.length) + lines.slice(end, limit).join("") };
  });
  return { head: lines.slice(0, starts[0] ?? lines.length).join(""), pieces };
}

/**
 * Returns the source text of each block. Undefined for a block that the source does not contain, or whose text parses
 * differently by itself, because links may refer to definitions elsewhere.
 */
export function wordsOf(source: string, blocks: readonly Node[]): readonly (string | undefined)[] {
  if (source.length > MAX_SOURCE) return [];
  const read = readPieces(withoutMark(source).replaceAll("\r\n", "\n"));
  return choose(read, blocks, new Set()).flatMap((part) => {
    if (typeof part !== "number") return [undefined];
    const { blocks: own, text } = defined(read.pieces[part]);
    return own.map((block) => (own.length === 1 && saysAlone(text, block) ? text : undefined));
  });
}

/** Max characters of a source that is searched for the text of blocks. */
const MAX_SOURCE = 300_000;

/** Whether a text between two anchors parses to this block. */
function saysAlone(text: string, block: Node): boolean {
  const missing = missingEnd(text);
  const [only, anchored, ...more] = parseMarkdown(`${text}\n${missing ? `${missing}\n` : ""}\n<!-- -->\nx\n`);
  return only !== undefined && keyOf(only) === keyOf(block) && anchored?.type === "paragraph" && more.length === 0;
}

const keyOf = (block: Node): string => `${block.type} ${serialiseBlock(block).text}`;
const keyOfAll = (blocks: readonly Node[]): string => blocks.map(keyOf).join("\n\0");

/** Max pieces with the same first block that are compared for one block. */
const MAX_CANDIDATES = 20;

/** Chooses the earliest unused piece of the source for each run of blocks. */
function choose({ pieces }: Source, blocks: readonly Node[], anew: ReadonlySet<number>): (number | Node)[] {
  /** Pieces by the key of their first block, the earliest last, because removing the last entry is cheap. */
  const byFirst = new Map<string, number[]>();
  for (let i = pieces.length - 1; i >= 0; i--) {
    const key = keyOf(defined(pieces[i]).blocks[0]!);
    const others = byFirst.get(key);
    if (others) others.push(i);
    else byFirst.set(key, [i]);
  }
  const chosen: (number | Node)[] = [];
  for (let at = 0; at < blocks.length; ) {
    const candidates = byFirst.get(keyOf(defined(blocks[at]))) ?? [];
    const nearest = candidates.slice(-MAX_CANDIDATES);
    const place = nearest.findLastIndex((i) => {
      const wanted = defined(pieces[i]).blocks;
      if (wanted.some((_, n) => anew.has(at + n))) return false;
      return wanted.length === 1 || keyOfAll(wanted) === keyOfAll(blocks.slice(at, at + wanted.length));
    });
    const [piece] = place < 0 ? [] : candidates.splice(candidates.length - nearest.length + place, 1);
    chosen.push(piece ?? defined(blocks[at]));
    at += piece === undefined ? 1 : defined(pieces[piece]).blocks.length;
  }
  return chosen;
}

function assemble(source: Source, blocks: readonly Node[], anew: ReadonlySet<number>): string {
  const chosen = choose(source, blocks, anew);
  const { pieces } = source;
  const dropped = new Set(pieces.keys());
  const startsAsBefore = chosen[0] === 0 || source.head.trim() === "";
  let text = startsAsBefore ? source.head : "";
  chosen.forEach((part, n) => {
    const following = chosen[n + 1];
    text += typeof part === "number" ? defined(pieces[part]).text : serialiseBlock(part).text;
    const isLast = n === chosen.length - 1;
    const goesOn = typeof part === "number" && (isLast ? part === pieces.length - 1 : following === part + 1);
    if (goesOn) {
      dropped.delete(part);
      text += defined(pieces[part]).gap;
    } else if (isLast) text += "\n";
    else text += gapBetween(endOfPart(part, pieces), firstType(following!, pieces));
  });
  const lost = [...dropped]
    .map((i) => defined(pieces[i]).gap.trim())
    .concat(startsAsBefore ? [] : [source.head.trim()]);
  const definitions = lost.filter((gap) => gap !== "");
  return definitions.length === 0 ? text : `${text.replace(/\n*$/, "\n\n")}${definitions.join("\n")}\n`;
}

function endOfPart(part: number | Node, pieces: readonly Piece[]): string {
  if (typeof part !== "number") return endOf(part, serialiseBlock(part).text);
  const { blocks, text } = defined(pieces[part]);
  return endOf(defined(blocks.at(-1)), text);
}
const firstType = (part: number | Node, pieces: readonly Piece[]): string =>
  typeof part === "number" ? defined(defined(pieces[part]).blocks[0]).type : part.type;
