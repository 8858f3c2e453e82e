import { Type } from "typebox";
import type { Tx } from "../../../db/database.ts";
import type { CommentRow } from "../../../db/schema/tables/discussion.ts";
import { invalidRequest } from "../../../errors.ts";
import { actorOf } from "../../../events/actor.ts";
import { created, deleted, notModified, ok } from "../../../http/answer.ts";
import { alreadyHas } from "../../../http/preconditions.ts";
import { type Input, patch, post, put, type Route, read, remove } from "../../../http/route.ts";
import { deletedSchema } from "../../../http/schemas.ts";
import { DocumentParams } from "../../library/documents/schema.ts";
import type { Discussion } from "./discussion.ts";
import { commentVersion, getComment } from "./queries.ts";
import { listThreads, showComment } from "./read-comments.ts";
import { restoreComment } from "./restore-comment.ts";
import {
  Comment,
  CommentParams,
  CommentText,
  exampleComment,
  exampleNewComment,
  exampleThread,
  NewComment,
  ReactionParams,
  Thread,
  ThreadQuery,
} from "./schema.ts";
import { changeComment, createComment, react, removeComment, replyTo, setResolved } from "./write-comment.ts";

const tag = "Comments";
const bodyExample = { body: exampleNewComment.body };

type Writing = Input<unknown, unknown, unknown> & { readonly tx: Tx };
const discussionOf = (input: Writing): Discussion => ({
  app: input.app,
  tx: input.tx,
  caller: input.caller,
  actor: actorOf(input),
});

const answer = async ({ tx, caller }: Writing, row: CommentRow, reply: typeof ok = ok) =>
  reply(await showComment(tx, caller, row), { etag: commentVersion(row) });

const success = (status: 200 | 201, description: string) => ({
  status,
  description,
  data: Comment,
  example: exampleComment,
});

/** Common options of routes that write comments. */
const writing = { tag, scopes: ["documents:write"] } as const;

/** One emoji: a pictographic character with its modifiers, a flag or a keycap. */
const EMOJI = /^(?:\p{RGI_Emoji}|\p{Extended_Pictographic}\ufe0f?)$/v;

function emojiOf(text: string): string {
  if (!EMOJI.test(text)) throw invalidRequest("path.emoji", "must be one emoji");
  return text;
}

