import * as z from "zod";
import { markdown } from "../../arguments.ts";
import { facts, lines } from "../../text.ts";
import { writingTool } from "../../tool.ts";
import { UsageError } from "../../usage-error.ts";
import { titleOf } from "../../written.ts";

export const decideSuggestion = writingTool({
  name: "decide_suggestion",
  title: "Accept or reject a suggestion",
  set: "review",
  description:
    "Accepts a suggestion's changes into the document, or rejects them. Only when a person asked you to. A change in conflict stays open.",
  scopes: ["documents:write"],
  destructive: true,
  hidden: ["undo"],
  output: z.object({ status: z.string(), in_conflict: z.array(z.string()) }),
  input: z.strictObject({
    suggestion_id: z.string().min(1).max(64),
    accept: z.boolean().optional(),
    change_ids: z.array(z.string().min(1).max(64)).min(1).max(1000).optional(),
    edits: z
      .array(z.strictObject({ change_id: z.string().min(1).max(64), markdown: markdown("") }))
      .min(1)
      .max(100)
      .optional()
      .describe("With accept: a person's own wording, also of a change in conflict."),
    reason: z.string().max(5000).optional(),
    undo: z.boolean().default(false),
  }),
  run: async (client, { suggestion_id: id, accept, change_ids, edits, reason, undo }) => {
    const path = { id };
    const { data: seen } = await client.get("/suggestions/{id}", { path });
    const chosen = change_ids && { change_ids };
    const ifMatch = seen.version;
    if (undo) {
      const { data } = await client.post("/suggestions/{id}/reopen", { path, ifMatch });
      const text = `What was rejected for **${await titleOf(client, data.document_id)}** is open again.`;
      return { text: lines(text, facts({ status: data.status })), data: { status: data.status, in_conflict: [] } };
    }
    if (accept === undefined)
      throw new UsageError("**invalid_arguments**: accept is missing.", "say accept: true or accept: false.");
    const { data } = accept
      ? await client.post("/suggestions/{id}/accept", { path, ifMatch, body: { ...chosen, ...(edits && { edits }) } })
      : await client.post("/suggestions/{id}/reject", {
          path,
          ifMatch,
          body: { ...chosen, ...(reason !== undefined && { reason }) },
        });
    const { document_id, status } = data;
    const in_conflict = data.changes.filter(({ state }) => state === "conflict").map((change) => change.id);
    const title = await titleOf(client, document_id);
    const done = accept
      ? `Accepted into **${title}**. Undo: roll_back`
      : `Rejected; **${title}** has not changed. Undo: the same with undo: true`;
    return {
      text: lines(`${done}.`, facts({ document_id, status, in_conflict: in_conflict.join(", ") })),
      data: { status, in_conflict },
    };
  },
});
