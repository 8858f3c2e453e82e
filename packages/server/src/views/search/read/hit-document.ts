import { headingPaths } from "@svc/search/text/outline";
import { documentUri } from "../../../resources/documents/represent.ts";
import type { HitDocumentRow } from "./hit-rows.ts";

/** What the paths to its headings take in memory, for each character of the headings' JSON. */
const BYTES_PER_CHARACTER = 2;

/** A document that hits are in: its row, its headings, and what of a hit's JSON follows from them. */
export class HitDocument {
  readonly row: Omit<HitDocumentRow, "outline">;
  /** Up to the value of `block_id`, on to the value of `path_text`, and from after `context` to the value of `score`. */
  readonly head: string;
  readonly middle: string;
  readonly tail: string;
  /** What it takes in memory, roughly. */
  readonly bytes: number;
  /** Set once it has changed: nothing that refers to it holds any more. */
  isOutdated = false;
  /** Its headings as JSON until a hit stands under one; then the path to each of them, by its id. */
  #headings: string | ReadonlyMap<string, string>;
  #path = "";
  #pathJson = '""';

  constructor({ outline, ...row }: HitDocumentRow) {
    this.row = row;
    this.#headings = outline ?? "[]";
    const { id, title, knowledge_base_id, folder_id, document_type, version, indexed_version, updated_at } = row;
    const head = JSON.stringify({ document_id: id, title, knowledge_base_id, folder_id, document_type });
    const tail = JSON.stringify({ source_version: version, indexed_version, freshness: "current", updated_at });
    this.head = `${head.slice(0, -1)},"block_id":`;
    this.middle = `,"document_uri":${JSON.stringify(documentUri(id))},"path_text":`;
    this.tail = `,${tail.slice(1, -1)},"score":`;
    const texts = this.head.length + this.middle.length + this.tail.length;
    this.bytes = 800 + 2 * texts + BYTES_PER_CHARACTER * this.#headings.length;
  }

  /** The headings that are open in a section of the version that the row's `outline_version` tells, as JSON. */
  headingPath(section: string): string {
    if (typeof this.#headings === "string") this.#headings = headingPaths(JSON.parse(this.#headings));
    return this.#headings.get(section) ?? "[]";
  }

  /** The JSON of its path, which seldom is another one than the last time. */
  pathJson(path: string): string {
    if (path !== this.#path) {
      this.#path = path;
      this.#pathJson = JSON.stringify(path);
    }
    return this.#pathJson;
  }
}
