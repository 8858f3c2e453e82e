import type { MarkdownIt, StateInline, Token } from "markdown-it";

/** Before the name of a page or file that a wiki link names, in the address of its link or picture. */
export const WIKI = "wiki:";

/** A wiki link's target and label; neither contains brackets, a bar or a line end. */
const name = "[^[\\]|\\n\\\\]{1,500}";
const pattern = new RegExp(`!?\\[\\[(${name})(?:\\\\?\\|(${name}))?(?:\\\\?\\|(${name}))?\\]\\](?!\\()`, "y");
const bracketed = new RegExp(`\\[(${name})\\]`, "y");
const whole = new RegExp(`^${name}$`);
const picture = /\.(?:png|jpe?g|gif|webp|svg|bmp|avif|ico|pdf|mp4|webm|mov|mp3|wav|ogg|m4a)(?:#.*)?$/i;

/** The last part behind a bar may be the width of a picture, or its width and height. */
const size = /^(\d{1,4})(?:x(\d{1,4}))?$/;

/** A row of digits is a number in brackets, as notes in plain text have them. */
const isName = (target: string): boolean => target.trim() !== "" && !/^\d{1,4}$/.test(target);

export const isWikiName = (text: string): boolean => whole.test(text) && isName(text);
export const isWikiSize = (label: string): boolean => size.test(label);
export const isWikiPicture = (target: string): boolean => isWikiName(target) && picture.test(target);

/** The page that a wiki link names, without its folders and its ending, and the heading. */
export function wikiPage(target: string): {
  readonly folders: readonly string[];
  readonly page: string;
  readonly heading: string;
} {
  const [path = "", ...headings] = target.split("#");
  const steps = path.split("/").map((step) => step.trim());
  const page = steps.pop()!.replace(/\.(?:md|markdown)$/i, "");
  return { folders: steps.filter((step) => step !== ""), page, heading: headings.at(-1)?.trim() ?? "" };
}

/**
 * `[[Page]]`, `[[Page#Heading|text]]`, `![[picture.png|text|100x50]]`; not where the brackets, or those behind them, are
 * a link of Markdown.
 */
const wikiLink = (state: StateInline, silent: boolean): boolean => {
  const { src, pos } = state;
  const isEmbed = src.charCodeAt(pos) === 33;
  const at = isEmbed ? pos + 1 : pos;
  if (src.charCodeAt(at) !== 91 || src.charCodeAt(at + 1) !== 91 || state.linkLevel > 0) return false;
  pattern.lastIndex = pos;
  const found = pattern.exec(src);
  if (!found || pattern.lastIndex > state.posMax) return false;
  const [markup, target = "", ...labels] = found;
  if (!isName(target) || isReference(state, target) || isBeforeReference(state, pos + markup.length)) return false;
  const [label, last] = labels;
  const isPicture = isEmbed && picture.test(target);
  if (last !== undefined && !(isPicture && size.test(last))) return false;
  if (!silent) {
    if (isPicture) pushPicture(state, target, label, last);
    else pushLink(state, target, label, isEmbed);
  }
  state.pos += markup.length;
  return true;
};

/** Whether `[label]` stands there, which makes a link of the brackets before it where the label is defined. */
function isBeforeReference(state: StateInline, at: number): boolean {
  bracketed.lastIndex = at;
  const label = bracketed.exec(state.src)?.[1];
  return label !== undefined && isReference(state, label);
}

function isReference(state: StateInline, target: string): boolean {
  const references = (state.env as { references?: Record<string, unknown> }).references;
  return references !== undefined && Object.hasOwn(references, state.md.utils.normalizeReference(target));
}

function pushPicture(state: StateInline, target: string, label: string | undefined, last: string | undefined): void {
  const token = state.push("image", "img", 0);
  token.attrs = [["src", WIKI + target]];
  token.children = [];
  const [, width, height] = size.exec(last ?? label ?? "") ?? [];
  if (width !== undefined) token.attrs.push(["width", width]);
  if (height !== undefined) token.attrs.push(["height", height]);
  if (label === undefined || (last === undefined && width !== undefined)) return;
  const text = { ...token, type: "text", children: null } as Token;
  text.content = label;
  token.children.push(text);
}

function pushLink(state: StateInline, target: string, label: string | undefined, isEmbed: boolean): void {
  const open = state.push("link_open", "a", 1);
  open.attrs = [["href", WIKI + target]];
  if (isEmbed) open.attrs.push(["embed", "true"]);
  state.push("text_special", "", 0).content = label ?? target;
  state.push("link_close", "a", -1);
}

export const wikiLinkRule = (md: MarkdownIt): void => {
  md.inline.ruler.before("link", "wiki_link", wikiLink);
};
