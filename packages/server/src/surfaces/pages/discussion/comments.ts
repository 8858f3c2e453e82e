import { idOf } from "@svc/document/schema/node";
import { ApiError } from "@svc/sdk";
import type { Discussion, ShownComment } from "@svc/web/server/pages/discussion/comments";
import { trusted } from "@svc/web/shared/html";
import type { StoredBody } from "../../../bodies/body.ts";
import { getComment } from "../../../domain/discussion/comments/queries.ts";
import { listThreads, showComment } from "../../../domain/discussion/comments/read-comments.ts";
import { mentionedIn, spokenText } from "../../../domain/discussion/notifications/mentions.ts";
import { listMembers } from "../../../domain/identity/members/queries.ts";
import { getDocument } from "../../../domain/library/documents/queries.ts";
import { mayDiscuss } from "../../../domain/library/knowledge-bases/may-discuss.ts";
import { notFound } from "../../../errors.ts";
import { roleIn } from "../../../rights/rights.ts";
import { readPictures } from "../people-pictures.ts";
import { goTo, holderOf, idFrom, type MemberVisit, type Outcome, post, versionFrom } from "../visit.ts";
import { withMentions } from "./with-mentions.ts";

const MAX_THREADS = 100;

type Listed = Awaited<ReturnType<typeof readThreads>>[number];

async function readThreads(visit: MemberVisit, id: string, state: "open" | "resolved" | "all", limit = MAX_THREADS) {
  const { app } = visit;
  return (await listThreads(app, app.database.read, holderOf(visit), id, { state, limit })).envelope.data;
}

const shownComment = (
  comment: Listed | Listed["replies"][number],
  userId: string,
  pictureOf: (userId: string) => string | undefined,
): ShownComment => ({
  id: comment.id,
  authorName: comment.author.name,
  isAgent: comment.author.agent,
  // A program has no picture, and must not look like its owner.
  picture: comment.author.type === "user" ? pictureOf(comment.author.user_id) : undefined,
  isMine: comment.author.user_id === userId,
  content: comment.body ? trusted(comment.body.html) : undefined,
  own:
    comment.body && comment.author.user_id === userId
      ? { text: spokenText(comment.body.markdown), version: comment.version }
      : undefined,
  reactions: comment.reactions,
  createdAt: comment.created_at,
  isEdited: comment.updated_at !== comment.created_at,
});

/** The top-level block that contains a block. */
function topBlockOf(body: StoredBody, id: string): string | undefined {
  const position = body.positionOf(id);
  const block = position === undefined ? undefined : body.blocks[position];
  return block && idOf(block);
}

/** Whether resolved threads are shown too; forms state it for the page they are on. */
const isShowingAll = ({ query }: MemberVisit): boolean => query.get("comments") === "all";

/** The page under discussion at a comment, with the same threads shown. */
function pageOf(visit: MemberVisit, commentId?: string, showsAll = isShowingAll(visit)): string {
  const id = idFrom(visit.params.id, "document");
  return `/documents/${id}${showsAll ? "?comments=all" : ""}#${commentId ?? "panel-comments"}`;
}

