import { defined } from "../defined.ts";
import type { Place } from "./places.ts";
import { type SpanText, touched } from "./source-text.ts";

/** Blocks that follow each other, with the places in them where the text is replaced. */
export interface EditedRun {
  readonly first: number;
  readonly last: number;
  readonly places: readonly Place[];
}

/** Groups places by the blocks that they touch. Between two runs stands at least one block that is not touched. */
export function editedRuns(source: SpanText, places: readonly Place[]): EditedRun[] {
  const runs: { first: number; last: number; places: Place[] }[] = [];
  for (const place of places) {
    const { first, last } = touched(source, place.from, place.to);
    const previous = runs.at(-1);
    if (previous && first <= previous.last + 1) {
      previous.last = Math.max(previous.last, last);
      previous.places.push(place);
    } else runs.push({ first, last, places: [place] });
  }
  return runs;
}

const endOf = ({ text, ends }: SpanText, last: number): number =>
  last + 1 < ends.length ? defined(ends[last]) : text.length;

/** The text of a run. The last block of the page has its line end. */
export const textOfRun = (source: SpanText, { first, last }: EditedRun): string =>
  source.text.slice(source.starts[first], endOf(source, last));

/** The same after the replacement. */
export function replacedText(source: SpanText, { first, last, places }: EditedRun, by: string): string {
  const parts: string[] = [];
  let at = defined(source.starts[first]);
  for (const { from, to } of places) {
    parts.push(source.text.slice(at, from), by);
    at = to;
  }
  parts.push(source.text.slice(at, endOf(source, last)));
  return parts.join("");
}
