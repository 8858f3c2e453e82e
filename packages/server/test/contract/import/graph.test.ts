import assert from "node:assert/strict";
import { test } from "node:test";
import { defined } from "@svc/document/defined";
import { exported, imported, withManifest } from "../../support/archives.ts";
import { blockIds } from "../../support/bodies.ts";
import { assertStatus, type Client, type Loose } from "../../support/client.ts";
import { makeConcept, makeDocument, makeKnowledgeBase, makeRelation } from "../../support/fixtures.ts";
import { onEachDatabase } from "../../support/world.ts";

const volatile = new Set([
  "id",
  "uri",
  "version",
  "created_at",
  "updated_at",
  "created_by",
  "knowledge_base_id",
  "source_count",
  "relation_count",
]);

/** Items in an order that does not depend on ids. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  if (value === null || typeof value !== "object") return value;
  const lasting = Object.entries(value).filter(([key]) => !volatile.has(key));
  return Object.fromEntries(lasting.map(([key, inner]) => [key, sorted(inner)]));
};

/**
 * Relations and concepts of a knowledge base, without what leads out of it. Ids are replaced by what they name (`?` for
 * a block that is gone), versions by whether they are current.
 */
async function graphOf(client: Client, id: number): Promise<string> {
  const names = new Map<string, string>();
  const documents: Loose[] = (await client.get(`/documents?knowledge_base_id=${id}`)).data;
  const concepts: Loose[] = (await client.get(`/concepts?knowledge_base_id=${id}`)).data;
  const relations: Loose[] = [];
  for (const document of documents) {
    names.set(document.id, document.title).set(document.version, `current ${document.title}`);
    for (const [index, block] of (await blockIds(client, document.id)).entries())
      names.set(block, `${document.title} ${index}`);
    relations.push(...(await client.get(`/documents/${document.id}/relations?direction=outgoing&limit=100`)).data);
  }
  for (const concept of concepts) names.set(concept.id, concept.name);
  const isHere = (key: string | null) => key === null || names.has(key);
  const graph = {
    relations: relations.filter((relation) => isHere(relation.target_document_id)),
    concepts: concepts.map((concept) => ({
      ...concept,
      canonical_document_id: isHere(concept.canonical_document_id) ? concept.canonical_document_id : null,
      sources: concept.sources.filter((source: Loose) => isHere(source.document_id)),
      relations: concept.relations.filter(
        (one: Loose) => isHere(one.target_concept_id) && isHere(one.source_concept_id),
      ),
    })),
  };
  const named = JSON.stringify(graph).replace(
    /"(?:doc|block|concept)_[0-9A-Z]{26}"|"sha256:[0-9a-f]{64}"|(?:doc|block|concept)_[0-9A-Z]{26}/g,
    (key) => (key.startsWith('"') ? JSON.stringify(names.get(key.slice(1, -1)) ?? "?") : (names.get(key) ?? "?")),
  );
  return JSON.stringify(sorted(JSON.parse(named)), null, 1);
}

