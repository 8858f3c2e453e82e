import type { CommentThread, SuggestedChange, Suggestion } from "@svc/sdk";
import * as z from "zod";
import { documentId } from "../arguments.ts";
import { facts, lines, more, oneLine, plural } from "../text.ts";
import { readingTool } from "../tool.ts";

export const getDiscussion = readingTool({
  name: "get_discussion",
  title: "Comments and suggestions",
  set: "review",
  description:
    "What waits on a document for an answer or a decision: open comment threads and open suggestions with their changes.",
  scopes: ["documents:read"],
  input: z.strictObject({ document_id: documentId }),
  run: async (client, { document_id: id }) => {
    const [comments, suggestions] = await Promise.all([
      client.get("/documents/{id}/comments", { path: { id }, query: { limit: 50 } }),
      client.get("/documents/{id}/suggestions", { path: { id }, query: { status: "open", limit: 25 } }),
    ]);
    return {
      text: lines(
        `${plural(comments.data.length, "open thread")}, ${plural(suggestions.data.length, "open suggestion")}.`,
        ...comments.data.flatMap(threadLines),
        more(comments.page) && "(There are more threads than these.)",
        ...suggestions.data.flatMap(suggestionLines),
        more(suggestions.page) && "(There are more suggestions than these.)",
      ),
    };
  },
});

const threadLines = (thread: CommentThread): string[] => [
  `- ${said(thread)} (${facts({
    comment_id: thread.id,
    block_id: thread.anchor?.block_id,
    quote: thread.anchor?.quote ? JSON.stringify(oneLine(thread.anchor.quote, 100)) : undefined,
    state: thread.anchor?.state === "ok" ? undefined : thread.anchor?.state,
  })})`,
  ...thread.replies.map((reply) => `  - ${said(reply)}`),
];

const said = ({ author, body }: Pick<CommentThread, "author" | "body">): string =>
  `**${oneLine(author.name, 60)}**: ${body ? oneLine(body.markdown, 500) : "(deleted)"}`;

const suggestionLines = (suggestion: Suggestion): string[] => [
  `- **${oneLine(suggestion.author.name, 60)}** suggests${suggestion.note ? `: ${oneLine(suggestion.note)}` : ""} (${facts({ suggestion_id: suggestion.id })})`,
  ...suggestion.changes.map(changeLine),
];

const changeLine = ({ id, change_type, before, after, state }: SuggestedChange): string =>
  `  - ${facts({ change_id: id, change: change_type, state })}: ${[before, after]
    .map((side) => JSON.stringify(side ? oneLine(side.markdown, 300) : ""))
    .join(" → ")}`;
