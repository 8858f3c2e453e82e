import { wordDiff } from "@svc/document/word-diff";
import type { Node as EditorNode } from "@tiptap/pm/model";
import { idOfNode } from "../block-json.ts";

/** Replaces an inline node in a line: one character for its one position. */
const OBJECT = "\ufffc";

/** A change inside of a block; positions count from the beginning of the block. */
export type TextMark =
  | { readonly kind: "added"; readonly from: number; readonly to: number }
  | { readonly kind: "removed"; readonly at: number; readonly text: string };

interface Line {
  readonly id: string | undefined;
  readonly text: string;
  /** The start of its text. */
  readonly start: number;
}

const textOf = (node: EditorNode): string => node.textBetween(0, node.content.size, undefined, OBJECT);
const shown = (text: string): string => text.replaceAll(OBJECT, "▢");

/** The lines of text in a block, the block itself where it is one. */
function linesOf(block: EditorNode): Line[] {
  if (block.isTextblock) return [{ id: idOfNode(block), text: textOf(block), start: 1 }];
  const lines: Line[] = [];
  block.descendants((node, position) => {
    if (node.isTextblock) lines.push({ id: idOfNode(node), text: textOf(node), start: position + 2 });
    return !node.isTextblock;
  });
  return lines;
}

/** Inserted and removed words in a block; a removed line is shown at the end of the line before. */
export function textMarks(before: EditorNode, block: EditorNode): TextMark[] {
  const old = linesOf(before);
  const now = linesOf(block);
  const byId = new Map(old.map((line) => [line.id, line]));
  const left = new Map(now.map((line) => [line.id, line]));
  return [...now.flatMap((line) => lineMarks(byId.get(line.id), line)), ...goneLines(old, left, now[0])];
}

function lineMarks(before: Line | undefined, { text, start }: Line): TextMark[] {
  if (!before) return text === "" ? [] : [{ kind: "added", from: start, to: start + text.length }];
  const marks: TextMark[] = [];
  let at = start;
  for (const run of wordDiff(before.text, text)) {
    if (run.kind === "removed") marks.push({ kind: "removed", at, text: shown(run.text) });
    else at += run.text.length;
    if (run.kind === "added") marks.push({ kind: "added", from: at - run.text.length, to: at });
  }
  return marks;
}

function goneLines(old: readonly Line[], left: ReadonlyMap<unknown, Line>, first: Line | undefined): TextMark[] {
  const marks: TextMark[] = [];
  let previous: Line | undefined;
  for (const line of old) {
    const still = left.get(line.id);
    if (still) previous = still;
    else if (line.text !== "" && (previous ?? first)) {
      const at = previous ? previous.start + previous.text.length : first!.start;
      marks.push({ kind: "removed", at, text: shown(line.text) });
    }
  }
  return marks;
}
