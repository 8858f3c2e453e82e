import assert from "node:assert/strict";
import { before, test } from "node:test";
import { defined } from "@svc/document/defined";
import { h, hr, id, idFor, li, p, quote, table, td, tr, ul } from "@svc/document/testing/builders";
import { makeBody, readNodes, textsOf, traces } from "../../support/bodies.ts";
import { assertError, assertStatus, type Loose } from "../../support/client.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

onEachDatabase("blocks", (world) => {
  let ada: Person;
  before(async () => {
    ada = await world.person();
  });
  const make = (...nodes: Loose[]) => makeBody(ada.client, nodes);
  const insert = (document: Loose, position: Loose, ...nodes: Loose[]) =>
    ada.client.post(`/documents/${document.id}/blocks`, { position, nodes });
  const pathOf = (document: Loose, number: number) => `/documents/${document.id}/blocks/${idFor(number)}`;

  test("BLK1 a block is read with its place, text, node and the document's version", async () => {
    const document = await make(id(1, p("a")), id(2, ul(id(3, li(id(4, p("b")), id(5, p("c")))))));
    const reply = assertStatus(await ada.client.get(pathOf(document, 5)), 200);
    const { node, ...rest } = reply.data;
    assert.deepEqual(rest, {
      id: idFor(5),
      type: "paragraph",
      parent_id: idFor(3),
      position: 1,
      depth: 2,
      text: "c",
      version: document.version,
    });
    assert.deepEqual(node, (await readNodes(ada.client, document.id)).nodes[1].content[0].content[1]);
    assert.equal(reply.etag, document.version);
    assertStatus(
      await ada.client.get(pathOf(document, 5), { headers: { "if-none-match": `"${document.version}"` } }),
      304,
    );
    assertError(await ada.client.get(pathOf(document, 9)), "not_found");
    assert.equal((await ada.client.get(`${pathOf(document, 2)}?format=markdown`)).data.markdown, "- b\n\n  c");
  });

  test("BLK2 the list has the top level, with recursive=true every level in document order", async () => {
    const document = await make(id(1, p("a")), id(2, ul(id(3, li(id(4, p("b")))))), id(5, hr));
    const idsOf = async (query: string) =>
      (await ada.client.get(`/documents/${document.id}/blocks${query}`)).data.map((block: Loose) => block.id);
    assert.deepEqual(await idsOf(""), [1, 2, 5].map(idFor));
    assert.deepEqual(await idsOf("?recursive=true"), [1, 2, 3, 4, 5].map(idFor));
    const list = await ada.client.get(`/documents/${document.id}/blocks`);
    assert.equal(list.etag, document.version);
    assertStatus(
      await ada.client.get(`/documents/${document.id}/blocks`, { headers: { "if-none-match": defined(list.etag) } }),
      304,
    );
    const page = await ada.client.get(`/documents/${document.id}/blocks?limit=2`);
    const next = `/documents/${document.id}/blocks?limit=2&cursor=${page.body.page.next_cursor}`;
    assert.deepEqual(
      (await ada.client.get(next)).data.map((block: Loose) => block.id),
      [idFor(5)],
    );
    assertError(await ada.client.get(`${next}&recursive=true`), "cursor_mismatch");
    await ada.client.delete(pathOf(document, 1));
    assertError(await ada.client.get(next), "read_cursor_stale");
  });

  test("BLK3 blocks are inserted at each of the six positions", async () => {
    const start = () => make(id(1, h(1, "Intro")), id(2, p("a")), id(3, ul(id(4, li(id(5, p("b")))))));
    const cases: [Loose, string[]][] = [
      [{ document_start: true }, ["new", "Intro", "a", "b"]],
      [{ document_end: true }, ["Intro", "a", "b", "new"]],
      [{ before_block_id: idFor(2) }, ["Intro", "new", "a", "b"]],
      [{ after_block_id: idFor(2) }, ["Intro", "a", "new", "b"]],
      [{ parent_block_id: idFor(4) }, ["Intro", "a", "b\nnew"]],
      [{ after_block_id: idFor(5) }, ["Intro", "a", "b\nnew"]],
      [{ before_block_id: idFor(5) }, ["Intro", "a", "new\nb"]],
      [{ after_heading: "intro" }, ["Intro", "new", "a", "b"]],
    ];
    for (const [position, expected] of cases) {
      const document = await start();
      const reply = assertStatus(await insert(document, position, p("new")), 201);
      assert.deepEqual(await textsOf(ada.client, document.id), expected, JSON.stringify(position));
      const [block] = reply.data.blocks;
      assert.equal(block.text, "new");
      assert.ok(reply.data.changed_block_ids.includes(block.id));
      assert.equal(reply.etag, reply.data.version);
      assert.deepEqual((await ada.client.get(`/documents/${document.id}/blocks/${block.id}`)).data, block);
    }
  });

  test("BLK4 a position has exactly one of its six fields, and names something that is there", async () => {
    const document = await make(id(1, p("a")), id(2, ul(id(3, li(id(4, p("b")))))));
    for (const position of [
      {},
      { document_start: true, document_end: true },
      { document_start: false },
      { at: 1 },
      { after_heading: "" },
      { after_heading: " " },
      null,
      "end",
      { before_block_id: 5 },
      { before_block_id: "" },
      { after_block_id: "" },
      { parent_block_id: "" },
    ])
      assertError(await insert(document, position, p("x")), "invalid_request");
    for (const field of ["before_block_id", "after_block_id", "parent_block_id"])
      assert.equal(
        assertError(await insert(document, { [field]: idFor(9) }, p("x")), "block_not_found").block_id,
        idFor(9),
      );
    assertError(await insert(document, { parent_block_id: idFor(1) }, p("x")), "invalid_document");
    assertError(await insert(document, { after_block_id: idFor(3) }, p("x")), "invalid_document");
    assertError(await insert(document, { document_end: true }, li(p("x"))), "invalid_document");
    assertError(await insert(document, { document_end: true }), "invalid_request");
    assertError(await insert(document, { document_end: true }, id(4, p("x"))), "duplicate_block_id");
    assert.deepEqual((await traces(ada.client, document.id)).versions, []);
  });

  test("BLK4 text put into a line joins it, and is no block of its own", async () => {
    const document = await make(id(1, p("a")));
    const text = { type: "text", text: "b" };
    const reply = assertStatus(await insert(document, { parent_block_id: idFor(1) }, text), 201);
    assert.deepEqual([reply.data.blocks, reply.data.changed_block_ids], [[], [idFor(1)]]);
    const batch = await ada.client.post(`/documents/${document.id}/batch`, {
      base_version: reply.data.version,
      operations: [{ op: "insert", position: { parent_block_id: idFor(1) }, nodes: [text] }],
    });
    assert.deepEqual(assertStatus(batch, 200).data.results, [{ op: "insert", block_ids: [] }]);
    assert.equal((await ada.client.get(pathOf(document, 1))).data.text, "abb");
  });

  test("BLK5 after_heading ignores case and white space, prefers an equal heading, else the first that contains it", async () => {
    const document = await make(h(1, "Big Plan B"), h(2, "Plan B"), h(2, "plan  b"), quote(h(1, "Nested")), p("Text"));
    const after = async (after_heading: string) => {
      const reply = await ada.client.post(`/documents/${document.id}/blocks?dry_run=true`, {
        position: { after_heading },
        nodes: [p("x")],
      });
      return reply.status === 201 ? reply.data.blocks[0].position : assertError(reply, "heading_not_found").heading;
    };
    assert.equal(await after("PLAN\tb"), 2);
    assert.equal(await after("big"), 1);
    assert.equal(await after("lan"), 1);
    assert.equal(await after("Nested"), "Nested");
    const meant = async (position: Loose) =>
      (await ada.client.post(`/documents/${document.id}/blocks?dry_run=true`, { position, nodes: [p("x")] })).data;
    const [first] = (await ada.client.get(`/documents/${document.id}/blocks`)).data;
    const { position } = await meant({ after_heading: "lan" });
    assert.deepEqual(position, { block_id: first.id, text: "Big Plan B" }, "BLK19");
    assert.equal((await meant({ document_end: true })).position, null);
    assert.equal(await after("Text"), "Text");
  });

  test("BLK6 a change takes exactly one of node, attrs, content, and the block keeps its id", async () => {
    const document = await make(id(1, h(2, "a")), id(2, ul(id(3, li(id(4, p("b")))))));
    const patch = (number: number, change: Loose) => ada.client.patch(pathOf(document, number), change);
    assertStatus(await patch(1, { node: id(77, p("now text")) }), 200);
    assert.deepEqual((await ada.client.get(pathOf(document, 1))).data.node, id(1, p("now text")));
    assertStatus(await patch(1, { attrs: { colour: "red", id: idFor(78) } }), 200);
    assertStatus(await patch(1, { attrs: { size: 1 } }), 200);
    assert.deepEqual((await ada.client.get(pathOf(document, 1))).data.node.attrs, {
      id: idFor(1),
      colour: "red",
      size: 1,
    });
    assertStatus(await patch(3, { content: [p("new"), id(4, p("old"))] }), 200);
    assert.deepEqual(await textsOf(ada.client, document.id), ["now text", "new\nold"]);
    for (const change of [
      {},
      { attrs: {}, content: [] },
      { node: p("a"), attrs: {} },
      { attrs: 5 },
      { content: "x" },
      { text: "a" },
    ])
      assertError(await patch(1, change), "invalid_request");
    for (const malformed of ["zz", 5])
      assert.equal(assertError(await patch(1, { attrs: { id: malformed } }), "invalid_document").path, "attrs.id");
    const operations = [{ op: "set_attrs", block_id: idFor(1), attrs: { id: "zz" } }];
    const batch = await ada.client.post(`/documents/${document.id}/batch`, { base_version: "*", operations });
    assertError(batch, "invalid_document");
    assertError(await patch(3, { content: [] }), "invalid_document");
    assertError(await patch(3, { node: p("a") }), "invalid_document");
    assertError(await patch(1, { node: { type: "nothing" } }), "invalid_document");
    assertError(await patch(3, { content: [id(1, p("x"))] }), "duplicate_block_id");
    assertError(await patch(9, { attrs: {} }), "not_found");
  });

  test("BLK7 a change that comes to the same leaves no trace", async () => {
    const document = await make(id(1, h(2, "a")));
    const before = await traces(ada.client, document.id);
    for (const change of [
      { attrs: { level: 2 } },
      { attrs: {} },
      { node: h(2, "a") },
      { content: h(2, "a").content },
    ]) {
      const reply = assertStatus(await ada.client.patch(pathOf(document, 1), change), 200);
      assert.deepEqual(reply.data, { version: document.version, changed_block_ids: [] });
    }
    assert.deepEqual(await traces(ada.client, document.id), before);
  });

  test("BLK8 deleting the last child of a container that cannot be empty deletes the container", async () => {
    const document = await make(
      id(1, quote(id(2, ul(id(3, li(id(4, p("a")))), id(5, li(id(6, p("b")))))))),
      id(7, table(id(8, tr(id(9, td(id(10, p("c")))))))),
      id(11, p("d")),
    );
    const remove = async (number: number) => {
      const reply = assertStatus(await ada.client.delete(pathOf(document, number)), 200);
      assert.deepEqual([reply.data.id, reply.data.deleted, reply.etag], [idFor(number), true, reply.data.version]);
      return [...reply.data.changed_block_ids].sort();
    };
    assert.deepEqual(await remove(4), [1, 2, 3, 4].map(idFor));
    assert.deepEqual(await textsOf(ada.client, document.id), ["b", "c", "d"]);
    assert.deepEqual(await remove(6), [1, 2, 5, 6].map(idFor));
    assert.deepEqual(await remove(10), [7, 8, 9, 10].map(idFor).sort());
    assert.deepEqual(await textsOf(ada.client, document.id), ["d"]);
    await remove(11);
    assert.deepEqual(await textsOf(ada.client, document.id), []);
    assertError(await ada.client.delete(pathOf(document, 11)), "not_found");
  });

  test("BLK9 If-Match on a block write is optional, and honoured when sent", async () => {
    const document = await make(id(1, p("a")));
    const ifMatch = "sha256:0";
    const nodes = [p("x")];
    const calls = [
      ada.client.patch(pathOf(document, 1), { attrs: { a: 1 } }, { ifMatch }),
      ada.client.delete(pathOf(document, 1), undefined, { ifMatch }),
      ada.client.post(`/documents/${document.id}/blocks`, { position: { document_end: true }, nodes }, { ifMatch }),
    ];
    for (const reply of await Promise.all(calls))
      assert.equal(assertError(reply, "version_conflict").current_version, document.version);
    assertStatus(await ada.client.patch(pathOf(document, 1), { attrs: { a: 1 } }, { ifMatch: document.version }), 200);
    assertStatus(await ada.client.patch(pathOf(document, 1), { attrs: { a: 2 } }), 200);
  });

  test("BLK10 writers of different blocks without a precondition all survive", async () => {
    const count = 24;
    const document = await make(...Array.from({ length: count }, (_, i) => id(i + 1, p(`old ${i + 1}`))));
    const writes = Array.from({ length: count }, (_, i) =>
      ada.client.patch(pathOf(document, i + 1), { node: p(`new ${i + 1}`) }),
    );
    for (const reply of await Promise.all(writes)) assertStatus(reply, 200);
    const texts = await textsOf(ada.client, document.id);
    assert.deepEqual(
      texts,
      Array.from({ length: count }, (_, i) => `new ${i + 1}`),
    );
    const { data } = await ada.client.get(`/documents/${document.id}/versions?limit=100`);
    assert.equal(data[0].seq, count);
  });

  test("BLK11 of writers with the same If-Match exactly one wins", async () => {
    const document = await make(id(1, p("a")), id(2, p("b")));
    const writes = Array.from({ length: 12 }, (_, i) =>
      ada.client.patch(pathOf(document, 1 + (i % 2)), { node: p(`writer ${i}`) }, { ifMatch: document.version }),
    );
    const replies = await Promise.all(writes);
    assert.equal(replies.filter((reply) => reply.status === 200).length, 1);
    for (const reply of replies) if (reply.status !== 200) assertError(reply, "version_conflict");
  });

  test("BLK12 dry_run on block writes answers and stores nothing, and its key is not kept", async () => {
    const document = await make(id(1, p("a")));
    const before = await traces(ada.client, document.id);
    const body = { position: { document_end: true }, nodes: [id(2, p("new"))] };
    const path = `/documents/${document.id}/blocks`;
    const tried = assertStatus(await ada.client.post(`${path}?dry_run=true`, body, { key: "dry" }), 201);
    assert.equal(tried.data.blocks[0].id, idFor(2));
    assertStatus(await ada.client.patch(`${pathOf(document, 1)}?dry_run=true`, { attrs: { x: 1 } }), 200);
    assertStatus(await ada.client.delete(`${pathOf(document, 1)}?dry_run=true`), 200);
    assert.deepEqual(await traces(ada.client, document.id), before);
    const real = assertStatus(await ada.client.post(path, body, { key: "dry-2" }), 201);
    assert.equal(real.data.version, tried.data.version);
    assert.equal((await ada.client.post(path, body, { key: "dry-2" })).text, real.text);
    assert.equal((await textsOf(ada.client, document.id)).length, 2);
  });
});
