import { type HtmlRun, renderRun } from "@svc/document/html/run";
import { type MarkdownRun, serialiseRun } from "@svc/document/markdown/serialise";
import type { Node } from "@svc/document/types";

/**
 * By which rules blocks become Markdown and HTML. To be counted up with every change of what comes out: what was stored
 * by other rules is then rendered again when it is read.
 */
export const RULES = 4;

/** The blocks of a segment as text, as far as that follows from them alone. */
export interface Runs {
  readonly markdown: MarkdownRun;
  readonly html: HtmlRun;
}
export type RunForm = keyof Runs;

export const makeRun: { readonly [Form in RunForm]: (blocks: readonly Node[]) => Runs[Form] } = {
  markdown: serialiseRun,
  html: renderRun,
};

/** A run as it is stored: a line of JSON that says what is to be known of the text, then the text. */
export function writeRun({ text, ...about }: Runs[RunForm]): string | null {
  // What a database would change or refuse is not stored.
  return text.includes("\0") || !text.isWellFormed() ? null : `${JSON.stringify(about)}\n${text}`;
}

export function readRun<Form extends RunForm>(stored: string): Runs[Form] {
  const end = stored.indexOf("\n");
  return { ...JSON.parse(stored.slice(0, end)), text: stored.slice(end + 1) };
}
