import assert from "node:assert/strict";
import { before, test } from "node:test";
import { assertError, assertStatus, type Client, type Loose } from "../../support/client.ts";
import { makeDocument, makeKnowledgeBase, makeRelation } from "../../support/fixtures.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

const relationsOf = async (client: Client, id: string, query = ""): Promise<Loose> =>
  assertStatus(await client.get(`/documents/${id}/relations${query}`), 200).body;

const firstBlock = async (client: Client, id: string): Promise<string> =>
  (await client.get(`/documents/${id}/blocks`)).data[0].id;

onEachDatabase("relations", (world) => {
  let person: Person;
  let client: Client;
  let kb: number;
  const make = (text?: string): Promise<Loose> =>
    makeDocument(client, { knowledge_base_id: kb, ...(text !== undefined && { text }) });

  before(async () => {
    person = await world.person();
    client = person.client;
    kb = (await makeKnowledgeBase(client)).id;
  });

  test("REL1 the registered predicates", async () => {
    const { data, page } = (await client.get("/relation-types")).body;
    const automatic = data.filter((type: Loose) => type.automatic).map((type: Loose) => type.name);
    assert.deepEqual(automatic, ["refers_to"]);
    assert.deepEqual(data.map((type: Loose) => type.name).slice(1), [
      ...["supports", "contradicts", "depends_on", "extends"],
      ...["duplicates", "supersedes", "example_of", "related_to"],
    ]);
    assert.equal(page.has_more, false);
  });

  test("REL6 a stated relation has all its facts and is seen from both ends", async () => {
    const source = await make();
    const target = await make();
    const targetBlock = await firstBlock(client, target.id);
    const body = {
      source_document_id: source.id,
      source_block_id: await firstBlock(client, source.id),
      target_uri: `${target.uri}#block=${targetBlock}`,
      predicate: "depends_on",
      anchor_text: "the first block",
    };
    const { id, created_at, ...rest } = assertStatus(await client.post("/relations", body), 201).data;
    assert.match(id, /^rel_/);
    assert.deepEqual(rest, {
      ...body,
      origin: "manual",
      direction: "outgoing",
      source_version: source.version,
      target_document_id: target.id,
      target_block_id: targetBlock,
      created_by: person.userId,
      state: "ok",
    });
    const whole = { ...rest, id, created_at };
    assert.deepEqual((await relationsOf(client, source.id)).data, [whole]);
    assert.deepEqual((await relationsOf(client, target.id)).data, [{ ...whole, direction: "incoming" }]);
    await client.put(`/documents/${source.id}/content`, { format: "markdown", content: "New" }, { ifMatch: "*" });
    assert.deepEqual((await relationsOf(client, source.id)).data, [whole]);
  });

  test("REL6 what a stated relation needs", async () => {
    const source = await make();
    const target = await make();
    const block = await firstBlock(client, source.id);
    const good = {
      source_document_id: source.id,
      source_block_id: block,
      target_uri: target.uri,
      predicate: "supports",
    };
    const refused = async (change: Loose, code: Parameters<typeof assertError>[1]) =>
      assertError(await client.post("/relations", { ...good, ...change }), code);
    await refused({ source_document_id: "doc_none" }, "not_found");
    await refused({ source_block_id: await firstBlock(client, target.id) }, "block_not_found");
    await refused({ source_block_id: "nonsense" }, "block_not_found");
    await refused({ predicate: "likes" }, "unknown_predicate");
    assert.ok(!(await refused({ predicate: "refers_to" }, "unknown_predicate")).allowed.includes("refers_to"));
    for (const field of Object.keys(good)) await refused({ [field]: "" }, "invalid_request");
    for (const target_uri of ["nonsense", `${target.uri}#x`, "svc://concept/c", "svc://docset/d", target.id])
      await refused({ target_uri }, "invalid_target_uri");
    await refused({ target_uri: "svc://doc/doc_none" }, "not_found");
    await refused({ target_uri: `${target.uri}#block=${block}` }, "not_found");
    await refused({ anchor_text: "a\0b" }, "invalid_request");
    await refused({ source_document_id: "a\0b" }, "invalid_request");
    const theirs = await makeDocument((await world.person()).client);
    await refused({ target_uri: theirs.uri }, "not_found");
    await refused({ source_document_id: theirs.id }, "not_found");
    assert.equal((await relationsOf(client, source.id)).data.length, 0);
  });

  test("REL6 an idempotency key states a relation once", async () => {
    const source = await make();
    const fields = {
      source_document_id: source.id,
      source_block_id: await firstBlock(client, source.id),
      target_uri: (await make()).uri,
      predicate: "extends",
    };
    const first = await client.post("/relations", fields, { key: "once" });
    const second = await client.post("/relations", fields, { key: "once" });
    assert.equal(second.data.id, first.data.id);
    assert.equal((await relationsOf(client, source.id)).data.length, 1);
  });

  test("REL6 only stated relations can be deleted", async () => {
    const stated = await makeRelation(client);
    const path = `/relations/${stated.id}`;
    assertError(await (await world.person()).client.delete(path), "not_found");
    assert.deepEqual((await client.delete(path)).data, { id: stated.id, deleted: true });
    assertError(await client.delete(path), "not_found");
    assertError(await client.delete("/relations/a%00b"), "not_found");
    assert.deepEqual((await relationsOf(client, stated.source_document_id)).data, []);

    const target = await make();
    const source = await make(`[link](${target.uri})`);
    const [inline] = (await relationsOf(client, source.id)).data;
    const details = assertError(await client.delete(`/relations/${inline.id}`), "relation_not_manual");
    assert.equal(details.source_block_id, inline.source_block_id);
    assertError(await (await world.person()).client.delete(`/relations/${inline.id}`), "not_found");
    assert.deepEqual((await relationsOf(client, source.id)).data, [inline]);
  });

  test("REL7 REL9 deletion and restoring of either end", async () => {
    const relation = await makeRelation(client);
    const { source_document_id: source, target_document_id: target } = relation;
    const restoreLast = async () => {
      const [entry] = (await client.get("/trash")).data;
      assertStatus(await client.post(`/trash/${entry.id}/restore`), 200);
    };
    await client.delete(`/documents/${target}`);
    assert.equal((await relationsOf(client, source)).data[0].state, "dangling_target_document");
    await restoreLast();
    assert.deepEqual((await relationsOf(client, source)).data, [relation]);
    await client.delete(`/documents/${source}`);
    assert.deepEqual((await relationsOf(client, target)).data, []);
    assertError(await client.delete(`/relations/${relation.id}`), "not_found");
    await restoreLast();
    assert.deepEqual((await relationsOf(client, source)).data, [relation]);
  });

  test("REL9 a deleted knowledge base takes its relations along", async () => {
    const target = await make();
    const other = await makeKnowledgeBase(client);
    const source = await makeDocument(client, { knowledge_base_id: other.id, text: `[link](${target.uri})` });
    await makeRelation(client, { source_document_id: source.id, target_uri: target.uri });
    assert.equal((await relationsOf(client, target.id)).data.length, 2);
    assertStatus(await client.delete(`/knowledge-bases/${other.id}`, { confirm_id: other.confirm_id }), 200);
    assert.deepEqual((await relationsOf(client, target.id)).data, []);
  });

  test("REL9 stating, editing and deleting at the same time leaves nothing of the deleted", async () => {
    const target = await make();
    const sources = await Promise.all(Array.from({ length: 12 }, () => make(`[link](${target.uri})`)));
    const blocks = await Promise.all(sources.map(({ id }) => firstBlock(client, id)));
    const replies = await Promise.all(
      sources.flatMap(({ id }, i) => {
        const fields = { source_document_id: id, source_block_id: blocks[i], target_uri: target.uri };
        const again = { format: "markdown", content: `[one](${target.uri}) x [two](${target.uri})` };
        return [
          client.post("/relations", { ...fields, predicate: "extends" }),
          client.delete(`/documents/${id}`),
          client.put(`/documents/${id}/content`, again, { ifMatch: "*" }),
          client.post("/relations", { ...fields, predicate: "extends" }),
        ];
      }),
    );
    for (const { status } of replies) assert.ok([200, 201, 404, 422].includes(status), String(status));
    const { database } = world.app.services;
    for (const table of ["inline_relations", "manual_relations", "relation_views"] as const) {
      const left = await database.read
        .selectFrom(table)
        .selectAll()
        .where(
          "document_id",
          "in",
          sources.map(({ id }) => id),
        )
        .execute();
      assert.deepEqual(left, [], table);
    }
    assert.deepEqual((await relationsOf(client, target.id)).data, []);
  });

  test("REL8 pages hold every relation once, in order, filtered by predicate and direction", async () => {
    const hub = await make();
    const spokes: Loose[] = [];
    for (let i = 0; i < 7; i++) spokes.push(await make(`[${i}](${hub.uri})`));
    const lines = spokes.map((spoke) => `[to](${spoke.uri})`).join("\n\n");
    await client.put(`/documents/${hub.id}/content`, { format: "markdown", content: lines }, { ifMatch: "*" });
    for (const spoke of spokes.slice(0, 3))
      await makeRelation(client, { source_document_id: hub.id, target_uri: spoke.uri });
    await makeRelation(client, { source_document_id: spokes[0].id, target_uri: hub.uri, predicate: "contradicts" });

    const walk = async (query: string): Promise<Loose[]> => {
      const found: Loose[] = [];
      for (let cursor = ""; ; ) {
        const { data, page } = await relationsOf(client, hub.id, `?limit=4${query}${cursor}`);
        found.push(...data);
        assert.ok(data.length === 4 || !page.has_more);
        if (!page.has_more) return found;
        cursor = `&cursor=${page.next_cursor}`;
      }
    };
    for (const [query, count] of [
      ["", 18],
      ["&direction=both", 18],
      ["&direction=outgoing", 10],
      ["&direction=incoming", 8],
      ["&predicate=refers_to", 14],
      ["&predicate=supports", 3],
      ["&predicate=contradicts", 1],
      ["&predicate=contradicts&direction=outgoing", 0],
      ["&predicate=refers_to&direction=incoming", 7],
    ] as const) {
      const ids = (await walk(query)).map((relation) => relation.id);
      assert.equal(ids.length, count, query);
      assert.deepEqual(ids, [...new Set(ids)].sort(), query);
    }
    const { page } = await relationsOf(client, hub.id, "?limit=4");
    assertError(
      await client.get(`/documents/${hub.id}/relations?direction=incoming&cursor=${page.next_cursor}`),
      "cursor_mismatch",
    );
    assertError(await client.get(`/documents/${hub.id}/relations?predicate=likes`), "unknown_predicate");
    assertError(await client.get(`/documents/${hub.id}/relations?direction=up`), "invalid_request");
  });

  test("REL5 freshness is compared, and a stale view mends itself at the next write", async () => {
    const { client, workspaceId } = await world.person();
    const target = await makeDocument(client);
    const source = await makeDocument(client, { text: `[link](${target.uri})` });
    const { database } = world.app.services;
    await database.transaction(async (tx) => {
      await tx
        .updateTable("relation_views")
        .set({ version: "sha256:old" })
        .where("workspace_id", "=", workspaceId)
        .where("document_id", "=", source.id)
        .execute();
      await tx.deleteFrom("inline_relations").where("document_id", "=", source.id).execute();
    });
    const freshness = async (id: string, direction: string) =>
      (await relationsOf(client, id, `?direction=${direction}`)).projection_freshness;
    const all = async () => [
      await freshness(source.id, "outgoing"),
      await freshness(source.id, "both"),
      await freshness(target.id, "outgoing"),
      await freshness(target.id, "incoming"),
      await freshness(target.id, "both"),
    ];
    assert.deepEqual(await all(), ["stale", "stale", "current", "stale", "stale"]);
    const inserted = { position: { document_end: true }, nodes: [{ type: "paragraph" }] };
    assertStatus(await client.post(`/documents/${source.id}/blocks`, inserted), 201);
    assert.deepEqual(await all(), Array(5).fill("current"));
    assert.equal((await relationsOf(client, target.id)).data.length, 1);
  });

  test("REL10 the link report", async () => {
    const { client } = await world.person();
    const kb = (await makeKnowledgeBase(client)).id;
    const make = (text: string): Promise<Loose> => makeDocument(client, { knowledge_base_id: kb, text });
    const popular = await make("Popular");
    const linked = await make("Linked");
    const lonely = await make(`[self](svc://doc/doc_none) [a](${linked.uri}) [b](${popular.uri})`);
    const second = await make(`[b](${popular.uri}#block=block_none) [again](${popular.uri})`);
    await makeRelation(client, { source_document_id: second.id, target_uri: popular.uri });
    const elsewhere = await makeDocument(client, { text: `[x](svc://doc/doc_none) [s](${second.uri})` });
    const report = async (query: string): Promise<Loose> =>
      assertStatus(await client.get(`/knowledge-bases/${kb}/link-report?${query}`), 200).body;
    const walk = async (name: string): Promise<Loose[]> => {
      const found: Loose[] = [];
      for (let cursor = ""; ; ) {
        const { data, page, projection_freshness } = await report(`report=${name}&limit=1${cursor}`);
        assert.equal(projection_freshness, "current");
        found.push(...data);
        if (!page.has_more) return found;
        cursor = `&cursor=${page.next_cursor}`;
      }
    };
    assert.deepEqual(
      (await walk("dangling")).map((item) => [item.document_id, item.relation.target_uri, item.relation.state]),
      [
        [lonely.id, "svc://doc/doc_none", "dangling_target_document"],
        [second.id, `${popular.uri}#block=block_none`, "dangling_target_block"],
      ],
    );
    assert.deepEqual(
      (await walk("unlinked")).map((item) => item.document_id),
      [lonely.id],
    );
    assert.deepEqual(
      (await walk("most_linked")).map((item) => [item.document_id, item.incoming_count]),
      [
        [popular.id, 4],
        [linked.id, 1],
        [second.id, 1],
      ].sort((x: Loose, y: Loose) => y[1] - x[1] || (x[0] < y[0] ? -1 : 1)),
    );
    await client.delete(`/documents/${elsewhere.id}`);
    assert.equal((await report("report=unlinked")).data.length, 2);
    assert.equal((await report("")).data.length, 2);
  });
});

onEachDatabase(
  "relations under a base address",
  (world) => {
    test("REL2 the base address alone is this service's own", async () => {
      const { client } = await world.person();
      const target = await makeDocument(client);
      const hrefs = [
        `https://kb.example/base/documents/${target.id}`,
        `https://kb.example/documents/${target.id}`,
        `${world.url}/documents/${target.id}`,
        `/base/documents/${target.id}`,
      ];
      const source = await makeDocument(client, { text: hrefs.map((href, i) => `[${i}](${href})`).join(" x ") });
      const anchors = (await relationsOf(client, source.id)).data.map((relation: Loose) => relation.anchor_text);
      assert.deepEqual(anchors, ["0", "3"]);
      assert.equal((await relationsOf(client, target.id)).data.length, 2);
    });
  },
  { SVC_BASE_URL: "https://kb.example/base/" },
);
