import assert from "node:assert/strict";
import { before, test } from "node:test";
import { assertError, assertStatus, type Loose } from "../../support/client.ts";
import { makeDocument, makeFolder, makeKnowledgeBase } from "../../support/fixtures.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

onEachDatabase("order", (world) => {
  let ada: Person;
  before(async () => {
    ada = await world.person();
  });

  const nameOf = (item: Loose): string => item.name ?? item.title;
  const treeOf = async (base: number): Promise<Loose[]> =>
    (await ada.client.get(`/knowledge-bases/${base}/tree`)).data.children;
  const shown = async (base: number) => (await treeOf(base)).map(nameOf);
  const page = (knowledge_base_id: number, title: string, folder_id: number | null = null) =>
    makeDocument(ada.client, { knowledge_base_id, title, folder_id });
  const folder = (knowledge_base_id: number, name: string, parent_id: number | null = null) =>
    makeFolder(ada.client, { knowledge_base_id, name, parent_id });
  const put = (item: Loose, place: Loose, more: Loose = {}) =>
    ada.client.patch(item.title === undefined ? `/folders/${item.id}` : `/documents/${item.id}`, { place, ...more });
  const ref = (item: Loose) => ({ type: item.title === undefined ? "folder" : "document", id: item.id });

  /** A base with a folder F and the pages a, b and c. */
  async function scene() {
    const base = await makeKnowledgeBase(ada.client);
    const f = await folder(base.id, "F");
    const [a, b, c] = [await page(base.id, "a"), await page(base.id, "b"), await page(base.id, "c")];
    return { base, f, a, b, c };
  }

  test("ORDER1 a place puts folders and documents in one order, beginning with the order shown so far", async () => {
    const { base, f, a, b, c } = await scene();
    assert.equal(base.child_order, "name");
    assert.deepEqual(await shown(base.id), ["F", "a", "b", "c"]);
    const before = (await ada.client.get(`/documents/${c.id}`)).data;
    assertStatus(await put(c, { before: ref(b) }), 200);
    assert.deepEqual(await shown(base.id), ["F", "a", "c", "b"]);
    assert.deepEqual((await ada.client.get(`/documents/${c.id}`)).data, before, "the page itself has not changed");
    assert.equal((await ada.client.get(`/knowledge-bases/${base.id}`)).data.child_order, "manual");
    assertStatus(await put(f, { last: true }), 200);
    assertStatus(await put(b, { first: true }), 200);
    assertStatus(await put(a, { after: ref(c) }), 200);
    assert.deepEqual(await shown(base.id), ["b", "c", "a", "F"]);
    const { data } = await ada.client.get(`/knowledge-bases/${base.id}/children`);
    assert.deepEqual(data.map(nameOf), ["b", "c", "a", "F"]);
    assertStatus(await ada.client.patch(`/documents/${a.id}`, { title: "zzz" }), 200);
    assert.deepEqual(await shown(base.id), ["b", "c", "zzz", "F"], "a new name changes no place");
  });

  test("ORDER1 the children of a folder in a manual order come in pages", async () => {
    const base = await makeKnowledgeBase(ada.client);
    const top = await folder(base.id, "Top");
    const pages = [];
    for (const title of ["d", "b", "a", "c", "e"]) pages.push(await page(base.id, title, top.id));
    for (const one of pages) assertStatus(await put(one, { last: true }), 200);
    const walked: string[] = [];
    for (let cursor = ""; ; ) {
      const { data, body } = await ada.client.get(`/folders/${top.id}/children?limit=2${cursor}`);
      walked.push(...data.map(nameOf));
      if (!body.page.has_more) break;
      cursor = `&cursor=${body.page.next_cursor}`;
    }
    assert.deepEqual(walked, ["d", "b", "a", "c", "e"]);
  });

  test("ORDER2 a sibling that is unknown, hidden, elsewhere or the item itself is one refusal", async () => {
    const { base, a, b } = await scene();
    const inner = await folder(base.id, "G");
    const elsewhere = await page(base.id, "elsewhere", inner.id);
    const other = await makeDocument((await world.person()).client, {});
    const answers = [];
    for (const id of [elsewhere.id, other.id, "doc_01K9ZQ4T6N4Y3V7J8W2M5R1XCJ", a.id]) {
      const answer = await put(a, { before: { type: "document", id } });
      assertError(answer, "invalid_request");
      answers.push(JSON.stringify(answer.body.error.details));
    }
    assert.equal(new Set(answers).size, 1);
    assertError(await put(a, { after: { type: "folder", id: 999999999 } }), "invalid_request");
    for (const place of [{}, { first: false }, { first: true, last: true }, { before: b.id }, "first"])
      assertError(await put(a, place), "invalid_request");
    assert.deepEqual(await shown(base.id), ["F", "G", "a", "b", "c"]);
    assert.equal((await ada.client.get(`/knowledge-bases/${base.id}`)).data.child_order, "name");
  });

  test("ORDER3 what is new in a manual order, or moved there, comes last", async () => {
    const { base, f, a, b } = await scene();
    assertStatus(await put(b, { first: true }), 200);
    await page(base.id, "0 new");
    await folder(base.id, "0 folder");
    const inner = await page(base.id, "inner", f.id);
    assertStatus(await ada.client.patch(`/documents/${inner.id}`, { folder_id: null }), 200);
    const low = await folder(base.id, "low", f.id);
    assertStatus(await ada.client.patch(`/folders/${low.id}`, { parent_id: null }), 200);
    const last = await page(base.id, "1 new");
    assert.deepEqual(await shown(base.id), ["b", "F", "a", "c", "0 new", "0 folder", "inner", "low", "1 new"]);
    assertStatus(await put(a, { after: ref(last) }), 200);
    await page(base.id, "2 new");
    assert.deepEqual((await shown(base.id)).slice(-3), ["1 new", "a", "2 new"]);
  });

  test("ORDER4 a move and its place are one change, also into another folder", async () => {
    const { base, f, a, b } = await scene();
    const first = await page(base.id, "1", f.id);
    const second = await page(base.id, "2", f.id);
    assertStatus(await put(a, { before: ref(second) }, { folder_id: f.id }), 200);
    const inside = async () => (await ada.client.get(`/folders/${f.id}/children`)).data.map(nameOf);
    assert.deepEqual(await inside(), ["1", "a", "2"]);
    assert.equal((await ada.client.get(`/folders/${f.id}`)).data.child_order, "manual");
    assert.equal((await ada.client.get(`/knowledge-bases/${base.id}`)).data.child_order, "name");
    assertError(await put(b, { before: ref(first) }), "invalid_request");
    const sub = await folder(base.id, "Sub");
    assertStatus(await put(sub, { first: true }, { parent_id: f.id }), 200);
    assert.deepEqual(await inside(), ["Sub", "1", "a", "2"]);
    assertError(await put(f, { first: true }, { parent_id: sub.id }), "folder_cycle");
  });

  test("ORDER5 the order can be set: by name it is forgotten, by hand it begins as shown", async () => {
    const { base, b } = await scene();
    assertStatus(await put(b, { first: true }), 200);
    const path = `/knowledge-bases/${base.id}`;
    assert.equal((await ada.client.patch(path, { child_order: "name" })).data.child_order, "name");
    assert.deepEqual(await shown(base.id), ["F", "a", "b", "c"]);
    assert.equal((await ada.client.patch(path, { child_order: "manual" })).data.child_order, "manual");
    assert.deepEqual(await shown(base.id), ["F", "a", "b", "c"]);
    const made = await folder(base.id, "New");
    assert.equal((await ada.client.patch(`/folders/${made.id}`, { child_order: "manual" })).data.child_order, "manual");
    assertError(await ada.client.patch(path, { child_order: "size" }), "invalid_request");
  });

  test("ORDER6 two hundred moves at the same time lose nothing and give no two items one place", async () => {
    const base = await makeKnowledgeBase(ada.client);
    const top = await folder(base.id, "Top");
    const items: Loose[] = [];
    for (let i = 0; i < 20; i++) items.push(await page(base.id, `p${i}`, top.id));
    for (let i = 0; i < 5; i++) items.push(await folder(base.id, `f${i}`, top.id));
    const places = (i: number): Loose => {
      const beside = items[(i * 7 + 3) % items.length];
      const own = items[i % items.length];
      if (i % 4 === 0 || beside === own) return { first: true };
      if (i % 4 === 1) return { last: true };
      return i % 4 === 2 ? { before: ref(beside) } : { after: ref(beside) };
    };
    const moves = Array.from({ length: 200 }, (_, i) => put(items[i % items.length], places(i)));
    for (const reply of await Promise.all(moves)) assertStatus(reply, 200);
    const { data } = await ada.client.get(`/folders/${top.id}/children`);
    assert.deepEqual(new Set(data.map(nameOf)), new Set(items.map(nameOf)));
    assert.equal(data.length, items.length);
    const { read } = world.app.services.database;
    const rows = await read
      .selectFrom("sibling_places")
      .selectAll()
      .where("workspace_id", "=", ada.workspaceId)
      .where("parent", "=", `folder:${top.id}`)
      .execute();
    assert.equal(rows.length, items.length);
    assert.equal(new Set(rows.map((row) => row.place)).size, items.length);
  });

  test("ORDER6 many moves to one spot keep the order, whatever the length of the keys", async () => {
    const { base, a, b, c } = await scene();
    for (let i = 0; i < 60; i++) {
      assertStatus(await put(i % 2 ? a : c, { after: ref(b) }), 200);
      assertStatus(await put(i % 2 ? c : a, { after: ref(b) }), 200);
    }
    assert.deepEqual(await shown(base.id), ["F", "b", "c", "a"]);
  });

  test("ORDER7 what comes back from the trash has its place again", async () => {
    const { base, f, a, c } = await scene();
    assertStatus(await put(c, { first: true }), 200);
    assertStatus(await put(f, { after: ref(a) }), 200);
    assert.deepEqual(await shown(base.id), ["c", "a", "F", "b"]);
    for (const path of [`/documents/${a.id}`, `/folders/${f.id}`]) assertStatus(await ada.client.delete(path), 200);
    assert.deepEqual(await shown(base.id), ["c", "b"]);
    const { data } = await ada.client.get("/trash");
    for (const entry of data.filter((one: Loose) => one.knowledge_base_id === base.id))
      assertStatus(await ada.client.post(`/trash/${entry.id}/restore`), 200);
    assert.deepEqual(await shown(base.id), ["c", "a", "F", "b"]);
  });

  test("ORDER8 a move among siblings is an event of the document and leaves its time alone", async () => {
    const { a } = await scene();
    const { read } = world.app.services.database;
    const count = async () =>
      (await read.selectFrom("events").select("id").where("document_id", "=", a.id).execute()).length;
    const had = await count();
    assertStatus(await put(a, { last: true }), 200);
    assert.equal(await count(), had + 1);
    assertStatus(await put(a, { last: true }), 200);
    assert.equal(await count(), had + 1, "a move without an effect is none");
    assert.equal((await ada.client.get(`/documents/${a.id}`)).data.updated_at, a.updated_at);
  });
});
