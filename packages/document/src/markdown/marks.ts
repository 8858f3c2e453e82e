import type { Mark } from "../types.ts";

const order = [
  "link",
  "bold",
  "italic",
  "strike",
  "underline",
  "highlight",
  "textStyle",
  "subscript",
  "superscript",
  "kbd",
  "code",
];
const rank = new Map(order.map((type, index) => [type, index]));

/** Marks as a set in one fixed order, the innermost of a type winning. Markdown can nest what a set can hold once. */
export function sortMarks(marks: readonly Mark[]): readonly Mark[] {
  if (marks.length < 2) return marks.slice();
  const byType = new Map(marks.map((mark) => [mark.type, mark]));
  return [...byType.values()].sort((a, b) => rankOf(a) - rankOf(b));
}

/** The place of a mark in that order. */
export const rankOf = (mark: Mark): number => rank.get(mark.type) ?? order.length;
