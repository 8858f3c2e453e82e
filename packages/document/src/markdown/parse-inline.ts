import { defined } from "../defined.ts";
import { decodeEntities } from "../html/raw/pieces.ts";
import { lookupTable } from "../lookup-table.ts";
import type { Attrs, Mark, Node } from "../types.ts";
import { attachmentIdOf } from "./attachment-url.ts";
import { findAutolinks } from "./autolink.ts";
import { readImgTag } from "./img-tag.ts";
import { sortMarks } from "./marks.ts";
import type { Token } from "./tokenizer.ts";
import { trimBlanks } from "./trim.ts";

/** Inline HTML that says what a mark says. Everything else in angle brackets is kept as it is written. */
const tagMarks: Readonly<Record<string, Mark>> = lookupTable({
  u: { type: "underline" },
  sub: { type: "subscript" },
  sup: { type: "superscript" },
  mark: { type: "highlight" },
  strong: { type: "bold" },
  b: { type: "bold" },
  em: { type: "italic" },
  i: { type: "italic" },
  s: { type: "strike" },
  del: { type: "strike" },
  kbd: { type: "kbd" },
  code: { type: "code" },
});
const tokenMarks: Readonly<Record<string, Mark>> = {
  strong: tagMarks.strong!,
  em: tagMarks.em!,
  s: tagMarks.s!,
  mark: tagMarks.mark!,
};
const code = tagMarks.code!;
const tagPattern = /^<(\/?)([a-z]+)\s*>$/i;
export const emptyComment = /^<!--\s*-->$/;
/** Browsers take `</br>` for a line break, too. */
const lineBreak = /^<(?:br\s*\/?|\/br\s*)>$/i;

interface Output {
  readonly nodes: Node[];
  /** Marks that are open, outermost first. */
  readonly open: Mark[];
  /** `open` as a set, cached until it changes. */
  marks: readonly Mark[] | null;
  readonly softBreak: string;
  /** Text that is not a node yet, as more may follow; its marks; its last character. */
  text: string;
  textMarks: readonly Mark[];
  lastChar: string;
}

const currentMarks = (out: Output): readonly Mark[] => (out.marks ??= sortMarks(out.open));

const sameMarks = (a: readonly Mark[], b: readonly Mark[]): boolean =>
  a === b ||
  (a.length === b.length &&
    a.every((mark, i) => {
      const other = b[i]!;
      return (
        mark.type === other.type &&
        mark.attrs?.href === other.attrs?.href &&
        mark.attrs?.title === other.attrs?.title &&
        mark.attrs?.embed === other.attrs?.embed
      );
    }));

function addText(out: Output, text: string, marks = currentMarks(out)): void {
  if (text === "") return;
  if (out.text !== "" && !sameMarks(out.textMarks, marks)) flushText(out);
  out.text += text;
  out.textMarks = marks;
  out.lastChar = text.at(-1)!;
}

function flushText(out: Output): void {
  const { text, textMarks: marks } = out;
  // As everywhere here, keys are in the order of canonical JSON.
  if (text !== "") out.nodes.push(marks.length === 0 ? { text, type: "text" } : { marks, text, type: "text" });
  out.text = "";
  out.lastChar = "";
}

const addAtom = (out: Output, type: string, attrs?: Attrs): void => {
  flushText(out);
  // Only text is code: Markdown has no word for a picture or a formula that is.
  const marks = currentMarks(out).filter((mark) => mark.type !== "code");
  out.nodes.push({ ...(attrs && { attrs }), ...(marks.length > 0 && { marks }), type });
};

function openMark(out: Output, mark: Mark): void {
  out.open.push(mark);
  out.marks = null;
}

function closeMark(out: Output): void {
  out.open.pop();
  out.marks = null;
}

const PERSON = /^svc:\/\/user\/(user_[0-9A-HJKMNP-TV-Z]{26})$/;

