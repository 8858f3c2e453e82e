import { Type } from "typebox";
import {
  cursor,
  idInBody,
  limit,
  named,
  nullable,
  object,
  oneOf,
  plainText,
  time,
  writtenText,
} from "../../../http/schemas.ts";
import { Author, exampleAuthor } from "../../identity/authors/author.ts";

export const MAX_COMMENT_CHARACTERS = 20_000;
const commentStates = ["open", "resolved", "all"] as const;

const offset = (description: string) => Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description });

const CommentBody = object({
  format: Type.Literal("markdown"),
  content: writtenText(MAX_COMMENT_CHARACTERS),
});

const NewAnchor = object(
  {
    block_id: idInBody(),
    quote: Type.Optional({
      ...plainText(10_000, "The passage, exactly as in the block's text."),
      minLength: 1,
    }),
    start: Type.Optional(offset("Its start in the block's text, in UTF-16 units.")),
    end: Type.Optional(offset("Its end.")),
  },
  { description: "Without `quote` and offsets the whole block is meant." },
);

export const NewComment = object({ body: CommentBody, anchor: Type.Optional(NewAnchor) });
export const CommentText = object({ body: CommentBody });

const Anchor = named(
  "CommentAnchor",
  object({
    block_id: Type.String({
      description: "The block that contains the passage now; the last one that did if it is gone.",
    }),
    quote: nullable(Type.String({ description: "null when the whole block is meant." })),
    start: nullable(Type.Integer({ description: "Its position now; null when it is gone." })),
    end: nullable(Type.Integer()),
    state: oneOf(
      ["ok", "moved", "dangling"],
      "`ok`: it is in its block, wherever that is in the page. `moved`: it is in another block. `dangling`: it is gone.",
    ),
  }),
);

const fields = {
  id: Type.String(),
  thread_id: Type.String({ description: "Id of the comment that opened the thread." }),
  document_id: Type.String(),
  anchor: nullable(Anchor),
  body: nullable(object({ markdown: Type.String(), html: Type.String() })),
  author: Author,
  deleted: Type.Boolean({ description: "Only its replies are left of it." }),
  created_at: time(),
  updated_at: time(),
  resolved_at: nullable(time()),
  resolved_by: nullable(Type.String()),
  reactions: Type.Array(
    object({
      emoji: Type.String(),
      count: Type.Integer(),
      mine: Type.Boolean({ description: "The caller's user is among them." }),
    }),
  ),
  version: Type.String({ description: "The ETag." }),
};

export const Comment = named("Comment", object(fields));
export const Thread = named("CommentThread", object({ ...fields, replies: Type.Array(Comment) }));

export const ThreadQuery = object({
  state: Type.Optional(oneOf(commentStates, "`open` by default.")),
  block_id: Type.Optional(Type.String({ maxLength: 64, description: "Only threads whose passage is in this block." })),
  limit: limit(),
  cursor: cursor(),
});

export const CommentParams = Type.Object({ id: plainText(64) });
export const ReactionParams = Type.Object({
  id: plainText(64),
  emoji: Type.String({ minLength: 1, maxLength: 64, description: "One emoji, percent-encoded." }),
});

export const exampleNewComment = {
  body: { format: "markdown", content: "Is this still so?" },
} as const;

export const exampleComment = {
  id: "com_01K9ZQ4T6N4Y3V7J8W2M5R1XCA",
  thread_id: "com_01K9ZQ4T6N4Y3V7J8W2M5R1XCA",
  document_id: "doc_01K9ZQ4T6N4Y3V7J8W2M5R1XCJ",
  anchor: { block_id: "block_01K9ZQ4T6N4Y3V7J8W2M5R1XCM", quote: "every Friday", start: 12, end: 24, state: "ok" },
  body: { markdown: "Is this still so?", html: "<p>Is this still so?</p>\n" },
  author: exampleAuthor,
  deleted: false,
  created_at: 1794700000000,
  updated_at: 1794700000000,
  resolved_at: null,
  resolved_by: null,
  reactions: [{ emoji: "👍", count: 2, mine: false }],
  version: "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
} as const;

export const exampleThread = { ...exampleComment, replies: [] } as const;
