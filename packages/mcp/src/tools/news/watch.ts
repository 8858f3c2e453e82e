import { type Client, setWatching, type Watched } from "@svc/sdk";
import * as z from "zod";
import { documentId, exactlyOne, place } from "../../arguments.ts";
import { findPlace } from "../../names/find-place.ts";
import { writingTool } from "../../tool.ts";

export const watch = writingTool({
  name: "watch",
  title: "Watch or stop watching",
  set: "notifications",
  description: "Notifies the person of this token of changes, comments and suggestions in a document, folder or base.",
  scopes: ["documents:write", "knowledge-bases:write"],
  discusses: true,
  idempotent: true,
  input: z
    .strictObject({
      document_id: documentId.optional(),
      in: place.optional().describe("Base or Base/Folder."),
      watching: z.boolean().default(true),
    })
    .refine(exactlyOne("document_id", "in"), { error: "Send exactly one of document_id, in." }),
  run: async (client, { document_id, in: where, watching }) => {
    const data = await setWatching(client, await watchedOf(client, document_id, where ?? ""), watching);
    return { text: data.watching ? "Watching it." : "Not watching it.", data: { ...data } };
  },
});

async function watchedOf(client: Client, documentId: string | undefined, where: string): Promise<Watched> {
  if (documentId !== undefined) return { kind: "document", id: documentId };
  const { knowledge_base_id, folder_id } = await findPlace(client, where);
  return folder_id === undefined
    ? { kind: "knowledge_base", id: knowledge_base_id }
    : { kind: "folder", id: folder_id };
}
