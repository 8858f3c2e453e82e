/** Checks of known attributes. All but `level` may be absent or `null`; unknown attributes are kept unchanged. */
export type AttrRule = "string" | "boolean" | "integer" | "span" | "size" | "level";

/** How a node type behaves. A new node type is one entry in the table below. */
export interface NodeType {
  /** `block` may stand at the top level or in a block container, `part` only in its own parent, `inline` in a line. */
  readonly kind: "block" | "part" | "inline";
  /** Child types allowed, or a group: `blocks` = any block, `inline` = text and inline nodes, `text` = bare text, `none` = leaf. */
  readonly children: "blocks" | "inline" | "text" | "none" | readonly string[];
  /** Whether a container may be empty; otherwise it is removed with its last child. */
  readonly mayBeEmpty: boolean;
  readonly attrs: Readonly<Record<string, AttrRule>>;
}

type AttrRules = NodeType["attrs"];

const block = (children: NodeType["children"], mayBeEmpty = false, attrs: AttrRules = {}): NodeType => ({
  kind: "block",
  children,
  mayBeEmpty,
  attrs,
});
const part = (children: NodeType["children"], mayBeEmpty = false, attrs: AttrRules = {}): NodeType => ({
  kind: "part",
  children,
  mayBeEmpty,
  attrs,
});
const inline = (attrs: AttrRules = {}): NodeType => ({ kind: "inline", children: "none", mayBeEmpty: true, attrs });

const picture: AttrRules = {
  attachmentId: "string",
  src: "string",
  alt: "string",
  title: "string",
  width: "size",
  height: "size",
};
const cell: AttrRules = { colspan: "span", rowspan: "span", align: "string" };

export const nodeTypes: Readonly<Record<string, NodeType>> = lookupTable({
  paragraph: block("inline", true),
  heading: block("inline", true, { level: "level" }),
  bulletList: block(["listItem"]),
  /** `start` is 1 when absent. */
  orderedList: block(["listItem"], false, { start: "integer" }),
  listItem: part("blocks"),
  taskList: block(["taskItem"]),
  taskItem: part("blocks", false, { checked: "boolean" }),
  blockquote: block("blocks"),
  codeBlock: block("text", true, { language: "string" }),
  horizontalRule: block("none", true),
  /** Has either `attachmentId`, from which `src` is derived, or `src`. */
  image: block("none", true, picture),
  table: block(["tableRow"]),
  tableRow: part(["tableHeader", "tableCell"]),
  /** `align` is left, center or right; `colwidth` a list of pixels. */
  tableHeader: part("blocks", false, cell),
  tableCell: part("blocks", false, cell),
  /** `kind` is note, tip, important, warning or caution. */
  callout: block("blocks", false, { kind: "string" }),
  details: block(["detailsSummary", "detailsContent"], false, { open: "boolean" }),
  detailsSummary: part("inline", true),
  detailsContent: part("blocks"),
  blockMath: block("none", true, { latex: "string" }),
  /** A file. */
  attachment: block("none", true, { attachmentId: "string", src: "string", name: "string" }),
  /** A footnoteReference with the same `label` points to this footnote. */
  footnoteDefinition: block("blocks", false, { label: "string" }),
  /** HTML without a matching node type, kept unchanged. */
  rawHtml: block("none", true, { html: "string" }),
  /** A video of another host, shown as a link. */
  youtube: block("none", true, { src: "string", start: "integer", width: "size", height: "size" }),
  hardBreak: inline(),
  /** One tag or comment in a line, kept unchanged. */
  inlineRawHtml: inline({ html: "string" }),
  /** `kind` is user; `id` the user's, `label` the name. */
  mention: inline({ kind: "string", id: "string", label: "string" }),
  emoji: inline({ name: "string", emoji: "string" }),
  inlineImage: inline(picture),
  inlineMath: inline({ latex: "string" }),
  footnoteReference: inline({ label: "string" }),
});

const markAttrs: Readonly<Record<string, AttrRules>> = {
  bold: {},
  italic: {},
  strike: {},
  code: {},
  underline: {},
  link: { href: "string", title: "string" },
  highlight: { color: "string" },
  textStyle: { color: "string", backgroundColor: "string", fontFamily: "string", fontSize: "size" },
  subscript: {},
  superscript: {},
  /** A key to press. It comes last because stored live texts depend on the order. */
  kbd: {},
};

/** The attribute rules of a mark type; undefined for an unknown type. */
export const markRules: ReadonlyMap<string, AttrRules> = new Map(Object.entries(markAttrs));

/** Every node that is not inline has a stable id in `attrs.id`. */
export const hasBlockId = (type: string): boolean => type !== "text" && nodeTypes[type]?.kind !== "inline";

/** Whether a node of type `child` may stand directly in a node of the given type. */
export function allowsChild(parent: NodeType, child: string): boolean {
  switch (parent.children) {
    case "none":
      return false;
    case "text":
      return child === "text";
    case "inline":
      return child === "text" || nodeTypes[child]?.kind === "inline";
    case "blocks":
      return nodeTypes[child]?.kind === "block";
    default:
      return parent.children.includes(child);
  }
}

/** Whether the children of this type are blocks or parts, which have ids, rather than a line of text. */
export const holdsBlocks = (type: NodeType): boolean =>
  type.children === "blocks" || (typeof type.children === "object" && type.children.length > 0);

import { lookupTable } from "../lookup-table.ts";