/** `[@Name](svc://user/user_…)` is a mention: a link to a person whose text is an at sign and a name, and nothing else. */
function closeLink(out: Output): void {
  const link = out.open.at(-1);
  closeMark(out);
  const id = PERSON.exec(String(link?.attrs?.href ?? ""))?.[1];
  if (!link || id === undefined || link.attrs?.title !== undefined || !/^@\S/.test(out.text)) return;
  const isWhole = out.textMarks.includes(link) && !out.nodes.at(-1)?.marks?.includes(link);
  if (!isWhole || out.textMarks.length !== currentMarks(out).length + 1) return;
  const label = out.text.slice(1);
  out.text = "";
  addAtom(out, "mention", { id, kind: "user", label });
}

const linkMark = (href: string, title: string | null): Mark => ({
  attrs: title ? { href, title } : { href },
  type: "link",
});

/** Text with bare addresses made links, unless it is inside a link. */
function addRunningText(out: Output, text: string): void {
  const links = out.open.some((mark) => mark.type === "link") ? [] : findAutolinks(text, out.lastChar);
  let done = 0;
  for (const { start, end, href } of links) {
    addText(out, text.slice(done, start));
    addText(out, text.slice(start, end), sortMarks([...out.open, linkMark(href, null)]));
    done = end;
  }
  addText(out, done === 0 ? text : text.slice(done));
}

const textOfChild = (token: Token): string => {
  if (token.type === "image") return altText(token.children ?? []);
  if (token.type === "softbreak" || token.type === "hardbreak") return "\n";
  if (token.type === "math_inline") return token.markup;
  if (token.type === "footnote_ref") return `[^${token.content}]`;
  if (token.type === "html_inline") return "";
  return token.content;
};
const altText = (children: readonly Token[]): string => children.map(textOfChild).join("");

/** The attributes of a picture, written either way. Null for a token that is none. */
export function pictureAttrs(token: Token): Attrs | null {
  if (token.type === "image") return imageAttrs(token);
  const attrs = token.type === "html_inline" ? readImgTag(token.content) : null;
  if (!attrs) return null;
  const said = Object.entries(attrs).filter(([name, value]) => name === "src" || value !== "");
  const attachmentId = attachmentIdOf(String(attrs.src));
  return { ...Object.fromEntries(said), ...(attachmentId && { attachmentId }) };
}

/** The attributes of a picture; a source that is one of our attachments also names it. */
function imageAttrs(token: Token): Attrs {
  const src = String(token.attrGet("src") ?? "");
  const title = token.attrGet("title");
  const alt = altText(token.children ?? []);
  const attachmentId = attachmentIdOf(src);
  const sizes = ["width", "height"].flatMap((name) => {
    const size = token.attrGet(name);
    return size === null ? [] : [[name, Number(size)]];
  });
  return {
    src,
    ...(attachmentId && { attachmentId }),
    ...(alt && { alt }),
    ...(title && { title: String(title) }),
    ...Object.fromEntries(sizes),
  };
}

const linkTag = /^<a((?:\s+(?:href|title)\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))+)\s*>$/i;
const linkAttribute = /(href|title)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+))/gi;

/** The link of `<a href="…" title="…">`; null for a tag that says anything else. */
function readLinkTag(html: string): Mark | null {
  const match = linkTag.exec(html);
  if (!match) return null;
  const said = new Map<string, string>();
  for (const [, name, double, single, bare] of defined(match[1]).matchAll(linkAttribute))
    said.set(defined(name).toLowerCase(), decodeEntities(double ?? single ?? bare ?? ""));
  const href = said.get("href");
  return href === undefined ? null : linkMark(href, said.get("title") ?? null);
}

