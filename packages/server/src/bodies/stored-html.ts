import { defined } from "@svc/document/defined";
import { attribute } from "@svc/document/html/escape";
import { type HtmlRun, joinHtmlRuns } from "@svc/document/html/run";
import { numberSlugs } from "@svc/document/read/slugs";

/** The HTML of a segment as SQLite returns it: in UTF-8, which is how it is sent. */
export interface HtmlBytes extends Omit<HtmlRun, "text"> {
  readonly bytes: Buffer;
  /** The byte offset of each place in the HTML. */
  readonly placesInBytes: readonly number[];
}

const isText = (run: HtmlRun | HtmlBytes): run is HtmlRun => "text" in run;
const textOf = (run: HtmlRun | HtmlBytes): HtmlRun => (isText(run) ? run : { ...run, text: run.bytes.toString() });

/** The HTML of a body, joined from its runs; in UTF-8 if all of them are. */
export function joinHtml(runs: readonly (HtmlRun | HtmlBytes)[]): string | Buffer {
  const inBytes: HtmlBytes[] = [];
  for (const run of runs) {
    if (isText(run)) return joinHtmlRuns(runs.map(textOf));
    inBytes.push(run);
  }
  return joinBytes(inBytes);
}

/** Joins in the same way as `joinHtmlRuns`. */
function joinBytes(runs: readonly HtmlBytes[]): Buffer {
  const slugs = numberSlugs(runs.flatMap((run) => run.slugs));
  const pieces: Uint8Array[] = [];
  let first = 0;
  for (const { bytes, slugs: own, places, placesInBytes } of runs) {
    let from = 0;
    for (const [i, [, heading]] of places.entries()) {
      const at = defined(placesInBytes[i]);
      pieces.push(bytes.subarray(from, at), Buffer.from(attribute("id", slugs[first + heading])));
      from = at;
    }
    pieces.push(from === 0 ? bytes : bytes.subarray(from));
    first += own.length;
  }
  return Buffer.concat(pieces);
}

/** The offsets of a run's places in its UTF-8 form. */
export function placesInBytes({ text, places }: HtmlRun): number[] {
  let bytes = 0;
  let from = 0;
  return places.map(([at]) => {
    bytes += Buffer.byteLength(text.slice(from, at));
    from = at;
    return bytes;
  });
}
