import { parseMarkdown } from "@svc/document/markdown/parse";
import { plainText } from "@svc/document/read/text";
import { readBody } from "../../../bodies/load-body.ts";
import type { Tx } from "../../../db/database.ts";
import type { CommentRow } from "../../../db/schema/tables/discussion.ts";
import type { DocumentRow } from "../../../db/schema/tables/documents.ts";
import { apiError } from "../../../errors.ts";
import { checkExpected, type Expected, requireExpected } from "../../../http/preconditions.ts";
import { newId } from "../../../ids.ts";
import { followersOf, notify } from "../../../notify/notify.ts";
import { roleIn } from "../../../rights/rights.ts";
import { authorColumns, authorOf } from "../../identity/authors/author.ts";
import { titleKey } from "../../library/documents/title-key.ts";
import { mentionedIn } from "../notifications/mentions.ts";
import { anchorColumns, NO_ANCHOR, type SentAnchor } from "./anchor.ts";
import { type Deletion, keepDeleted } from "./deleted-comments.ts";
import { appendCommentEvent, type Discussion, lockComment, lockDiscussed, requireRoom } from "./discussion.ts";
import {
  commentVersion,
  deleteComment,
  deleteReaction,
  getComment,
  hasReplies,
  insertComment,
  insertReaction,
  listAuthors,
  updateComment,
} from "./queries.ts";

/** Opens a thread on a document or a passage of it. */
export async function createComment(
  discussion: Discussion,
  documentId: string,
  markdown: string,
  anchor: SentAnchor | undefined,
): Promise<CommentRow> {
  const document = await lockDiscussed(discussion, documentId);
  const key = { workspaceId: document.workspace_id, documentId };
  const columns = anchor ? anchorColumns(await readBody(discussion.tx, key), anchor) : NO_ANCHOR;
  const id = newId("com");
  return insert(discussion, document, { id, thread_id: id, markdown, ...columns });
}

/** Adds a reply. A reply to a reply joins its thread. */
export async function replyTo(discussion: Discussion, commentId: string, markdown: string): Promise<CommentRow> {
  const { row, document } = await lockComment(discussion, commentId);
  return insert(discussion, document, { id: newId("com"), thread_id: row.thread_id, markdown, ...NO_ANCHOR });
}

type NewComment = Pick<CommentRow, "id" | "thread_id"> & typeof NO_ANCHOR & { readonly markdown: string };

async function insert(discussion: Discussion, document: DocumentRow, comment: NewComment): Promise<CommentRow> {
  const { tx, caller, actor } = discussion;
  await requireRoom(discussion, { workspace_id: document.workspace_id, document_id: document.id });
  const now = Date.now();
  const row: CommentRow = {
    ...comment,
    ...authorColumns(caller, actor),
    workspace_id: document.workspace_id,
    document_id: document.id,
    text_key: titleKey(comment.markdown),
    revision: 1,
    created_at: now,
    updated_at: now,
    resolved_at: null,
    resolved_by: null,
    deleted_at: null,
  };
  await insertComment(tx, row);
  appendCommentEvent(discussion, "comment.created", document, row);
  await notifyOf(discussion, document, row);
  return row;
}

/** Number of characters of a comment from which a notification takes its quote. */
const QUOTED_FROM = 1000;

/** A comment's text without Markdown syntax, for lists. */
const spokenWords = (markdown: string): string =>
  plainText({ type: "doc", content: parseMarkdown(markdown.slice(0, QUOTED_FROM)) });

/** Notifies mentioned people, then the participants of the thread, then the document's watchers. */
async function notifyOf({ app, tx }: Discussion, document: DocumentRow, row: CommentRow): Promise<void> {
  const markdown = row.markdown ?? "";
  const earlier = row.id === row.thread_id ? [] : await listAuthors(tx, row);
  const workspaceId = row.workspace_id;
  const news = { workspaceId, document, actor: authorOf(row), excerpt: spokenWords(markdown), commentId: row.id };
  await notify(app, tx, news, [
    { reason: "mention", userIds: mentionedIn(markdown) },
    { reason: "reply", userIds: earlier },
    { reason: "comment", userIds: await followersOf(tx, document) },
  ]);
}

/** A deleted comment cannot be edited or get reactions. */
function checkLive(row: CommentRow): void {
  if (row.deleted_at !== null) throw apiError("not_found", { resource: "comment", id: row.id });
}

