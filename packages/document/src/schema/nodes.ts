/** How a node type behaves. A new node type is one entry in the table below. */
export interface NodeType {
  /** `block` may stand at the top level or in a block container, `part` only in its own parent, `inline` in a line. */
  readonly kind: "block" | "part" | "inline";
  /** Child types allowed, or a group: `blocks` = any block, `inline` = text and inline nodes, `text` = bare text, `none` = leaf. */
  readonly children: "blocks" | "inline" | "text" | "none" | readonly string[];
  /** A container that may not be empty goes away with its last child. */
  readonly mayBeEmpty: boolean;
}

const block = (children: NodeType["children"], mayBeEmpty = false): NodeType => ({
  kind: "block",
  children,
  mayBeEmpty,
});
const part = (children: NodeType["children"], mayBeEmpty = false): NodeType => ({ kind: "part", children, mayBeEmpty });
const inline = (): NodeType => ({ kind: "inline", children: "none", mayBeEmpty: true });

export const nodeTypes: Readonly<Record<string, NodeType>> = Object.freeze({
  __proto__: null as never,
  paragraph: block("inline", true),
  /** attrs.level 1..6 */
  heading: block("inline", true),
  bulletList: block(["listItem"]),
  /** attrs.start (default 1) */
  orderedList: block(["listItem"]),
  listItem: part("blocks"),
  taskList: block(["taskItem"]),
  /** attrs.checked */
  taskItem: part("blocks"),
  blockquote: block("blocks"),
  /** attrs.language */
  codeBlock: block("text", true),
  horizontalRule: block("none", true),
  /** attrs.attachmentId or attrs.src, attrs.alt, attrs.title, attrs.width, attrs.height */
  image: block("none", true),
  table: block(["tableRow"]),
  tableRow: part(["tableHeader", "tableCell"]),
  /** attrs.colspan, attrs.rowspan, attrs.colwidth, attrs.align (left, center, right) */
  tableHeader: part("blocks"),
  tableCell: part("blocks"),
  /** attrs.kind: note, tip, important, warning, caution */
  callout: block("blocks"),
  /** attrs.open */
  details: block(["detailsSummary", "detailsContent"]),
  detailsSummary: part("inline", true),
  detailsContent: part("blocks"),
  /** attrs.latex */
  blockMath: block("none", true),
  /** a file: attrs.attachmentId, attrs.name */
  attachment: block("none", true),
  /** attrs.label, matched by footnoteReference.attrs.label */
  footnoteDefinition: block("blocks"),
  hardBreak: inline(),
  inlineImage: inline(),
  inlineMath: inline(),
  footnoteReference: inline(),
});

export const markTypes: ReadonlySet<string> = new Set([
  "bold",
  "italic",
  "strike",
  "code",
  "underline",
  /** attrs.href, attrs.title */
  "link",
  /** attrs.color */
  "highlight",
  /** attrs.color, attrs.backgroundColor, attrs.fontFamily, attrs.fontSize */
  "textStyle",
  "subscript",
  "superscript",
]);

export const isTextNode = (type: string): boolean => type === "text";
/** Every node that is not inline has a stable id in `attrs.id`. */
export const hasBlockId = (type: string): boolean => type !== "text" && nodeTypes[type]?.kind !== "inline";
