import assert from "node:assert/strict";
import { before, test } from "node:test";
import { assertError, assertStatus, type Loose } from "../../support/client.ts";
import { makeConcept, makeDocument, makeKnowledgeBase, markdown } from "../../support/fixtures.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

onEachDatabase("concepts", (world) => {
  let ada: Person;
  let kb: number;
  before(async () => {
    ada = await world.person();
    kb = (await makeKnowledgeBase(ada.client)).id;
  });
  const make = (name: string, fields: Loose = {}) =>
    makeConcept(ada.client, { name, knowledge_base_id: kb, ...fields });
  const read = async (id: string) => (await ada.client.get(`/concepts/${id}`)).data;

  test("CON1 a concept has its uri, aliases once each, and labels in canonical form, one per locale", async () => {
    const labels = [
      { locale: "zh-hant-tw", name: "冪等" },
      { locale: "DE", name: "Idempotenz" },
    ];
    const concept = await make("Idempotency", { aliases: ["Idempotence", "idempotence"], labels });
    assert.equal(concept.uri, `svc://concept/${concept.id}`);
    assert.deepEqual(concept.aliases, ["Idempotence"]);
    assert.deepEqual(
      concept.labels.map((label: Loose) => label.locale),
      ["zh-Hant-TW", "de"],
    );
    assert.deepEqual([concept.labels[0].origin, concept.labels[0].created_by], ["manual", ada.userId]);
    const body = { knowledge_base_id: kb, name: "X" };
    assertError(
      await ada.client.post("/concepts", { ...body, labels: [{ locale: "no such", name: "x" }] }),
      "invalid_locale",
    );
    assertError(
      await ada.client.post("/concepts", {
        ...body,
        labels: [
          { locale: "de", name: "a" },
          { locale: "DE", name: "b" },
        ],
      }),
      "invalid_request",
    );
  });

  test("CON2 enumeration ends with complete, and q finds names, aliases and labels whatever their case and accents", async () => {
    const own = (await makeKnowledgeBase(ada.client)).id;
    for (const name of ["Alpha", "Beta", "Gamma"]) await make(name, { knowledge_base_id: own });
    await make("Straße", { knowledge_base_id: own, aliases: ["Café"], labels: [{ locale: "el", name: "Οδός" }] });
    const first = await ada.client.get(`/concepts?knowledge_base_id=${own}&limit=3`);
    assert.deepEqual([first.data.length, first.body.complete], [3, false]);
    const last = await ada.client.get(
      `/concepts?knowledge_base_id=${own}&limit=3&cursor=${first.body.page.next_cursor}`,
    );
    assert.deepEqual([last.data.length, last.body.complete], [1, true]);
    for (const q of ["STRASSE", "cafe", "ΟΔΟΣ"])
      assert.deepEqual(
        (await ada.client.get(`/concepts?knowledge_base_id=${own}&q=${encodeURIComponent(q)}`)).data.map(
          (c: Loose) => c.name,
        ),
        ["Straße"],
        q,
      );
  });

  test("CON3 a change needs the current version, and keeps what it leaves out", async () => {
    const { id, version } = await make("One", { description: "Kept.", labels: [{ locale: "fr", name: "Un" }] });
    assertError(await ada.client.patch(`/concepts/${id}`, { name: "Two" }), "precondition_required");
    const changed = assertStatus(await ada.client.patch(`/concepts/${id}`, { name: "Two" }, { ifMatch: version }), 200);
    assert.deepEqual([changed.data.name, changed.data.description, changed.data.labels.length], ["Two", "Kept.", 1]);
    assert.equal(changed.etag, changed.data.version);
    const details = assertError(
      await ada.client.patch(`/concepts/${id}`, { name: "Three" }, { ifMatch: version }),
      "version_conflict",
    );
    assert.equal(details.current_version, changed.etag);
    assertStatus(await ada.client.get(`/concepts/${id}`, { headers: { "if-none-match": `"${changed.etag}"` } }), 304);
    assertError(
      await ada.client.patch(`/concepts/${id}`, { valid_from: 5, valid_to: 5 }, { ifMatch: "*" }),
      "invalid_request",
    );
  });

  test("CON4 evidence must be current; the same source again is brought up to date; what is gone is dangling", async () => {
    const { id } = await make("Evidence");
    const document = await makeDocument(ada.client);
    const [heading, text] = (await ada.client.get(`/documents/${document.id}/blocks`)).data;
    const add = async (block_id: string, source_version: string) =>
      ada.client.post(
        `/concepts/${id}/sources`,
        { document_id: document.id, block_id, source_version },
        { ifMatch: (await read(id)).version },
      );
    assertError(await add(text.id, "sha256:old"), "evidence_stale");
    assertError(await add("block_01K9ZQ4T6N4Y3V7J8W2M5R1XCM", document.version), "block_not_found");
    const added = assertStatus(await add(text.id, document.version), 201).data.sources[0];
    assert.deepEqual([added.freshness, added.state, added.current_version], ["current", "ok", document.version]);

    const replace = { node: { type: "paragraph", content: [{ type: "text", text: "New" }] } };
    const changed = await ada.client.patch(`/documents/${document.id}/blocks/${text.id}`, replace);
    assert.deepEqual([(await read(id)).sources[0].freshness, (await read(id)).sources[0].state], ["stale", "ok"]);
    const again = assertStatus(await add(text.id, changed.data.version), 201).data.sources;
    assert.deepEqual([again.length, again[0].freshness], [1, "current"]);

    await ada.client.delete(`/documents/${document.id}/blocks/${text.id}`);
    assert.equal((await read(id)).sources[0].state, "dangling_source_block");
    await ada.client.delete(`/documents/${document.id}`);
    assert.deepEqual(
      [(await read(id)).sources[0].state, (await read(id)).sources[0].current_version],
      ["dangling_source_document", null],
    );
    assert.ok(heading);
  });

  test("CON15 a concept is answered with the latest hundred of its evidence and relations, and lists all in pages", async () => {
    const { client, workspaceId, userId } = ada;
    const [one, other] = [await make("Has much"), await make("Has little")];
    const { id: document, version } = await makeDocument(client, { text: "One.", knowledge_base_id: kb });
    const evidence = { document_id: document, source_version: version };
    assertStatus(await client.post(`/concepts/${other.id}/sources`, evidence, { ifMatch: "*" }), 201);
    await world.app.services.database.transaction(async (tx) => {
      const made = { workspace_id: workspaceId, created_by: userId };
      for (let n = 0; n < 130; n++) {
        const source = { source_document_id: `doc_${n}`, source_block_id: "", source_version: version };
        const sourceRow = { ...made, concept_id: one.id, ...source, created_at: n, updated_at: n };
        await tx.insertInto("concept_sources").values(sourceRow).execute();
        const ends = { source_concept_id: one.id, target_concept_id: other.id };
        const relation = { id: `rel_${1000 + n}`, predicate: "related_to" as const, valid_from: n, valid_to: n + 1 };
        await tx
          .insertInto("concept_relations")
          .values({ ...made, ...ends, ...relation, created_at: n })
          .execute();
      }
    });
    const newest = assertStatus(await client.post(`/concepts/${one.id}/sources`, evidence, { ifMatch: "*" }), 201).data;
    const listed = (await client.get(`/concepts?q=has+much`)).data[0];
    for (const concept of [newest, listed, await read(one.id)]) {
      assert.deepEqual([concept.source_count, concept.relation_count], [131, 130]);
      assert.deepEqual([concept.sources.length, concept.relations.length], [100, 100]);
      assert.deepEqual([concept.sources[0].document_id, concept.sources[99].document_id], ["doc_31", document]);
      assert.deepEqual([concept.relations[0].id, concept.relations[99].id], ["rel_1030", "rel_1129"]);
    }
    const tag = { "if-none-match": `"${newest.version}"` };
    assertStatus(await client.get(`/concepts/${one.id}`, { headers: tag }), 200);
    const few = await read(other.id);
    assert.deepEqual([few.source_count, few.sources.length, few.relation_count], [1, 1, 130]);
    assert.equal(few.relations[99].direction, "incoming");
    for (const [part, count] of Object.entries({ sources: 131, relations: 130 })) {
      const seen = new Set<string>();
      for (let cursor = ""; ; ) {
        const { data, body } = await client.get(`/concepts/${one.id}/${part}?limit=50${cursor}`);
        for (const item of data) seen.add(item.id ?? item.document_id);
        if (!body.page.has_more) break;
        cursor = `&cursor=${body.page.next_cursor}`;
        assertError(await client.get(`/concepts/${other.id}/${part}?limit=50${cursor}`), "cursor_mismatch");
      }
      assert.equal(seen.size, count);
    }
    const [gone] = (await client.get(`/concepts/${one.id}/sources?limit=1`)).data;
    assert.equal(gone.state, "dangling_source_document");
  });

  test("CON14 a concept whose evidence has become stale is sent in full, though its version is the same", async () => {
    const document = await makeDocument(ada.client, { knowledge_base_id: kb, text: "One." });
    const { id, version } = await make("Evident");
    const evidence = { document_id: document.id, source_version: document.version };
    const { etag } = assertStatus(
      await ada.client.post(`/concepts/${id}/sources`, evidence, { ifMatch: version }),
      201,
    );
    const again = () => ada.client.get(`/concepts/${id}`, { headers: { "if-none-match": `"${etag}"` } });
    assertStatus(await again(), 304);
    await ada.client.put(`/documents/${document.id}/content`, markdown("Two."), { ifMatch: "*" });
    const { data: stale } = assertStatus(await again(), 200);
    assert.deepEqual([stale.sources[0].freshness, stale.version], ["stale", etag]);
  });

  test("CON14 a concept whose relation is hidden or goes with a knowledge base is not the same", async () => {
    const other = await makeKnowledgeBase(ada.client);
    const near = await make("Near");
    const far = await make("Far", { knowledge_base_id: other.id });
    const relation = { predicate: "related_to", target_concept_id: far.id };
    await ada.client.post(`/concepts/${near.id}/relations`, relation, { ifMatch: near.version });
    const bob = await world.person({ workspace: ada.workspaceId, role: "editor" });
    const { data, etag } = await bob.client.get(`/concepts/${near.id}`);
    assert.equal(data.relations.length, 1);
    const again = async ({ client }: Person) =>
      assertStatus(await client.get(`/concepts/${near.id}`, { headers: { "if-none-match": `"${etag}"` } }), 200);
    const access = { default_role: "none", members: [], groups: [] };
    assertStatus(await ada.client.put(`/knowledge-bases/${other.id}/access`, access, { ifMatch: "*" }), 200);
    assert.deepEqual((await again(bob)).data.relations, []);
    await ada.client.delete(`/knowledge-bases/${other.id}`, { confirm_id: other.confirm_id });
    const left = await again(ada);
    assert.deepEqual(left.data.relations, []);
    assert.notEqual(left.etag, etag);
  });
});
