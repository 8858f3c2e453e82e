import { defined } from "../defined.ts";
import { joinText } from "../schema/normalise.ts";
import type { Mark, Node } from "../types.ts";
import { markKey } from "./inline-runs.ts";

const isLossyMark = (mark: Mark): boolean => {
  if (mark.type === "textStyle") return true;
  const { href: _href, title: _title, ...more } = mark.type === "link" ? (mark.attrs ?? {}) : { ...mark.attrs };
  return Object.values(more).some((value) => value !== null && value !== undefined);
};
const atomAttrs = ["src", "alt", "title", "attachmentId", "width", "height", "latex", "label", "html"];
const isLossy = (node: Node): boolean =>
  (node.marks?.some(isLossyMark) ?? false) ||
  (node.type !== "text" && Object.keys(node.attrs ?? {}).some((name) => !atomAttrs.includes(name)));

const marksKey = (node: Node): string =>
  (node.marks ?? [])
    .filter((mark) => mark.type !== "textStyle")
    .map(markKey)
    .sort()
    .join("\n");
const atomKey = (node: Node): string => JSON.stringify(atomAttrs.map((name) => node.attrs?.[name] ?? null));

/** One key for each UTF-16 unit and each inline node, equal where Markdown says the same. */
function unitKeys(nodes: readonly Node[]): string[] {
  const keys: string[] = [];
  for (const node of nodes) {
    const marks = `\n${marksKey(node)}`;
    if (node.type !== "text") keys.push(`${node.type} ${atomKey(node)}${marks}`);
    else for (let i = 0; i < defined(node.text).length; i++) keys.push(defined(node.text)[i] + marks);
  }
  return keys;
}

/** The part of inline content between two units. */
function slice(nodes: readonly Node[], from: number, to: number): Node[] {
  const part: Node[] = [];
  let start = 0;
  for (const node of nodes) {
    const size = node.type === "text" ? defined(node.text).length : 1;
    const [a, b] = [Math.max(from - start, 0), Math.min(to - start, size)];
    if (a < b) part.push(node.type === "text" ? { ...node, text: defined(node.text).slice(a, b) } : node);
    start += size;
  }
  return part;
}

const isHalf = (key: string | undefined, from: number): boolean => {
  const code = key?.charCodeAt(0) ?? 0;
  return code >= from && code < from + 0x400;
};

/** How many units are the same at the beginning, and then at the end; never half a character. */
function commonEnds(stored: readonly string[], read: readonly string[]): readonly [head: number, tail: number] {
  const most = Math.min(stored.length, read.length);
  let head = 0;
  while (head < most && stored[head] === read[head]) head++;
  if (isHalf(read[head - 1], 0xd800)) head--;
  let tail = 0;
  while (tail < most - head && stored.at(-1 - tail) === read.at(-1 - tail)) tail++;
  if (tail > 0 && isHalf(read.at(-tail), 0xdc00)) tail--;
  return [head, tail];
}

/**
 * Inline content that was read, with colours and the like of the stored content on what is unchanged before and after
 * the edit.
 */
export function keepInline(stored: readonly Node[], read: readonly Node[]): readonly Node[] {
  if (!stored.some(isLossy)) return read;
  const [before, after] = [unitKeys(stored), unitKeys(read)];
  const [head, tail] = commonEnds(before, after);
  return joinText([
    ...slice(stored, 0, head),
    ...slice(read, head, after.length - tail),
    ...slice(stored, before.length - tail, before.length),
  ]);
}
