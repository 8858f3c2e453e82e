import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { assertError, assertStatus, type Client, type Loose } from "../support/client.ts";
import {
  makeConcept,
  makeDocument,
  makeFolder,
  makeKnowledgeBase,
  makeRelation,
  markdown,
  startImport,
  upload,
  zipOf,
} from "../support/fixtures.ts";
import { onEachDatabase, type Person, type World } from "../support/world.ts";

async function ended(client: Client, id: string): Promise<Loose> {
  for (let i = 0; i < 1200; i++) {
    const { data } = await client.get(`/import-jobs/${id}`);
    if (data.finished_at !== null) return data;
    await sleep(25);
  }
  throw new Error("The import did not end.");
}

const imported = async (client: Client, archive: Uint8Array, name?: string) =>
  ended(client, (await startImport(client, archive, name)).id);

async function exported(world: World, { token }: Person, id: number): Promise<Buffer> {
  const headers = { authorization: `Bearer ${token}` };
  return Buffer.from(
    await (await fetch(`${world.url}/api/v1/knowledge-bases/${id}/export`, { headers })).arrayBuffer(),
  );
}

/** A tree with the bodies in it, and ids replaced by the order in which they come. */
async function pictureOf(client: Client, id: number): Promise<string> {
  const { children } = (await client.get(`/knowledge-bases/${id}/tree`)).data;
  const filled = async (items: Loose[]): Promise<Loose[]> =>
    Promise.all(
      items.map(async (item) => {
        if (item.type === "folder") return { name: item.name, children: await filled(item.children) };
        const { document } = (await client.get(`/documents/${item.id}/content`)).data;
        const { heading_numbered, background_color, collapsed_block_ids } = (await client.get(`/documents/${item.id}`))
          .data;
        const settings = { heading_numbered, background_color, collapsed_block_ids };
        return { id: item.id, title: item.title, type: item.document_type, settings, document };
      }),
    );
  const names = new Map<string, string>();
  return JSON.stringify(await filled(children), null, 1).replace(/(doc|block|att)_[0-9A-Z]{26}/g, (id) => {
    if (!names.has(id)) names.set(id, `${id.split("_")[0]}#${names.size}`);
    return names.get(id)!;
  });
}

const volatile = new Set(["id", "uri", "version", "created_at", "updated_at", "created_by", "knowledge_base_id"]);

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
  const documents = (await client.get(`/documents?knowledge_base_id=${id}`)).data as Loose[];
  const concepts = (await client.get(`/concepts?knowledge_base_id=${id}`)).data as Loose[];
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

const blockIds = async (client: Client, id: string): Promise<string[]> =>
  (await client.get(`/documents/${id}/blocks`)).data.map((block: Loose) => block.id);

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
  await evidence(wide.id, a, inA[1]!);
  await evidence(wide.id, b, inB[2]!);
  await evidence(wide.id, b, null);
  await evidence(middle.id, outside, null);
  const source_version = (await client.get(`/concepts/${merged.id}`)).data.version;
  const merge = { source_concept_id: merged.id, source_version };
  assertStatus(await client.post(`/concepts/${narrow.id}/merge`, merge, { ifMatch: "*" }), 200);
  assertStatus(await client.delete(`/documents/${b.id}/blocks/${inB[2]}`), 200);
  await evidence(narrow.id, b, inB[0]!);
  await makeDocument(client, { ...own, title: "C", text: `[wide](svc://concept/${wide.id}) [B](${uriOfB(1)})` });
  return { base };
}

