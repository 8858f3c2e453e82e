import { headingPaths } from "@svc/search/text/outline";
import { documentUri } from "../../../domain/library/documents/represent.ts";
import type { HitDocumentRow } from "./hit-rows.ts";

/** Estimated bytes for the paths to its headings, per character of the headings' JSON. */
const BYTES_PER_CHARACTER = 2;

/** A document with hits: its row, its headings, and the parts of a hit's JSON that they determine. */
export class HitDocument {
  readonly row: Omit<HitDocumentRow, "outline">;
  /**
   * The parts of the JSON: up to the value of `block_id`, up to that of `path_text`, and from after `context` up to
   * that of `score`.
   */
  readonly head: string;
  readonly middle: string;
  readonly tail: string;
  /** Estimated bytes in memory. */
  readonly bytes: number;
  /** Set when it has changed: everything that refers to it is outdated. */
  isOutdated = false;
  /** Its headings as JSON until a hit needs one; then the path to each of them, by its id. */
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

  /** The open headings of a section, as JSON, in the version named by the row's `outline_version`. */
  headingPath(section: string): string {
    if (typeof this.#headings === "string") this.#headings = headingPaths(JSON.parse(this.#headings));
    return this.#headings.get(section) ?? "[]";
  }

  /** The JSON of its path, which rarely differs from the last one. */
  pathJson(path: string): string {
    if (path !== this.#path) {
      this.#path = path;
      this.#pathJson = JSON.stringify(path);
    }
    return this.#pathJson;
  }
}
