import assert from "node:assert/strict";
import { before, test } from "node:test";
import { assertError, assertStatus, type Loose } from "../../support/client.ts";
import { makeDocument, makeFolder, makeKnowledgeBase, markdown } from "../../support/fixtures.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

onEachDatabase("pages under pages", (world) => {
  let ada: Person;
  let base: Loose;
  before(async () => {
    ada = await world.person();
    base = await makeKnowledgeBase(ada.client);
  });

  const get = async (path: string): Promise<Loose> => assertStatus(await ada.client.get(path), 200).data;
  const patch = (path: string, body: Loose) => ada.client.patch(path, body);
  const folderOf = async (page: Loose) => get(`/folders/${(await get(`/documents/${page.id}`)).folder_id}`);
  const page = (title: string, folder_id: number | null = null) =>
    makeDocument(ada.client, { knowledge_base_id: base.id, title, folder_id });
  const below = async (parent: Loose, title: string, more: Loose = {}): Promise<Loose> =>
    assertStatus(await ada.client.post(`/documents/${parent.id}/subpages`, { title, ...more }), 201).data;

  test("SUB1 a first subpage puts a folder in the place of the page, and the page into it", async () => {
    const own = await makeKnowledgeBase(ada.client);
    const make = (title: string) => makeDocument(ada.client, { knowledge_base_id: own.id, title });
    const [a, b, c] = [await make("a"), await make("b"), await make("c")];
    assertStatus(await patch(`/documents/${c.id}`, { place: { first: true } }), 200);
    const made = await below(b, "Inner", { content: markdown("Hello *there*\n") });
    assert.equal((await ada.client.get(`/documents/${made.id}/content?format=markdown`)).text, "Hello *there*\n");
    const folder = await folderOf(b);
    assert.deepEqual([folder.name, folder.index_document_id, folder.parent_id], ["b", b.id, null]);
    assert.equal(made.folder_id, folder.id);
    const { children } = await get(`/knowledge-bases/${own.id}/tree`);
    assert.deepEqual(
      children.map((item: Loose) => item.title ?? item.name),
      ["c", "a", "b"],
      "it stands where the page stood",
    );
    assert.equal(children[2].index_document_id, b.id);
    assert.deepEqual(new Set(children[2].children.map(({ id }: Loose) => id)), new Set([b.id, made.id]));
    const second = await below(b, "Second");
    assert.equal(second.folder_id, folder.id);
    const { data } = await ada.client.get(`/knowledge-bases/${own.id}/children`);
    assert.equal(data[2].index_document_id, b.id);
    const { folder_count, document_count } = await get(`/knowledge-bases/${own.id}`);
    assert.deepEqual([folder_count, document_count], [1, 5]);
    assert.equal((await get(`/documents/${a.id}`)).folder_id, null);
  });

  test("SUB1 a body that is refused, an unknown page and a repeated request make nothing twice", async () => {
    const top = await page("Refused");
    const wrong = {
      title: "x",
      content: { format: "tiptap-json", document: { type: "doc", content: [{ type: "no" }] } },
    };
    assertError(await ada.client.post(`/documents/${top.id}/subpages`, wrong), "invalid_document");
    assert.equal((await get(`/documents/${top.id}`)).folder_id, null);
    assertError(await ada.client.post(`/documents/${top.id}/subpages`, { title: " " }), "invalid_request");
    const other = await makeDocument((await world.person()).client, {});
    assertError(await ada.client.post(`/documents/${other.id}/subpages`, { title: "x" }), "not_found");
    const options = { headers: { "idempotency-key": "sub-1" } };
    const [first, again] = [
      await ada.client.post(`/documents/${top.id}/subpages`, { title: "Once" }, options),
      await ada.client.post(`/documents/${top.id}/subpages`, { title: "Once" }, options),
    ];
    assert.equal(first.data.id, again.data.id);
  });

  test("SUB1 subpages made at the same time share one folder", async () => {
    const top = await page("Together");
    const made = await Promise.all(Array.from({ length: 8 }, (_, i) => below(top, `Part ${i}`)));
    const folder = await folderOf(top);
    assert.equal(folder.index_document_id, top.id);
    assert.deepEqual([...new Set(made.map(({ folder_id }) => folder_id))], [folder.id]);
  });

  test("SUB2 the index page and its folder have one name, whichever is renamed", async () => {
    const top = await page("Old");
    await below(top, "Inner");
    const { id } = await folderOf(top);
    assertStatus(await patch(`/documents/${top.id}`, { title: "New" }), 200);
    assert.equal((await get(`/folders/${id}`)).name, "New");
    assertStatus(await patch(`/folders/${id}`, { name: "Newer" }), 200);
    assert.equal((await get(`/documents/${top.id}`)).title, "Newer");
    const renames = Array.from({ length: 10 }, (_, i) =>
      i % 2 ? patch(`/folders/${id}`, { name: `f${i}` }) : patch(`/documents/${top.id}`, { title: `d${i}` }),
    );
    for (const reply of await Promise.all(renames)) assertStatus(reply, 200);
    assert.equal((await get(`/folders/${id}`)).name, (await get(`/documents/${top.id}`)).title);
  });

  test("SUB3 only a document directly in the folder becomes its index page, and gives it its title", async () => {
    const folder = await makeFolder(ada.client, { knowledge_base_id: base.id, name: "Guides" });
    const inner = await page("Welcome", folder.id);
    const outer = await page("Outer");
    const set = (index_document_id: string | null) => patch(`/folders/${folder.id}`, { index_document_id });
    assertError(await set(outer.id), "invalid_request");
    assertError(await set("doc_01K9ZQ4T6N4Y3V7J8W2M5R1XCJ"), "not_found");
    const { data } = await set(inner.id);
    assert.deepEqual([data.index_document_id, data.name], [inner.id, "Welcome"]);
    assert.equal((await set(null)).data.index_document_id, null);
    assert.equal((await patch(`/documents/${inner.id}`, { title: "Alone" })).status, 200);
    assert.equal((await get(`/folders/${folder.id}`)).name, "Welcome", "they are no longer one");
    assertStatus(await patch(`/folders/${folder.id}`, { index_document_id: inner.id, name: "Both" }), 200);
    assert.equal((await get(`/documents/${inner.id}`)).title, "Both");
  });

  test("SUB4 a folder has no index page once that page is deleted or moved", async () => {
    const [moved, deleted] = [await page("Moved"), await page("Deleted")];
    const target = await makeFolder(ada.client, { knowledge_base_id: base.id });
    for (const one of [moved, deleted]) await below(one, "Inner");
    const [from, of] = [await folderOf(moved), await folderOf(deleted)];
    assertStatus(await patch(`/documents/${moved.id}`, { folder_id: target.id, title: "Elsewhere" }), 200);
    assertStatus(await ada.client.delete(`/documents/${deleted.id}`), 200);
    for (const [folder, name] of [
      [from, "Moved"],
      [of, "Deleted"],
    ] as const) {
      const now = await get(`/folders/${folder.id}`);
      assert.deepEqual([now.index_document_id, now.name], [null, name]);
    }
    assertStatus(await patch(`/documents/${moved.id}`, { folder_id: from.id }), 200);
    assert.equal((await get(`/folders/${from.id}`)).index_document_id, null, "and does not get it back");
  });

  test("SUB5 a page moves with everything below it, also into another knowledge base, the trash and back", async () => {
    const other = await makeKnowledgeBase(ada.client);
    const top = await page("Top");
    const inner = await below(top, "Inner");
    const deep = await below(inner, "Deep");
    const { id } = await folderOf(top);
    assertStatus(await patch(`/folders/${id}`, { knowledge_base_id: other.id }), 200);
    for (const one of [top, inner, deep]) assert.equal((await get(`/documents/${one.id}`)).knowledge_base_id, other.id);
    assert.equal((await get(`/folders/${id}`)).index_document_id, top.id);
    assertStatus(await ada.client.delete(`/folders/${id}`), 200);
    const { data } = await ada.client.get("/trash");
    const entry = data.find((one: Loose) => one.item_id === String(id));
    assertStatus(await ada.client.post(`/trash/${entry.id}/restore`), 200);
    assert.equal((await get(`/folders/${id}`)).index_document_id, top.id);
    assert.equal((await folderOf(deep)).index_document_id, inner.id);
  });
});
