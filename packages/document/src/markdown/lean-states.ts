import type { Delimiter, Env, MarkdownIt, StateBlock, StateInline, Token } from "markdown-it";
import { trimBlanksEnd } from "./trim.ts";

// markdown-it's published classes set each of their fields through a helper for old engines: a quarter of the time of
// parsing, as every block and every mark has a token for its beginning and one for its end. These classes have the same
// fields, and take all methods that they do not have from the class they stand for.

type Nesting = -1 | 0 | 1;

class LeanToken implements Omit<Token, `attr${string}`> {
  type: string;
  tag: string;
  attrs: Token["attrs"] = null;
  map: Token["map"] = null;
  nesting: Nesting;
  level: number;
  children: Token[] | null = null;
  content = "";
  markup = "";
  info = "";
  meta: Token["meta"] = null;
  block: boolean;
  hidden = false;

  constructor(type: string, tag: string, nesting: Nesting, level: number, block: boolean) {
    this.type = type;
    this.tag = tag;
    this.nesting = nesting;
    this.level = level;
    this.block = block;
  }
}

const newToken = (type: string, tag: string, nesting: Nesting, level: number, block: boolean): Token =>
  new LeanToken(type, tag, nesting, level, block) as unknown as Token;

export function textToken(content: string, level: number): Token {
  const token = newToken("text", "", 0, level, false);
  token.content = content;
  return token;
}

class LeanBlockState implements Partial<StateBlock> {
  readonly src: string;
  readonly md: MarkdownIt;
  readonly env: Env;
  readonly tokens: Token[];
  /** For each line where it begins and ends, its white space in characters and in columns, and columns of an outer list. */
  readonly bMarks: number[] = [];
  readonly eMarks: number[] = [];
  readonly tShift: number[] = [];
  readonly sCount: number[] = [];
  readonly bsCount: number[] = [];
  blkIndent = 0;
  line = 0;
  lineMax: number;
  tight = false;
  listIndent = -1;
  parentType = "root";
  level = 0;

  constructor(src: string, md: MarkdownIt, env: Env, tokens: Token[]) {
    this.src = src;
    this.md = md;
    this.env = env;
    this.tokens = tokens;
    // Blanks after the last line end are no line.
    const last = trimBlanksEnd(src).length;
    for (let start = 0; start < last; ) {
      const found = src.indexOf("\n", start);
      const end = found < 0 ? src.length : found;
      this.#addLine(start, end);
      start = end + 1;
    }
    this.lineMax = this.bMarks.length;
    this.#addLine(src.length, src.length);
  }

  #addLine(start: number, end: number): void {
    let at = start;
    let columns = 0;
    for (; at < end; at++) {
      const code = this.src.charCodeAt(at);
      if (code === 9) columns += 4 - (columns % 4);
      else if (code === 32) columns++;
      else break;
    }
    this.bMarks.push(start);
    this.eMarks.push(end);
    this.tShift.push(at - start);
    this.sCount.push(columns);
    this.bsCount.push(0);
  }

  push(type: string, tag: string, nesting: Nesting): Token {
    if (nesting < 0) this.level--;
    const token = newToken(type, tag, nesting, this.level, true);
    if (nesting > 0) this.level++;
    this.tokens.push(token);
    return token;
  }
}

class LeanInlineState implements Partial<StateInline> {
  readonly src: string;
  readonly md: MarkdownIt;
  readonly env: Env;
  readonly tokens: Token[];
  readonly tokens_meta: StateInline["tokens_meta"];
  pos = 0;
  posMax: number;
  level = 0;
  pending = "";
  pendingLevel = 0;
  readonly cache: Record<number, number> = {};
  readonly backticks: Record<number, number> = {};
  backticksScanned = false;
  skipHtmlSpecial = false;
  linkLevel = 0;
  delimiters: Delimiter[] = [];
  readonly _prev_delimiters: Delimiter[][] = [];

  constructor(src: string, md: MarkdownIt, env: Env, tokens: Token[]) {
    this.src = src;
    this.md = md;
    this.env = env;
    this.tokens = tokens;
    this.tokens_meta = new Array(tokens.length);
    this.posMax = src.length;
  }

  pushPending(): Token {
    const token = textToken(this.pending, this.pendingLevel);
    this.tokens.push(token);
    this.pending = "";
    return token;
  }

  push(type: string, tag: string, nesting: Nesting): Token {
    if (this.pending) this.pushPending();
    if (nesting < 0) this.level--;
    if (nesting < 0) this.delimiters = this._prev_delimiters.pop()!;
    const token = newToken(type, tag, nesting, this.level, false);
    if (nesting > 0) {
      this.level++;
      this._prev_delimiters.push(this.delimiters);
      this.delimiters = [];
    }
    this.pendingLevel = this.level;
    this.tokens.push(token);
    this.tokens_meta.push(nesting > 0 ? { delimiters: this.delimiters } : undefined);
    return token;
  }
}

/** Takes the methods that a class does not have from another. */
const standFor = <Class>(
  lean: { readonly prototype: object },
  whole: { readonly prototype: object } & Class,
): Class => {
  Object.setPrototypeOf(lean.prototype, whole.prototype);
  return lean as unknown as Class;
};

/** Has the parser use these classes. */
export function leanStates(md: MarkdownIt): void {
  standFor(LeanToken, new md.core.State("", md, {}).Token);
  md.block.State = standFor(LeanBlockState, md.block.State);
  md.inline.State = standFor(LeanInlineState, md.inline.State);
}
