import { setTimeout as sleep } from "node:timers/promises";
import { updateDecision } from "@svc/server/domain/identity/devices/queries";
import { hashSecret } from "@svc/server/http/callers/authenticate";
import { assertStatus, type Client, type Loose } from "../client.ts";
import { makeConcept, makeDocument, makeFolder, makeGroup, makeKnowledgeBase, ownedPath, upload } from "../fixtures.ts";
import { png } from "../png.ts";
import type { Person, World } from "../world.ts";
import type { Operation } from "./description.ts";

/** A path with ids of the scene's person, and what stands behind it. */
export interface Place {
  readonly path: string;
  /** The document in the path, when there is one. */
  readonly documentId: string | undefined;
}

type Provider = (scene: Scene, place: Place) => unknown;

/** The document that a position is in: of a section that moves, the one it goes to. */
const goalOf = (scene: Scene, place: Place): Place =>
  place.path.endsWith("/move") ? { ...place, documentId: scene.other.id } : place;

/**
 * A valid value for each field, by its name or by path and name, for this person. One line per name; a new
 * field that looks like an id and is not here stops the tests, so that it gets one.
 */
export const providers: Record<string, Provider> = {
  knowledge_base_id: ({ base }) => base.id,
  knowledge_id: ({ base }) => String(base.id),
  knowledge_base_ids: ({ base }) => [base.id],
  folder_id: ({ folder }) => folder.id,
  user_id: ({ person }) => person.userId,
  token_id: ({ person }) => person.tokenId,
  group_id: async ({ owner }) => (await makeGroup(owner.client)).id,
  parent_id: ({ folder }) => folder.id,
  document_id: ({ document }) => document.id,
  index_document_id: async ({ client }, { path }) => {
    const { id: folder_id, knowledge_base_id } = (await client.get(path)).data;
    return (await makeDocument(client, { title: "Index", knowledge_base_id, folder_id })).id;
  },
  source_document_id: ({ document }) => document.id,
  target_document_id: ({ other }) => other.id,
  id_ends: ({ document }) => document.id.slice(-8),
  canonical_document_id: ({ document }) => document.id,
  document_set_id: ({ set }) => set.id,
  source_block_id: ({ blocks }) => blocks[0].id,
  block_id: (scene, place) => scene.blockOf(place, 0),
  around: (scene, place) => scene.blockOf(place, 0),
  section: (scene, place) => scene.blockOf(place, 0),
  from: (scene, place) => scene.blockOf(place, 0),
  before_block_id: (scene, place) => scene.blockOf(goalOf(scene, place), 1),
  after_block_id: (scene, place) => scene.blockOf(goalOf(scene, place), 1),
  parent_block_id: (scene, place) => scene.containerOf(goalOf(scene, place)),
  target_uri: ({ other }) => other.uri,
  concept_id: ({ concept }) => concept.id,
  target_concept_id: ({ concept }) => concept.id,
  source_concept_id: ({ concept }) => concept.id,
  unit_ids: async (scene, place) => [await scene.unitOf(place)],
  change_id: () => "chg_1",
  change_ids: () => ["chg_1"],
  collapsed_block_ids: ({ blocks }) => [blocks[0].id],
  confirm_id: async ({ client }, { path }) => (await client.get(path)).data.confirm_id,
  device_code: (scene) => scene.approvedDevice(),
  base_version: (scene, place) => scene.versionOf(place),
  base_source_version: async ({ client }, { path }) => (await client.get(path)).data.current_source_version,
  base_target_version: async (scene, { path }) => {
    const job = (await scene.client.get(path.replace(/\/apply$/, ""))).data;
    return (await scene.client.get(`/documents/${job.target_document_id}`)).data.version;
  },
  source_version: ({ document, concept }, { path }) => (path.endsWith("/merge") ? concept.version : document.version),
  predicate: (_scene, { path }) => (path.startsWith("/concepts") ? "related_to" : "supports"),
  locale: () => "fr",
  source_locale: () => "en",
  fallback_locale: () => "en",
  target_locale: () => "es",
  target_locales: () => ["es"],
  updated_since: () => "2020-01-01T00:00:00Z",
  since: () => "2020-01-01T00:00:00Z",
  to: () => "current",
  with: () => "current",
  after: () => undefined,
  last_event_id: () => "0",
  cursor: () => undefined,
  q: () => "one",
  after_heading: () => "One",
  background_color: () => "#ffeedd",
  document: () => ({ type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text: "New." }] }] }),
  document_type: () => "document",
  generator: () => "deterministic",
  expires_at: () => Date.now() + 86_400_000,
  password: () => "three unrelated words",
  valid_from: () => 1000,
  valid_to: () => 2_000_000_000_000,
  url: () => "https://example.com/hook",
  old: () => "One",
  new: () => "Uno",
  expected_count: () => 1,
  occurrence: () => 1,
  markdown: () => "New.",
  "/me/picture content": () => png(2, 2).toString("base64"),
};

/** Ids that name nothing by themselves, only within the thing in the path. */
const relativeIds = new Set(["change_id", "change_ids"]);

/** Names of fields that hold ids of things in a workspace, from whatever place. */
export const isIdField = (name: string): boolean =>
  (/(_id|_ids|_uri)$/.test(name) && !relativeIds.has(name)) || ["around", "section"].includes(name);

const spanish = { source_locale: "en", target_locales: ["es"] };

