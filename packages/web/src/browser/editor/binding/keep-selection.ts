import { commonAround, findOffset } from "@svc/live/text-position";
import { GapCursor } from "@tiptap/pm/gapcursor";
import type { Node as EditorNode, ResolvedPos } from "@tiptap/pm/model";
import { Selection, TextSelection, type Transaction } from "@tiptap/pm/state";
import { childrenOf, idOfNode } from "../block-json.ts";

/** A line of text and its start. */
interface Line {
  readonly node: EditorNode;
  readonly start: number;
}

/** A position in a line, before others changed the document. */
interface LinePosition {
  readonly line: EditorNode;
  readonly offset: number;
}

/** The first line that matches, and the line before it. */
function findLine(doc: EditorNode, isWanted: (node: EditorNode) => boolean): { line?: Line; previous?: Line } {
  let found: Line | undefined;
  let previous: Line | undefined;
  doc.descendants((node, position) => {
    if (found || !node.isTextblock) return !found;
    const line = { node, start: position + 1 };
    if (isWanted(node)) found = line;
    else previous = line;
    return false;
  });
  return { ...(found && { line: found }), ...(previous && { previous }) };
}

const withId = (doc: EditorNode, id: string | undefined): Line | undefined =>
  id === undefined ? undefined : findLine(doc, (node) => idOfNode(node) === id).line;

/** The line after another. */
function lineBehind(doc: EditorNode, { node }: Line): Line | undefined {
  let isNext = false;
  return findLine(doc, (one) => {
    const isFound = isNext;
    isNext = one === node;
    return isFound;
  }).line;
}

/** The text of a line, with one character for each inline node, as it takes one position. */
const textOf = (line: EditorNode): string => line.textBetween(0, line.content.size, undefined, "\ufffc");

interface Change {
  readonly from: number;
  readonly to: number;
  /** The new length. */
  readonly length: number;
  /** How many equal letters surround the change. */
  readonly overlap: number;
}

/** The replaced range of a line; undefined if it is unchanged. */
function changeOf(old: EditorNode, now: EditorNode): Change | undefined {
  const from = old.content.findDiffStart(now.content);
  const end = from === null ? null : old.content.findDiffEnd(now.content);
  if (from === null || !end) return undefined;
  const overlap = Math.max(0, from - Math.min(end.a, end.b));
  return { from, to: end.a + overlap, length: end.b + overlap - from, overlap };
}

/** Maps an offset from the old to the new form of a line; stays left of text inserted there. */
function offsetIn(old: EditorNode, now: EditorNode, offset: number): number {
  const change = changeOf(old, now);
  if (!change || offset <= change.from) return offset;
  return offset >= change.to ? offset + change.length - (change.to - change.from) : change.from;
}

/**
 * Maps a position into the line that somebody else split off; undefined if none was. Text that was typed there
 * meanwhile stays in the first line.
 */
function inSplit(doc: EditorNode, now: Line, { line, offset }: LinePosition): number | undefined {
  const change = changeOf(line, now.node);
  if (!change || change.length > 0) return undefined;
  const next = lineBehind(doc, now);
  // Equal letters before and after the removed range leave open which of them were removed.
  for (let from = change.from; next && from >= 0 && from >= change.from - change.overlap; from--) {
    const to = from + change.to - change.from;
    if (offset > from && next.node.content.eq(line.content.cut(from, to)))
      return next.start + Math.min(offset, to) - from;
  }
  return undefined;
}

/** Maps a position into the nearest remaining line before it, to which somebody else joined this line or its rest. */
function inJoined(before: EditorNode, now: EditorNode, { line, offset }: LinePosition): number | undefined {
  let previous: { readonly was: EditorNode; readonly is: Line } | undefined;
  findLine(before, (node) => {
    const is = node === line ? undefined : withId(now, idOfNode(node));
    if (is) previous = { was: node, is };
    return node === line;
  });
  const change = previous && changeOf(previous.was, previous.is.node);
  if (!previous || !change) return undefined;
  const added = textOf(previous.is.node).slice(change.from, change.from + change.length);
  const place = findOffset(added, textOf(line), offset);
  return place === undefined ? undefined : previous.is.start + change.from + place;
}

/**
 * Maps a position into the new line with the same text, or the one with most of the text around it and half of the
 * line: a program that rewrites a whole page gives its lines other ids. Undefined if several are alike.
 */
function inCopy(before: EditorNode, now: EditorNode, { line, offset }: LinePosition): number | undefined {
  const text = textOf(line);
  const alike: { readonly place: number; readonly length: number }[] = [];
  for (const { node, start } of newLines(before, now)) {
    const common = commonAround(textOf(node), text, offset);
    const isBeside = common && common.inText <= offset && offset <= common.inText + common.length;
    if (node.content.size > 0 && node.content.eq(line.content)) alike.push({ place: start + offset, length: Infinity });
    else if (isBeside && common.length * 2 >= text.length)
      alike.push({ place: start + common.inOther + offset - common.inText, length: common.length });
  }
  const most = Math.max(...alike.map(({ length }) => length));
  const [best, other] = alike.filter(({ length }) => length === most);
  return other ? undefined : best?.place;
}

