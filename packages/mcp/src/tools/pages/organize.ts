import type { Client, Folder } from "@svc/sdk";
import * as z from "zod";
import { documentId, file, folderId, knowledgeBaseId, name, place } from "../../arguments.ts";
import { findPlace, type Place } from "../../names/find-place.ts";
import { findOrder } from "../../names/find-sibling.ts";
import { facts, lines, oneLine, plural } from "../../text.ts";
import { type Outcome, writingTool } from "../../tool.ts";
import { findTrashed } from "../../trashed.ts";
import { UsageError } from "../../usage-error.ts";
import { titleOf } from "../../written.ts";

const ACTIONS = {
  create_knowledge_base: ["name"],
  rename_knowledge_base: ["knowledge_base_id", "name"],
  create_folder: ["name", "in"],
  change_folder: ["folder_id"],
  change_document: ["document_id"],
  delete_document: ["document_id"],
  delete_folder: ["folder_id"],
  delete_file: ["file"],
  restore: ["trash_id"],
} as const;

const input = z.strictObject({
  action: z.enum(Object.keys(ACTIONS) as [keyof typeof ACTIONS]),
  document_id: documentId.optional(),
  folder_id: folderId.nullable().optional().describe("Id or Base/Folder."),
  name: name("").describe("New name or title.").optional(),
  in: place.nullable().optional().describe("Base or Base/Folder to put it into."),
  order: z.string().min(1).max(520).optional().describe("first, last, before Name or after Name."),
  trash_id: z.string().min(1).max(100).optional(),
  file: file.optional().describe("Name of a file of that document."),
  force: z.boolean().default(false),
  knowledge_base_id: knowledgeBaseId.optional().describe("Id or name."),
  parent_id: folderId.nullable().optional(),
  title: name("").optional(),
});
type Given = z.output<typeof input>;

/** The changeable fields of a document or folder. */
const CHANGES: Readonly<Record<string, readonly (keyof Given)[]>> = {
  change_document: ["name", "title", "knowledge_base_id", "folder_id", "order"],
  change_folder: ["name", "knowledge_base_id", "parent_id", "order"],
};

export const organize = writingTool({
  name: "organize",
  title: "Move, rename, delete, restore",
  set: "core",
  description:
    "Creates knowledge bases and folders; moves (in), reorders (order) and renames (name) documents and folders; deletes them, or a file of a document, into the trash, and restores them with the trash_id that a deletion answers.",
  scopes: ["documents:read", "documents:write"],
  destructive: true,
  hidden: ["parent_id", "title", "force"],
  output: z.object({
    document_id: z.string().optional(),
    folder_id: z.int().nullish(),
    knowledge_base_id: z.int().optional(),
    parent_id: z.int().nullish(),
    trash_id: z.string().optional(),
  }),
  input,
  run: async (client, given) => {
    const place = given.in ? await findPlace(client, given.in) : undefined;
    const change = { ...given, ...(place && placed(given.action, place)) };
    const missing = ACTIONS[given.action].filter(
      (name) => (name === "in" ? change.knowledge_base_id : change[name]) === undefined,
    );
    if (missing.length > 0)
      throw new UsageError(
        `**invalid_arguments**: ${given.action} needs ${missing.join(", ")}.`,
        "add it and call again.",
      );
    if (CHANGES[given.action]?.every((name) => change[name] === undefined))
      throw new UsageError(
        `**invalid_arguments**: ${given.action} without name, in or order changes nothing.`,
        "add a new name, in for another place, or order.",
      );
    return run(client, change);
  },
});

/** Converts a named location to arguments of the API. */
const placed = (action: Given["action"], { knowledge_base_id, folder_id }: Place) =>
  action === "change_document"
    ? { knowledge_base_id, folder_id: folder_id ?? null }
    : { knowledge_base_id, parent_id: folder_id ?? null };

type Change = Given;

