import { defined } from "../defined.ts";
import { splitReadable } from "../properties/front-matter.ts";
import { isWikiPicture, WIKI } from "./rules/wiki-link.ts";
import { type Token, tokenize, unescapeAll } from "./tokenizer.ts";

/** The range of an address in a Markdown text: in a link, a picture, a reference or an HTML tag. */
interface Destination {
  readonly start: number;
  /** The end of the range, which includes brackets around the address. */
  readonly end: number;
  /** The address. For `![[picture.png]]`, whose range is the whole construct, it is prefixed with `wiki:`. */
  readonly value: string;
}

/** Longer addresses are ignored, so that scanning takes linear time for every text. */
const MAX_ADDRESS = 2000;

/** Finds every address of a text, in order. Skips front matter, code and formulas. */
export function findDestinations(text: string): Destination[] {
  const { body } = splitReadable(text);
  const offset = text.length - body.length;
  const starts = lineStarts(body);
  const found: Destination[] = [];
  for (const region of regionsOf(tokenize(body), starts.length - 1)) {
    const [start, end] = [defined(starts[region.from]), defined(starts[region.to])];
    for (const one of new Scanner(body.slice(start, end), region.addresses).scan())
      found.push({ start: one.start + start + offset, end: one.end + start + offset, value: one.value });
  }
  return found.sort((a, b) => a.start - b.start);
}

/** Replaces addresses; an address stays if `replace` returns undefined. A wiki picture is replaced as a whole. */
export function replaceDestinations(text: string, replace: (value: string) => string | undefined): string {
  let [result, done] = ["", 0];
  for (const { start, end, value } of findDestinations(text)) {
    const next = start < done ? undefined : replace(value);
    if (next === undefined) continue;
    result += text.slice(done, start) + next;
    done = end;
  }
  return result + text.slice(done);
}

/** Start offsets of all lines, and the end of the last. */
function lineStarts(text: string): number[] {
  const starts = [0];
  for (const { index, 0: lineEnd } of text.matchAll(/\r\n?|\n/g)) starts.push(index + lineEnd.length);
  if (starts.at(-1) !== text.length) starts.push(text.length);
  return starts;
}

/** Lines that are scanned together, and the addresses that the parser found there; null: only tags and references. */
interface Region {
  readonly from: number;
  readonly to: number;
  readonly addresses: ReadonlySet<string> | null;
}

const isClosed = (token: Token): boolean => ["fence", "code_block", "math_block"].includes(token.type);

function regionsOf(tokens: readonly Token[], lines: number): Region[] {
  const owner = new Int32Array(lines).fill(-1);
  const addresses: Set<string>[] = [];
  const claim = ([from, to]: readonly [number, number], region: number) =>
    owner.fill(region, from, Math.min(to, lines));
  let map: readonly [number, number] | null = null;
  for (const token of tokens) {
    map = token.map ?? map;
    if (!map) continue;
    if (isClosed(token)) claim(map, -2);
    else if (token.type === "html_block") claim(map, addresses.push(new Set()) - 1);
    else if (token.type === "inline") {
      const shared = owner[map[0]] ?? -1;
      if (shared < 0) claim(map, addresses.push(new Set()) - 1);
      for (const address of addressesIn(token.children ?? [])) addresses[owner[map[0]]!]?.add(address);
    }
  }
  const regions: Region[] = [];
  for (let from = 0, to = 0; from < lines; from = to) {
    const region = owner[from]!;
    for (to = from + 1; to < lines && region !== -1 && owner[to] === region; ) to++;
    if (region !== -2) regions.push({ from, to, addresses: region === -1 ? null : addresses[region]! });
  }
  return regions;
}

function* addressesIn(children: readonly Token[]): Generator<string> {
  for (const token of children) {
    if (token.type === "image") yield String(token.attrGet("src"));
    else if (token.type === "link_open") yield String(token.attrGet("href"));
  }
}

