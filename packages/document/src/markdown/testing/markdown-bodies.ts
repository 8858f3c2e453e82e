import fc from "fast-check";
import { defined } from "../../defined.ts";
import type { Attrs, Mark, Node } from "../../types.ts";
import { sortMarks } from "../marks.ts";

/** Bodies for property tests: those Markdown can say in full, and any valid ones. */

const scraps = [
  ..."ab1 \t\n\r*_`[]()!<>&#-+=|~$\\:.\"'^@/你好「」。é\u00a0\u200b\v\f",
  ..."  \n\n**  ",
  "😀",
  "word",
  "two words",
  "**",
  "__",
  "```",
  "](",
  "<b>",
  "</u>",
  "<!-- -->",
  "<!--@block=x-->",
  "<p></p>",
  "<details>",
  "[!tip] ",
  "[!bug]-",
  "&amp;",
  "&#35;",
  "# ",
  "- ",
  "+ ",
  "1. ",
  "12)",
  "> ",
  "===",
  "---",
  "|---|",
  "~~",
  "$$",
  "http://x.y/z",
  "https",
  "www.a.b",
  "me@b.cc",
  "svc://doc/1",
  "[^1]",
  "[^1]: ",
  "[ ] ",
  "[!NOTE]",
  "[a]: b",
  "==",
  "%%",
  "[[a]]",
  "|100]]",
  "<my-tag>",
  " ^abc1",
];
const text = fc.array(fc.constantFrom(...scraps), { minLength: 1, maxLength: 8 }).map((parts) => parts.join(""));
const codeText = text.map((value) => value.replaceAll("\r", ""));
const url = fc.oneof(
  text,
  fc.constantFrom("http://a.b/c?d=e&f#g", "svc://doc/doc_1", "a b", "(", "mailto:me@b.cc", ""),
);
const attachmentId = fc.constantFrom("att_01ARZ3NDEKTSV4RRFFQ69G5FAV", "att_01BX5ZZKBKACTAV9WEVGEMMVRZ");
const label = fc.constantFrom("1", "note", "日本", "a-b.c");
const latex = fc.oneof(
  codeText.map((value) => value.replace(/[\n`]/g, "x")),
  fc.constantFrom("x^2", "\\frac{a}{b}", "a\\", "5$"),
);

/** Attributes without those that are absent or empty. */
const attrs = (model: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Attrs> =>
  fc.record(model).map((record) => {
    const entries = Object.entries(record).filter(([, value]) => value !== undefined && value !== "");
    return Object.fromEntries(entries) as Attrs;
  });

/** A link by name; its text does not matter where it fits into the brackets. */
const wikiMark = fc.constantFrom("wiki:Page", "wiki:A/B#C d").map((href): Mark => ({ type: "link", attrs: { href } }));
const link: fc.Arbitrary<Mark> = fc
  .record({ href: url, title: fc.oneof(fc.constant(""), text) })
  .map(({ href, title }): Mark => ({ type: "link", attrs: title ? { href, title } : { href } }));
const plainMark = fc.constantFrom(
  "bold",
  "italic",
  "strike",
  "underline",
  "highlight",
  "subscript",
  "superscript",
  "kbd",
);
const mark: fc.Arbitrary<Mark> = fc.oneof(
  plainMark.map((type) => ({ type })),
  link,
);
const marks = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Mark[]>([]) },
  { weight: 2, arbitrary: fc.array(mark, { maxLength: 3 }) },
);
const withMarks = (node: Node, list: readonly Mark[]): Node =>
  list.length > 0 ? { ...node, marks: sortMarks(list) } : node;

const size = fc.constantFrom(undefined, undefined, undefined, 300, 12.5, "50%");
const imageAttrs = fc.oneof(
  attrs({
    alt: fc.oneof(text, fc.constant("")),
    title: fc.oneof(text, fc.constant("")),
    width: size,
    height: size,
  }).chain((rest) => url.map((src) => ({ src, ...rest }))),
  attachmentId.map((id) => ({ src: `/api/v1/attachments/${id}`, attachmentId: id })),
);
const textNode = fc
  .tuple(text, marks, fc.nat(5))
  .map(([value, list, kind]) =>
    withMarks({ type: "text", text: value }, kind === 0 ? [...list, { type: "code" }] : list),
  );
const wikiNode = fc
  .tuple(
    fc.constantFrom("Page", "A/B#C d", "some words", "a:", "(b) ", "*x*"),
    wikiMark,
    fc.array(plainMark, { maxLength: 2 }),
  )
  .map(([value, name, more]) => withMarks({ type: "text", text: value }, [name, ...more.map((type) => ({ type }))]));
const atom: fc.Arbitrary<Node> = fc.oneof(
  wikiNode,
  marks.map((list) => withMarks({ type: "hardBreak" }, list)),
  fc.tuple(imageAttrs, marks).map(([value, list]) => withMarks({ type: "inlineImage", attrs: value }, list)),
  fc.tuple(latex, marks).map(([value, list]) => withMarks({ type: "inlineMath", attrs: { latex: value } }, list)),
  label.map((value) => ({ type: "footnoteReference", attrs: { label: value } })),
);
const inline = fc.array(fc.oneof({ weight: 3, arbitrary: textNode }, { weight: 1, arbitrary: atom }), { maxLength: 5 });

export const node = (type: string, content: readonly Node[] = [], own?: Attrs): Node => ({
  type,
  ...(own && Object.keys(own).length > 0 && { attrs: own }),
  ...(content.length > 0 && { content }),
});

const leaf: fc.Arbitrary<Node> = fc.oneof(
  { weight: 4, arbitrary: inline.map((content) => node("paragraph", content)) },
  fc.tuple(inline, fc.integer({ min: 1, max: 6 })).map(([content, level]) => node("heading", content, { level })),
  fc
    .tuple(codeText, fc.constantFrom("", "js", "c++", "a`b", "x&amp;y", "\\n"))
    .map(([value, language]) =>
      node("codeBlock", [{ type: "text", text: value }], language ? { language } : undefined),
    ),
  fc.constant(node("codeBlock")),
  fc.constant(node("horizontalRule")),
  imageAttrs.map((value) => node("image", [], value)),
  codeText.map((value) => node("blockMath", [], { latex: value })),
  fc.tuple(attachmentId, text).map(([id, name]) => node("attachment", [], { attachmentId: id, name })),
);

const columns = fc.array(fc.constantFrom(undefined, "left", "center", "right"), { minLength: 1, maxLength: 3 });
const table = columns.chain((aligns) => {
  const row = (type: string) =>
    fc
      .tuple(
        ...aligns.map((align) => inline.map((content) => node(type, [node("paragraph", content)], align && { align }))),
      )
      .map((cells) => node("tableRow", cells));
  return fc
    .tuple(row("tableHeader"), fc.array(row("tableCell"), { maxLength: 2 }))
    .map(([head, rows]) => node("table", [head, ...rows]));
});

interface Tied {
  readonly block: Node;
  readonly blocks: Node[];
}
const { block } = fc.letrec<Tied>((tie) => {
  const blocks = tie("blocks") as fc.Arbitrary<Node[]>;
  const items = (item: fc.Arbitrary<Node>) => fc.array(item, { minLength: 1, maxLength: 3 });
  const listItem = blocks.map((content) => node("listItem", content));
  const taskItem = fc.tuple(blocks, fc.boolean()).map(([content, checked]) => node("taskItem", content, { checked }));
  const container: fc.Arbitrary<Node> = fc.oneof(
    items(listItem).map((content) => node("bulletList", content)),
    fc
      .tuple(items(listItem), fc.constantFrom(undefined, 0, 7, 99, 999_999_999))
      .map(([content, start]) => node("orderedList", content, start === undefined ? undefined : { start })),
    items(taskItem).map((content) => node("taskList", content)),
    blocks.map((content) => node("blockquote", content)),
    fc
      .tuple(blocks, fc.constantFrom("note", "tip", "important", "warning", "caution"))
      .map(([content, kind]) => node("callout", content, { kind })),
    fc
      .tuple(inline, blocks, fc.boolean())
      .map(([summary, content, open]) =>
        node(
          "details",
          [node("detailsSummary", summary), node("detailsContent", content)],
          open ? { open } : undefined,
        ),
      ),
    fc.tuple(label, blocks).map(([value, content]) => node("footnoteDefinition", content, { label: value })),
    table,
  );
  return {
    block: fc.oneof({ maxDepth: 4, depthSize: "small" }, leaf, container),
    blocks: fc.array(tie("block") as fc.Arbitrary<Node>, { minLength: 1, maxLength: 3 }),
  };
});

/** Bodies that Markdown can say in full. */
export const sayableBlocks: fc.Arbitrary<Node[]> = fc.array(block, { maxLength: 4 });

const extraAttrs = fc.constantFrom<Attrs>(
  { textAlign: "right" },
  { width: "wide", height: -20 },
  { colspan: 2, rowspan: 2, colwidth: [10, 20] },
  { label: "no good ]", kind: "odd", language: "two words", start: -4, attachmentId: "none", latex: "a\r\n`$b" },
  { id: null, unknown: { deep: ["value"] } },
);
const extraMark = fc.constantFrom<Mark>(
  { type: "textStyle", attrs: { color: "#f00" } },
  { type: "highlight", attrs: { color: "yellow" } },
  { type: "link", attrs: { href: "x", target: "_blank" } },
  { type: "code" },
);

/** Changes about every third node into one Markdown cannot say; `dice` decides which. */
function spoil(blockNode: Node, dice: () => number, extra: Attrs, more: Mark): Node {
  const isHit = dice() % 3 === 0;
  const content = blockNode.content?.map((child) => spoil(child, dice, extra, more));
  if (blockNode.type === "text")
    return isHit
      ? { ...blockNode, text: `${blockNode.text}\0`, marks: sortMarks([...(blockNode.marks ?? []), more]) }
      : blockNode;
  const spoiled = { ...blockNode, ...(content && { content }) };
  if (!isHit) return spoiled;
  const isCell = blockNode.type === "tableCell" || blockNode.type === "tableHeader";
  const level = blockNode.attrs?.level;
  return {
    ...spoiled,
    attrs: { ...blockNode.attrs, ...extra, ...(level !== undefined && { level }) },
    ...(isCell && {
      content: [...(content ?? []), node("codeBlock", [{ type: "text", text: "x\n|" }]), node("horizontalRule")],
    }),
  };
}

/** Any valid bodies, also with what Markdown cannot say. Blocks have no ids yet. */
export const anyBlocks: fc.Arbitrary<Node[]> = fc
  .tuple(sayableBlocks, extraAttrs, extraMark, fc.array(fc.nat(99), { minLength: 7, maxLength: 7 }))
  .map(([blocks, extra, more, rolls]) => {
    let at = 0;
    const dice = (): number => defined(rolls[at++ % rolls.length]);
    return blocks.map((child) => spoil(child, dice, extra, more));
  });

const sameMarks = (a: Node, b: Node): boolean => JSON.stringify(a.marks ?? []) === JSON.stringify(b.marks ?? []);

/** A node as it is stored: adjacent text joined, empty text gone, nothing empty kept. Ids are left out. */
export function settled(source: Node): Node {
  const content: Node[] = [];
  for (const child of source.content ?? []) {
    if (child.text === "") continue;
    const last = content.at(-1);
    if (last && last.type === "text" && child.type === "text" && sameMarks(last, child))
      content[content.length - 1] = { ...last, text: defined(last.text) + defined(child.text) };
    else content.push(child.type === "text" ? child : settled(child));
  }
  const { id: _id, ...own } = source.attrs ?? {};
  const { content: _content, attrs: _attrs, ...rest } = source;
  return { ...rest, ...(Object.keys(own).length > 0 && { attrs: own }), ...(content.length > 0 && { content }) };
}