/** For each opening or closing tag that has its partner at the same level of markup, true. */
function pairTags(tokens: readonly Token[]): ReadonlySet<number> {
  const paired = new Set<number>();
  let stack: { name: string; index: number }[] = [];
  const outer: (typeof stack)[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!;
    if (token.nesting > 0) {
      outer.push(stack);
      stack = [];
    } else if (token.nesting < 0) stack = outer.pop() ?? [];
    else if (token.type === "html_inline") pairTag(token.content, i, stack, paired);
  }
  return paired;
}

function pairTag(content: string, index: number, stack: { name: string; index: number }[], paired: Set<number>): void {
  const match = tagPattern.exec(content) ?? (readLinkTag(content) ? ["", "", "a"] : null);
  const name = (match?.[2] ?? "").toLowerCase();
  if (!match || (!tagMarks[name] && name !== "a")) return;
  if (match[1] === "") {
    stack.push({ name, index });
    return;
  }
  if (stack.at(-1)?.name !== name) return;
  paired.add(defined(stack.pop()).index).add(index);
}

function addHtml(out: Output, token: Token, isPaired: boolean): void {
  if (emptyComment.test(token.content)) return;
  const picture = pictureAttrs(token);
  const match = isPaired ? tagPattern.exec(token.content) : null;
  const link = isPaired ? readLinkTag(token.content) : null;
  if (lineBreak.test(token.content)) addAtom(out, "hardBreak");
  else if (picture) addAtom(out, "inlineImage", picture);
  else if (link) openMark(out, link);
  else if (!match) addAtom(out, "inlineRawHtml", { html: token.content.replaceAll("\n", out.softBreak) });
  else if (match[1] === "") openMark(out, tagMarks[defined(match[2]).toLowerCase()]!);
  else closeMark(out);
}

const joinLines = (text: string): string => (text.includes("\n") ? text.split("\n").map(trimBlanks).join(" ") : text);

const readers: Readonly<Record<string, (out: Output, token: Token) => void>> = lookupTable({
  text: (out: Output, token: Token) => addRunningText(out, token.content),
  text_special: (out: Output, token: Token) => addText(out, token.content),
  softbreak: (out: Output) => addText(out, out.softBreak),
  hardbreak: (out: Output) => addAtom(out, "hardBreak"),
  code_inline: (out: Output, token: Token) => addText(out, token.content, sortMarks([...out.open, code])),
  image: (out: Output, token: Token) => addAtom(out, "inlineImage", imageAttrs(token)),
  math_inline: (out: Output, token: Token) => addAtom(out, "inlineMath", { latex: joinLines(token.content) }),
  footnote_ref: (out: Output, token: Token) => addAtom(out, "footnoteReference", { label: token.content }),
  link_open: (out: Output, token: Token) => {
    const title = token.attrGet("title");
    const mark = linkMark(String(token.attrGet("href") ?? ""), title === null ? null : String(title));
    openMark(out, token.attrGet("embed") ? { ...mark, attrs: { embed: true, ...mark.attrs } } : mark);
  },
  strong_open: (out: Output) => openMark(out, tokenMarks.strong!),
  em_open: (out: Output) => openMark(out, tokenMarks.em!),
  s_open: (out: Output) => openMark(out, tokenMarks.s!),
  mark_open: (out: Output) => openMark(out, tokenMarks.mark!),
  mark_close: closeMark,
  link_close: closeLink,
  strong_close: closeMark,
  em_close: closeMark,
  s_close: closeMark,
});

/** Inline tokens as text and inline nodes. `softBreak` is what a line end of the source becomes. */
export function readInline(tokens: readonly Token[], softBreak = "\n"): Node[] {
  const out: Output = { nodes: [], open: [], marks: null, softBreak, text: "", textMarks: [], lastChar: "" };
  const paired = tokens.some((token) => token.type === "html_inline") ? pairTags(tokens) : null;
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!;
    if (token.type === "html_inline") addHtml(out, token, defined(paired).has(i));
    else readers[token.type]?.(out, token);
  }
  flushText(out);
  return out.nodes;
}