const RUNS = /`+/g;
const TAG = /<(?:img|a)(?=[\s/])[^<>]{0,4000}>/iy;
const ATTRIBUTE = /(?<=\s)(?:src|href)\s*=\s*(?:"([^"]*)"|'([^']*)')/gi;
const REFERENCE = /^[\s>*+\-\d.)]{0,200}\[(?!\^)[^[\]\n]{1,999}\]:[ \t]*/y;
const WIKI_PICTURE = /!\[\[([^[\]|\n\\]{1,500})(?:\\?\|[^[\]|\n\\]{1,500}){0,2}\]\]/y;

interface Runs {
  readonly places: number[];
  next: number;
}

function findRuns(text: string): ReadonlyMap<number, Runs> {
  const runs = new Map<number, Runs>();
  for (const { index, 0: run } of text.matchAll(RUNS)) {
    const known = runs.get(run.length);
    if (known) known.places.push(index);
    else runs.set(run.length, { places: [index], next: 0 });
  }
  return runs;
}

/** Scans the lines of one region. */
class Scanner {
  readonly #text: string;
  readonly #addresses: ReadonlySet<string> | null;
  /** Offsets of backtick runs by length, the next one first. */
  readonly #runs: ReadonlyMap<number, Runs>;
  readonly #found: Destination[] = [];
  /** Max characters that may still be read as addresses. Real addresses never reach it: each is read once. */
  #budget: number;

  constructor(text: string, addresses: ReadonlySet<string> | null) {
    this.#text = text;
    this.#budget = 4 * text.length + MAX_ADDRESS;
    this.#addresses = addresses;
    this.#runs = findRuns(text);
  }

  scan(): Destination[] {
    const text = this.#text;
    this.#reference();
    for (let at = 0; at < text.length; ) at = this.#step(at);
    return this.#found;
  }

  #step(at: number): number {
    const text = this.#text;
    const character = text[at];
    if (character === "\\") return at + 2;
    if (character === "`") return this.#afterCode(at);
    if (character === "<") return this.#tag(at);
    if (this.#addresses === null) return at + 1;
    if (character === "!" && text.startsWith("![[", at)) return this.#wikiPicture(at);
    if (character === "]" && text[at + 1] === "(") this.#destination(at + 2);
    return at + 1;
  }

  /** The offset after a code span, or after the backticks alone if none closes them. */
  #afterCode(at: number): number {
    let end = at;
    while (this.#text[end] === "`") end++;
    const runs = this.#runs.get(end - at);
    while (runs && (runs.places[runs.next] ?? at + 1) <= at) runs.next++;
    const closing = runs?.places[runs.next];
    return closing === undefined ? end : closing + end - at;
  }

  #tag(at: number): number {
    TAG.lastIndex = at;
    const [tag] = TAG.exec(this.#text) ?? [];
    if (tag === undefined) return at + 1;
    for (const { index, 0: attribute, 1: double, 2: single } of tag.matchAll(ATTRIBUTE)) {
      const value = double ?? single ?? "";
      const end = at + index + attribute.length - 1;
      this.#add(end - value.length, end, value.replaceAll("&amp;", "&"));
    }
    return at + tag.length;
  }

  #wikiPicture(at: number): number {
    WIKI_PICTURE.lastIndex = at;
    const [whole, target = ""] = WIKI_PICTURE.exec(this.#text) ?? [];
    if (whole === undefined) return at + 1;
    if (isWikiPicture(target) && this.#addresses?.has(WIKI + target)) this.#add(at, at + whole.length, WIKI + target);
    return at + whole.length;
  }

  #reference(): void {
    REFERENCE.lastIndex = 0;
    if (this.#addresses === null && REFERENCE.test(this.#text)) this.#destination(REFERENCE.lastIndex);
  }

  /** Adds a link's address, with or without brackets, if the parser has found it as well. */
  #destination(from: number): void {
    if (this.#budget < 0 || this.#addresses?.size === 0) return;
    const start = from + /^\s*/.exec(this.#text.slice(from, from + 200))![0].length;
    const end = this.#text[start] === "<" ? this.#afterBrackets(start) : this.#afterAddress(start);
    this.#budget -= (end ?? start + MAX_ADDRESS) - start;
    if (end === undefined || end === start) return;
    const raw = this.#text.slice(start, end);
    const value = unescapeAll(raw.startsWith("<") ? raw.slice(1, -1) : raw);
    if (this.#addresses === null || this.#addresses.has(value)) this.#add(start, end, value);
  }

  #afterBrackets(start: number): number | undefined {
    const [bracketed] = /^<(?:[^<>\n\\]|\\.)*>/.exec(this.#text.slice(start, start + MAX_ADDRESS)) ?? [];
    return bracketed === undefined ? undefined : start + bracketed.length;
  }

  /** The end of an address without brackets: white space, or a closing parenthesis that the address did not open. */
  #afterAddress(start: number): number | undefined {
    const most = Math.min(this.#text.length, start + MAX_ADDRESS);
    let depth = 0;
    for (let at = start; at < most; at++) {
      const code = this.#text.charCodeAt(at);
      if (code === 92) at++;
      else if (code <= 32 || code === 127) return at;
      else if (code === 40) depth++;
      else if (code === 41 && depth-- === 0) return at;
    }
    return most === this.#text.length ? most : undefined;
  }

  #add(start: number, end: number, value: string): void {
    if (value !== "" && value.length <= MAX_ADDRESS) this.#found.push({ start, end, value });
  }
}
