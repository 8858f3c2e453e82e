import * as z from "zod";
import { exactlyOne } from "../../arguments.ts";
import { lines, plural } from "../../text.ts";
import { writingTool } from "../../tool.ts";

export const markNotifications = writingTool({
  name: "mark_notifications",
  title: "Mark notifications as read",
  set: "notifications",
  description: "Marks notifications as read: those named, or all that came up to now.",
  scopes: ["documents:write"],
  discusses: true,
  idempotent: true,
  input: z
    .strictObject({
      notification_ids: z.array(z.string().min(1).max(64)).min(1).max(100).optional(),
      all: z.literal(true).optional(),
    })
    .refine(exactlyOne("notification_ids", "all"), { error: "Send exactly one of notification_ids, all." }),
  run: async (client, { notification_ids: ids }) => {
    const body = ids ? { ids } : { before: Date.now() };
    const { data } = await client.post("/notifications/read", { body });
    return { text: lines(`${plural(data.read, "notification")} marked as read.`), data };
  },
});