function run(client: Client, change: Change): Promise<Outcome> {
  switch (change.action) {
    case "create_knowledge_base":
      return createKnowledgeBase(client, change.name!);
    case "rename_knowledge_base":
      return renameKnowledgeBase(client, change);
    case "create_folder":
      return createFolder(client, change);
    case "change_folder":
      return changeFolder(client, change);
    case "change_document":
      return changeDocument(client, change);
    case "delete_document":
      return deleteDocument(client, change.document_id!);
    case "delete_folder":
      return deleteFolder(client, change.folder_id!);
    case "delete_file":
      return deleteFile(client, change.file ?? "", change.force);
    case "restore":
      return restore(client, change.trash_id!);
  }
}

const done = (text: string, data: Record<string, unknown>): Outcome => ({ text: lines(text, facts(data)), data });

/** The call that puts back what was. */
const undoWith = (action: Given["action"], was: Record<string, string>): string =>
  `Undo: ${action} with ${facts(was)}.`;

/** A folder's path for `in`: the id of the base, which never changes, and the folder names. */
async function pathOf(client: Client, { knowledge_base_id, parent_id }: Folder): Promise<string> {
  const names: string[] = [];
  for (let id = parent_id; id !== null; ) {
    const { data } = await client.get("/folders/{id}", { path: { id } });
    names.unshift(data.name);
    id = data.parent_id;
  }
  return [knowledge_base_id, ...names].join("/");
}

async function createKnowledgeBase(client: Client, name: string): Promise<Outcome> {
  const { data } = await client.post("/knowledge-bases", { body: { name } });
  return done(`Created the knowledge base **${oneLine(data.name)}**.`, { knowledge_base_id: data.id });
}

async function renameKnowledgeBase(client: Client, change: Change): Promise<Outcome> {
  const knowledge_base_id = change.knowledge_base_id!;
  const name = change.name!;
  const path = { id: knowledge_base_id };
  const { data: before } = await client.get("/knowledge-bases/{id}", { path });
  const { data } = await client.patch("/knowledge-bases/{id}", { path, body: { name } });
  const undo = undoWith(change.action, { name: before.name });
  return done(`**${oneLine(before.name)}** is called **${oneLine(data.name)}** now. ${undo}`, { knowledge_base_id });
}

async function createFolder(client: Client, change: Change): Promise<Outcome> {
  const { parent_id = null } = change;
  const name = change.name!;
  const knowledge_base_id = change.knowledge_base_id!;
  const { data } = await client.post("/folders", { body: { name, knowledge_base_id, parent_id } });
  const { id: folder_id } = data;
  return done(`Created the folder **${oneLine(data.name)}**. Undo: delete_folder.`, {
    folder_id,
    knowledge_base_id,
    parent_id,
  });
}

async function changeFolder(client: Client, change: Change): Promise<Outcome> {
  const { name, knowledge_base_id, parent_id } = change;
  const folder_id = change.folder_id!;
  const path = { id: folder_id };
  const { data: before } = await client.get("/folders/{id}", { path });
  const place = await orderOf(client, change, {
    knowledge_base_id: knowledge_base_id ?? before.knowledge_base_id,
    folder_id: parent_id === undefined ? before.parent_id : parent_id,
  });
  const body = { name, knowledge_base_id, parent_id, ...(place && { place }) };
  const { data } = await client.patch("/folders/{id}", { path, body });
  const where = { folder_id, knowledge_base_id: data.knowledge_base_id, parent_id: data.parent_id };
  const undo = undoWith(change.action, { name: before.name, in: await pathOf(client, before) });
  return done(`The folder **${oneLine(before.name)}** is **${oneLine(data.name)}** now. ${undo}`, where);
}

/** The place among the siblings that a change asks for. */
const orderOf = async (
  client: Client,
  { order }: Change,
  { knowledge_base_id, folder_id }: { readonly knowledge_base_id: number; readonly folder_id: number | null },
) =>
  order === undefined
    ? undefined
    : findOrder(client, order, { knowledge_base_id, ...(folder_id !== null && { folder_id }) });

