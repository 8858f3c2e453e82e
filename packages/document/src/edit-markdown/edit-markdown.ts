import { badRequest, type EditContext, takenIds } from "../blocks/context.ts";
import { blockIds, childBlocks } from "../blocks/find.ts";
import { checkFit } from "../blocks/fit.ts";
import { spliceAt } from "../blocks/splice.ts";
import { parseAnchored } from "../markdown/anchors.ts";
import { parseMarkdown } from "../markdown/parse.ts";
import { serialiseBlock } from "../markdown/serialise.ts";
import { keepAllStored } from "../schema/keep-stored.ts";
import { blockId, idsOf } from "../schema/node.ts";
import { normaliseNodes } from "../schema/normalise.ts";
import { tooLarge, type ValidateOptions, validateNodes } from "../schema/validate.ts";
import type { Body, Node } from "../types.ts";
import { joinLists } from "./join-lists.ts";
import { findPlaces, type Place, PlaceReport } from "./places.ts";
import { sectionOf, wholeBody } from "./section.ts";
import { type SourceText, sourceText, touched } from "./source-text.ts";
import { withRows } from "./table-rows.ts";

export type MarkdownContext = EditContext &
  ValidateOptions & {
    /** The Markdown of one stored block; the server may answer from memory. */
    readonly writeMarkdown?: (block: Node) => string;
  };

interface MarkdownEdit {
  readonly old: string;
  readonly new: string;
  /** A heading's text or a block id; left out, the whole body. */
  readonly section?: string | undefined;
  /** From 1; left out, the text must occur once. */
  readonly occurrence?: number | "all" | undefined;
}

/** Characters of Markdown that one edit may bring: it is parsed on the spot. */
const MAX_MARKDOWN = 200_000;

