import assert from "node:assert/strict";
import { before, test } from "node:test";
import { assertStatus, type Loose } from "../../support/client.ts";
import { makeDocument, makeKnowledgeBase, markdown } from "../../support/fixtures.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

const head = "---\n# mine\nstatus: done\ntags: [a, b]\ndate: 2024-01-31\n---\n";

onEachDatabase("properties", (world) => {
  let ada: Person;
  let base: Loose;
  before(async () => {
    ada = await world.person();
    base = await makeKnowledgeBase(ada.client);
  });
  const make = (text: string): Promise<Loose> => makeDocument(ada.client, { knowledge_base_id: base.id, text });
  const read = async ({ id }: Loose, query = "&front_matter=true") =>
    (await ada.client.get(`/documents/${id}/content?format=markdown${query}`)).text;
  const get = async ({ id }: Loose) => assertStatus(await ada.client.get(`/documents/${id}/properties`), 200);
  const put = ({ id }: Loose, body: Loose, ifMatch?: string) =>
    ada.client.put(`/documents/${id}/properties`, body, ifMatch === undefined ? {} : { ifMatch });
  const events = async (id: string) =>
    (
      await world.app.services.database.read
        .selectFrom("events")
        .select("type")
        .where("document_id", "=", id)
        .orderBy("id")
        .execute()
    ).map(({ type }) => type);

  test("PROP1 front matter becomes properties, stands in the metadata, and is read back byte for byte", async () => {
    const text = `${head}\n# Title\n`;
    const document = await make(text);
    assert.deepEqual(document.properties, { status: "done", tags: ["a", "b"], date: "2024-01-31" });
    assert.equal(await read(document), text);
    assert.equal(await read(document, ""), "\n# Title\n");
    const { data, headers } = await get(document);
    assert.equal(data.source, head.slice(4, -4));
    assert.equal(headers.get("etag"), `"${data.version}"`);
    const windows = text.replaceAll("\n", "\r\n");
    const written = await ada.client.put(`/documents/${document.id}/content`, markdown(windows), { ifMatch: "*" });
    assertStatus(written, 200);
    assert.equal(await read(document), windows);
    const without = await ada.client.put(`/documents/${document.id}/content`, markdown("New.\n"), { ifMatch: "*" });
    assertStatus(without, 200);
    assert.equal((await get(document)).data.properties.status, "done", "a write without front matter keeps them");
    assertStatus(await ada.client.get(`/documents/${document.id}/content?front_matter=true`), 400);
  });

  test("PROP2 they are written by value or by source, with their own version, and tell one event", async () => {
    const document = await make(`${head}Text.\n`);
    const { version } = (await get(document)).data;
    assertStatus(await put(document, { properties: {} }), 428);
    assertStatus(await put(document, { properties: {} }, '"other"'), 409);
    assertStatus(await put({ id: "doc_none" }, { properties: {} }, "*"), 404);
    const first = assertStatus(
      await put(document, { properties: { status: "open", tags: ["a", "b"] } }, version),
      200,
    ).data;
    assert.equal(first.source, "# mine\nstatus: open\ntags: [a, b]\n");
    assertStatus(await put(document, { properties: { tags: ["a", "b"], status: "open" } }, first.version), 200);
    assertStatus(await put(document, { source: "status: 'open'\n" }, first.version), 200);
    assertStatus(await put(document, { source: "a: [1\n" }, "*"), 422);
    const { code, details } = (await put(document, { source: "b: 1\na: [1\n" }, "*")).body.error;
    assert.equal(code, "invalid_properties");
    assert.ok(details.line >= 2);
    assertStatus(await put(document, { properties: { a: 1 }, source: "a: 1" }, "*"), 400);
    assert.deepEqual(await events(document.id), ["document.created", ...Array(2).fill("document.metadata.updated")]);
    assert.equal(await read(document), "---\nstatus: 'open'\n---\nText.\n");
    assertStatus(await put(document, { properties: {} }, "*"), 200);
    assert.equal(await read(document), "Text.\n");
  });

  test("PROP3 front matter over the limits or that cannot be read is 422; nothing is stored", async () => {
    const document = await make("Text.\n");
    const many = Array.from({ length: 65 }, (_, i) => `k${i}: 1\n`).join("");
    for (const source of [many, `a: ${"x".repeat(17_000)}\n`, "a: [1\n"]) {
      const text = `---\n${source}---\nOther.\n`;
      const reply = await ada.client.put(`/documents/${document.id}/content`, markdown(text), { ifMatch: "*" });
      assert.equal(assertStatus(reply, 422).body.error.code, "invalid_properties");
    }
    assert.equal(await read(document), "Text.\n");
    const unreadable = markdown("---\na: [1\n---\nOther.\n");
    const path = `/documents/${document.id}/content`;
    const stale = { ifMatch: `"sha256:${"0".repeat(64)}"` };
    assertStatus(await ada.client.put(path, unreadable, stale), 409);
    assertStatus(await ada.client.put(path, unreadable), 428);
  });

  test("PROP4 documents and hits are filtered by properties, of a list by any member", async () => {
    const word = `needle${Date.now().toString(36)}`;
    const long = "x".repeat(500);
    const done = await make(`${head}${word}\n`);
    const open = await make(`---\nstatus: open\ntags: b\nlong: ${long}\n---\n${word}\n`);
    await make(`${word}\n`);
    const listed = async (query: string) =>
      (await ada.client.get(`/documents?knowledge_base_id=${base.id}&${query}`)).data.map(({ id }: Loose) => id);
    const found = async (query: string) =>
      (await ada.client.get(`/search/v2?q=${word}&${query}`)).data.map((hit: Loose) => hit.document_id).sort();
    const all = [done.id, open.id].sort();
    for (const ask of [listed, found]) {
      const among = async (query: string) => (await ask(query)).filter((id: string) => all.includes(id)).sort();
      assert.deepEqual(await among("property.status=done"), [done.id]);
      assert.deepEqual(await among("property.tags=b"), all);
      assert.deepEqual(await among("property.tags=b&property.status=open"), [open.id]);
      assert.deepEqual(await among(`property.long=${long}`), [open.id]);
      assert.deepEqual(await among("property.none=done"), []);
    }
    await put(open, { properties: { status: "done" } }, "*");
    assert.deepEqual(await found("property.status=done"), all);
    assertStatus(await ada.client.get("/documents?property.=x"), 400);
    assertStatus(await ada.client.get("/documents?properties.status=x"), 400);
  });

  test("PROP5 tags are counted for each knowledge base, most first, and follow trash and restore", async () => {
    base = await makeKnowledgeBase(ada.client, "Tags");
    const both = await make("---\ntags: [x, y]\n---\nA\n");
    await make("---\ntags: x\n---\nB\n");
    const tags = async (query = "") => (await ada.client.get(`/knowledge-bases/${base.id}/tags${query}`)).data;
    const all = [
      { tag: "x", count: 2 },
      { tag: "y", count: 1 },
    ];
    assert.deepEqual(await tags(), all);
    const first = await ada.client.get(`/knowledge-bases/${base.id}/tags?limit=1`);
    assert.deepEqual(first.data, all.slice(0, 1));
    assert.deepEqual(await tags(`?limit=1&cursor=${first.body.page.next_cursor}`), all.slice(1));
    await ada.client.delete(`/documents/${both.id}`);
    assert.deepEqual(await tags(), [{ tag: "x", count: 1 }]);
    const [entry] = (await ada.client.get("/trash")).data;
    assertStatus(await ada.client.post(`/trash/${entry.id}/restore`), 200);
    assert.deepEqual(await tags(), all);
    assert.equal(await read(both), "---\ntags: [x, y]\n---\nA\n");
    const copy = assertStatus(await ada.client.post(`/documents/${both.id}/copy`, {}), 201).data;
    assert.deepEqual(copy.properties, { tags: ["x", "y"] });
    const grace = await world.person();
    assertStatus(await grace.client.get(`/knowledge-bases/${base.id}/tags`), 404);
  });
});
