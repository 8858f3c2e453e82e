import { nodeAt } from "@svc/document/blocks/find";
import { QUOTE_CONTEXT, quoteFinder } from "@svc/document/read/quote";
import { plainText } from "@svc/document/read/text";
import type { StoredBody } from "../../../bodies/body.ts";
import type { CommentRow } from "../../../db/schema/tables/discussion.ts";
import { apiError } from "../../../errors.ts";

export interface SentAnchor {
  readonly block_id: string;
  readonly quote?: string;
  readonly start?: number;
  readonly end?: number;
}

type AnchorColumns = Pick<
  CommentRow,
  "anchor_block_id" | "anchor_quote" | "anchor_start" | "anchor_before" | "anchor_after"
>;

export const NO_ANCHOR: AnchorColumns = {
  anchor_block_id: null,
  anchor_quote: null,
  anchor_start: 0,
  anchor_before: "",
  anchor_after: "",
};

/** Validates an anchor and stores it with the surrounding text. */
export function anchorColumns(body: StoredBody, anchor: SentAnchor | undefined): AnchorColumns {
  if (!anchor) return NO_ANCHOR;
  const path = body.locate(body.body, anchor.block_id);
  if (!path) throw apiError("block_not_found", { block_id: anchor.block_id });
  const text = plainText(nodeAt(body.body, path));
  const range = rangeOf(text, anchor);
  if (!range) return { ...NO_ANCHOR, anchor_block_id: anchor.block_id };
  const { start, end } = range;
  return {
    anchor_block_id: anchor.block_id,
    anchor_quote: text.slice(start, end),
    anchor_start: start,
    anchor_before: text.slice(Math.max(0, start - QUOTE_CONTEXT), start),
    anchor_after: text.slice(end, end + QUOTE_CONTEXT),
  };
}

/** The range in the block's text; undefined for the whole block. */
function rangeOf(text: string, { quote, start, end }: SentAnchor): { start: number; end: number } | undefined {
  if (quote === undefined && start === undefined && end === undefined) return undefined;
  const from = start ?? (quote === undefined ? 0 : text.indexOf(quote));
  const to = end ?? (quote === undefined ? text.length : from + quote.length);
  const isThere = from >= 0 && from < to && to <= text.length && cutsNoPair(text, from) && cutsNoPair(text, to);
  if (!isThere || (quote !== undefined && text.slice(from, to) !== quote))
    throw apiError("invalid_anchor", {
      text_length: text.length,
      hint: "Read the block and take quote and offsets from its text.",
    });
  return { start: from, end: to };
}

/** Half of a surrogate pair cannot be stored. */
const cutsNoPair = (text: string, at: number): boolean => !/^[\udc00-\udfff]/.test(text.slice(at, at + 1));

/** The position of an anchor in the current body. */
interface FoundAnchor {
  readonly block_id: string;
  readonly quote: string | null;
  readonly start: number | null;
  readonly end: number | null;
  readonly state: "ok" | "moved" | "dangling";
}

export type ReadAnchor = (row: AnchorColumns) => FoundAnchor | null;

/** Locates anchors in the current body. Computed on read, so it is never stale. */
export function anchorReader(body: StoredBody): ReadAnchor {
  const find = quoteFinder(body.body);
  return (row) => {
    const { anchor_block_id: block_id, anchor_quote: quote, anchor_start, anchor_before, anchor_after } = row;
    if (block_id === null) return null;
    if (quote === null) {
      const isThere = body.positionOf(block_id) !== undefined;
      return { block_id, quote, start: null, end: null, state: isThere ? "ok" : "dangling" };
    }
    const found = find({
      blockId: block_id,
      text: quote,
      start: anchor_start,
      before: anchor_before,
      after: anchor_after,
    });
    if (!found) return { block_id, quote, start: null, end: null, state: "dangling" };
    const { start } = found;
    const state = found.blockId === block_id ? "ok" : "moved";
    return { block_id: found.blockId, quote, start, end: start + quote.length, state };
  };
}
