import * as z from "zod";
import { facts, lines } from "../text.ts";
import { writingTool } from "../tool.ts";
import { titleOf } from "../written.ts";

export const withdrawSuggestion = writingTool({
  name: "withdraw_suggestion",
  title: "Withdraw a suggestion",
  set: "notifications",
  description: "Takes back a suggestion of yours that nobody has decided yet; the document stays as it is.",
  scopes: ["documents:write"],
  discusses: true,
  destructive: true,
  input: z.strictObject({ suggestion_id: z.string().min(1).max(64) }),
  run: async (client, { suggestion_id: id }) => {
    const { data } = await client.post("/suggestions/{id}/withdraw", { path: { id } });
    const { document_id, status } = data;
    const title = await titleOf(client, document_id);
    return { text: lines(`Withdrawn; **${title}** has not changed.`, facts({ document_id, status })) };
  },
});
