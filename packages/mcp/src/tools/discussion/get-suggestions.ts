import type { Suggestion } from "@svc/sdk";
import * as z from "zod";
import { cursor, knowledgeBaseId, limit } from "../../arguments.ts";
import { facts, lines, more, oneLine, plural, time } from "../../text.ts";
import { readingTool } from "../../tool.ts";

const statuses = ["open", "accepted", "partly_accepted", "rejected", "withdrawn", "stale"] as const;

export const getSuggestions = readingTool({
  name: "get_suggestions",
  title: "Suggestions of all documents",
  set: "notifications",
  description: "Suggestions of the whole workspace, the oldest first: what waits, or what became of it.",
  scopes: ["documents:read"],
  input: z.strictObject({
    status: z.enum(statuses).default("open"),
    author: z.string().min(1).max(64).optional().describe("Id of a user or a token."),
    knowledge_base_id: knowledgeBaseId.optional(),
    limit: limit(20),
    cursor,
  }),
  run: async (client, { author, knowledge_base_id, cursor, ...rest }) => {
    const query = {
      ...rest,
      ...(author !== undefined && { author }),
      ...(knowledge_base_id !== undefined && { knowledge_base_id }),
      ...(cursor !== undefined && { cursor }),
    };
    const { data, page } = await client.get("/suggestions", { query });
    return { text: lines(`${plural(data.length, "suggestion")}.`, ...data.map(shownLine), more(page)) };
  },
});

const shownLine = (suggestion: Suggestion): string =>
  `- ${facts({
    suggestion_id: suggestion.id,
    document_id: suggestion.document_id,
    by: oneLine(suggestion.author.name, 60),
    status: suggestion.status,
    changes: suggestion.changes.length,
    at: time(suggestion.created_at),
  })}${suggestion.note ? `: ${oneLine(suggestion.note)}` : ""}`;
