import { defined } from "@svc/document/defined";
import { listHeadings } from "@svc/document/read/headings";
import { headingPaths, sectionEnds } from "@svc/document/read/outline";
import { type Window, windowAround, windowFrom } from "@svc/document/read/window";
import { idOf } from "@svc/document/schema/node";
import type { Static } from "typebox";
import type { StoredBody } from "../../../bodies/body.ts";
import { apiError, invalidRequest, notFound } from "../../../errors.ts";
import { decodeListCursor, encodeListCursor } from "../../../http/cursor.ts";
import type { ServerSecret } from "../../../http/server-secret.ts";
import { contentIn, tokensIn } from "./item-content.ts";
import type { ReadQuery, ReadView } from "./schema.ts";

type Query = Static<typeof ReadQuery>;

/** Indexes of the top-level blocks that a reading covers. */
function candidates(body: StoredBody, view: ReadView, [start, end]: Range): number[] {
  const positions: number[] = [];
  for (let i = start; i < end; i++)
    if (view !== "outline" || defined(body.blocks[i]).type === "heading") positions.push(i);
  return positions;
}

/** Indexes of top-level blocks, excluding the end. */
type Range = readonly [start: number, end: number];

function rangeOf(body: StoredBody, headingId: string | undefined): Range {
  if (headingId === undefined) return [0, body.blocks.length];
  const headings = listHeadings(body.blocks);
  const index = headings.findIndex((heading) => heading.block_id === headingId && !heading.nested);
  if (index < 0) {
    if (body.positionOf(headingId) === undefined) throw notFound("block", headingId);
    throw invalidRequest("query.section", "must be a top-level heading");
  }
  return [defined(headings[index]).position, defined(sectionEnds(headings, body.blocks.length)[index])];
}

/** The candidate to start from: the requested block, or else the last one before it. */
function indexAround(
  body: StoredBody,
  positions: readonly number[],
  [start, end]: Range,
  blockId: string,
  field = "around",
): number {
  const position = body.positionOf(blockId);
  if (position === undefined) throw notFound("block", blockId);
  if (position < start || position >= end) throw invalidRequest(`query.${field}`, "must be in the section");
  const index = positions.findLastIndex((candidate) => candidate <= position);
  return Math.max(0, index);
}

/** One window of blocks within the budget. Its cursor is valid for this version of the body only. */
export function readWindow(secret: ServerSecret, documentId: string, body: StoredBody, query: Query) {
  const view = query.view ?? "markdown";
  const budget = query.max_tokens ?? 4000;
  const identity = ["read", documentId, view, query.section ?? null];
  const range = rangeOf(body, query.section);
  const positions = candidates(body, view, range);
  const tokens = tokenCounts(body, view, positions);
  const from = decodeListCursor(secret, identity, query.cursor);
  if (from && from[0] !== body.version)
    throw apiError("read_cursor_stale", {
      current_version: body.version,
      hint: "Start reading again without a cursor.",
    });
  const first = query.from === undefined ? 0 : indexAround(body, positions, range, query.from, "from");
  const start = Number(from?.[1] ?? first);
  const center = query.around === undefined ? undefined : indexAround(body, positions, range, query.around);
  const window: Window =
    center === undefined || from !== undefined || positions.length === 0
      ? windowFrom(tokens, start, budget)
      : windowAround(tokens, center, budget);
  const next = window.end < positions.length ? encodeListCursor(secret, identity, [body.version, window.end]) : null;
  return {
    items: itemsOf(body, view, positions.slice(window.start, window.end)),
    next_cursor: next,
    budget_exceeded: window.budget_exceeded,
    used_tokens: window.used_tokens,
    version: body.version,
  };
}

/** Counts lazily: only the blocks that a window visits. */
function tokenCounts(body: StoredBody, view: ReadView, positions: readonly number[]): ArrayLike<number> {
  return new Proxy({ length: positions.length } as { length: number; [index: number]: number }, {
    get: (target, property) =>
      property === "length"
        ? target.length
        : tokensIn(view, defined(body.blocks[defined(positions[Number(property)])])),
  });
}

function itemsOf(body: StoredBody, view: ReadView, positions: readonly number[]) {
  if (positions.length === 0) return [];
  const last = defined(positions.at(-1)) + 1;
  const paths = headingPaths(listHeadings(body.blocks.slice(0, last)), last);
  return positions.map((position) => {
    const node = defined(body.blocks[position]);
    return {
      block_id: idOf(node),
      type: node.type,
      heading_path: defined(paths[position]),
      tokens: tokensIn(view, node),
      content: contentIn(view, node),
    };
  });
}