const anchors = /^ {0,3}<!--[ \t]*@(?:block=)?[^\s>]+?(?:[ \t]+#\S*)?[ \t]*-->[ \t]*\n?/gm;

/** As the body's Markdown has it: line ends of one kind, no anchor comments. */
const plain = (text: string): string => text.replace(/\r\n?/g, "\n").replace(anchors, "");

/**
 * Replaces a stretch of the body's Markdown. Only the top-level blocks that the stretch touches are read again; what
 * they hold keeps its ids where it stays or is only edited.
 */
export function editMarkdown(
  body: Body,
  edit: MarkdownEdit,
  context: MarkdownContext,
): { readonly body: Body; readonly count: number } {
  const text = plain(edit.new).replace(/\n+$/, "");
  const old = text === "" ? plain(edit.old) : plain(edit.old).replace(/\n+$/, "");
  if (old.trim() === "") throw badRequest("old", "must have a visible character");
  const span = edit.section === undefined ? wholeBody(body) : sectionOf(body, edit.section);
  const blocks = body.content.slice(span.from, span.to);
  const source = sourceText(blocks, context.writeMarkdown ?? ((block) => serialiseBlock(block).text));
  const found = choose(findPlaces(source, old), edit, new PlaceReport(body, span, source));
  const places = text === "" ? found.map((place) => wholeLines(source.text, place)) : found;
  checkLength(text.length * places.length);
  let result = body;
  for (const range of rangesOf(source, places).reverse()) {
    const read = parseAnchored(
      replaced(source, range, text),
      blocks.slice(range.first, range.last + 1),
      context.newId,
      {
        ...(context.writeMarkdown && { writeMarkdown: context.writeMarkdown }),
        matchIds: true,
      },
    );
    const first = span.from + range.first;
    result = putBlocks(result, first, range.last - range.first + 1, read, context);
  }
  return { body: result, count: places.length };
}

function choose(places: readonly Place[], { old, occurrence }: MarkdownEdit, report: PlaceReport): readonly Place[] {
  if (places.length === 0) throw report.notFound(old);
  if (occurrence === "all") return places;
  if (occurrence === undefined) {
    if (places.length > 1) throw report.ambiguous(places);
    return places;
  }
  const place = places[occurrence - 1];
  if (!place) throw report.noSuchOccurrence(occurrence, places);
  return [place];
}

/** Lines that go leave no empty line behind: it would cut a table in two. */
function wholeLines(text: string, { from, to }: Place): Place {
  const startsLine = from === 0 || text[from - 1] === "\n";
  if (startsLine && text[to] === "\n") return { from, to: to + 1 };
  return startsLine && from > 0 && to === text.length ? { from: from - 1, to } : { from, to };
}

function checkLength(characters: number): void {
  if (characters > MAX_MARKDOWN) throw tooLarge(MAX_MARKDOWN, characters);
}

interface Range {
  readonly first: number;
  last: number;
  readonly places: Place[];
}

/** Places by the blocks that they touch; those that share a block belong together. */
function rangesOf(source: SourceText, places: readonly Place[]): Range[] {
  const ranges: Range[] = [];
  for (const place of places) {
    const { first, last } = touched(source, place.from, place.to);
    const previous = ranges.at(-1);
    if (previous && first <= previous.last) {
      previous.last = Math.max(previous.last, last);
      previous.places.push(place);
    } else ranges.push({ first, last, places: [place] });
  }
  return ranges;
}

function replaced({ text, starts, ends }: SourceText, { first, last, places }: Range, by: string): string {
  let result = "";
  let at = starts[first]!;
  for (const { from, to } of places) {
    result += text.slice(at, from) + by;
    at = to;
  }
  return result + text.slice(at, ends[last]);
}

/** Puts blocks that were read from Markdown in the place of some stored ones. */
function putBlocks(body: Body, first: number, count: number, read: readonly Node[], context: MarkdownContext): Body {
  const stored = body.content.slice(first, first + count);
  const isStored = new Set(idsOf(stored));
  const fresh = read.map((block) => (isStored.has(blockId(block) ?? "") ? block : withoutId(block)));
  const { nodes, takesBefore, takesAfter } = joinLists(body.content[first - 1], fresh, body.content[first + count]);
  const from = takesBefore ? first - 1 : first;
  const to = takesAfter ? first + count + 1 : first + count;
  const before = body.content.slice(from, to);
  const sent = validateNodes(nodes, { ...context, path: "new" });
  checkFit(body, sent, 0, context, "new");
  const taken = takenIds(body, context);
  const freed = blockIds(before);
  const normal = normaliseNodes(sent, context.newId, (id) => !freed.has(id) && taken(id));
  return spliceAt(body, [], from, to - from, keepAllStored(normal, before));
}

const withoutId = (block: Node): Node => {
  const { id: _, ...attrs } = block.attrs ?? {};
  return { ...block, attrs };
};

/**
 * Adds Markdown at the end of the body, or of a section's own text, before the sections inside of it. Rows alone behind
 * a table become rows of it.
 */
export function appendMarkdown(
  body: Body,
  { markdown, section }: { readonly markdown: string; readonly section?: string | undefined },
  context: MarkdownContext,
): { readonly body: Body; readonly block_ids: readonly string[] } {
  checkLength(markdown.length);
  const read = parseMarkdown(plain(markdown));
  if (read.length === 0) throw badRequest("markdown", "has no block in it");
  const { ownEnd } = section === undefined ? wholeBody(body) : sectionOf(body, section);
  const grown = withMoreRows(body.content[ownEnd - 1], plain(markdown), context);
  const result = grown ? putBlocks(body, ownEnd - 1, 1, [grown], context) : putBlocks(body, ownEnd, 0, read, context);
  const touchedBlocks = result.content.slice(Math.max(0, ownEnd - 1), ownEnd + read.length + 1);
  const before = blockIds(body.content.slice(Math.max(0, ownEnd - 1), ownEnd + 1));
  return { body: result, block_ids: touchedBlocks.flatMap((block) => newIds(block, before)) };
}

function withMoreRows(table: Node | undefined, markdown: string, context: MarkdownContext): Node | undefined {
  const write = context.writeMarkdown ?? ((block) => serialiseBlock(block).text);
  const longer = withRows(table, markdown, write);
  if (!table || !longer) return undefined;
  const read = parseAnchored(longer.text, [table], context.newId, { writeMarkdown: write, matchIds: true });
  const isGrown = read.length === 1 && read[0]?.content?.length === (table.content?.length ?? 0) + longer.count;
  return isGrown ? read[0] : undefined;
}

/** The block itself if it is new, or else the parts of it that are. */
const newIds = (block: Node, before: ReadonlySet<string>): string[] =>
  before.has(blockId(block) ?? "") ? childBlocks(block).flatMap((part) => newIds(part, before)) : idsOf([block]);
