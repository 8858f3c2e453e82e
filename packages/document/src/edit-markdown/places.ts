import { findAll } from "../blocks/find-all.ts";
import { DocumentError } from "../errors.ts";
import { listHeadings } from "../read/headings.ts";
import { headingPaths } from "../read/outline.ts";
import { idOf } from "../schema/node.ts";
import type { Body } from "../types.ts";
import { loosen } from "./loosen.ts";
import type { Span } from "./section.ts";
import type { SourceText } from "./source-text.ts";

/** A stretch of the text, `to` not included. */
export interface Place {
  readonly from: number;
  readonly to: number;
}

/** Where the text stands: as it was sent, or else but for differences that mean little. Places do not overlap. */
export function findPlaces({ text }: SourceText, old: string): Place[] {
  for (const wanted of new Set([old, old.replace(/^\n+|\s+$/g, "")])) {
    const found = wanted === "" ? [] : findAll(text, wanted);
    if (found.length > 0) return found.map((from) => ({ from, to: from + wanted.length }));
  }
  const [source, wanted] = [loosen(text), loosen(old).text];
  if (wanted === "") return [];
  return findAll(source.text, wanted).map((start) => ({
    from: source.at[start]!,
    to:
      source.at[start + wanted.length] === undefined ? text.length : endOf(source.at, start + wanted.length - 1, text),
  }));
}

/** Just behind a character of the loosened text; an escape is two characters of the original. */
const endOf = (at: readonly number[], index: number, text: string): number =>
  at[index]! + (text[at[index]!] === "\\" && at[index + 1] !== at[index]! + 1 ? 2 : 1);

const SHOWN = 10;
const NEAREST = 3;
const MOST_CHARACTERS = 200;

/** Tells the caller about places, in the words of the API. */
export class PlaceReport {
  readonly #body: Body;
  readonly #span: Span;
  readonly #source: SourceText;
  #paths: readonly (readonly string[])[] | undefined;

  constructor(body: Body, span: Span, source: SourceText) {
    this.#body = body;
    this.#span = span;
    this.#source = source;
  }

  ambiguous(places: readonly Place[]): DocumentError {
    const shown = places.slice(0, SHOWN).map(({ from }, i) => ({ occurrence: i + 1, ...this.#place(from) }));
    return new DocumentError("text_ambiguous", `The text occurs ${places.length} times.`, {
      count: places.length,
      places: shown,
    });
  }

  noSuchOccurrence(occurrence: number, places: readonly Place[]): DocumentError {
    const { details } = this.ambiguous(places);
    return new DocumentError(
      "text_not_found",
      `The text occurs ${places.length} times; there is no occurrence ${occurrence}.`,
      { nearest: details.places },
    );
  }

  /** Lines that share the most words with the text. */
  notFound(old: string): DocumentError {
    const wanted = wordsOf(old);
    const lines: { readonly at: number; readonly score: number }[] = [];
    let at = 0;
    for (const line of this.#source.text.split("\n")) {
      const words = wordsOf(line);
      const shared = [...wanted].filter((word) => words.has(word)).length;
      if (shared > 0) lines.push({ at, score: shared / Math.sqrt(wanted.size * words.size) });
      at += line.length + 1;
    }
    const best = lines.toSorted((a, b) => b.score - a.score).slice(0, NEAREST);
    return new DocumentError("text_not_found", "The text does not occur.", {
      nearest: best.map((line) => this.#place(line.at)),
    });
  }

  #place(offset: number) {
    const { starts, text } = this.#source;
    const position = this.#span.from + starts.findLastIndex((start) => start <= offset);
    this.#paths ??= headingPaths(listHeadings(this.#body.content), this.#body.content.length);
    return {
      block_id: idOf(this.#body.content[position]!),
      heading_path: this.#paths[position] ?? [],
      text: lineAt(text, offset),
    };
  }
}

/** The line that an offset is in; of a long one the part around it. */
function lineAt(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  const end = text.indexOf("\n", offset);
  const line = text.slice(start, end < 0 ? text.length : end);
  if (line.length <= MOST_CHARACTERS) return line;
  const from = Math.max(0, Math.min(offset - start - MOST_CHARACTERS / 2, line.length - MOST_CHARACTERS));
  return `${from > 0 ? "…" : ""}${line.slice(from, from + MOST_CHARACTERS).toWellFormed()}…`;
}

const wordsOf = (text: string): Set<string> =>
  new Set(
    text.toLowerCase().match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{M}\p{N}]+/gu) ?? [],
  );