/** A knowledge base with relations and concepts of every kind: current, stale, dangling, and out of it. */
async function makeGraph(client: Client) {
  const base = await makeKnowledgeBase(client, "Graph");
  const own = { knowledge_base_id: base.id };
  const [a, b] = [
    await makeDocument(client, { ...own, title: "A", text: "one\n\ntwo\n\n- inner\n" }),
    await makeDocument(client, { ...own, title: "B", text: "three\n\nfour\n\nfive\n" }),
  ];
  const outside = await makeDocument(client, { title: "Outside" });
  const [inA, inB] = [await blockIds(client, a.id), await blockIds(client, b.id)];
  const uriOfB = (block: number) => `${b.uri}#block=${inB[block]}`;
  const fromA = { source_document_id: a.id, source_block_id: inA[0] };
  const fromB = { source_document_id: b.id, source_block_id: inB[1] };
  await makeRelation(client, { ...fromA, target_uri: uriOfB(0), predicate: "supports", anchor_text: "why 🙂" });
  await makeRelation(client, { ...fromA, target_uri: uriOfB(2), predicate: "contradicts" });
  await makeRelation(client, { ...fromB, target_uri: a.uri, predicate: "extends" });
  await makeRelation(client, { ...fromA, target_uri: outside.uri });
  const labels = [{ locale: "de", name: "Weit", description: "weit", origin: "machine" }];
  const fields = { aliases: ["w", "v"], description: "text", labels, valid_from: -5, valid_to: 10 };
  const wide = await makeConcept(client, { ...own, ...fields, name: "Wide", canonical_document_id: a.id });
  const middle = await makeConcept(client, { ...own, name: "Middle", canonical_document_id: outside.id });
  const narrow = await makeConcept(client, { ...own, name: "Narrow" });
  const merged = await makeConcept(client, { ...own, name: "Merged" });
  const foreign = await makeConcept(client, { name: "Foreign" });
  const add = async (id: string, what: string, body: Loose) =>
    assertStatus(await client.post(`/concepts/${id}/${what}`, body, { ifMatch: "*" }), 201);
  await add(wide.id, "relations", { predicate: "broader_than", target_concept_id: middle.id, valid_from: 3 });
  await add(middle.id, "relations", { predicate: "broader_than", target_concept_id: narrow.id });
  await add(narrow.id, "relations", { predicate: "related_to", target_concept_id: wide.id });
  await add(narrow.id, "relations", { predicate: "related_to", target_concept_id: foreign.id });
  const evidence = async (id: string, document: Loose, block_id: string | null) => {
    const { version } = (await client.get(`/documents/${document.id}`)).data;
    await add(id, "sources", { document_id: document.id, block_id, source_version: version });
  };
  await evidence(wide.id, a, defined(inA[1]));
  await evidence(wide.id, b, defined(inB[2]));
  await evidence(wide.id, b, null);
  await evidence(middle.id, outside, null);
  const source_version = (await client.get(`/concepts/${merged.id}`)).data.version;
  const merge = { source_concept_id: merged.id, source_version };
  assertStatus(await client.post(`/concepts/${narrow.id}/merge`, merge, { ifMatch: "*" }), 200);
  assertStatus(await client.delete(`/documents/${b.id}/blocks/${inB[2]}`), 200);
  await evidence(narrow.id, b, defined(inB[0]));
  await makeDocument(client, { ...own, title: "C", text: `[wide](svc://concept/${wide.id}) [B](${uriOfB(1)})` });
  return { base };
}

const label = { locale: "de", name: "x", description: "", origin: "manual" };
const edge = { predicate: "broader_than", valid_from: null, valid_to: null };

