import type { Client } from "@svc/sdk";
import * as z from "zod";
import { documentId, folderId, knowledgeBaseId, name } from "../arguments.ts";
import { facts, lines, oneLine } from "../text.ts";
import { type Outcome, writingTool } from "../tool.ts";

const change = z.discriminatedUnion("action", [
  z.strictObject({ action: z.literal("create_knowledge_base"), name: name("Its name.") }),
  z.strictObject({
    action: z.literal("create_folder"),
    name: name("Its name."),
    knowledge_base_id: knowledgeBaseId,
    parent_id: folderId.optional().describe("The folder it goes into; left out: the top level."),
  }),
  z.strictObject({
    action: z.literal("change_document"),
    document_id: documentId,
    title: name("The new title.").optional(),
    knowledge_base_id: knowledgeBaseId.optional().describe("Move it to this knowledge base."),
    folder_id: folderId.nullable().optional().describe("Move it into this folder; null: to the top level."),
  }),
  z.strictObject({
    action: z.literal("change_folder"),
    folder_id: folderId,
    name: name("The new name.").optional(),
    knowledge_base_id: knowledgeBaseId.optional().describe("Move it with all it holds to this knowledge base."),
    parent_id: folderId.nullable().optional().describe("Move it into this folder; null: to the top level."),
  }),
  z.strictObject({
    action: z.literal("rename_knowledge_base"),
    knowledge_base_id: knowledgeBaseId,
    name: name("The new name."),
  }),
  z.strictObject({ action: z.literal("delete_document"), document_id: documentId }),
  z.strictObject({ action: z.literal("delete_folder"), folder_id: folderId }),
  z.strictObject({
    action: z.literal("restore"),
    trash_id: z.string().min(1).max(100).describe("Id in the trash; browse with trash true shows it."),
  }),
]);
type Change = z.output<typeof change>;

export const organize = writingTool({
  name: "organize",
  title: "Move, rename, delete, restore",
  description:
    "Creates knowledge bases and folders; moves and renames documents and folders; deletes them into the trash, and restores them from there. Whole knowledge bases cannot be deleted here.",
  scopes: ["documents:read", "documents:write"],
  destructive: true,
  input: z.strictObject({ change }),
  run: (client, { change: wanted }) => run(client, wanted),
});

function run(client: Client, change: Change): Promise<Outcome> {
  switch (change.action) {
    case "create_knowledge_base":
      return createKnowledgeBase(client, change.name);
    case "rename_knowledge_base":
      return renameKnowledgeBase(client, change);
    case "create_folder":
      return createFolder(client, change);
    case "change_folder":
      return changeFolder(client, change);
    case "change_document":
      return changeDocument(client, change);
    case "delete_document":
      return deleteDocument(client, change.document_id);
    case "delete_folder":
      return deleteFolder(client, change.folder_id);
    case "restore":
      return restore(client, change.trash_id);
  }
}

type Of<A extends Change["action"]> = Omit<Extract<Change, { action: A }>, "action">;

const done = (text: string, data: Record<string, unknown>): Outcome => ({ text: lines(text, facts(data)), data });

async function createKnowledgeBase(client: Client, name: string): Promise<Outcome> {
  const { data } = await client.post("/knowledge-bases", { body: { name } });
  return done(`Created the knowledge base **${oneLine(data.name)}**.`, { knowledge_base_id: data.id });
}

async function renameKnowledgeBase(client: Client, change: Of<"rename_knowledge_base">): Promise<Outcome> {
  const { knowledge_base_id, name } = change;
  const { data } = await client.patch("/knowledge-bases/{id}", { path: { id: knowledge_base_id }, body: { name } });
  return done(`It is called **${oneLine(data.name)}** now.`, { knowledge_base_id });
}

async function createFolder(client: Client, change: Of<"create_folder">): Promise<Outcome> {
  const { name, knowledge_base_id, parent_id = null } = change;
  const { data } = await client.post("/folders", { body: { name, knowledge_base_id, parent_id } });
  const { id: folder_id } = data;
  return done(`Created the folder **${oneLine(data.name)}**.`, { folder_id, knowledge_base_id, parent_id });
}

async function changeFolder(client: Client, change: Of<"change_folder">): Promise<Outcome> {
  const { folder_id, name, knowledge_base_id, parent_id } = change;
  const { data } = await client.patch("/folders/{id}", {
    path: { id: folder_id },
    body: { name, knowledge_base_id, parent_id },
  });
  const place = { folder_id, knowledge_base_id: data.knowledge_base_id, parent_id: data.parent_id };
  return done(`The folder **${oneLine(data.name)}** is changed.`, place);
}

async function changeDocument(client: Client, change: Of<"change_document">): Promise<Outcome> {
  const { document_id, title, knowledge_base_id, folder_id } = change;
  const path = { id: document_id };
  await client.patch("/documents/{id}", { path, body: { title, knowledge_base_id, folder_id } });
  const { data } = await client.get("/documents/{id}/path", { path });
  return done(`It stands at ${oneLine(data.path_text)} now.`, {
    document_id,
    knowledge_base_id: data.knowledge_base.id,
    folder_id: data.folders.at(-1)?.id ?? null,
  });
}

const INTO_TRASH = "It is in the trash: browse with trash true shows it, and action restore brings it back.";

async function deleteDocument(client: Client, document_id: string): Promise<Outcome> {
  await client.delete("/documents/{id}", { path: { id: document_id } });
  return done(INTO_TRASH, { document_id, deleted: true });
}

async function deleteFolder(client: Client, folder_id: number): Promise<Outcome> {
  await client.delete("/folders/{id}", { path: { id: folder_id } });
  return done(INTO_TRASH, { folder_id, deleted: true });
}

async function restore(client: Client, id: string): Promise<Outcome> {
  const { data } = await client.post("/trash/{id}/restore", { path: { id } });
  return { text: lines("Restored.", facts(data)), data };
}
