import { defined } from "@svc/document/defined";
import { writeZip } from "@svc/server/archives/write-zip";
import { insertDeliveries } from "@svc/server/domain/exchange/webhooks/delivery-queries";
import { testDelivery } from "@svc/server/domain/exchange/webhooks/message";
import { getWebhook } from "@svc/server/domain/exchange/webhooks/queries";
import type { Route } from "@svc/server/http/route";
import { newId } from "@svc/server/ids";
import { insertJob } from "@svc/server/jobs/queries";
import type { Services } from "@svc/server/services";
import { assertStatus, type Client, type Loose, type Reply } from "./client.ts";
import { png } from "./png.ts";
import type { Person, World } from "./world.ts";

/** Makes something of a kind and tells the id that stands in its path. One line per noun of the API. */
const makers: Record<string, (person: Person, path: string, services: Services) => Promise<string>> = {
  "knowledge-bases": async ({ client }) => String((await makeKnowledgeBase(client)).id),
  groups: async ({ client }) => (await makeGroup(client)).id,
  members: async ({ client, userId }) => {
    await client.put("/me/picture", { content: png(2, 2).toString("base64") });
    return userId;
  },
  folders: async ({ client }) => String((await makeFolder(client)).id),
  documents: async ({ client }) => (await makeDocument(client)).id,
  favourites: async ({ client }) => (await makeDocument(client)).id,
  recent: async ({ client }) => (await makeDocument(client)).id,
  sections: async ({ client }, path) => (await client.get(path.replace(/sections$/, "blocks"))).data[0].id,
  blocks: async ({ client }, path) => (await client.get(`${path}`)).data[0].id,
  versions: async ({ client }, path) => {
    await client.put(path.replace(/versions$/, "content"), markdown("Changed."), { ifMatch: "*" });
    return String((await client.get(path)).data[0].seq);
  },
  history: async ({ client }, path) => (await client.get(path)).data[0].id,
  "summary-jobs": async ({ client, workspaceId, userId }, _path, { database }) => {
    const { id: targetId } = await makeDocument(client);
    const payload = { workspaceId, scope: "document", targetId, blockId: "" };
    const job = { workspaceId, id: newId("sjob"), kind: "summary_job", payload, createdBy: userId };
    return (await database.transaction((tx) => insertJob(tx, job, () => undefined))).id;
  },
  comments: async ({ client }) => (await makeComment(client)).id,
  suggestions: async ({ client }) => (await makeSuggestion(client)).id,
  reactions: async () => encodeURIComponent("👍"),
  concepts: async ({ client }) => (await makeConcept(client)).id,
  "concept-candidates": async ({ client }) => {
    const { knowledge_base_id } = await makeDocument(client);
    await client.post("/concept-candidates/extract", { knowledge_base_id });
    return (await client.get(`/concept-candidates?knowledge_base_id=${knowledge_base_id}`)).data[0].id;
  },
  attachments: async ({ client }) => (await upload(client, (await makeDocument(client)).id)).id,
  "import-jobs": async ({ client }) => (await startImport(client, await zipOf({ "a.md": "Hello." }))).id,
  "document-sets": async ({ client }) => (await activate(client)).id,
  localizations: async ({ client }, path) => {
    await client.post(path.replace(/localizations$/, "localization/activate"), spanish);
    return "es";
  },
  "translation-units": async ({ client }, path) => {
    await client.post(path.replace("translation-units", "localization/activate"), spanish);
    return (await client.get(path)).data[0].id;
  },
  "translation-jobs": async ({ client }) => {
    const { source_document_id: id } = await activate(client);
    return (await client.post(`/documents/${id}/translation-jobs`, { target_locale: "es" })).data.id;
  },
  trash: async ({ client }) => {
    await client.delete(`/documents/${(await makeDocument(client)).id}`);
    return (await client.get("/trash")).data[0].id;
  },
  relations: async ({ client }) => (await makeRelation(client)).id,
  // Limited to one knowledge base, so that people who cannot see the others can create it too.
  webhooks: async ({ client }) =>
    (await makeWebhook(client, { knowledge_base_id: (await makeKnowledgeBase(client)).id })).id,
  deliveries: async ({ workspaceId }, path, { database }) => {
    const webhook = await getWebhook(database.read, workspaceId, defined(path.split("/").at(-2)));
    const row = { ...testDelivery(webhook, Date.now()), status: "succeeded" as const, finished_at: Date.now() };
    await database.transaction((tx) => insertDeliveries(tx, [row]));
    return row.id;
  },
};

const spanish = { source_locale: "en", target_locales: ["es"] };

/** A document set of an English source and a Spanish target, unless told otherwise. */
export async function activate(client: Client, { document = {}, ...fields }: Loose = {}): Promise<Loose> {
  const { id } = await makeDocument(client, document);
  return assertStatus(await client.post(`/documents/${id}/localization/activate`, { ...spanish, ...fields }), 201).data;
}

export const markdown = (content: string) => ({ format: "markdown", content });

export async function makeKnowledgeBase(client: Client, name = "Handbook"): Promise<Loose> {
  return assertStatus(await client.post("/knowledge-bases", { name }), 201).data;
}

export const makeGroup = async (client: Client, name = "Editors"): Promise<Loose> =>
  assertStatus(await client.post("/groups", { name }), 201).data;

export async function makeFolder(client: Client, fields: Loose = {}): Promise<Loose> {
  const knowledge_base_id = fields.knowledge_base_id ?? (await makeKnowledgeBase(client)).id;
  return assertStatus(await client.post("/folders", { name: "Guides", knowledge_base_id, ...fields }), 201).data;
}

