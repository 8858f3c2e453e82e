import { type HtmlRun, renderRun } from "@svc/document/html/run";
import { type MarkdownRun, serialiseRun } from "@svc/document/markdown/serialise";
import { isStorable } from "@svc/document/storable";
import type { Node } from "@svc/document/types";
import { asBuffer } from "../db/as-buffer.ts";
import type { Segment } from "./segment.ts";
import { type HtmlBytes, placesInBytes } from "./stored-html.ts";

/**
 * The version of the rules by which blocks become Markdown and HTML. Increment it with every change to the output:
 * texts stored under other rules are then rendered again when they are read.
 */
export const RULES = 8;

/** The blocks of a segment as text, as far as it depends on them alone. */
interface MadeRuns {
  readonly markdown: MarkdownRun;
  readonly html: HtmlRun;
}
export type RunForm = keyof MadeRuns;

/** The same after reading. */
export interface Runs {
  readonly markdown: MarkdownRun;
  readonly html: HtmlRun | HtmlBytes;
}

export const makeRun: { readonly [Form in RunForm]: (blocks: readonly Node[]) => MadeRuns[Form] } = {
  markdown: serialiseRun,
  html: renderRun,
};

/** A segment with its blocks as text. */
export interface RenderedSegment {
  readonly segment: Segment;
  /** Undefined if a stored source has the same text; a reader that needs it anyway renders it. */
  readonly markdown: MarkdownRun | undefined;
  readonly html: HtmlRun;
}

export const renderSegment = (segment: Segment, hasSource: boolean): RenderedSegment => ({
  segment,
  markdown: hasSource ? undefined : makeRun.markdown(segment.blocks),
  html: makeRun.html(segment.blocks),
});

/** A segment with its stored texts. */
export interface SegmentTexts {
  readonly segment: Pick<Segment, "hash" | "json">;
  readonly markdown: string | null;
  readonly html: string | null;
}

export const writeTexts = ({ segment, markdown, html }: RenderedSegment): SegmentTexts => ({
  segment,
  markdown: markdown ? writeRun(markdown) : null,
  html: writeRun(html),
});

/** Serialises a run: a line of JSON with everything except the text, then the text. */
export function writeRun(run: MadeRuns[RunForm]): string | null {
  const { text, ...about } = "places" in run ? { ...run, placesInBytes: placesInBytes(run) } : run;
  return isStorable(text) ? `${JSON.stringify(about)}\n${text}` : null;
}

const LINE_END = 10;

/** Bytes stay bytes, unless they were stored before offsets were also counted in bytes. */
export function readRun<Form extends RunForm>(stored: string | Uint8Array): Runs[Form] {
  if (typeof stored === "string") {
    const end = stored.indexOf("\n");
    return { ...JSON.parse(stored.slice(0, end)), text: stored.slice(end + 1) };
  }
  const all = asBuffer(stored);
  const end = all.indexOf(LINE_END);
  const about = JSON.parse(all.toString("utf8", 0, end));
  const bytes = all.subarray(end + 1);
  return "placesInBytes" in about ? { ...about, bytes } : { ...about, text: bytes.toString() };
}
