import { distance } from "../distance.ts";
import { markRules, type NodeType, nodeTypes } from "./nodes.ts";

/** Names that other editors and HTML have for a node. */
const NODES: Readonly<Record<string, string>> = {
  ul: "bulletList",
  unorderedlist: "bulletList",
  bulletedlist: "bulletList",
  ol: "orderedList",
  numberedlist: "orderedList",
  li: "listItem",
  checklist: "taskList",
  todolist: "taskList",
  checkbox: "taskItem",
  todo: "taskItem",
  p: "paragraph",
  h1: "heading",
  h2: "heading",
  h3: "heading",
  title: "heading",
  quote: "blockquote",
  pre: "codeBlock",
  fence: "codeBlock",
  hr: "horizontalRule",
  divider: "horizontalRule",
  thematicbreak: "horizontalRule",
  br: "hardBreak",
  linebreak: "hardBreak",
  img: "image",
  picture: "image",
  figure: "image",
  tr: "tableRow",
  row: "tableRow",
  th: "tableHeader",
  td: "tableCell",
  cell: "tableCell",
  admonition: "callout",
  panel: "callout",
  toggle: "details",
  summary: "detailsSummary",
  math: "blockMath",
  equation: "blockMath",
  file: "attachment",
  html: "rawHtml",
  video: "youtube",
  footnote: "footnoteDefinition",
};

/** Likewise for a mark. */
const MARKS: Readonly<Record<string, string>> = {
  strong: "bold",
  b: "bold",
  em: "italic",
  i: "italic",
  emphasis: "italic",
  s: "strike",
  del: "strike",
  strikethrough: "strike",
  u: "underline",
  a: "link",
  inlinecode: "code",
  mark: "highlight",
  color: "textStyle",
  sub: "subscript",
  sup: "superscript",
};

const ALL = "/api-docs/nodes.md lists all types and their attributes.";

interface TypeHint {
  readonly nearest?: string;
  readonly hint: string;
}

/** Suggests the node type that an unknown one probably means. */
export function hintOfNode(type: unknown): TypeHint {
  const node = nearestOf(type, Object.keys(nodeTypes), NODES);
  const mark = nearestOf(type, [...markRules.keys()], MARKS);
  const isMark = mark !== undefined && (node === undefined || mark === type);
  if (isMark) return { nearest: mark, hint: `${mark} is a mark: it stands in the marks of a text node. ${ALL}` };
  return node === undefined ? { hint: ALL } : { nearest: node, hint: `The nearest type is ${node}. ${ALL}` };
}

/** Suggests the mark type that an unknown one probably means. */
export function hintOfMark(type: unknown): TypeHint {
  const mark = nearestOf(type, [...markRules.keys()], MARKS);
  return mark === undefined ? { hint: ALL } : { nearest: mark, hint: `The nearest mark is ${mark}. ${ALL}` };
}

const LONGEST_NAME = 64;
/** Slips of a key in a name. */
const MAX_SLIPS = 2;

function nearestOf(
  type: unknown,
  known: readonly string[],
  others: Readonly<Record<string, string>>,
): string | undefined {
  if (typeof type !== "string" || type.length > LONGEST_NAME) return undefined;
  const name = fold(type);
  if (Object.hasOwn(others, name)) return others[name];
  const ranked = known
    .map((each) => ({ each, far: distance(name, fold(each)) }))
    .sort((a, b) => a.far - b.far || (a.each < b.each ? -1 : 1));
  const [first] = ranked;
  return first && first.far <= MAX_SLIPS && first.far < name.length / 2 ? first.each : undefined;
}

/** `bullet_list` and `Bullet-List` are `bulletList`. */
const fold = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "");

const GROUPS = {
  blocks: "blocks",
  inline: "text and inline nodes",
  text: "text without marks",
  none: "nothing",
};

/** Describes the allowed content of a node type in words. */
export const childrenOf = ({ children }: NodeType, shown = (type: string): string => type): string =>
  typeof children === "string" ? GROUPS[children] : children.map(shown).join(" and ");

/** Describes where a misplaced node is allowed, and what its current parent accepts. */
export function hintOfPlace(child: string, parent?: string): string {
  const takes = parent === undefined ? undefined : nodeTypes[parent];
  const homes = Object.entries(nodeTypes).filter(
    ([, { children }]) => Array.isArray(children) && children.includes(child),
  );
  const isInline = child === "text" || nodeTypes[child]?.kind === "inline";
  return [
    parent === "doc" && "The top level takes blocks; that of a spreadsheet tables.",
    takes && `${parent} takes ${childrenOf(takes)}.`,
    homes.length > 0 && `${child} stands in ${homes.map(([type]) => type).join(" and ")}.`,
    isInline && `${child} stands in a block of text, such as a paragraph.`,
    ALL,
  ]
    .filter(Boolean)
    .join(" ");
}