export async function makeConcept(client: Client, fields: Loose = {}): Promise<Loose> {
  const knowledge_base_id = fields.knowledge_base_id ?? (await makeKnowledgeBase(client)).id;
  return assertStatus(await client.post("/concepts", { name: "Concept", ...fields, knowledge_base_id }), 201).data;
}

/** A document of two blocks, unless told otherwise; `text` is its Markdown. */
export async function makeDocument(client: Client, { text = "# One\n\nTwo\n", ...fields }: Loose = {}): Promise<Loose> {
  const knowledge_base_id = fields.knowledge_base_id ?? (await makeKnowledgeBase(client)).id;
  const body = { title: "Title", knowledge_base_id, content: markdown(text), ...fields };
  return assertStatus(await client.post("/documents", body), 201).data;
}

/** A stated relation between two new documents, unless told otherwise. */
export async function makeRelation(client: Client, fields: Loose = {}): Promise<Loose> {
  const source = fields.source_document_id ?? (await makeDocument(client)).id;
  const block = fields.source_block_id ?? (await client.get(`/documents/${source}/blocks`)).data[0].id;
  const target = fields.target_uri ?? (await makeDocument(client)).uri;
  const body = { source_document_id: source, source_block_id: block, target_uri: target, predicate: "supports" };
  return assertStatus(await client.post("/relations", { ...body, ...fields }), 201).data;
}

/** A comment on a new document, unless told otherwise; `text` is its Markdown. */
export async function makeComment(
  client: Client,
  { document_id, text = "Really?", ...fields }: Loose = {},
): Promise<Loose> {
  const id = document_id ?? (await makeDocument(client)).id;
  return assertStatus(await client.post(`/documents/${id}/comments`, { body: markdown(text), ...fields }), 201).data;
}

/** A suggestion to add a block to a new document, unless told otherwise. */
export async function makeSuggestion(client: Client, { document_id, ...fields }: Loose = {}): Promise<Loose> {
  const id = document_id ?? (await makeDocument(client)).id;
  const nodes = [{ type: "paragraph", content: [{ type: "text", text: "One more." }] }];
  const operations = [{ op: "insert", position: { document_end: true }, nodes }];
  const body = { base_version: "*", ...(fields.content ? {} : { operations }), ...fields };
  return assertStatus(await client.post(`/documents/${id}/suggestions`, body), 201).data;
}

/** A webhook that is paused, so that nothing is sent, unless told otherwise. */
export async function makeWebhook(client: Client, fields: Loose = {}): Promise<Loose> {
  const body = { url: "https://svc.example/hook", enabled: false, ...fields };
  return assertStatus(await client.post("/webhooks", body), 201).data;
}

export function uploadForm(documentId: string, content: string | Uint8Array = "Hello.", name = "hello.txt"): FormData {
  const form = new FormData();
  form.set("document_id", documentId);
  form.set("file", new Blob([content as Uint8Array<ArrayBuffer>]), name);
  return form;
}

export async function upload(
  client: Client,
  documentId: string,
  content?: string | Uint8Array,
  name?: string,
): Promise<Loose> {
  return assertStatus(await client.post("/attachments", uploadForm(documentId, content, name)), 201).data;
}

/** An archive of these files, with whatever paths. */
export async function zipOf(files: Record<string, string | Uint8Array>): Promise<Buffer> {
  async function* entries() {
    for (const [path, content] of Object.entries(files))
      yield { path, modified: new Date(), content: typeof content === "string" ? Buffer.from(content) : content };
  }
  return Buffer.concat(await Array.fromAsync(writeZip(entries())));
}

export const startImport = async (client: Client, archive: Uint8Array, name?: string): Promise<Loose> =>
  assertStatus(await sendArchive(client, archive, name), 202).data;

export function sendArchive(
  client: Client,
  archive: Uint8Array,
  name?: string,
  fileName = "archive.zip",
): Promise<Reply> {
  const form = new FormData();
  form.set("file", new Blob([archive as Uint8Array<ArrayBuffer>]), fileName);
  if (name !== undefined) form.set("name", name);
  return client.post("/knowledge-bases/import", form);
}

const makeSpreadsheet = async ({ client }: Person): Promise<string> =>
  (await makeDocument(client, { document_type: "spreadsheet", text: "| a |\n| --- |\n| 1 |\n" })).id;

/** The route's path with ids of things that this person owns. */
export async function ownedPath(route: Pick<Route, "path">, person: Person, { app }: World): Promise<string> {
  let path = "";
  for (const step of route.path.split("/").slice(1)) {
    if (!step.startsWith("{")) {
      path += `/${step}`;
      continue;
    }
    const noun = path.split("/").at(-1) ?? "";
    const make = makers[noun];
    if (!make) throw new Error(`No fixture makes the id after /${noun}/ in ${route.path}: add one to fixtures.ts.`);
    const isSheet = noun === "documents" && route.path.endsWith("/spreadsheet");
    path += `/${isSheet ? await makeSpreadsheet(person) : await make(person, path, app.services)}`;
  }
  if (RESTORES.test(route.path)) await person.client.delete(path.replace(/\/restore$/, ""));
  return path;
}

/** Routes that undo a deletion need a deleted resource. */
const RESTORES = /^\/(comments|attachments)\/\{id\}\/restore$/;

/** The id of the first parameter is a thing of its own; the rest hang on it. */
export const hasId = (route: Route): boolean => route.path.includes("{");