onEachDatabase("import of relations and concepts", (world) => {
  test("IMP5 stated relations and concepts come back, each pointing to the same place", async () => {
    const ada = await world.person();
    const { base } = await makeGraph(ada.client);
    const archive = await exported(world, ada, base.id);
    const bob = await world.person();
    const job = await imported(bob.client, archive);
    assert.equal(job.status, "succeeded", JSON.stringify(job.error));
    assert.deepEqual([job.documents, job.relations, job.concepts], [3, 3, 3]);
    assert.deepEqual(job.warnings, [
      "Left out because the other end is not in the archive: 1 relations of documents.",
      "Left out because the other end is not in the archive: 1 sources of concepts.",
      "Left out because the other end is not in the archive: 1 canonical documents of concepts.",
    ]);
    const copy = await graphOf(bob.client, job.knowledge_base_id);
    assert.equal(copy, await graphOf(ada.client, base.id));
    const states = ["dangling_target_block", "dangling_source_block", "current A", "stale", "svc://concept/Wide"];
    for (const part of [...states, "contradicts", "broader_than", "machine", "Merged"])
      assert.ok(copy.includes(part), `${part}\n${copy}`);
    assert.ok(!copy.includes("Foreign"));
    const concepts = (await bob.client.get(`/concepts?knowledge_base_id=${job.knowledge_base_id}`)).data;
    assert.ok(concepts.every((concept: Loose) => concept.created_by === bob.userId));
    const again = await imported(ada.client, archive, "Copy");
    assert.deepEqual([again.status, again.relations, again.concepts], ["succeeded", 3, 3]);
    assert.equal(await graphOf(ada.client, again.knowledge_base_id), copy);
  });

  test("IMP5 concepts need their own scopes, in the export and in the import", async () => {
    const ada = await world.person();
    const { base } = await makeGraph(ada.client);
    const archive = await exported(world, ada, base.id);
    const scopes = ["knowledge-bases:read", "knowledge-bases:write", "documents:read", "documents:write"] as const;
    const limited = await world.person({ workspace: ada.workspaceId, scopes: [...scopes, "attachments:write"] });
    const job = await imported(limited.client, archive);
    assert.deepEqual([job.status, job.relations, job.concepts], ["succeeded", 3, 0]);
    assert.equal(job.warnings.at(-1), "Left out because the token has no concepts:write: 3 concepts.");
    const bare = await imported(ada.client, await exported(world, limited, base.id));
    assert.deepEqual([bare.status, bare.relations, bare.concepts], ["succeeded", 3, 0]);
  });

  test("IMP5 relations and concepts that cannot be are refused with a reason, and leave nothing", async () => {
    const ada = await world.person();
    const { base } = await makeGraph(ada.client);
    const archive = await exported(world, ada, base.id);
    const bob = await world.person();
    const named = (manifest: Loose, name: string) => manifest.concepts.find((concept: Loose) => concept.name === name);
    const hostile: Record<string, (manifest: Loose) => void> = {
      "relation without a source": ({ relations }) => delete relations[0].source_document_id,
      "automatic predicate": ({ relations }) => Object.assign(relations[0], { predicate: "refers_to" }),
      "NUL in a text": ({ relations }) => Object.assign(relations[0], { anchor_text: "a\0b" }),
      "long text": ({ relations }) => Object.assign(relations[0], { anchor_text: "x".repeat(1001) }),
      "version that is none": ({ relations }) => Object.assign(relations[0], { source_version: "\ud800" }),
      "concept that is a number": ({ concepts }) => concepts.push(7),
      "concept twice": ({ concepts }) => concepts.push(concepts[0]),
      "empty name": ({ concepts }) => Object.assign(concepts[0], { name: " " }),
      "bad locale": ({ concepts }) => Object.assign(concepts[0], { labels: [{ ...label, locale: "no such" }] }),
      "locale twice": ({ concepts }) => Object.assign(concepts[0], { labels: [label, label] }),
      "interval backwards": ({ concepts }) => Object.assign(concepts[0], { valid_from: 5, valid_to: 4 }),
      "unknown predicate": (manifest) => Object.assign(named(manifest, "Wide").relations[0], { predicate: "likes" }),
      itself: ({ concepts }) => concepts[0].relations.push({ ...edge, target_concept_id: concepts[0].id }),
      circle: (manifest) =>
        named(manifest, "Narrow").relations.push({ ...edge, target_concept_id: named(manifest, "Wide").id }),
    };
    for (const [what, change] of Object.entries(hostile)) {
      const job = await imported(bob.client, await withManifest(archive, change));
      assert.deepEqual([what, job.status, job.error?.code], [what, "failed", "invalid_archive"]);
      assert.match(job.error.message, /^manifest\.json/);
    }
    assert.deepEqual((await bob.client.get("/knowledge-bases")).data, []);
    assert.deepEqual((await bob.client.get("/concepts")).data, []);
    const claimed = await imported(
      bob.client,
      await withManifest(archive, (manifest) => {
        const [source] = named(manifest, "Narrow").sources;
        Object.assign(source, { block_id: "block_01K9ZQ4T6N4Y3V7J8W2M5R1XCP" });
        named(manifest, "Wide").relations.push({ ...edge, predicate: "related_to", target_concept_id: "elsewhere" });
      }),
    );
    assert.equal(
      claimed.warnings.at(-1),
      "Left out because the other end is not in the archive: 1 relations of concepts.",
    );
    const [narrow] = (await bob.client.get("/concepts?q=narrow")).data;
    assert.deepEqual(
      narrow.sources.map(({ freshness, state }: Loose) => [freshness, state]),
      [["stale", "dangling_source_block"]],
    );
  });
});