/** Preconditions of an operation, apart from the existence of the resources in its path. */
const preparations: readonly [RegExp, (client: Client, path: string, document: string) => Promise<unknown>][] = [
  [
    /\/(localizations|translation-units|translation-jobs|localization-audit)$/,
    (client, _, document) => client.post(`${document}/localization/activate`, spanish),
  ],
  [
    /\/deactivate$/,
    (client, _, document) =>
      client.post(`${document}/localization/activate`, { source_locale: "en", target_locales: [] }),
  ],
  [/\/translation-jobs\/{id}\/apply$/, (client, path) => untilEnded(client, path.replace(/\/apply$/, ""))],
  [/\/public-share$/, (client, path) => client.post(path)],
  [
    /\/(suggestions|concept-candidates)\/{id}\/reopen$/,
    (client, path) => client.post(path.replace(/reopen$/, "reject"), {}, { ifMatch: "*" }),
  ],
  [
    /\/concepts\/{id}\/unmerge$/,
    async (client, path) => {
      const { id, version } = await makeConcept(client);
      const body = { source_concept_id: id, source_version: version };
      await client.post(path.replace(/unmerge$/, "merge"), body, { ifMatch: "*" });
    },
  ],
];

async function untilEnded(client: Client, path: string): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (["pending", "running"].includes((await client.get(path)).data.status)) {
    if (Date.now() > deadline) throw new Error(`${path} does not end.`);
    await sleep(10);
  }
}

/** One of everything, owned by one person. */
export class Scene {
  readonly world: World;
  readonly person: Person;
  /** The owner of the workspace. */
  readonly owner: Person;
  base: Loose;
  folder: Loose;
  document: Loose;
  other: Loose;
  blocks: Loose;
  concept: Loose;
  attachment: Loose;
  set: Loose;

  private constructor(world: World, person: Person, owner: Person) {
    this.world = world;
    this.person = person;
    this.owner = owner;
  }

  /** Token of a new person with their own workspace, or of an editor in that of `owner`. */
  static async make(world: World, owner?: Person): Promise<Scene> {
    const person = await world.person(owner && { workspace: owner.workspaceId, role: "editor" });
    const scene = new Scene(world, person, owner ?? person);
    const { client } = scene;
    scene.base = await makeKnowledgeBase(client);
    const knowledge_base_id = scene.base.id;
    scene.folder = await makeFolder(client, { knowledge_base_id });
    scene.document = await makeDocument(client, { knowledge_base_id });
    scene.other = await makeDocument(client, { knowledge_base_id });
    scene.blocks = (await client.get(`/documents/${scene.document.id}/blocks`)).data;
    scene.attachment = await upload(client, scene.document.id);
    const localised = await makeDocument(client, { knowledge_base_id });
    const activated = await client.post(`/documents/${localised.id}/localization/activate`, spanish);
    scene.set = assertStatus(activated, 201).data;
    await scene.renewConcept();
    return scene;
  }

  get client(): Client {
    return this.person.client;
  }

  /** A concept can be merged away, so calls that name one get a new one. */
  async renewConcept(): Promise<void> {
    this.concept = await makeConcept(this.client, { knowledge_base_id: this.base.id });
  }

  /** A fresh place for the operation, in the state that it needs. */
  async place({ path }: Operation): Promise<Place> {
    const made = await ownedPath({ path }, this.person, this.world);
    const documentId = /^\/documents\/(doc_\w+)/.exec(made)?.[1];
    for (const [pattern, prepare] of preparations)
      if (pattern.test(path)) await prepare(this.client, made, `/documents/${documentId}`);
    return { path: made, documentId };
  }

  async value(field: string, place: Place): Promise<unknown> {
    if (field.endsWith("concept_id")) await this.renewConcept();
    return providers[field]?.(this, place);
  }

  async blockOf({ documentId }: Place, index: number): Promise<string> {
    const blocks = documentId ? (await this.client.get(`/documents/${documentId}/blocks`)).data : this.blocks;
    return blocks[Math.min(index, blocks.length - 1)].id;
  }

  /** A block that takes others. */
  async containerOf({ documentId = this.document.id }: Place): Promise<string> {
    const nodes = [{ type: "blockquote", content: [{ type: "paragraph" }] }];
    const body = { position: { document_end: true }, nodes };
    return (await this.client.post(`/documents/${documentId}/blocks`, body)).data.blocks[0].id;
  }

  async versionOf({ documentId }: Place): Promise<string> {
    return documentId ? (await this.client.get(`/documents/${documentId}`)).data.version : this.document.version;
  }

  async unitOf({ documentId, path }: Place): Promise<string> {
    const job = /^\/translation-jobs\/\w+/.exec(path)?.[0];
    if (job) return (await this.client.get(job)).data.units[0].unit_id;
    const id = documentId ?? this.set.source_document_id;
    return (await this.client.get(`/documents/${id}/translation-units`)).data[0]?.id ?? "tu_none";
  }

  /** A device code that a person has let in. */
  async approvedDevice(): Promise<string> {
    const { data } = await this.client.post("/auth/device/code", { client_name: "Test" });
    const { userId: user_id, workspaceId: workspace_id } = this.person;
    const decision = { status: "approved", access: "read_only", user_id, workspace_id } as const;
    const hash = hashSecret(data.user_code);
    const { database } = this.world.app.services;
    await database.transaction((tx) => updateDecision(tx, hash, decision, Date.now()));
    return data.device_code;
  }
}
