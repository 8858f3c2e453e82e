import type { Mark, Node } from "../types.ts";
import { serialiseBlock, type Warning } from "./serialise.ts";
import { PLAIN_LANGUAGE } from "./serialise-blocks.ts";
import { lostNames } from "./warning.ts";

/**
 * Warnings about blocks that Markdown cannot express, as writing them would report. Most are plainly safe, which takes a
 * quarter of the time: only others are written.
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
const PLAIN_NODES: ReadonlyMap<string, readonly string[]> = new Map([
  ["paragraph", []],
  ["heading", ["level"]],
  ["bulletList", []],
  ["listItem", []],
  ["taskList", []],
  ["taskItem", ["checked"]],
  ["blockquote", []],
  ["horizontalRule", []],
  ["hardBreak", []],
  ["image", ["src", "alt", "title", "attachmentId", "wiki"]],
  ["inlineImage", ["src", "alt", "title", "attachmentId", "wiki"]],
]);

/** Whether a node is certainly one that Markdown can say in full. */
function isPlain(node: Node, level: number): boolean {
  if (node.type === "text") return isPlainText(node);
  if (node.type === "codeBlock") return isPlainCode(node);
  if (node.type === "table") return isPlainTable(node, level);
  const kept = node.type === "orderedList" ? plainStart(node) : PLAIN_NODES.get(node.type);
  if (kept === undefined || level > SHALLOW || lostNames(node.attrs, kept, "id").length > 0) return false;
  return (
    hasPlainMarks(node) && (node.content === undefined || node.content.every((child) => isPlain(child, level + 1)))
  );
}

const isPlainText = (node: Node): boolean => !node.text?.includes("\0") && hasPlainMarks(node);

const hasPlainMarks = ({ marks }: Node): boolean => marks === undefined || marks.every(isPlainMark);

function isPlainMark({ type, attrs }: Mark): boolean {
  const kept = PLAIN_MARKS.get(type);
  return kept !== undefined && lostNames(attrs, kept).length === 0;
}

/** A list that begins with a number as every writer has it. */
const plainStart = ({ attrs }: Node): readonly string[] | undefined => {
  const start = attrs?.start ?? 1;
  return typeof start === "number" && start >= 0 && start < 1e6 && Number.isInteger(start) ? ["start"] : undefined;
};

const isPlainCode = ({ attrs, content = [] }: Node): boolean =>
  lostNames(attrs, ["language"], "id").length === 0 &&
  PLAIN_LANGUAGE.test(typeof attrs?.language === "string" ? attrs.language : "") &&
  content.every(({ text = "" }) => !/[\r\0]/.test(text));

/** A header, then rows of as many cells, each of one line; none of them is aligned. */
function isPlainTable({ attrs, content: rows = [] }: Node, level: number): boolean {
  const columns = rows[0]?.content?.length;
  return (
    lostNames(attrs, [], "id").length === 0 &&
    rows.every((row, i) => {
      const type = i === 0 ? "tableHeader" : "tableCell";
      const cells = row.content ?? [];
      const isLine = lostNames(row.attrs, [], "id").length === 0 && cells.length === columns;
      return isLine && cells.every((cell) => cell.type === type && isPlainCell(cell, level));
    })
  );
}

function isPlainCell({ attrs, content = [] }: Node, level: number): boolean {
  const [only, ...others] = content;
  const isSingle = (attrs?.colspan ?? 1) === 1 && (attrs?.rowspan ?? 1) === 1;
  return (
    isSingle &&
    lostNames(attrs, ["colspan", "rowspan"], "id").length === 0 &&
    only?.type === "paragraph" &&
    others.length === 0 &&
    isPlain(only, level + 1)
  );
}
