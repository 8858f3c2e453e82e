import type { Notification } from "@svc/sdk";
import * as z from "zod";
import { cursor, limit } from "../../arguments.ts";
import { facts, lines, more, oneLine, plural, time } from "../../text.ts";
import { readingTool } from "../../tool.ts";

export const getNotifications = readingTool({
  name: "get_notifications",
  title: "Notifications",
  set: "notifications",
  description:
    "What the person of this token should know of: mentions, replies, comments, suggestions, decisions, changes of what they watch. Unread ones unless all is true.",
  scopes: ["documents:read"],
  input: z.strictObject({ all: z.boolean().default(false), limit: limit(20), cursor }),
  run: async (client, { all, limit, cursor }) => {
    const query = { limit, ...(!all && { unread: true }), ...(cursor !== undefined && { cursor }) };
    const { data, page } = await client.get("/notifications", { query });
    return {
      text: lines(
        `${plural(data.length, all ? "notification" : "unread notification")}.`,
        ...data.map(shownLine),
        more(page),
      ),
    };
  },
});

const shownLine = (item: Notification): string =>
  `- ${facts({
    notification_id: item.id,
    reason: item.reason,
    by: oneLine(item.actor.name, 60),
    at: time(item.created_at),
    document_id: item.document_id ?? undefined,
    title: item.document_title ? oneLine(item.document_title, 100) : undefined,
    knowledge_base: item.document_id ? undefined : (item.knowledge_base_name ?? undefined),
    comment_id: item.comment_id ?? undefined,
    suggestion_id: item.suggestion_id ?? undefined,
    read: item.read_at === null ? undefined : true,
  })}${item.excerpt ? `: ${oneLine(item.excerpt)}` : ""}`;
