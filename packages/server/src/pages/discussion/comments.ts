import { idOf } from "@svc/document/schema/node";
import { ApiError } from "@svc/sdk";
import { trusted } from "@svc/web/html";
import type { Discussion, ShownComment } from "@svc/web/pages/discussion/comments";
import type { StoredBody } from "../../bodies/body.ts";
import { mayDiscuss } from "../../resources/knowledge-bases/may-discuss.ts";
import { listMembers } from "../../resources/members/queries.ts";
import { roleIn } from "../../rights/rights.ts";
import { goTo, holderOf, idFrom, type MemberVisit, type Outcome, post } from "../visit.ts";
import { withMentions } from "./with-mentions.ts";

const MOST = 100;

type Listed = Awaited<ReturnType<typeof listThreads>>[number];

async function listThreads({ api }: MemberVisit, id: string, state: "open" | "all") {
  return (await api.get("/documents/{id}/comments", { path: { id }, query: { state, limit: MOST } })).data;
}

const shownComment = (comment: Listed | Listed["replies"][number], userId: string): ShownComment => ({
  id: comment.id,
  authorName: comment.author.name,
  isAgent: comment.author.agent,
  isMine: comment.author.user_id === userId,
  content: comment.body ? trusted(comment.body.html) : undefined,
  createdAt: comment.created_at,
  isEdited: comment.updated_at !== comment.created_at,
});

/** The top-level block that holds a block. */
function topBlockOf(body: StoredBody, id: string): string | undefined {
  const position = body.positionOf(id);
  const block = position === undefined ? undefined : body.blocks[position];
  return block && idOf(block);
}

/** The comments of a page as its reader sees them. */
export async function readDiscussion(
  visit: MemberVisit,
  document: { readonly id: string; readonly knowledgeBaseId: number },
  body: StoredBody,
): Promise<Discussion> {
  const showsResolved = visit.query.get("comments") === "all";
  const threads = await listThreads(visit, document.id, showsResolved ? "all" : "open");
  const { userId } = visit.viewer;
  return {
    documentId: document.id,
    formToken: visit.formToken,
    showsResolved,
    mayTalk: await mayDiscuss(visit.app.database.read, holderOf(visit), document.knowledgeBaseId),
    isOwner: roleIn(holderOf(visit), document.knowledgeBaseId) === "owner",
    now: Date.now(),
    threads: threads.map((thread) => ({
      ...shownComment(thread, userId),
      replies: thread.replies.map((reply) => shownComment(reply, userId)),
      isResolved: thread.resolved_at !== null,
      anchor: thread.anchor
        ? {
            blockId: topBlockOf(body, thread.anchor.block_id),
            quote: thread.anchor.quote,
            start: thread.anchor.start,
            state: thread.anchor.state,
          }
        : undefined,
    })),
  };
}

/** What somebody typed into a form, with `@Name` of members as mentions. */
async function spoken(visit: MemberVisit) {
  const members = await listMembers(visit.app.database.read, visit.viewer.workspace.id);
  const text = (visit.form.get("text") ?? "").replaceAll("\r\n", "\n").trim();
  return { body: { format: "markdown" as const, content: withMentions(text, members) } };
}

async function comment(visit: MemberVisit): Promise<Outcome> {
  const id = idFrom(visit.params.id, "document");
  const body = await spoken(visit);
  const block_id = visit.form.get("block") ?? "";
  const quote = (visit.form.get("quote") ?? "").trim();
  const send = (anchor: { block_id: string; quote?: string } | undefined) =>
    visit.api.post("/documents/{id}/comments", { path: { id }, body: { ...body, ...(anchor && { anchor }) } });
  try {
    const { data } = await send(block_id ? { block_id, ...(quote && { quote }) } : undefined);
    return goTo(`/documents/${id}#${data.id}`);
  } catch (error) {
    // The passage goes over more than one line of its block, or the page has changed: the block is meant then.
    if (!(error instanceof ApiError) || error.status !== 422 || !block_id) throw error;
    const { data } = await send(error.code === "block_not_found" ? undefined : { block_id });
    return goTo(`/documents/${id}#${data.id}`);
  }
}

async function reply(visit: MemberVisit): Promise<Outcome> {
  const id = idFrom(visit.params.comment, "comment");
  const { data } = await visit.api.post("/comments/{id}/replies", { path: { id }, body: await spoken(visit) });
  return goTo(`/documents/${idFrom(visit.params.id, "document")}#${data.id}`);
}

const change =
  (verb: "resolve" | "reopen") =>
  async (visit: MemberVisit): Promise<Outcome> => {
    await visit.api.post(`/comments/{id}/${verb}`, { path: { id: idFrom(visit.params.comment, "comment") } });
    return goTo(
      `/documents/${idFrom(visit.params.id, "document")}`,
      verb === "resolve" ? "comment-resolved" : "comment-reopened",
    );
  };

async function remove(visit: MemberVisit): Promise<Outcome> {
  await visit.api.delete("/comments/{id}", { path: { id: idFrom(visit.params.comment, "comment") } });
  return goTo(`/documents/${idFrom(visit.params.id, "document")}`, "comment-deleted");
}

export const commentPages = [
  post("/documents/:id/comments", comment),
  post("/documents/:id/comments/:comment/replies", reply),
  post("/documents/:id/comments/:comment/resolve", change("resolve")),
  post("/documents/:id/comments/:comment/reopen", change("reopen")),
  post("/documents/:id/comments/:comment/delete", remove),
];
