import { defined } from "../../defined.ts";
import { sameMarks } from "../../schema/normalise.ts";
import type { Mark, Node } from "../../types.ts";
import { inlineTag } from "./sanitise.ts";

const startsWith = (marks: readonly Mark[], start: readonly Mark[]): boolean =>
  marks.length >= start.length && sameMarks(marks.slice(0, start.length), start);

interface Open {
  readonly name: string;
  readonly index: number;
  readonly marks: readonly Mark[];
  readonly out: string;
}

/**
 * Returns the output of each raw tag of a line whose partner is under the same marks. A tag without an entry is shown
 * as source.
 */
export function rawTags(content: readonly Node[]): ReadonlyMap<number, string> {
  const shown = new Map<number, string>();
  const open: Open[] = [];
  content.forEach((node, index) => {
    const marks = node.marks ?? [];
    while (open.length > 0 && !startsWith(marks, defined(open.at(-1)).marks)) open.pop();
    if (node.type !== "inlineRawHtml") return;
    const tag = inlineTag(String(node.attrs?.html ?? ""));
    if (!tag) return;
    const { piece, out } = tag;
    if (piece.kind === "comment" || (piece.kind === "open" && piece.void)) shown.set(index, out);
    else if (piece.kind === "open") open.push({ name: piece.name, index, marks, out });
    else if (piece.kind === "close") {
      const top = open.at(-1);
      if (top?.name !== piece.name || top.marks.length !== marks.length) return;
      open.pop();
      shown.set(top.index, top.out).set(index, out);
    }
  });
  return shown;
}
