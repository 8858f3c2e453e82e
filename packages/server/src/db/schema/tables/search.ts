import type { Generated } from "kysely";

/** Taken last in a transaction, so that the order of block numbers is the order of commits. */
export interface SearchCountersRow {
  workspace_id: string;
  /** Grows with every rebuild; segments of another epoch do not count. */
  epoch: number;
  /** Blocks with a lower number are of an older epoch. */
  epoch_base: number;
  tokenizer_version: number;
  blocks: number;
  total_length: number;
  next_number: number;
  next_document: number;
  /** Segments of level 0. */
  level_zero: number;
  /** 1 when documents wait to be indexed or removed in the background. */
  backlog: number;
  /** Random, renewed by every transaction that changes the index: while it is the same, so is the index. */
  stamp: number;
}

export interface SearchDocumentRow {
  workspace_id: string;
  document_id: string;
  /** What the index knows the document by. Never used twice in a workspace. */
  number: number;
  /** The body's version that the index holds, if `indexed_epoch` is the current epoch. */
  indexed_version: string;
  /** 0 when the index does not hold the current body. */
  indexed_epoch: number;
  /** How many of its blocks are indexed, the title included. */
  blocks: number;
  /**
   * The version that `outline` and the texts and sections of the blocks' rows belong to. Another one than
   * `indexed_version` when a version of this program wrote that does not keep them, or when too many had changed.
   */
  outline_version: string | null;
}

/** `outline`: its headings as JSON (`Outline`). Long, and so read only for what is shown. */
export type SearchDocumentTable = SearchDocumentRow & { outline: string | null };

export interface SearchBlockRow {
  workspace_id: string;
  number: number;
  document: number;
  /** Empty for the title. */
  block_id: string;
  length: number;
}

/** What a hit shows of a block. */
export interface SearchBlockText {
  /** Null when it is long, or no text that a database stores: then it is read from the body. */
  text: string | null;
  /** The id of the heading that the block stands under, empty for none. */
  section: string | null;
}

export type SearchBlockTable = SearchBlockRow & SearchBlockText;

export interface SearchSegmentRow {
  id: Generated<number>;
  workspace_id: string;
  epoch: number;
  /** Random: tells a segment from another of the same id, should the store be put back to an earlier state. */
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
