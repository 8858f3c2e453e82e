import { assertStatus, type Client, type Loose } from "./client.ts";
import {
  makeComment,
  makeConcept,
  makeDocument,
  makeFolder,
  makeKnowledgeBase,
  makeRelation,
  makeSuggestion,
  makeWebhook,
  markdown,
  startImport,
  upload,
  zipOf,
} from "./fixtures.ts";
import { until } from "./until.ts";
import type { Person } from "./world.ts";

/** Stands in every name and text of what is to be hidden, and nowhere else. */
export const MARK = "Zanzibar";

/** Resources that everybody sees, and their links into the hidden knowledge base. */
export interface OpenPlace {
  readonly base: Loose;
  readonly folder: Loose;
  readonly document: Loose;
  readonly sheet: Loose;
  readonly concept: Loose;
  readonly attachment: Loose;
  readonly suggestion: Loose;
  readonly comment: Loose;
  /** The document with a Spanish version elsewhere. */
  readonly bilingual: Loose;
}

export async function makeOpenPlace(client: Client): Promise<OpenPlace> {
  const base = await makeKnowledgeBase(client, "Open");
  const knowledge_base_id = base.id;
  const folder = await makeFolder(client, { name: "Open folder", knowledge_base_id });
  const document = await makeDocument(client, { title: "Open page", knowledge_base_id, folder_id: folder.id });
  const text = "| a |\n| --- |\n| 1 |\n";
  const sheet = await makeDocument(client, { knowledge_base_id, document_type: "spreadsheet", text });
  const concept = await makeConcept(client, { name: "Open concept", knowledge_base_id });
  const attachment = await upload(client, document.id);
  const suggestion = await makeSuggestion(client, { document_id: document.id });
  const comment = await makeComment(client, { document_id: document.id });
  const bilingual = await makeDocument(client, { title: "Open in two languages", knowledge_base_id });
  return { base, folder, document, sheet, concept, attachment, suggestion, comment, bilingual };
}

export interface Secret {
  readonly baseIds: readonly number[];
  /** Ids of documents and of resources attached to them. */
  readonly ids: readonly string[];
  /** Ids that a visible body names itself. */
  readonly linked: Loose;
  readonly concept: Loose;
  /** Id of a document that everybody sees. */
  readonly translation: Loose;
}

/** One of everything that a knowledge base can hold, tied to the open place in every way there is. */
export async function makeSecret(owner: Person, reader: Person, open: OpenPlace): Promise<Secret> {
  const { client } = owner;
  const base = await makeKnowledgeBase(client, `${MARK} base`);
  const knowledge_base_id = base.id;
  const folder = await makeFolder(client, { name: `${MARK} folder`, knowledge_base_id });
  const text = `---\ntags: [${MARK}]\n---\n# ${MARK}\n\n${MARK} of [open](${open.document.uri}) for [@Ada](svc://user/${reader.userId})\n`;
  const place = { knowledge_base_id, folder_id: folder.id };
  const linked = await makeDocument(client, { title: `${MARK} page`, text, ...place });
  const moved = await makeDocument(client, {
    title: `${MARK} moved`,
    text: `${MARK}`,
    knowledge_base_id: open.base.id,
  });
  const gone = await makeDocument(client, { title: `${MARK} gone`, ...place });
  const attachment = await upload(client, linked.id, `${MARK}`, `${MARK}.txt`);
  const mention = `${MARK} [@Ada](svc://user/${reader.userId})`;
  const comment = await makeComment(client, { document_id: linked.id, text: mention });
  const content = markdown(`${MARK} suggested`);
  const suggestion = await makeSuggestion(client, { document_id: linked.id, content });
  const relation = await makeRelation(client, { source_document_id: linked.id, target_uri: open.document.uri });
  const concept = await makeConcept(client, { name: `${MARK} concept`, knowledge_base_id });
  await tieConcepts(client, open, concept, linked);
  await keepPersonally(reader, linked, folder, base);
  await changeAll(client, linked, folder, base);
  assertStatus(await client.patch(`/documents/${moved.id}`, place), 200);
  const translation = await translateInto(client, open.bilingual, place);
  assertStatus(await client.delete(`/documents/${gone.id}`), 200);
  await client.post("/concept-candidates/extract", { knowledge_base_id });
  const webhook = await makeWebhook(client, { url: `https://svc.example/${MARK}`, knowledge_base_id });
  const imported = await importBase(client);
  const link = markdown(`See [there](${linked.uri}).`);
  assertStatus(await client.put(`/documents/${open.document.id}/content`, link, { ifMatch: "*" }), 200);
  const things = [linked, moved, gone, attachment, comment, suggestion, relation, concept, webhook, translation];
  return { baseIds: [base.id, imported], ids: things.map(({ id }) => id), linked, concept, translation };
}