export const commentRoutes: Route[] = [
  read({
    operation: "list_comments",
    path: "/documents/{id}/comments",
    tag,
    summary: "The threads of a document, each with its replies.",
    description: "In the order they were opened. Each anchor says where its passage is in the current body.",
    scopes: ["documents:read"],
    access: { action: "read", subject: "document" },
    params: DocumentParams,
    query: ThreadQuery,
    success: { status: 200, description: "A page of them.", data: Thread, list: true, example: exampleThread },
    handler: ({ app, caller, db, params, query }) => listThreads(app, db, caller, params.id, query),
  }),
  post({
    ...writing,
    operation: "create_comment",
    path: "/documents/{id}/comments",
    access: { action: "discuss", subject: "document" },
    summary: "Open a thread on a document, a block or a passage.",
    params: DocumentParams,
    body: NewComment,
    bodyExample: exampleNewComment,
    etag: true,
    errors: ["block_not_found", "invalid_anchor", "quota_exceeded"],
    success: success(201, "The comment."),
    handler: async (input) => {
      const { params, body } = input;
      const row = await createComment(discussionOf(input), params.id, body.body.content, body.anchor);
      return answer(input, row, created);
    },
  }),
  read({
    operation: "get_comment",
    path: "/comments/{id}",
    tag,
    summary: "One comment.",
    scopes: ["documents:read"],
    access: { action: "read", subject: "comment" },
    params: CommentParams,
    etag: true,
    success: success(200, "It."),
    handler: async ({ caller, db, params, request }) => {
      const row = await getComment(db, caller.workspaceId, params.id);
      const version = commentVersion(row);
      // The position of an anchor depends on the body, so only a comment without one can be a 304.
      if (row.anchor_block_id === null && alreadyHas(request.headers["if-none-match"], version))
        return notModified(version);
      return ok(await showComment(db, caller, row), { etag: version });
    },
  }),
  patch({
    ...writing,
    operation: "change_comment",
    path: "/comments/{id}",
    access: { action: "discuss", subject: "comment" },
    summary: "Change the text of one's own comment.",
    params: CommentParams,
    body: CommentText,
    bodyExample,
    ifMatch: "required",
    etag: true,
    success: success(200, "It, changed."),
    handler: async (input) => {
      const { params, body, ifMatch } = input;
      return answer(input, await changeComment(discussionOf(input), params.id, body.body.content, ifMatch));
    },
  }),
  remove({
    ...writing,
    operation: "delete_comment",
    path: "/comments/{id}",
    access: { action: "discuss", subject: "comment" },
    summary: "Delete one's own comment; an owner of the workspace may delete any.",
    description:
      "A comment with replies stays as an empty comment with `deleted: true`. `POST /comments/{id}/restore` undoes the deletion.",
    params: CommentParams,
    success: {
      status: 200,
      description: "It is gone.",
      data: deletedSchema(Type.String()),
      example: { id: exampleComment.id, deleted: true },
    },
    handler: async (input) => {
      await removeComment(discussionOf(input), input.params.id);
      return deleted(input.params.id);
    },
  }),
  post({
    ...writing,
    operation: "restore_comment",
    path: "/comments/{id}/restore",
    access: { action: "discuss", subject: "comment" },
    summary: "Take the deletion of a comment back.",
    description:
      "For as long as the trash keeps things: the same id, text, author, place and reactions. Whoever deleted it may, and owners.",
    params: CommentParams,
    etag: true,
    errors: ["quota_exceeded"],
    success: success(200, "It, as it was."),
    handler: async (input) => answer(input, await restoreComment(discussionOf(input), input.params.id)),
  }),
  post({
    ...writing,
    operation: "reply_to_comment",
    path: "/comments/{id}/replies",
    access: { action: "discuss", subject: "comment" },
    summary: "Reply in a thread.",
    description: "A reply to a reply joins its thread.",
    params: CommentParams,
    body: CommentText,
    bodyExample,
    etag: true,
    errors: ["quota_exceeded"],
    success: success(201, "The reply."),
    handler: async (input) =>
      answer(input, await replyTo(discussionOf(input), input.params.id, input.body.body.content), created),
  }),
  post({
    ...writing,
    operation: "resolve_comment",
    path: "/comments/{id}/resolve",
    access: { action: "discuss", subject: "comment" },
    summary: "Mark a thread as resolved.",
    description: "Resolving it twice changes nothing.",
    params: CommentParams,
    etag: true,
    success: success(200, "The comment that opened the thread."),
    handler: async (input) => answer(input, await setResolved(discussionOf(input), input.params.id, true)),
  }),
  post({
    ...writing,
    operation: "reopen_comment",
    path: "/comments/{id}/reopen",
    access: { action: "discuss", subject: "comment" },
    summary: "Open a resolved thread again.",
    params: CommentParams,
    etag: true,
    success: success(200, "The comment that opened the thread."),
    handler: async (input) => answer(input, await setResolved(discussionOf(input), input.params.id, false)),
  }),
  put({
    ...writing,
    operation: "add_reaction",
    path: "/comments/{id}/reactions/{emoji}",
    access: { action: "discuss", subject: "comment" },
    summary: "React to a comment.",
    params: ReactionParams,
    etag: true,
    success: success(200, "The comment."),
    handler: async (input) =>
      answer(input, await react(discussionOf(input), input.params.id, emojiOf(input.params.emoji), true)),
  }),
  remove({
    ...writing,
    operation: "remove_reaction",
    path: "/comments/{id}/reactions/{emoji}",
    access: { action: "discuss", subject: "comment" },
    summary: "Take one's reaction back.",
    params: ReactionParams,
    etag: true,
    success: success(200, "The comment."),
    handler: async (input) =>
      answer(input, await react(discussionOf(input), input.params.id, emojiOf(input.params.emoji), false)),
  }),
];
