import type { Attrs, Body, Mark, NewId, Node } from "../types.ts";

/** Small builders for tests: `doc(h(2, "Title"), p("some ", b("bold")), ul(li(p("a"))))`. Ids only where asked for. */
export type Inline = string | Node;

const line = (content: readonly Inline[]): { content?: readonly Node[] } =>
  content.length === 0 ? {} : { content: content.map((item) => (typeof item === "string" ? text(item) : item)) };
const nest =
  (type: string) =>
  (...content: readonly Node[]): Node => ({ type, content });
const leaf =
  (type: string) =>
  (attrs: Attrs = {}): Node => ({ type, attrs });

export const doc = (...content: readonly Node[]): Body => ({ type: "doc", content });
export const text = (value: string, ...marks: readonly Mark[]): Node =>
  marks.length === 0 ? { type: "text", text: value } : { type: "text", text: value, marks };
export const p = (...content: readonly Inline[]): Node => ({ type: "paragraph", ...line(content) });
export const h = (level: number, ...content: readonly Inline[]): Node => ({
  type: "heading",
  attrs: { level },
  ...line(content),
});
export const code = (value: string, language: string | null = null): Node => ({
  type: "codeBlock",
  attrs: { language },
  ...line(value === "" ? [] : [value]),
});

export const ul = nest("bulletList");
export const li = nest("listItem");
export const tasks = nest("taskList");
export const quote = nest("blockquote");
export const table = nest("table");
export const tr = nest("tableRow");
export const th = nest("tableHeader");
export const td = nest("tableCell");
export const detailsContent = nest("detailsContent");
export const ol = (start: number, ...content: readonly Node[]): Node => ({
  type: "orderedList",
  attrs: { start },
  content,
});
export const task = (checked: boolean, ...content: readonly Node[]): Node => ({
  type: "taskItem",
  attrs: { checked },
  content,
});
export const callout = (kind: string, ...content: readonly Node[]): Node => ({
  type: "callout",
  attrs: { kind },
  content,
});
export const details = (open: boolean, ...content: readonly Node[]): Node => ({
  type: "details",
  attrs: { open },
  content,
});
export const summary = (...content: readonly Inline[]): Node => ({ type: "detailsSummary", ...line(content) });
export const footnote = (label: string, ...content: readonly Node[]): Node => ({
  type: "footnoteDefinition",
  attrs: { label },
  content,
});

export const hr: Node = { type: "horizontalRule" };
export const br: Node = { type: "hardBreak" };
export const img = leaf("image");
export const inlineImg = leaf("inlineImage");
export const file = leaf("attachment");
export const math = (latex: string): Node => ({ type: "blockMath", attrs: { latex } });
export const inlineMath = (latex: string): Node => ({ type: "inlineMath", attrs: { latex } });
export const noteRef = (label: string): Node => ({ type: "footnoteReference", attrs: { label } });

export const bold: Mark = { type: "bold" };
export const italic: Mark = { type: "italic" };
export const strike: Mark = { type: "strike" };
export const link = (href: string): Mark => ({ type: "link", attrs: { href } });
export const b = (value: string): Node => text(value, bold);
export const i = (value: string): Node => text(value, italic);
export const a = (href: string, value: string): Node => text(value, link(href));

/** A well-formed block id from a number, the same for the same number. */
export const idFor = (number: number): string => `block_0${number.toString().padStart(25, "0")}`;

/** Gives a node the id with this number. */
export const id = (number: number, node: Node): Node => ({ ...node, attrs: { ...node.attrs, id: idFor(number) } });

/** Hands out ids with increasing numbers. */
export function countingIds(first = 1): NewId {
  let next = first;
  return () => idFor(next++);
}
