import { documentUri } from "../../../resources/documents/represent.ts";
import type { HitRow } from "./hit-rows.ts";
import type { ShownBlock } from "./shown-block.ts";

/** A block that was found: its row, its text, and what of its JSON follows from the row. */
export class FoundBlock {
  readonly row: HitRow;
  readonly shown: ShownBlock;
  /** Up to the value of `path_text`, and from after `context` up to the value of `score`. */
  readonly head: string;
  readonly tail: string;

  constructor(row: HitRow, shown: ShownBlock) {
    this.row = row;
    this.shown = shown;
    const { id, title, knowledge_base_id, folder_id, document_type, version, indexed_version, updated_at } = row;
    const block_id = row.block_id === "" ? null : row.block_id;
    const place = { document_id: id, title, knowledge_base_id, folder_id, document_type, block_id };
    const head = JSON.stringify({ ...place, document_uri: documentUri(id) });
    const tail = JSON.stringify({ source_version: version, indexed_version, freshness: "current", updated_at });
    this.head = `${head.slice(0, -1)},"path_text":`;
    this.tail = `,${tail.slice(1, -1)},"score":`;
  }

  /** What it takes in memory, roughly. */
  get bytes(): number {
    return 500 + 2 * (this.head.length + this.tail.length) + this.shown.bytes;
  }
}
