import assert from "node:assert/strict";
import { before, test } from "node:test";
import { assertError, assertStatus, type Loose } from "../../support/client.ts";
import { makeDocument, makeFolder, makeKnowledgeBase, markdown } from "../../support/fixtures.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

const ids = (reply: { data: Loose }): string[] => reply.data.map((item: Loose) => item.id);

onEachDatabase("documents", (world) => {
  let ada: Person;
  let base: Loose;
  before(async () => {
    ada = await world.person();
    base = await makeKnowledgeBase(ada.client);
  });
  const create = (fields: Loose) =>
    ada.client.post("/documents", { title: "T", knowledge_base_id: base.id, ...fields });

  test("DOC1 a new one has every field of the contract, with its defaults", async () => {
    const reply = assertStatus(await create({ title: "  Start  " }), 201);
    const { id, version, created_at, updated_at, ...rest } = reply.data;
    assert.match(id, /^doc_[0-9A-HJKMNP-TV-Z]{26}$/);
    assert.match(version, /^sha256:[0-9a-f]{64}$/);
    assert.equal(reply.etag, version);
    assert.equal(created_at, updated_at);
    assert.deepEqual(rest, {
      uri: `svc://doc/${id}`,
      title: "Start",
      knowledge_base_id: base.id,
      folder_id: null,
      document_type: "document",
      heading_numbered: false,
      background_color: null,
      collapsed_block_ids: [],
      file_name: null,
      is_template: false,
      character_count: 0,
      block_count: 0,
      document_set_id: null,
      document_set_uri: null,
      locale: null,
      variant_role: null,
      workflow_status: null,
      translated_from_document_id: null,
      translated_from_version: null,
      translation_freshness: "current",
      properties: {},
    });
    assert.deepEqual((await ada.client.get(`/documents/${id}`)).data, reply.data);
  });

  test("DOC2 its body comes in the same request, as Markdown or Tiptap JSON, and makes no snapshot", async () => {
    const block = { type: "paragraph", content: [{ type: "text", text: "héllo 😀" }] };
    for (const content of [
      markdown("héllo 😀"),
      { format: "tiptap-json", document: { type: "doc", content: [block] } },
    ]) {
      const { data } = assertStatus(await create({ content }), 201);
      assert.deepEqual([data.block_count, data.character_count], [1, 7]);
      assert.deepEqual((await ada.client.get(`/documents/${data.id}/versions`)).data, []);
    }
    const before = (await ada.client.get("/me/quota")).data.documents.used;
    const wrong = { format: "tiptap-json", document: { type: "doc", content: [{ type: "nothing" }] } };
    assert.equal(assertError(await create({ content: wrong }), "invalid_document").path, "content[0]");
    assertError(
      await create({ content: markdown("<!--@block=block_01ARZ3NDEKTSV4RRFFQ69G5FAV-->\na") }),
      "unknown_anchor",
    );
    assertError(await create({ content: { format: "html", content: "a" } }), "invalid_request");
    assert.equal((await ada.client.get("/me/quota")).data.documents.used, before);
  });

  test("DOC3 titles and settings are checked", async () => {
    for (const title of ["", " ", "a\u0007", "a\ud800", "x".repeat(501)])
      assertError(await create({ title }), "invalid_request");
    assertStatus(await create({ title: "😀".repeat(500) }), 201);
    for (const background_color of ["red", "#12", "#ggg", 5])
      assertError(await create({ background_color }), "invalid_request");
    for (const collapsed_block_ids of [["a"], "block", [1]])
      assertError(await create({ collapsed_block_ids }), "invalid_request");
    assertError(await create({ document_type: "slides" }), "invalid_request");
    assertError(await create({ no_such_field: 1 }), "invalid_request");
    const settings = {
      heading_numbered: true,
      background_color: "#Ff00aa",
      collapsed_block_ids: ["block_01ARZ3NDEKTSV4RRFFQ69G5FAV"],
      document_type: "spreadsheet",
    };
    const { data } = assertStatus(await create(settings), 201);
    for (const [name, value] of Object.entries(settings)) assert.deepEqual(data[name], value);
  });

  test("DOC4 a change leaves alone what it does not name; the same values change nothing", async () => {
    const made = await makeDocument(ada.client, { knowledge_base_id: base.id });
    const path = `/documents/${made.id}`;
    const { data } = assertStatus(await ada.client.patch(path, { title: " New ", heading_numbered: true }), 200);
    assert.deepEqual([data.title, data.heading_numbered, data.version], ["New", true, made.version]);
    assert.deepEqual((await ada.client.patch(path, { title: "New", folder_id: null })).data, data);
    assertError(await ada.client.patch(path, {}), "invalid_request");
    assertError(await ada.client.patch(path, { document_type: "spreadsheet" }), "invalid_request");
    const cleared = await ada.client.patch(path, { background_color: null, collapsed_block_ids: [] });
    assert.equal(cleared.data.background_color, null);
  });

  test("DOC5 a document moves between folders and knowledge bases, and the counts follow", async () => {
    const from = await makeKnowledgeBase(ada.client);
    const to = await makeKnowledgeBase(ada.client);
    const folder = await makeFolder(ada.client, { knowledge_base_id: to.id });
    const document = await makeDocument(ada.client, { knowledge_base_id: from.id });
    const move = async (fields: Loose) => {
      const { data } = assertStatus(await ada.client.patch(`/documents/${document.id}`, fields), 200);
      return [data.knowledge_base_id, data.folder_id];
    };
    const count = async ({ id }: Loose) => (await ada.client.get(`/knowledge-bases/${id}`)).data.document_count;
    assert.deepEqual(await move({ folder_id: folder.id }), [to.id, folder.id]);
    assert.deepEqual([await count(from), await count(to)], [0, 1]);
    assert.deepEqual(await move({ folder_id: null }), [to.id, null]);
    assert.deepEqual(await move({ knowledge_base_id: to.id, folder_id: folder.id }), [to.id, folder.id]);
    assert.deepEqual(await move({ knowledge_base_id: from.id }), [from.id, null]);
    assert.deepEqual([await count(from), await count(to)], [1, 0]);
    const patch = (fields: Loose) => ada.client.patch(`/documents/${document.id}`, fields);
    assertError(await patch({ knowledge_base_id: from.id, folder_id: folder.id }), "invalid_request");
    assertError(await patch({ folder_id: 999999999 }), "not_found");
    assertError(await patch({ knowledge_base_id: 999999999 }), "not_found");
  });

  test("DOC6 a deleted document is gone everywhere", async () => {
    const { id } = await makeDocument(ada.client, { knowledge_base_id: base.id });
    const before = (await ada.client.get(`/knowledge-bases/${base.id}`)).data.document_count;
    assert.deepEqual((await ada.client.delete(`/documents/${id}`)).data, { id, deleted: true });
    for (const path of ["", "/content", "/path", "/blocks", "/versions", "/outline", "/read"])
      assertError(await ada.client.get(`/documents/${id}${path}`), "not_found");
    assertError(await ada.client.delete(`/documents/${id}`), "not_found");
    assertError(await ada.client.put(`/documents/${id}/content`, markdown("a"), { ifMatch: "*" }), "not_found");
    assert.ok(!ids(await ada.client.get("/documents?limit=100")).includes(id));
    assert.equal((await ada.client.get(`/knowledge-bases/${base.id}`)).data.document_count, before - 1);
  });

  test("DOC13 the path names knowledge base and folders from the top", async () => {
    const top = await makeFolder(ada.client, { knowledge_base_id: base.id, name: "Top" });
    const low = await makeFolder(ada.client, { knowledge_base_id: base.id, parent_id: top.id, name: "Low" });
    const document = await makeDocument(ada.client, { knowledge_base_id: base.id, folder_id: low.id });
    assert.deepEqual((await ada.client.get(`/documents/${document.id}/path`)).data, {
      knowledge_base: { id: base.id, name: "Handbook" },
      folders: [
        { id: top.id, name: "Top" },
        { id: low.id, name: "Low" },
      ],
      document: { id: document.id, title: "Title" },
      path_text: "Handbook / Top / Low / Title",
    });
  });

  test("DOC14 a repeated Idempotency-Key creates once and answers the first result byte for byte", async () => {
    const body = { title: "Once", knowledge_base_id: base.id, content: markdown("a") };
    const first = await ada.client.post("/documents", body, { key: "create-1" });
    const again = await ada.client.post("/documents", body, { key: "create-1" });
    assert.equal(again.text, first.text);
    assert.equal(again.headers.get("idempotency-replayed"), "true");
    assert.equal(again.etag, first.etag);
    assertError(
      await ada.client.post("/documents", { ...body, title: "Two" }, { key: "create-1" }),
      "idempotency_conflict",
    );
    assert.equal((await ada.client.get("/documents?q=once")).data.length, 1);
    const both = await Promise.all(
      [1, 2, 3, 4].map(() => ada.client.post("/documents", { ...body, title: "Many" }, { key: "k2" })),
    );
    assert.equal(new Set(both.map((reply) => reply.data.id)).size, 1);
  });

  test("DOC16 ids that cannot be ids name nothing", async () => {
    for (const id of ["1", "doc_1", "%00", "doc_%00", "%F0%9F%98%80", "x".repeat(200), "%ED%A0%80"])
      for (const path of ["", "/content", "/blocks/x", "/blocks/%00"]) {
        const { status } = await ada.client.get(`/documents/${id}${path}`);
        assert.ok(status === 404 || (status === 400 && id.includes("%ED")), `${id}${path}: ${status}`);
      }
    const { id } = await makeDocument(ada.client, { knowledge_base_id: base.id });
    for (const block of ["x", "%00", "block_01ARZ3NDEKTSV4RRFFQ69G5FAV"])
      assertError(await ada.client.get(`/documents/${id}/blocks/${block}`), "not_found");
    assertError(await ada.client.get("/knowledge-bases/99999999999999999999"), "not_found");
    assertError(await ada.client.get("/folders/-1"), "not_found");
    for (const spelling of [
      `0${base.id}`,
      `+${base.id}`,
      `%20${base.id}`,
      `${base.id}.0`,
      `0x${base.id}`,
      `${base.id}e0`,
    ])
      assertError(await ada.client.get(`/knowledge-bases/${spelling}`), "not_found");
    const seq = assertError(await ada.client.get(`/documents/${id}/versions/x`), "not_found");
    assert.deepEqual([seq.resource, seq.id], ["version", "x"]);
  });
});