async function changeDocument(client: Client, change: Change): Promise<Outcome> {
  const { title = change.name, knowledge_base_id, folder_id } = change;
  const document_id = change.document_id!;
  const path = { id: document_id };
  const { data: before } = await client.get("/documents/{id}/path", { path });
  const order = await orderOf(client, change, {
    knowledge_base_id: knowledge_base_id ?? before.knowledge_base.id,
    folder_id: folder_id === undefined ? (before.folders.at(-1)?.id ?? null) : folder_id,
  });
  await client.patch("/documents/{id}", {
    path,
    body: { title, knowledge_base_id, folder_id, ...(order && { place: order }) },
  });
  const { data } = await client.get("/documents/{id}/path", { path });
  const place = [before.knowledge_base.id, ...before.folders.map((folder) => folder.name)].join("/");
  const undo = undoWith(change.action, { name: before.document.title, in: place });
  return done(`${oneLine(before.path_text)} is ${oneLine(data.path_text)} now. ${undo}`, {
    document_id,
    knowledge_base_id: data.knowledge_base.id,
    folder_id: data.folders.at(-1)?.id ?? null,
  });
}

async function deleteDocument(client: Client, document_id: string): Promise<Outcome> {
  const { data } = await client.get("/documents/{id}", { path: { id: document_id } });
  await client.delete("/documents/{id}", { path: { id: document_id } });
  return trashed(client, `document **${oneLine(data.title)}**`, document_id, { document_id });
}

async function deleteFolder(client: Client, folder_id: number): Promise<Outcome> {
  const { data } = await client.get("/folders/{id}", { path: { id: folder_id } });
  await client.delete("/folders/{id}", { path: { id: folder_id } });
  return trashed(client, `folder **${oneLine(data.name)}** with all it held`, folder_id, { folder_id });
}

/** Says what went, and how to get it back with one call. */
async function trashed(
  client: Client,
  what: string,
  id: string | number,
  ids: Record<string, unknown>,
): Promise<Outcome> {
  const trash_id = await findTrashed(client, id);
  const undo = trash_id ? "Undo: restore with this trash_id." : "It is gone for good: this service keeps no trash.";
  return done(`Deleted the ${what}. ${undo}`, { ...ids, trash_id });
}

/** A file that the text shows is deleted by force only, which takes it out of the text. */
async function deleteFile(client: Client, id: string, force: boolean): Promise<Outcome> {
  if (!id.startsWith("att_"))
    throw new UsageError(
      "**invalid_arguments**: the name of a file needs the document_id that it belongs to.",
      "add it, or send the id of the file.",
    );
  const { data } = await client.get("/attachments/{id}/metadata", { path: { id } });
  await client.delete("/attachments/{id}", { path: { id }, query: force ? { force } : {} });
  const title = await titleOf(client, data.document_id);
  const shown = data.reference_count > 0 ? ", and took it out of the text" : "";
  return done(
    `Deleted the file **${oneLine(data.file_name)}** of **${title}**${shown}. Undo: restore with this trash_id, for as long as the trash keeps things.`,
    { document_id: data.document_id, trash_id: id },
  );
}

async function restoreFile(client: Client, id: string): Promise<Outcome> {
  const { data } = await client.post("/attachments/{id}/restore", { path: { id } });
  const shown = data.reference_count > 0 ? "" : `, not shown; as a block of it it is: ${data.markdown}`;
  const title = await titleOf(client, data.document_id);
  return done(`Restored the file **${oneLine(data.file_name)}** of **${title}**${shown}. Undo: delete it again.`, {
    document_id: data.document_id,
  });
}

async function restore(client: Client, id: string): Promise<Outcome> {
  if (id.startsWith("att_")) return restoreFile(client, id);
  const { data } = await client.post("/trash/{id}/restore", { path: { id } });
  const document_id = data.document_ids[0];
  const folder_id = data.folder_ids[0];
  const what =
    data.kind === "folder" && folder_id !== undefined
      ? `folder **${oneLine((await client.get("/folders/{id}", { path: { id: folder_id } })).data.name)}** with ${plural(data.document_ids.length, "page")}`
      : `document **${document_id === undefined ? "" : await titleOf(client, document_id)}**`;
  const links =
    data.ended_links > 0 ? " Its public link ended with the deletion; only a person can make a new one." : "";
  return done(
    `Restored the ${what}.${links} Undo: delete it again.`,
    data.kind === "folder" ? { folder_id } : { document_id },
  );
}
