import type { Mark, Node } from "../types.ts";
import { serialiseBlock, type Warning } from "./serialise.ts";
import { lostNames } from "./warning.ts";

/**
 * What Markdown cannot say of blocks, as writing them would tell. Most are seen to be plain, which takes a tenth of the
 * time: only others are written.
 */
export const warningsOf = (blocks: readonly Node[]): readonly Warning[] =>
  blocks.flatMap((block) => (isPlain(block, 0) ? [] : serialiseBlock(block).warnings));

/** Levels that no writer finds too deep. */
const SHALLOW = 8;
const PLAIN_MARKS: ReadonlyMap<string, readonly string[]> = new Map([
  ["bold", []],
  ["italic", []],
  ["strike", []],
  ["code", []],
  ["link", ["href", "title"]],
]);
/** With the attributes that each may have. */
const PLAIN_BLOCKS: ReadonlyMap<string, readonly string[]> = new Map([
  ["paragraph", []],
  ["heading", ["level"]],
  ["bulletList", []],
  ["listItem", []],
  ["blockquote", []],
  ["horizontalRule", []],
]);

/** Whether a block is certainly one that Markdown can say in full. */
function isPlain(node: Node, level: number): boolean {
  if (node.type === "text") return isPlainText(node);
  if (node.type === "codeBlock") return isPlainCode(node);
  const kept = PLAIN_BLOCKS.get(node.type);
  if (kept === undefined || level > SHALLOW || lostNames(node.attrs, kept, "id").length > 0) return false;
  return node.content === undefined || node.content.every((child) => isPlain(child, level + 1));
}

const isPlainText = ({ text = "", marks }: Node): boolean =>
  !text.includes("\0") && (marks === undefined || marks.every(isPlainMark));

function isPlainMark({ type, attrs }: Mark): boolean {
  const kept = PLAIN_MARKS.get(type);
  return kept !== undefined && lostNames(attrs, kept).length === 0;
}

const isPlainCode = ({ attrs, content = [] }: Node): boolean =>
  lostNames(attrs, ["language"], "id").length === 0 &&
  /^[\w.+#-]*$/.test(typeof attrs?.language === "string" ? attrs.language : "") &&
  content.every(({ text = "" }) => !/[\r\0]/.test(text));
