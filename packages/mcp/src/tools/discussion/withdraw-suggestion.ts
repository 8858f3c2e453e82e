import * as z from "zod";
import { facts, lines } from "../../text.ts";
import { writingTool } from "../../tool.ts";
import { titleOf } from "../../written.ts";

export const withdrawSuggestion = writingTool({
  name: "withdraw_suggestion",
  title: "Withdraw a suggestion",
  set: "notifications",
  description:
    "Takes back a suggestion of yours that nobody has decided yet; the document stays as it is. With undo it is open again.",
  scopes: ["documents:write"],
  discusses: true,
  destructive: true,
  input: z.strictObject({ suggestion_id: z.string().min(1).max(64), undo: z.boolean().default(false) }),
  run: async (client, { suggestion_id: id, undo }) => {
    const { data } = undo
      ? await client.post("/suggestions/{id}/reopen", {
          path: { id },
          ifMatch: (await client.get("/suggestions/{id}", { path: { id } })).data.version,
        })
      : await client.post("/suggestions/{id}/withdraw", { path: { id } });
    const { document_id, status } = data;
    const title = await titleOf(client, document_id);
    const done = undo
      ? `Open again, for **${title}**. Undo: the same without undo.`
      : `Withdrawn; **${title}** has not changed. Undo: the same with undo: true.`;
    return { text: lines(done, facts({ document_id, status })) };
  },
});
