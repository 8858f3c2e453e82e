import { defined } from "../defined.ts";
import { DocumentError } from "../errors.ts";
import { listHeadings } from "../read/headings.ts";
import { headingPaths } from "../read/outline.ts";
import { idOf } from "../schema/node.ts";
import type { Body } from "../types.ts";
import type { Place } from "./places.ts";
import type { SpanText } from "./source-text.ts";

const MAX_SHOWN = 10;
const MAX_NEAREST = 3;
const MAX_CHARACTERS = 200;

/** Refusals that name places of the text. */
export class PlaceReport {
  readonly #body: Body;
  readonly #source: SpanText;
  #paths: readonly (readonly string[])[] | undefined;

  constructor(body: Body, source: SpanText) {
    this.#body = body;
    this.#source = source;
  }

  ambiguous(places: readonly Place[]): DocumentError {
    const shown = places.slice(0, MAX_SHOWN).map(({ from }, i) => ({ occurrence: i + 1, ...this.#place(from) }));
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

  /** Names the lines that share the most words with the text. */
  notFound(old: string): DocumentError {
    const wanted = wordsOf(old);
    const { text, from, to } = this.#source;
    const lines: { readonly at: number; readonly score: number }[] = [];
    let at = from;
    for (const line of text.slice(from, to).split("\n")) {
      const words = wordsOf(line);
      const shared = [...words].filter((word) => wanted.has(word)).length;
      if (shared > 0) lines.push({ at, score: shared / Math.sqrt(wanted.size * words.size) });
      at += line.length + 1;
    }
    const best = lines.toSorted((a, b) => b.score - a.score).slice(0, MAX_NEAREST);
    return new DocumentError("text_not_found", "The text does not occur.", {
      nearest: best.map((line) => this.#place(line.at)),
    });
  }

  /** The replacement would change how the block at an offset is read. */
  changesStructure(offset: number): DocumentError {
    return new DocumentError("edit_changes_structure", "The replacement would change how the text beside it is read.", {
      near: this.#place(offset),
    });
  }

  #place(offset: number) {
    const { starts, text } = this.#source;
    const position =
      this.#source.offset +
      Math.max(
        0,
        starts.findLastIndex((start) => start <= offset),
      );
    this.#paths ??= headingPaths(listHeadings(this.#body.content), this.#body.content.length);
    return {
      block_id: idOf(defined(this.#body.content[position])),
      heading_path: this.#paths[position] ?? [],
      text: lineAt(text, offset),
    };
  }
}

/** The line that an offset is in; of a long line the part around it. */
function lineAt(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  const end = text.indexOf("\n", offset);
  const line = text.slice(start, end < 0 ? text.length : end);
  if (line.length <= MAX_CHARACTERS) return line;
  const from = Math.max(0, Math.min(offset - start - MAX_CHARACTERS / 2, line.length - MAX_CHARACTERS));
  return `${from > 0 ? "…" : ""}${line.slice(from, from + MAX_CHARACTERS).toWellFormed()}…`;
}

const wordsOf = (text: string): Set<string> =>
  new Set(
    text.toLowerCase().match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{M}\p{N}]+/gu) ?? [],
  );
