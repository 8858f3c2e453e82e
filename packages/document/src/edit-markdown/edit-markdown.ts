import { badRequest, takenIds } from "../blocks/context.ts";
import { blockIds } from "../blocks/find.ts";
import { findAll } from "../blocks/find-all.ts";
import { checkFit } from "../blocks/fit.ts";
import { spliceAt } from "../blocks/splice.ts";
import { defined } from "../defined.ts";
import { parseMarkdown } from "../markdown/parse.ts";
import { serialiseBody } from "../markdown/serialise.ts";
import { splitReadable } from "../properties/front-matter.ts";
import { keepAllStored } from "../schema/keep-stored.ts";
import { normaliseNodes } from "../schema/normalise.ts";
import { validateNodes } from "../schema/validate.ts";
import type { Body, Node } from "../types.ts";
import { type MarkdownContext, spend, withoutAnchors, withPlainLineEnds, writerOf } from "./context.ts";
import { type EditedRun, editedRuns, replacedText, textOfRun } from "./edited-run.ts";
import { keepIds } from "./keep-ids.ts";
import { PlaceReport } from "./place-report.ts";
import { findPlaces, type Place } from "./places.ts";
import { type ReadRun, readRun } from "./read-run.ts";
import { sectionOf, wholeBody } from "./section.ts";
import { type SpanText, spanText } from "./source-text.ts";
import { changedLine, linesOf } from "./untouched-lines.ts";

interface MarkdownEdit {
  readonly old: string;
  readonly new: string;
  /** A heading's text or a block id; left out, the whole body. */
  readonly section?: string | undefined;
  /** From 1; left out, the text must occur once. */
  readonly occurrence?: number | "all" | undefined;
}

/** A body and its Markdown, with the places of it that are to be replaced. */
interface Replacement {
  readonly body: Body;
  readonly source: SpanText;
  readonly places: readonly Place[];
  readonly by: string;
  readonly report: PlaceReport;
  readonly context: MarkdownContext;
}

/**
 * Replaces a stretch of the body's Markdown. The body afterwards is what the replaced Markdown is read as, and blocks
 * that the stretch does not touch stay as they are; an edit that would change how they are read is refused.
 */
export function editMarkdown(
  body: Body,
  edit: MarkdownEdit,
  context: MarkdownContext,
): { readonly body: Body; readonly count: number } {
  spend(context, edit.old.length + edit.new.length);
  const span = edit.section === undefined ? wholeBody(body) : sectionOf(body, edit.section);
  const source = spanText(body, span, writerOf(context));
  const old = textToFind(source, edit.old);
  const report = new PlaceReport(body, source);
  const found = findPlaces(source, old);
  const places = choose(found.places, edit, report);
  const by = withoutAnchors(withPlainLineEnds(edit.new));
  spend(context, by.length * (places.length - 1));
  const replacement = { body, source, places, by: found.isLoose ? withBulletsOf(by, old) : by, report, context };
  return { body: replaceAll(replacement), count: places.length };
}

/** The text as it may stand in the Markdown: without anchors, unless the Markdown shows some. */
function textToFind({ text }: SpanText, sent: string): string {
  const old = withPlainLineEnds(sent);
  const plain = withoutAnchors(old);
  const wanted = plain === old || findAll(text, old).length > 0 ? old : plain;
  if (wanted === "") throw badRequest("old", "must not be empty");
  return wanted;
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

/** If the text was found with the page's own bullets, the new text uses them, too. */
function withBulletsOf(text: string, old: string): string {
  const sent = /^[ \t]*([*+])[ \t]/m.exec(old)?.[1];
  return sent === undefined
    ? text
    : text.replace(/^([ \t]*)([*+])(?=[ \t])/gm, (all, blanks, bullet) => (bullet === sent ? `${blanks}-` : all));
}

function replaceAll(replacement: Replacement): Body {
  const { body, source, places, report, context } = replacement;
  const stored = body.content.slice(source.offset, source.offset + source.starts.length);
  const runs = editedRuns(source, places).map((run) => readChecked(stored, run, replacement));
  let result = body;
  for (const { first, last, blocks } of runs.toReversed()) {
    const before = stored.slice(first, last + 1);
    result = putBlocks(result, source.offset + first, before, keepIds(blocks, before, writerOf(context)), context);
  }
  if (runs.some((run) => mayChangeOthers(run, body)) && !isWhole(result, replacement))
    throw report.changesStructure(defined(places[0]).from);
  return result;
}

/** Reads a run, and refuses what would change how anything beside the replaced text is read. */
function readChecked(stored: readonly Node[], run: EditedRun, { source, by, report }: Replacement): ReadRun {
  const text = replacedText(source, run, by);
  const { offset, starts } = source;
  if (offset + run.first === 0 && text.startsWith("---") && hasFrontMatter(text)) throw report.changesStructure(0);
  const read = readRun(stored, source, run, text);
  if ("changed" in read) throw report.changesStructure(defined(starts[read.changed]));
  const old = textOfRun(source, run);
  const start = defined(starts[run.first]);
  const places = run.places.map(({ from, to }) => ({ from: from - start, to: to - start }));
  const line = changedLine(old, text, read, linesOf(old, places, by));
  if (line !== undefined) throw report.changesStructure(start + lineStart(old, line));
  return read;
}

function hasFrontMatter(text: string): boolean {
  const { frontMatter, problem } = splitReadable(text);
  return frontMatter !== "" || problem !== undefined;
}

function lineStart(text: string, line: number): number {
  let at = 0;
  for (let i = 0; i < line; i++) at = text.indexOf("\n", at) + 1;
  return at;
}

/** `<details>` that is left open goes up to the next end of some on the page. */
const mayChangeOthers = ({ blocks }: ReadRun, { content }: Body): boolean =>
  blocks.some(isPartOfDetails) && content.some(isPartOfDetails);

const isPartOfDetails = ({ type, attrs }: Node): boolean =>
  type === "rawHtml" && /^[ \t]*<\/?details/i.test(String(attrs?.html));

/** Whether the whole replaced Markdown is read as this body. */
function isWhole(result: Body, { body, source, places, by, context }: Replacement): boolean {
  const whole = spanText(body, wholeBody(body), writerOf(context));
  const shift = defined(whole.starts[source.offset]) - defined(source.starts[0]);
  const run = {
    first: 0,
    last: body.content.length - 1,
    places: places.map(({ from, to }) => ({ from: from + shift, to: to + shift })),
  };
  return serialiseBody(parseMarkdown(replacedText(whole, run, by))).text === serialiseBody(result.content).text;
}

/** Puts blocks in the place of stored ones. What says the same as before stays as it was stored. */
export function putBlocks(
  body: Body,
  first: number,
  stored: readonly Node[],
  blocks: readonly Node[],
  context: MarkdownContext,
): Body {
  const sent = blocks.length === 0 ? [] : validateNodes(blocks, { ...context, path: "new" });
  checkFit(body, sent, 0, context, "new");
  const taken = takenIds(body, context);
  const freed = blockIds(stored);
  const normal = normaliseNodes(sent, context.newId, (id) => !freed.has(id) && taken(id));
  return spliceAt(body, [], first, stored.length, keepAllStored(normal, stored));
}
