import createMarkdownIt, { type Env, type MarkdownIt, type StateCore, type Token } from "markdown-it";
import { leanStates } from "./lean-states.ts";
import { commentRules } from "./rules/comment.ts";
import { pairDetails } from "./rules/details.ts";
import { footnoteRules } from "./rules/footnote.ts";
import { highlightRule } from "./rules/highlight.ts";
import { htmlBlockRule } from "./rules/html-block.ts";
import { mathRules } from "./rules/math.ts";
import { nestingRule } from "./rules/nesting.ts";
import { markQuotes, markTasks } from "./rules/task-callout.ts";
import { textRules } from "./rules/text.ts";
import { wikiLinkRule } from "./rules/wiki-link.ts";

const prepareBlocks = (state: StateCore): void => {
  pairDetails(state);
  markTasks(state.tokens);
  markQuotes(state);
};

function create(): MarkdownIt {
  const md = createMarkdownIt({ html: true, linkify: false, typographer: false, maxNesting: 100 });
  md.use(leanStates)
    .use(textRules)
    .use(nestingRule)
    .use(htmlBlockRule)
    .use(footnoteRules)
    .use(mathRules)
    .use(wikiLinkRule)
    .use(highlightRule)
    .use(commentRules);
  md.core.ruler.after("block", "prepare_blocks", prepareBlocks);
  // Escaped characters stay apart from the text around them: an escape keeps an address from becoming a link.
  md.core.ruler.disable(["text_join", "linkify", "replacements", "smartquotes"]);
  // Addresses stay as written: what a link may point at is decided where HTML is made.
  md.validateLink = () => true;
  md.normalizeLink = (url) => url;
  md.normalizeLinkText = (text) => text;
  return md;
}

const md = create();
const blocksOnly = create();
blocksOnly.core.ruler.disable("inline");

/** The byte order mark that some programs write at the start of a file. It is not text. */
export const BYTE_ORDER_MARK = "\uFEFF";
export const withoutMark = (text: string): string => (text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);

/** Definitions of references, which a text adds its own to. */
export type References = Env;

/** The block tokens of a Markdown text, with inline tokens as children. Never throws. */
export const tokenize = (text: string, references: References = {}): Token[] => md.parse(withoutMark(text), references);

/** The same without a look into the lines, which takes half as long: for who only wants to know which blocks there are. */
export const tokenizeBlocks = (text: string, references: References = {}): Token[] =>
  blocksOnly.parse(withoutMark(text), references);

export const unescapeAll = (text: string): string => md.utils.unescapeAll(text);

/** How a character counts for emphasis next to it. */
export type CharClass = "space" | "punctuation" | "word";
export function charClass(code: number): CharClass {
  if (md.utils.isWhiteSpace(code)) return "space";
  return md.utils.isMdAsciiPunct(code) || (code > 127 && md.utils.isPunctCharCode(code)) ? "punctuation" : "word";
}
export type { Token };
