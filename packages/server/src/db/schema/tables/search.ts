import type { Generated } from "kysely";

/** Locked last in a transaction, so that block numbers are in commit order. */
export interface SearchCountersRow {
  workspace_id: string;
  /** Grows with every rebuild; segments of another epoch do not count. */
  epoch: number;
  /** Blocks with a lower number belong to an older epoch. */
  epoch_base: number;
  tokenizer_version: number;
  blocks: number;
  total_length: number;
  next_number: number;
  next_document: number;
  /** Segments of level 0. */
  level_zero: number;
  /** 1 if documents wait to be indexed or removed in the background. */
  backlog: number;
  /** Random, renewed by every transaction that changes the index: an equal stamp means an equal index. */
  stamp: number;
}

export interface SearchDocumentRow {
  workspace_id: string;
  document_id: string;
  /** The number by which the index knows the document. Never reused in a workspace. */
  number: number;
  /** The body's version in the index, if `indexed_epoch` is the current epoch. */
  indexed_version: string;
  /** 0 if the index does not have the current body. */
  indexed_epoch: number;
  /** The number of indexed blocks, the title included. */
  blocks: number;
  /**
   * The version that `outline` and the texts and sections of the blocks' rows belong to. It differs from
   * `indexed_version` if an older release wrote the row, or if too many blocks had changed.
   */
  outline_version: string | null;
}

/** `outline`: its headings as JSON (`Outline`). It is long, so it is read only for results that are shown. */
export type SearchDocumentTable = SearchDocumentRow & { outline: string | null };

export interface SearchBlockRow {
  workspace_id: string;
  number: number;
  document: number;
  /** Empty for the title. */
  block_id: string;
  length: number;
}

/** The data of a block that a hit shows. */
export interface SearchBlockText {
  /** Null if the text is long or cannot be stored in a database: then it is read from the body. */
  text: string | null;
  /** The id of the heading above the block, empty for none. */
  section: string | null;
}

export type SearchBlockTable = SearchBlockRow & SearchBlockText;

export interface SearchSegmentRow {
  id: Generated<number>;
  workspace_id: string;
  epoch: number;
  /** Random: distinguishes segments with the same id after the store was restored to an earlier state. */
  stamp: number;
  state: "building" | "live" | "dead";
  level: number;
  base: number;
  last: number;
  blocks: number;
  term_pages: number;
  dead: number;
  removed: Uint8Array;
  tombstones: Uint8Array;
  runs: Uint8Array;
  payload: Uint8Array | null;
}