/** Lines that did not exist before. */
function newLines(before: EditorNode, now: EditorNode): Line[] {
  const known = new Set<unknown>();
  findLine(before, (node) => !known.add(idOfNode(node)));
  const lines: Line[] = [];
  now.descendants((node, position) => {
    if (node.isTextblock && !known.has(idOfNode(node))) lines.push({ node, start: position + 1 });
    return !node.isTextblock;
  });
  return lines;
}

/** Maps a position into the line made of the person's rescued words after others removed the rest of it. */
function inOwnWords(before: EditorNode, now: EditorNode, { line, offset }: LinePosition): number | undefined {
  const typed = textOf(line).slice(0, offset);
  const own = newLines(before, now).find(({ node }) => node.content.size > 0 && typed.endsWith(textOf(node)));
  return own && own.start + own.node.content.size;
}

/**
 * Maps a position through changes by others by its line: finds it again when others move, split, join, wrap or convert
 * the line, so that typing continues in the right place. Undefined if the position is in no line, or the line is gone.
 */
export function positionAfter(before: EditorNode, now: EditorNode, position: number): number | undefined {
  const { parent, parentOffset: offset } = before.resolve(position);
  const id = parent.isTextblock ? idOfNode(parent) : undefined;
  if (id === undefined) return undefined;
  const line = withId(now, id);
  const place = { line: parent, offset };
  if (!line) return inJoined(before, now, place) ?? inCopy(before, now, place) ?? inOwnWords(before, now, place);
  return inSplit(now, line, place) ?? line.start + offsetIn(parent, line.node, offset);
}

/** Whether typing between these blocks creates a line: not in tables, and an empty page already shows one. */
function isGap({ parent, doc }: ResolvedPos): boolean {
  const kind = parent.type.contentMatch.defaultType;
  const isEmpty = doc.firstChild === null || idOfNode(doc.firstChild) === undefined;
  return !parent.inlineContent && !isEmpty && (kind?.isTextblock === true || /Item$/.test(kind?.name ?? ""));
}

/** The content of a remaining block and its new start. */
function contentOf(now: EditorNode, depth: number, block: EditorNode): { node: EditorNode; start: number } | undefined {
  if (depth === 0) return { node: now, start: 0 };
  let found: { node: EditorNode; start: number } | undefined;
  now.descendants((node, position) => {
    if (!found && idOfNode(node) === idOfNode(block)) found = { node, start: position + 1 };
    return !found && !node.isTextblock;
  });
  return found;
}

/**
 * The gap where a removed line or a caret between blocks was: in the innermost remaining block around it, after what
 * came before it, or else before what came after it.
 */
function gapAt(before: EditorNode, now: EditorNode, position: number): ResolvedPos | undefined {
  const $was = before.resolve(position);
  for (let depth = $was.depth - ($was.parent.inlineContent ? 1 : 0); depth >= 0; depth--) {
    const parent = $was.node(depth);
    const here = contentOf(now, depth, parent);
    if (!here) continue;
    const places = new Map<string, number>();
    here.node.forEach((child, offset) => {
      places.set(idOfNode(child) ?? "", here.start + offset);
    });
    const siblings = childrenOf(parent).map((child) => places.get(idOfNode(child) ?? " "));
    const at = $was.index(depth);
    const last = siblings.slice(0, at).findLast((place) => place !== undefined);
    const next = siblings.slice(at).find((place) => place !== undefined);
    const behind = last === undefined ? undefined : last + (now.nodeAt(last)?.nodeSize ?? 0);
    const place = behind ?? next ?? (depth > 0 ? here.start : undefined);
    if (place !== undefined && isGap(now.resolve(place))) return now.resolve(place);
  }
  return undefined;
}

/**
 * The selection after changes by others. If the line with the caret is gone, the caret goes between the lines around
 * it, so that typing creates a new line instead of changing somebody else's. After the person's own undo it goes to the
 * end of the line before.
 */
export function keepSelection(tr: Transaction, selection: Selection, isUndo: boolean): Transaction {
  const isText = selection instanceof TextSelection;
  if (!isText && !(selection instanceof GapCursor)) return tr;
  const { anchor, head, empty } = selection;
  const kept = (position: number) => (isText ? positionAfter(tr.before, tr.doc, position) : undefined);
  // Stay left of text that others insert at the caret, or two people at one position would type into each other.
  const now = (position: number) => tr.doc.resolve(kept(position) ?? tr.mapping.map(position, -1));
  const $from = now(anchor);
  const $gap = empty && kept(anchor) === undefined ? (gapAt(tr.before, tr.doc, anchor) ?? $from) : undefined;
  if ($gap && isGap($gap)) {
    const before = isUndo ? Selection.findFrom($gap, -1, true) : null;
    return tr.setSelection(before ?? new GapCursor($gap));
  }
  return tr.setSelection(TextSelection.between($from, head === anchor ? $from : now(head)));
}