/** The comments of a page as this reader sees them. */
export async function readDiscussion(
  visit: MemberVisit,
  document: { readonly id: string; readonly knowledgeBaseId: number },
  body: StoredBody,
): Promise<Discussion> {
  const showsResolved = isShowingAll(visit);
  const { userId } = visit.viewer;
  const [threads, resolved, pictureOf, mayTalk] = await Promise.all([
    readThreads(visit, document.id, showsResolved ? "all" : "open"),
    showsResolved ? [] : readThreads(visit, document.id, "resolved", 1),
    readPictures(visit),
    mayDiscuss(visit.app.database.read, holderOf(visit), document.knowledgeBaseId),
  ]);
  return {
    documentId: document.id,
    formToken: visit.formToken,
    showsResolved,
    hasResolved: showsResolved || resolved.length > 0,
    mayTalk,
    isOwner: roleIn(holderOf(visit), document.knowledgeBaseId) === "owner",
    now: Date.now(),
    threads: threads.map((thread) => ({
      ...shownComment(thread, userId, pictureOf),
      replies: thread.replies.map((reply) => shownComment(reply, userId, pictureOf)),
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

const typed = (text: string | null): string => (text ?? "").replaceAll("\r\n", "\n").trim();

/**
 * The text from a form, with `@Name` of members as mentions; if two people share a name, those in `known` come first.
 */
async function commentFrom(visit: MemberVisit, known: readonly string[] = []) {
  const members = await listMembers(visit.app.database.read, visit.viewer.workspace.id);
  const text = typed(visit.form.get("text"));
  const rank = (id: string) => (known.includes(id) ? 0 : 1);
  return {
    body: {
      format: "markdown" as const,
      content: withMentions(
        text,
        members.toSorted((a, b) => rank(a.id) - rank(b.id)),
      ),
    },
  };
}

async function comment(visit: MemberVisit): Promise<Outcome> {
  const id = idFrom(visit.params.id, "document");
  const body = await commentFrom(visit);
  const { read } = visit.app.database;
  const { workspace_id, knowledge_base_id } = await getDocument(read, visit.viewer.workspace.id, id);
  // The commented text may have been typed a moment ago. People who may not comment are refused below, at no cost.
  if (await mayDiscuss(read, holderOf(visit), knowledge_base_id))
    await visit.app.live.bringInNew({ workspaceId: workspace_id, documentId: id });
  const block_id = visit.form.get("block") ?? "";
  const quote = (visit.form.get("quote") ?? "").trim();
  const send = (anchor: { block_id: string; quote?: string } | undefined) =>
    visit.api.post("/documents/{id}/comments", { path: { id }, body: { ...body, ...(anchor && { anchor }) } });
  try {
    const { data } = await send(block_id ? { block_id, ...(quote && { quote }) } : undefined);
    return goTo(pageOf(visit, data.id));
  } catch (error) {
    // The passage spans several lines, or the page has changed: comment on the block instead.
    if (!(error instanceof ApiError) || error.status !== 422 || !block_id) throw error;
    const { data } = await send(error.code === "block_not_found" ? undefined : { block_id });
    return goTo(pageOf(visit, data.id));
  }
}

/** Redirects to a comment, even if its thread is or has just been resolved. */
async function goToComment(visit: MemberVisit, threadId: string, id: string): Promise<Outcome> {
  const thread = await getComment(visit.app.database.read, visit.viewer.workspace.id, threadId);
  return goTo(pageOf(visit, id, isShowingAll(visit) || thread.resolved_at !== null));
}

async function reply(visit: MemberVisit): Promise<Outcome> {
  const id = idFrom(visit.params.comment, "comment");
  const { data } = await visit.api.post("/comments/{id}/replies", { path: { id }, body: await commentFrom(visit) });
  return goToComment(visit, data.thread_id, data.id);
}

/** Edits one's own comment. A concurrent reaction is no conflict, a concurrent change of the text is. */
async function edit(visit: MemberVisit): Promise<Outcome> {
  const path = { id: idFrom(visit.params.comment, "comment") };
  const back = pageOf(visit);
  const { read } = visit.app.database;
  const now = await showComment(read, holderOf(visit), await getComment(read, visit.viewer.workspace.id, path.id));
  const markdown = now.body?.markdown ?? "";
  const isSame = typed(spokenText(markdown)) === typed(visit.form.get("was"));
  const body = await commentFrom(visit, mentionedIn(markdown));
  const ifMatch = isSame ? now.version : versionFrom(visit.form);
  try {
    await visit.api.patch("/comments/{id}", { path, body, ifMatch });
  } catch (error) {
    if (error instanceof ApiError && error.status === 409) return goTo(back, "comment-changed-meanwhile");
    throw error;
  }
  return goTo(back, "comment-changed");
}

/** Adds a reaction, or removes one's own. */
async function react(visit: MemberVisit): Promise<Outcome> {
  const id = idFrom(visit.params.comment, "comment");
  const [added, removed] = [visit.form.get("add"), visit.form.get("remove")];
  const path = { id, emoji: added ?? removed ?? "" };
  if (path.emoji === "") throw notFound("reaction", "");
  if (added !== null) await visit.api.put("/comments/{id}/reactions/{emoji}", { path });
  else await visit.api.delete("/comments/{id}/reactions/{emoji}", { path });
  return goTo(pageOf(visit, id));
}

const change =
  (verb: "resolve" | "reopen") =>
  async (visit: MemberVisit): Promise<Outcome> => {
    await visit.api.post(`/comments/{id}/${verb}`, { path: { id: idFrom(visit.params.comment, "comment") } });
    return goTo(pageOf(visit), verb === "resolve" ? "comment-resolved" : "comment-reopened");
  };

async function remove(visit: MemberVisit): Promise<Outcome> {
  await visit.api.delete("/comments/{id}", { path: { id: idFrom(visit.params.comment, "comment") } });
  return goTo(pageOf(visit), "comment-deleted");
}

export const commentPages = [
  post("/documents/:id/comments", comment),
  post("/documents/:id/comments/:comment/replies", reply),
  post("/documents/:id/comments/:comment/edit", edit),
  post("/documents/:id/comments/:comment/react", react),
  post("/documents/:id/comments/:comment/resolve", change("resolve")),
  post("/documents/:id/comments/:comment/reopen", change("reopen")),
  post("/documents/:id/comments/:comment/delete", remove),
];