/** `ownedWith`: owners of the document's knowledge base are allowed, too. */
function checkOwn({ caller }: Discussion, row: CommentRow, ownedWith?: DocumentRow): void {
  const role = ownedWith ? roleIn(caller, ownedWith.knowledge_base_id) : caller.role;
  const isAllowed = row.user_id === caller.userId || (ownedWith && role === "owner");
  if (!isAllowed) throw apiError("insufficient_role", { role, hint: "Only its author may do that." });
}

/** Edits the caller's own comment. The same text changes nothing. */
export async function changeComment(
  discussion: Discussion,
  id: string,
  markdown: string,
  expected: Expected | undefined,
): Promise<CommentRow> {
  const { row, document } = await lockComment(discussion, id);
  checkLive(row);
  checkOwn(discussion, row);
  checkExpected(requireExpected(expected), commentVersion(row));
  if (row.markdown === markdown) return row;
  const changes = { markdown, text_key: titleKey(markdown), updated_at: Date.now() };
  const changed = await updateComment(discussion.tx, row, changes);
  appendCommentEvent(discussion, "comment.updated", document, changed);
  await notifyOfNewMentions(discussion, document, changed, row.markdown ?? "");
  return changed;
}

/** Notifies only people who are mentioned for the first time. */
async function notifyOfNewMentions({ app, tx }: Discussion, document: DocumentRow, row: CommentRow, before: string) {
  const markdown = row.markdown ?? "";
  const earlier = mentionedIn(before);
  const userIds = mentionedIn(markdown).filter((id) => !earlier.includes(id));
  const news = {
    workspaceId: row.workspace_id,
    document,
    actor: authorOf(row),
    excerpt: spokenWords(markdown),
    commentId: row.id,
  };
  await notify(app, tx, news, [{ reason: "mention", userIds }]);
}

/** Resolves or reopens a thread; does nothing if it already has that state. */
export async function setResolved(discussion: Discussion, id: string, isResolved: boolean): Promise<CommentRow> {
  const { row, document } = await lockComment(discussion, id);
  const { tx, caller } = discussion;
  const opening = row.id === row.thread_id ? row : await getComment(tx, caller.workspaceId, row.thread_id);
  if ((opening.resolved_at !== null) === isResolved) return opening;
  const changed = await updateComment(tx, opening, {
    resolved_at: isResolved ? Date.now() : null,
    resolved_by: isResolved ? caller.userId : null,
  });
  appendCommentEvent(discussion, isResolved ? "comment.resolved" : "comment.updated", document, changed);
  return changed;
}

/** Deletes a comment. If it has replies, a tombstone stays until the last one is deleted. */
export async function removeComment(discussion: Discussion, id: string): Promise<void> {
  const { app, tx, caller } = discussion;
  const { row, document } = await lockComment(discussion, id);
  checkLive(row);
  checkOwn(discussion, row, document);
  const deletion = { userId: caller.userId, at: Date.now(), retentionDays: app.config.trashRetentionDays };
  await keepDeleted(tx, row, deletion);
  if (row.id === row.thread_id && (await hasReplies(tx, row)))
    await updateComment(tx, row, { markdown: null, text_key: "", deleted_at: deletion.at });
  else {
    await deleteComment(tx, row);
    await removeEmptyThread(tx, row, deletion);
  }
  appendCommentEvent(discussion, "comment.deleted", document, row);
}

async function removeEmptyThread(tx: Tx, reply: CommentRow, deletion: Deletion): Promise<void> {
  if (reply.id === reply.thread_id) return;
  const opening = await getComment(tx, reply.workspace_id, reply.thread_id);
  if (opening.deleted_at === null || (await hasReplies(tx, opening))) return;
  await keepDeleted(tx, opening, deletion);
  await deleteComment(tx, opening);
}

/** Adds or removes a reaction of the caller's user. */
export async function react(discussion: Discussion, id: string, emoji: string, isSet: boolean): Promise<CommentRow> {
  const { tx, caller } = discussion;
  const { row, document } = await lockComment(discussion, id);
  checkLive(row);
  const reaction = { workspace_id: row.workspace_id, comment_id: row.id, emoji, user_id: caller.userId };
  const hasChanged = isSet
    ? await insertReaction(tx, { ...reaction, document_id: row.document_id, created_at: Date.now() })
    : await deleteReaction(tx, reaction);
  if (!hasChanged) return row;
  const changed = await updateComment(tx, row, {});
  appendCommentEvent(discussion, "comment.updated", document, changed);
  return changed;
}
