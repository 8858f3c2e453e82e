import { defined } from "@svc/document/defined";
import { readBody } from "../../../bodies/load-body.ts";
import type { Reader } from "../../../db/database.ts";
import type { CommentRow } from "../../../db/schema/tables/discussion.ts";
import type { ListAnswer } from "../../../http/answer.ts";
import type { Caller } from "../../../http/callers/caller.ts";
import { pageOf } from "../../../http/page.ts";
import type { Services } from "../../../services.ts";
import { anchorReader, type ReadAnchor } from "./anchor.ts";
import { listOpening, listReactions, listReplies } from "./queries.ts";
import { type CommentContext, commentOf } from "./represent.ts";

type Person = Pick<Caller, "workspaceId" | "userId">;

type ShownThread = Awaited<ReturnType<typeof withReplies>>[number];

interface ThreadsAsked {
  readonly state?: "open" | "resolved" | "all";
  readonly block_id?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

/** A comment as its reader sees it now. */
export async function showComment(db: Reader, caller: Person, row: CommentRow) {
  const key = { workspaceId: caller.workspaceId, documentId: row.document_id };
  return commentOf(row, await contextOf(db, caller, [row], anchorReader(await readBody(db, key))));
}

async function contextOf(
  db: Reader,
  { workspaceId, userId }: Person,
  rows: readonly CommentRow[],
  anchorOf: ReadAnchor,
): Promise<CommentContext> {
  const ids = rows.map(({ id }) => id);
  const reactions = Map.groupBy(await listReactions(db, workspaceId, ids), ({ comment_id }) => comment_id);
  return { anchorOf, reactions, userId };
}

/** A page of a document's threads, each with its replies. */
export async function listThreads(
  { secret }: Pick<Services, "secret">,
  db: Reader,
  caller: Person,
  documentId: string,
  query: ThreadsAsked,
): Promise<ListAnswer<ShownThread>> {
  const key = { workspaceId: caller.workspaceId, documentId };
  const anchorOf = anchorReader(await readBody(db, key));
  const { state = "open", block_id } = query;
  const isWanted = (row: CommentRow) => block_id === undefined || anchorOf(row)?.block_id === block_id;
  return pageOf(secret, ["comments", documentId, state, block_id ?? null], query, {
    fetch: async ([after = ""], size) => {
      const rows = await listWanted(
        (from, most) => listOpening(db, key, state, from, most),
        isWanted,
        String(after),
        size,
      );
      return withReplies(db, caller, rows, anchorOf);
    },
    keyOf: ({ id }) => [id],
    represent: (thread) => thread,
  });
}

/** Page size for reading rows until enough pass the filter. */
const SCAN = 200;

async function listWanted(
  fetch: (after: string, limit: number) => Promise<CommentRow[]>,
  isWanted: (row: CommentRow) => boolean,
  after: string,
  size: number,
): Promise<CommentRow[]> {
  const found: CommentRow[] = [];
  for (let from = after; ; ) {
    const rows = await fetch(from, SCAN);
    found.push(...rows.filter(isWanted));
    if (rows.length < SCAN || found.length >= size) return found.slice(0, size);
    from = defined(rows.at(-1)).id;
  }
}

async function withReplies(db: Reader, caller: Person, openings: readonly CommentRow[], anchorOf: ReadAnchor) {
  const [first] = openings;
  if (!first) return [];
  const threadIds = openings.map(({ id }) => id);
  const replies = await listReplies(db, caller.workspaceId, first.document_id, threadIds);
  const context = await contextOf(db, caller, [...openings, ...replies], anchorOf);
  const byThread = Map.groupBy(replies, ({ thread_id }) => thread_id);
  return openings.map((row) => ({
    ...commentOf(row, context),
    replies: (byThread.get(row.id) ?? []).map((reply) => commentOf(reply, context)),
  }));
}