/** The archive with its manifest changed. */
async function withManifest(archive: Buffer, change: (manifest: Loose) => void): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), "svc-bundle-"));
  try {
    writeFileSync(join(folder, "a.zip"), archive);
    execFileSync("unzip", ["-qq", "a.zip", "-d", "out"], { cwd: folder });
    const paths = readdirSync(join(folder, "out"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    const files = Object.fromEntries(paths.map((path) => [relative(join(folder, "out"), path), readFileSync(path)]));
    const manifest = JSON.parse(files["manifest.json"]!.toString()) as Loose;
    change(manifest);
    return await zipOf({ ...files, "manifest.json": JSON.stringify(manifest) });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const filesIn = async (world: World): Promise<string[]> =>
  (await Array.fromAsync(world.app.services.blobs.list(""))).map(({ key }) => key).sort();

const label = { locale: "de", name: "x", description: "", origin: "manual" };
const edge = { predicate: "broader_than", valid_from: null, valid_to: null };

/** The languages of the documents of a knowledge base, and the times of all of them; without ids and versions. */
async function languagesOf(client: Client, id: number): Promise<unknown> {
  const documents = (await client.get(`/documents?knowledge_base_id=${id}&include_variants=true`)).data as Loose[];
  const titles = new Map(documents.map((document) => [document.id, document.title]));
  const pictures = documents.map(async (document) => {
    const { title, created_at, updated_at, locale, variant_role, workflow_status, translation_freshness } = document;
    const source = titles.get(document.translated_from_document_id) ?? null;
    const from = documents.find((one) => one.id === document.translated_from_document_id);
    const isCurrent = from?.version === document.translated_from_version;
    const own = {
      title,
      created_at,
      updated_at,
      locale,
      variant_role,
      workflow_status,
      translation_freshness,
      source,
      isCurrent,
    };
    if (variant_role !== "source") return own;
    const { fallback_locale, variants } = (await client.get(`/documents/${document.id}/localizations`)).data;
    const units = (await client.get(`/documents/${document.id}/translation-units?limit=100`)).data as Loose[];
    const unitOf = ({ source_text, target_text, freshness, origin, review_status }: Loose) => ({
      source_text,
      target_text,
      freshness,
      origin,
      review_status,
    });
    return {
      ...own,
      fallback_locale,
      variants: variants.map(({ units: counts }: Loose) => counts),
      units: units.map(unitOf),
    };
  });
  return (await Promise.all(pictures)).sort((a, b) => (a.title < b.title ? -1 : 1));
}

/** A document in three languages, with units of every freshness. */
async function makeLanguages(client: Client, base: number): Promise<void> {
  const text = "One\n\nTwo\n\nThree\n\nFour\n\nFive\n\nSix";
  const { id } = await makeDocument(client, { knowledge_base_id: base, title: "Numbers", text });
  const wanted = { source_locale: "en", target_locales: ["es", "de"], fallback_locale: "es" };
  const { data } = await client.post(`/documents/${id}/localization/activate`, wanted);
  const target = data.variants.find((variant: Loose) => variant.locale === "es").document_id;
  assertStatus(
    await client.patch(`/documents/${id}/localizations/es`, { title: "Números", workflow_status: "in_review" }),
    200,
  );
  assertStatus(await client.patch(`/documents/${id}/localizations/de`, { title: "Zahlen" }), 200);
  const write = async (document: string, index: number, words: string) =>
    client.patch(`/documents/${document}/blocks/${(await blockIds(client, document))[index]}`, {
      content: [{ type: "text", text: words }],
    });
  for (const [index, words] of ["Uno", "Dos", "Tres", "Cuatro", "Cinco"].entries()) await write(target, index, words);
  await write(id, 1, "Two!");
  await write(id, 2, "Three!");
  await write(target, 2, "¡Tres!");
  assertStatus(await client.delete(`/documents/${id}/blocks/${(await blockIds(client, id))[3]}`), 200);
  const last = (await client.get(`/documents/${id}/translation-units?locale=es&limit=100`)).data.find(
    (unit: Loose) => unit.source_text === "Six",
  );
  const { etag } = await client.get(`/documents/${target}/content`);
  const review = { review_status: "ignored" };
  assertStatus(await client.patch(`/documents/${id}/translation-units/${last.id}`, review, { ifMatch: etag! }), 200);
}

onEachDatabase("import", (world) => {
  test("EXP8 IMP6 language versions, the state of every unit, and the times of documents come along", async () => {
    const ada = await world.person();
    const base = await makeKnowledgeBase(ada.client, "Languages");
    await makeLanguages(ada.client, base.id);
    await makeDocument(ada.client, { knowledge_base_id: base.id, title: "Alone" });
    const archive = await exported(world, ada, base.id);
    const eve = await world.person();
    const job = await imported(eve.client, archive);
    assert.equal(job.status, "succeeded", JSON.stringify(job));
    assert.deepEqual(job.warnings, []);
    const before = (await languagesOf(ada.client, base.id)) as Loose[];
    assert.deepEqual(
      new Set(before.flatMap(({ units = [] }) => units.map((unit: Loose) => unit.freshness))),
      new Set(["current", "source_changed", "conflict", "missing", "orphaned"]),
    );
    assert.deepEqual(await languagesOf(eve.client, job.knowledge_base_id), before);
    const source = (await eve.client.get(`/documents?knowledge_base_id=${job.knowledge_base_id}&locale=en`)).data[0];
    assertError(await eve.client.delete(`/documents/${source.id}`), "localization_has_targets");
  });

  test("IMP6 a translation without its source becomes an ordinary document; what cannot be is refused", async () => {
    const ada = await world.person();
    const base = await makeKnowledgeBase(ada.client, "Languages");
    await makeLanguages(ada.client, base.id);
    const archive = await exported(world, ada, base.id);
    const outcome = async (change: (manifest: Loose) => void) =>
      imported(ada.client, await withManifest(archive, change));
    const alone = await outcome(({ documents }) => {
      documents.splice(
        documents.findIndex((line: Loose) => line.variant_role === "source"),
        1,
      );
    });
    assert.equal(alone.status, "succeeded", JSON.stringify(alone));
    assert.match(alone.warnings.join(), /the language of 2 documents/);
    const left = (await ada.client.get(`/documents?knowledge_base_id=${alone.knowledge_base_id}`)).data as Loose[];
    assert.deepEqual(
      left.map(({ locale, document_set_id }) => [locale, document_set_id]),
      [
        [null, null],
        [null, null],
      ],
    );
    const later = await outcome(({ documents }) => {
      for (const line of documents) line.created_at = 8e15;
    });
    const made = (await ada.client.get(`/documents?knowledge_base_id=${later.knowledge_base_id}`)).data as Loose[];
    assert.ok(made.length > 0 && made.every(({ created_at }) => created_at <= Date.now()));
    const wrong: readonly ((line: Loose) => void)[] = [
      (line) => (line.locale = "not a language"),
      (line) => (line.locale = "en"),
      (line) => (line.variant_role = "source"),
      (line) => (line.workflow_status = "unknown"),
      (line) => (line.created_at = -1),
      (line) => (line.translation_units[0].freshness = "fresh"),
    ];
    for (const change of wrong) {
      const job = await outcome(({ documents }) =>
        change(documents.find((line: Loose) => line.variant_role === "target")),
      );
      assert.equal(job.error?.code, "invalid_archive", JSON.stringify(job));
    }
  });

  test("IMP1 export and import into another workspace give the same tree, bodies and files", async () => {
    const ada = await world.person();
    const { client } = ada;
    const base = await makeKnowledgeBase(client, "Handbook");
    const outer = await makeFolder(client, { knowledge_base_id: base.id, name: "Outer" });
    const inner = await makeFolder(client, { knowledge_base_id: base.id, name: "../Inner", parent_id: outer.id });
    await makeFolder(client, { knowledge_base_id: base.id, name: "Empty" });
    const first = await makeDocument(client, { knowledge_base_id: base.id, title: "First", text: "# A\n\n- b\n- c\n" });
    const block = (await client.get(`/documents/${first.id}/blocks`)).data[0].id;
    await client.patch(`/documents/${first.id}`, { heading_numbered: true, collapsed_block_ids: [block] });
    const second = await makeDocument(client, { knowledge_base_id: base.id, folder_id: inner.id, title: "Second" });
    const file = await upload(client, second.id, "content of the file", "a file.txt");
    const body = `[first](svc://doc/${first.id}#${block}) ![pic](${file.url})\n\n[a file.txt](${file.url} "attachment")\n`;
    assertStatus(await client.put(`/documents/${second.id}/content`, markdown(body), { ifMatch: "*" }), 200);
    const table = {
      type: "table",
      content: [{ type: "tableRow", content: [{ type: "tableCell", content: [{ type: "paragraph" }] }] }],
    };
    const sheet = { format: "tiptap-json", document: { type: "doc", content: [table] } };
    await makeDocument(client, {
      knowledge_base_id: base.id,
      title: "Sheet",
      document_type: "spreadsheet",
      content: sheet,
    });

    const bob = await world.person();
    const job = await imported(bob.client, await exported(world, ada, base.id));
    assert.equal(job.status, "succeeded", JSON.stringify(job.error));
    assert.deepEqual([job.folders, job.documents, job.attachments, job.warnings], [3, 3, 1, []]);
    assert.deepEqual([job.relations, job.concepts], [0, 0]);
    assert.deepEqual(job.progress, { documents_total: 3, documents_done: 3 });
    const copy = (await bob.client.get(`/knowledge-bases/${job.knowledge_base_id}`)).data;
    assert.deepEqual([copy.name, copy.document_count, copy.folder_count], ["Handbook", 3, 3]);
    assert.equal(await pictureOf(bob.client, copy.id), await pictureOf(client, base.id));
    const text = (await bob.client.get(`/documents?knowledge_base_id=${copy.id}&q=Second`)).data[0];
    const [attachment] = (await bob.client.get(`/documents/${text.id}/attachments`)).data;
    assert.deepEqual(
      [attachment.file_name, attachment.sha256, attachment.reference_count],
      ["a file.txt", file.sha256, 2],
    );
    assert.equal((await bob.client.get("/me/quota")).data.attachments.used_bytes, file.size);
    const again = await imported(client, await exported(world, ada, base.id), "Copy");
    assert.equal((await client.get(`/knowledge-bases/${again.knowledge_base_id}`)).data.name, "Copy");
  });

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

  test("IMP2 a folder of plain Markdown becomes documents whose links and pictures work", async () => {
    const { client } = await world.person();
    const png = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAACUAAAAVCAIAAABOhrD5", "base64");
    const job = await imported(
      client,
      await zipOf({
        "notes/index.md":
          '---\ntitle: "The \\"start\\""\n---\n\nSee [guide](sub/guide.md) and [web](https://example.com).\n',
        "notes/sub/guide.md": "# A guide\n\n![pic](../img/p.png) back to [start](../index.md#x) and [gone](nope.md)\n",
        "notes/img/p.png": png,
        "__MACOSX/notes/._index.md": "junk",
      }),
    );
    assert.equal(job.status, "succeeded", JSON.stringify(job.error));
    const { knowledge_base, children } = (await client.get(`/knowledge-bases/${job.knowledge_base_id}/tree`)).data;
    assert.equal(knowledge_base.name, "notes");
    const [folder, start] = children;
    assert.deepEqual([folder.name, start.title, folder.children[0].title], ["sub", 'The "start"', "A guide"]);
    const guide = folder.children[0].id;
    const read = async (id: string) => (await client.get(`/documents/${id}/content?format=markdown`)).text;
    assert.equal(await read(start.id), `See [guide](svc://doc/${guide}) and [web](https://example.com).\n`);
    const [attachment] = (await client.get(`/documents/${guide}/attachments`)).data;
    assert.deepEqual([attachment.content_type, attachment.reference_count], ["image/png", 1]);
    assert.match(await read(guide), new RegExp(`svc://doc/${start.id}`));
    assert.match(await read(guide), /\[gone\]\(nope\.md\)/);
  });

  test("IMP3 hostile and damaged archives are refused with a reason, and leave nothing", async () => {
    const ada = await world.person();
    const { client } = ada;
    const base = await makeKnowledgeBase(client);
    const { id } = await makeDocument(client, { knowledge_base_id: base.id });
    await upload(client, id, "file", "f.txt");
    const good = await exported(world, ada, base.id);
    const files = await filesIn(world);
    const bob = await world.person();
    const symlink = await zipOf({ "link.md": "/etc/passwd" });
    symlink.writeUInt32LE(0o120777 * 0x10000, symlink.indexOf(Buffer.from([0x50, 0x4b, 1, 2])) + 38);
    const badName = await zipOf({ "nam\u00e9.md": "x" });
    for (let at = badName.indexOf(0xc3); at >= 0; at = badName.indexOf(0xc3)) badName[at] = 0xff;
    const twice = await zipOf({ "aa.md": "x", "ab.md": "y" });
    for (let i = twice.indexOf("ab.md"); i >= 0; i = twice.indexOf("ab.md")) twice.write("aa.md", i);
    const bomb = await zipOf({ "a.md": "x", "bomb.bin": new Uint8Array(40_000_000) });
    const hostile: [string, Uint8Array, string][] = [
      ["not a zip", Buffer.from("hello"), "invalid_archive"],
      ["empty", Buffer.alloc(0), "invalid_archive"],
      ["gzip", gzipSync("x"), "invalid_archive"],
      ["cut off", good.subarray(0, good.length - 30), "invalid_archive"],
      ["traversal", await zipOf({ "../../evil.md": "x" }), "unsafe_archive"],
      ["absolute", await zipOf({ "/etc/cron.d/evil.md": "x" }), "unsafe_archive"],
      ["drive", await zipOf({ "C:/evil.md": "x" }), "unsafe_archive"],
      ["backslash", await zipOf({ "a\\..\\..\\evil.md": "x" }), "unsafe_archive"],
      ["symlink", symlink, "unsafe_archive"],
      ["bad encoding", badName, "unsafe_archive"],
      ["twice", twice, "unsafe_archive"],
      ["bomb", bomb, "unsafe_archive"],
      ["no documents", await zipOf({ "a.txt": "x" }), "invalid_archive"],
      ["not UTF-8", await zipOf({ "a.md": Buffer.from([0xff, 0xfe, 0x00]) }), "invalid_archive"],
      ["bad manifest", await zipOf({ "manifest.json": '{"format":"svc-knowledge-base"}' }), "invalid_archive"],
      ["broken manifest", await zipOf({ "manifest.json": "{" }), "invalid_archive"],
    ];
    for (const [what, archive, code] of hostile) {
      const job = await imported(bob.client, archive);
      assert.deepEqual([what, job.status, job.error?.code], [what, "failed", code], JSON.stringify(job.error));
    }
    assert.deepEqual((await bob.client.get("/knowledge-bases")).data, []);
    const { documents, folders, attachments } = (await bob.client.get("/me/quota")).data;
    assert.deepEqual([documents.used, folders.used, attachments.used_bytes], [0, 0, 0]);
    await sleep(100);
    assert.deepEqual(await filesIn(world), files);
  });

  test("IMP3 an archive whose last document is wrong leaves nothing of the first ones", async () => {
    const ada = await world.person();
    const base = await makeKnowledgeBase(ada.client);
    for (let i = 0; i < 60; i++) await makeDocument(ada.client, { knowledge_base_id: base.id, title: `D ${i}` });
    const { id } = await makeDocument(ada.client, { knowledge_base_id: base.id, title: "ZZZ last", text: "needle" });
    await upload(ada.client, id, "a file", "f.bin");
    const archive = await exported(world, ada, base.id);
    const bob = await world.person();
    const wrong = await withoutLastBody(archive);
    const job = await imported(bob.client, wrong);
    assert.deepEqual([job.status, job.error.code], ["failed", "invalid_archive"]);
    assert.ok(job.progress.documents_done >= 50, "some were built before");
    assert.deepEqual((await bob.client.get("/knowledge-bases")).data, []);
    assert.equal((await bob.client.get("/me/quota")).data.documents.used, 0);
  });

  test("IMP4 a quota refuses the import whole; the request's own faults are told at once", async () => {
    const { client } = await world.person();
    const form = new FormData();
    form.set("name", "x");
    assertError(await client.post("/knowledge-bases/import", form), "invalid_request");
    assertError(await client.post("/knowledge-bases/import", { file: "x" }), "unsupported_media_type");
    const stranger = await world.person();
    const { id } = await startImport(client, await zipOf({ "a.md": "x" }));
    assertError(await stranger.client.get(`/import-jobs/${id}`), "not_found");
    assert.equal((await ended(client, id)).status, "succeeded");
  });
});

/** The archive with the name of its last document's body changed, so that the manifest names a file that is not there. */
async function withoutLastBody(archive: Buffer): Promise<Buffer> {
  const changed = Buffer.from(archive);
  for (let at = changed.indexOf("ZZZ last.json"); at >= 0; at = changed.indexOf("ZZZ last.json"))
    changed.write("ZZZ lost", at);
  return changed;
}

onEachDatabase(
  "import quotas",
  (world) => {
    test("IMP4 too many documents for the workspace: nothing is imported", async () => {
      const { client } = await world.person();
      const files = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`d${i}.md`, "x"]));
      const job = await imported(client, await zipOf(files));
      assert.deepEqual([job.status, job.error.code], ["failed", "quota_exceeded"]);
      assert.deepEqual((await client.get("/knowledge-bases")).data, []);
      assert.equal((await client.get("/me/quota")).data.documents.used, 0);
    });
  },
  { SVC_MAX_DOCUMENTS: "30" },
);