/** Evidence and relations reach over the border of a knowledge base. */
async function tieConcepts(client: Client, open: OpenPlace, concept: Loose, document: Loose): Promise<void> {
  const related = { predicate: "related_to", target_concept_id: concept.id };
  const path = `/concepts/${open.concept.id}`;
  assertStatus(await client.post(`${path}/relations`, related, { ifMatch: "*" }), 201);
  const block_id = (await client.get(`/documents/${document.id}/blocks`)).data[0].id;
  const source = { document_id: document.id, block_id, source_version: document.version };
  assertStatus(await client.post(`${path}/sources`, source, { ifMatch: "*" }), 201);
}

/** Ids that the reader kept from the time when they saw it. */
async function keepPersonally({ client }: Person, document: Loose, folder: Loose, base: Loose): Promise<void> {
  for (const path of [
    `/me/favourites/${document.id}`,
    `/me/recent/${document.id}`,
    `/documents/${document.id}/watch`,
    `/folders/${folder.id}/watch`,
    `/knowledge-bases/${base.id}/watch`,
  ])
    assertStatus(await client.put(path), 200);
}

async function changeAll(client: Client, document: Loose, folder: Loose, base: Loose): Promise<void> {
  const path = `/documents/${document.id}`;
  const more = { position: { document_end: true }, nodes: [paragraph(`${MARK} later`)] };
  assertStatus(await client.post(`${path}/blocks`, more), 201);
  for (const place of [path, `/folders/${folder.id}`, `/knowledge-bases/${base.id}`]) {
    const base_source_version = (await client.get(`${place}/summary`)).data.current_source_version;
    const summary = { text: `${MARK} in short`, base_source_version };
    assertStatus(await client.put(`${place}/summary`, summary, { ifMatch: "*" }), 200);
  }
  for (const place of [path, `/folders/${folder.id}`]) await client.post(`${place}/public-share`);
  const languages = { source_locale: "en", target_locales: ["es"], create_mode: "copy_content" };
  assertStatus(await client.post(`${path}/localization/activate`, languages), 201);
}

/** A Spanish version that is kept in another knowledge base than its source. */
async function translateInto(client: Client, { id }: Loose, place: Loose): Promise<Loose> {
  const languages = { source_locale: "en", target_locales: ["es"], create_mode: "copy_content" };
  const made = assertStatus(await client.post(`/documents/${id}/localization/activate`, languages), 201);
  const { document_id } = made.data.variants.find(({ locale }: Loose) => locale === "es");
  const title = `${MARK} en español`;
  assertStatus(await client.patch(`/documents/${id}/localizations/es`, { title }), 200);
  return assertStatus(await client.patch(`/documents/${document_id}`, place), 200).data;
}

const paragraph = (text: string) => ({ type: "paragraph", content: [{ type: "text", text }] });

async function importBase(client: Client): Promise<number> {
  const job = await startImport(client, await zipOf({ [`${MARK}.md`]: `${MARK} imported` }), `${MARK} import`);
  let made: number | undefined;
  await until("the import has ended", async () => {
    const { status, knowledge_base_id } = (await client.get(`/import-jobs/${job.id}`)).data;
    made = knowledge_base_id;
    return status === "succeeded";
  });
  return made ?? 0;
}
