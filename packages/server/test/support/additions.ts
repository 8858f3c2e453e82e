import { assertStatus, type Client, type Loose, type Reply } from "./client.ts";
import {
  makeComment,
  makeConcept,
  makeDocument,
  makeFolder,
  makeSuggestion,
  markdown,
  upload,
  uploadForm,
} from "./fixtures.ts";

/** A document in a folder, with something of most kinds. */
export interface Scene {
  readonly document: Loose;
  readonly folder: Loose;
  readonly base: Loose;
  readonly block: string;
  readonly comment: Loose;
  readonly suggestion: Loose;
  /** Id of another knowledge base. */
  readonly concept: Loose;
  /** Stands somewhere else. */
  readonly other: Loose;
  readonly otherBlock: string;
  /** The entry of a document of the folder in the trash. */
  readonly trashed: Loose;
  /** Deleted ones of the document, which can be brought back. */
  readonly deleted: { readonly comment: string; readonly file: string };
  /** The source of a set without other languages yet, beside the document. */
  readonly source: Loose;
}

export async function makeScene(client: Client): Promise<Scene> {
  const folder = await makeFolder(client);
  const place = { knowledge_base_id: folder.knowledge_base_id, folder_id: folder.id };
  const [document, gone, source, concept] = await Promise.all([
    makeDocument(client, place),
    makeDocument(client, place),
    makeDocument(client, place),
    makeConcept(client),
  ]);
  assertStatus(await client.post(`/documents/${source.id}/localization/activate`, { source_locale: "en" }), 201);
  await client.delete(`/documents/${gone.id}`);
  const [base, blocks, trash, comment, suggestion, other] = await Promise.all([
    client.get(`/knowledge-bases/${folder.knowledge_base_id}`),
    client.get(`/documents/${document.id}/blocks`),
    client.get("/trash"),
    makeComment(client, { document_id: document.id }),
    makeSuggestion(client, { document_id: document.id }),
    makeDocument(client, { knowledge_base_id: concept.knowledge_base_id }),
  ]);
  const deleted = await deleteSome(client, document.id);
  const trashed = trash.data.find((entry: Loose) => entry.name === gone.title);
  const block = blocks.data[0].id;
  const otherBlock = (await client.get(`/documents/${other.id}/blocks`)).data[0].id;
  return {
    document,
    folder,
    base: base.data,
    block,
    comment,
    suggestion,
    concept,
    other,
    otherBlock,
    trashed,
    deleted,
    source,
  };
}

async function deleteSome(client: Client, document_id: string): Promise<Scene["deleted"]> {
  const [comment, file] = [await makeComment(client, { document_id }), await upload(client, document_id)];
  for (const path of [`/comments/${comment.id}`, `/attachments/${file.id}`])
    assertStatus(await client.delete(path), 200);
  return { comment: comment.id, file: file.id };
}

export type Addition = (client: Client) => Promise<Reply>;

const EMOJI = encodeURIComponent("👍");
const nodes = [{ type: "paragraph", content: [{ type: "text", text: "More." }] }];
const position = { document_end: true };
const any = { ifMatch: "*" };

/** Everything that callers can add to a document, each by one request that may be sent again. */
export function additionsTo(scene: Scene, mentioned: string): Record<string, Addition> {
  const { document, block, comment, suggestion, other, deleted } = scene;
  const { id } = document;
  const at = `/documents/${id}`;
  const relation = { source_document_id: id, source_block_id: block, target_uri: other.uri, predicate: "supports" };
  return {
    comment: (c) => c.post(`${at}/comments`, { body: markdown(`[@Eve](svc://user/${mentioned}) look`) }),
    reply: (c) => c.post(`/comments/${comment.id}/replies`, { body: markdown("Yes.") }),
    reaction: (c) => c.put(`/comments/${comment.id}/reactions/${EMOJI}`),
    "restored comment": (c) => c.post(`/comments/${deleted.comment}/restore`),
    "restored file": (c) => c.post(`/attachments/${deleted.file}/restore`),
    suggestion: (c) =>
      c.post(`${at}/suggestions`, { base_version: "*", operations: [{ op: "insert", position, nodes }] }),
    "accepted suggestion": (c) => c.post(`/suggestions/${suggestion.id}/accept`, undefined, any),
    properties: (c) => c.put(`${at}/properties`, { properties: { colour: "red" } }, any),
    content: (c) => c.put(`${at}/content`, markdown(`Other ${Math.random()}.`), any),
    block: (c) => c.post(`${at}/blocks`, { position, nodes }),
    section: (c) => c.post(`/documents/${other.id}/sections/${scene.otherBlock}/move`, { target_document_id: id }),
    watch: (c) => c.put(`${at}/watch`),
    favourite: (c) => c.put(`/me/favourites/${id}`),
    view: (c) => c.put(`/me/recent/${id}`),
    summary: (c) => c.post(`${at}/summary/rebuild`, {}),
    relation: (c) => c.post("/relations", relation),
    attachment: (c) => c.post("/attachments", uploadForm(id, "A file.")),
    share: (c) => c.post(`${at}/public-share`, {}),
    language: (c) => c.post(`${at}/localization/activate`, { source_locale: "en", target_locales: ["es"] }),
  };
}

/** A language is added to a set that has none but its source's. */
export const languagesOf = ({ source }: Scene): Record<string, Addition> => ({
  "language version": (c) => c.post(`/documents/${source.id}/localizations`, { locale: "fr" }),
});

/** Everything that callers can put into a folder. */
export function putsInto({ folder, other, trashed }: Scene): Record<string, Addition> {
  const place = { knowledge_base_id: folder.knowledge_base_id, folder_id: folder.id };
  const at = `/folders/${folder.id}`;
  return {
    document: (c) => c.post("/documents", { title: "New", ...place }),
    folder: (c) =>
      c.post("/folders", { name: "Below", knowledge_base_id: place.knowledge_base_id, parent_id: folder.id }),
    move: (c) => c.patch(`/documents/${other.id}`, place),
    copy: (c) => c.post(`/documents/${other.id}/copy`, place),
    "restored document": (c) => c.post(`/trash/${trashed.id}/restore`),
    "watch of the folder": (c) => c.put(`${at}/watch`),
    "summary of the folder": (c) => c.post(`${at}/summary/rebuild`, {}),
    "share of the folder": (c) => c.post(`${at}/public-share`, {}),
  };
}

/** Everything that callers can put into a knowledge base. */
export function putsIntoBase({ base, other }: Scene, member: string): Record<string, Addition> {
  const knowledge_base_id = base.id;
  const at = `/knowledge-bases/${base.id}`;
  const access = { default_role: "editor", members: [{ user_id: member, role: "editor" }], groups: [] };
  return {
    document: (c) => c.post("/documents", { title: "New", knowledge_base_id }),
    folder: (c) => c.post("/folders", { name: "New", knowledge_base_id }),
    concept: (c) => c.post("/concepts", { name: `Concept ${Math.random()}`, knowledge_base_id }),
    candidates: (c) => c.post("/concept-candidates/extract", { knowledge_base_id }),
    move: (c) => c.patch(`/documents/${other.id}`, { knowledge_base_id, folder_id: null }),
    watch: (c) => c.put(`${at}/watch`),
    summary: (c) => c.post(`${at}/summary/rebuild`, {}),
    access: (c) => c.put(`${at}/access`, access, any),
  };
}
