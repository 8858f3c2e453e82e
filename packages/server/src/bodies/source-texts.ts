import { hash } from "node:crypto";
import { type HtmlRun, joinHtmlRuns } from "@svc/document/html/run";
import { mayHaveAnchors } from "@svc/document/markdown/anchor-comment";
import { isMarkdownOf } from "@svc/document/markdown/serialise";
import { warningsOf } from "@svc/document/markdown/warnings-of";
import { isStorable } from "@svc/document/storable";
import type { Node } from "@svc/document/types";
import { type RenderedSegment, RULES } from "./renderings.ts";
import type { Segment } from "./segment.ts";

/** Identifies a source. */
export const styleOf = (source: string): string => hash("sha256", source, "base64url").slice(0, 22);

/** Whether the source can be stored: both databases return it unchanged, and it is text of the body alone. */
export const isKept = (source: string): boolean => isStorable(source) && !mayHaveAnchors(source);

interface BesideBody {
  readonly source: string;
  readonly style: string;
}

/** The stored data about the Markdown that blocks were written from; undefined if their own Markdown is the same. */
export const sourceBeside = (source: string | undefined, blocks: readonly Node[]): BesideBody | undefined =>
  source === undefined || !isKept(source) || isMarkdownOf(source, blocks)
    ? undefined
    : { source, style: styleOf(source) };

/** A body that was just written, with its new segments. */
interface Written {
  readonly version: string;
  readonly blocks: readonly Node[];
  readonly segments: readonly Pick<Segment, "hash">[];
  readonly rendered: readonly RenderedSegment[];
}

/** The HTML of all segments of a body, if all of them are rendered. */
function wholeHtml({ segments, rendered }: Written): string | undefined {
  const byHash = new Map(rendered.map((one) => [one.segment.hash, one.html]));
  const all: HtmlRun[] = [];
  for (const { hash } of segments) {
    const html = byHash.get(hash);
    if (!html) return undefined;
    all.push(html);
  }
  return joinHtmlRuns(all);
}

/** The data stored beside a body that was written from a source. */
export interface SourceTexts extends BesideBody {
  readonly version: string;
  /** JSON. */
  readonly warnings: string;
  readonly html: string | undefined;
  /** The version of the rules that made both. */
  readonly rules: number;
}

export function sourceTexts(written: Written, { source, style }: BesideBody): SourceTexts {
  const { version, blocks } = written;
  const html = wholeHtml(written);
  return {
    version,
    source,
    style,
    warnings: JSON.stringify(warningsOf(blocks)),
    html: html !== undefined && isStorable(html) ? html : undefined,
    rules: RULES,
  };
}

/** The effect of a write on the stored source. */
interface SourceChange {
  readonly kept: BesideBody | undefined;
}

/** Undefined leaves it as it was: there is no source, or one with anchors. */
export const sourceChange = (source: string | undefined, blocks: readonly Node[]): SourceChange | undefined =>
  source !== undefined && isKept(source) ? { kept: sourceBeside(source, blocks) } : undefined;
