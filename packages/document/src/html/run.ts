import { defined } from "../defined.ts";
import { listHeadings } from "../read/headings.ts";
import { numberSlugs, slugOf } from "../read/slugs.ts";
import type { Node } from "../types.ts";
import { attribute } from "./escape.ts";
import { renderBody } from "./render.ts";

/** Blocks of a body that follow each other as HTML, without the ids of headings: those depend on the whole body. */
export interface HtmlRun {
  readonly text: string;
  /** The slug of each heading in document order, as if it were the only one. */
  readonly slugs: readonly string[];
  /** Positions for ids in text order, with the heading each belongs to. */
  readonly places: readonly (readonly [at: number, heading: number])[];
}

/** No text brings this character into HTML: see `escapeHtml`. */
const PLACE = "\0";

/** Depends on the blocks alone, so it may be kept by their hash. */
export function renderRun(blocks: readonly Node[]): HtmlRun {
  const headings = listHeadings(blocks);
  const orderOf = new Map(headings.map(({ block_id }, order) => [block_id, order]));
  const shown: number[] = [];
  const markPlace = (id: string): string => {
    const heading = orderOf.get(id);
    if (heading === undefined) return "";
    shown.push(heading);
    return PLACE;
  };
  const pieces = renderBody(blocks, { markPlace }).split(PLACE);
  let at = 0;
  const places = shown.map((heading, i) => {
    at += defined(pieces[i]).length;
    return [at, heading] as const;
  });
  return { text: pieces.join(""), slugs: headings.map(({ text }) => slugOf(text)), places };
}

/** The HTML of a body from the runs that it is made of. */
export function joinHtmlRuns(runs: readonly HtmlRun[]): string {
  const slugs = numberSlugs(runs.flatMap((run) => run.slugs));
  let html = "";
  let first = 0;
  for (const { text, slugs: own, places } of runs) {
    let from = 0;
    for (const [at, heading] of places) {
      html += text.slice(from, at) + attribute("id", slugs[first + heading]);
      from = at;
    }
    html += from === 0 ? text : text.slice(from);
    first += own.length;
  }
  return html;
}
