import { type HtmlRun, renderRun } from "@svc/document/html/run";
import { type MarkdownRun, serialiseRun } from "@svc/document/markdown/serialise";
import { isStorable } from "@svc/document/storable";
import type { Node } from "@svc/document/types";
import { asBuffer } from "../db/as-buffer.ts";
import type { Segment } from "./segment.ts";
import { type HtmlBytes, placesInBytes } from "./stored-html.ts";

/**
 * By which rules blocks become Markdown and HTML. To be counted up with every change of what comes out: what was stored
 * by other rules is then rendered again when it is read.
 */
export const RULES = 7;

/** The blocks of a segment as text, as far as that follows from them alone. */
interface MadeRuns {
  readonly markdown: MarkdownRun;
  readonly html: HtmlRun;
}
export type RunForm = keyof MadeRuns;

/** The same as it is read. */
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
  /** Left out where a source is kept that says the same: whoever asks for it nevertheless has it made. */
  readonly markdown: MarkdownRun | undefined;
  readonly html: HtmlRun;
}

export const renderSegment = (segment: Segment, hasSource: boolean): RenderedSegment => ({
  segment,
  markdown: hasSource ? undefined : makeRun.markdown(segment.blocks),
  html: makeRun.html(segment.blocks),
});

/** A segment with its texts as they are stored. */
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

/** A run as it is stored: a line of JSON that says what is to be known of the text, then the text. */
export function writeRun(run: MadeRuns[RunForm]): string | null {
  const { text, ...about } = "places" in run ? { ...run, placesInBytes: placesInBytes(run) } : run;
  return isStorable(text) ? `${JSON.stringify(about)}\n${text}` : null;
}

const LINE_END = 10;

/** Bytes stay bytes, unless they are from before places were counted in bytes, too. */
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
