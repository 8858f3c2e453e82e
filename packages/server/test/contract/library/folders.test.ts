import assert from "node:assert/strict";
import { before, test } from "node:test";
import { assertError, assertStatus, type Loose } from "../../support/client.ts";
import { makeDocument, makeFolder, makeKnowledgeBase } from "../../support/fixtures.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

onEachDatabase("folders", (world) => {
  let ada: Person;
  let base: Loose;
  before(async () => {
    ada = await world.person();
    base = await makeKnowledgeBase(ada.client);
  });

  const folderIn = (parent_id: number | null, name = "Guides") =>
    makeFolder(ada.client, { knowledge_base_id: base.id, parent_id, name });
  const countsOf = async (id: number) => {
    const { data } = await ada.client.get(`/knowledge-bases/${id}`);
    return { documents: data.document_count, folders: data.folder_count };
  };

  test("FOLD1 a new one stands at the top level unless a parent is named", async () => {
    const top = assertStatus(
      await ada.client.post("/folders", { name: " Guides ", knowledge_base_id: base.id }),
      201,
    ).data;
    assert.deepEqual([top.name, top.parent_id, top.knowledge_base_id], ["Guides", null, base.id]);
    const inner = await folderIn(top.id);
    assert.equal(inner.parent_id, top.id);
    assert.deepEqual((await ada.client.get(`/folders/${inner.id}`)).data, inner);
  });

  test("FOLD2 places that cannot be seen are 404, and a parent of another knowledge base is 400", async () => {
    const stranger = await world.person();
    const theirs = await makeFolder(stranger.client);
    const other = await makeFolder(ada.client);
    const create = (fields: Loose) => ada.client.post("/folders", { name: "a", knowledge_base_id: base.id, ...fields });
    assertError(await create({ parent_id: theirs.id }), "not_found");
    assertError(await create({ parent_id: 999999999 }), "not_found");
    assertError(await create({ knowledge_base_id: theirs.knowledge_base_id }), "not_found");
    assertError(await create({ parent_id: other.id }), "invalid_request");
    assertError(await create({ name: "a\u0000" }), "invalid_request");
  });

  test("FOLD3 a change leaves alone what it does not name", async () => {
    const parent = await folderIn(null, "Parent");
    const folder = await folderIn(parent.id);
    const renamed = assertStatus(await ada.client.patch(`/folders/${folder.id}`, { name: "New" }), 200).data;
    assert.deepEqual([renamed.name, renamed.parent_id], ["New", parent.id]);
    const moved = assertStatus(await ada.client.patch(`/folders/${folder.id}`, { parent_id: null }), 200).data;
    assert.deepEqual([moved.name, moved.parent_id], ["New", null]);
    assert.deepEqual((await ada.client.patch(`/folders/${folder.id}`, { name: "New", parent_id: null })).data, moved);
    assertError(await ada.client.patch(`/folders/${folder.id}`, {}), "invalid_request");
    assertError(await ada.client.patch(`/folders/${folder.id}`, { parent_id: 999999999 }), "not_found");
  });

  test("FOLD4 a folder never goes into its own subtree", async () => {
    const top = await folderIn(null);
    const middle = await folderIn(top.id);
    const low = await folderIn(middle.id);
    for (const parent_id of [top.id, middle.id, low.id])
      assertError(await ada.client.patch(`/folders/${top.id}`, { parent_id }), "folder_cycle");
    assert.equal((await ada.client.get(`/folders/${top.id}`)).data.parent_id, null);
  });

  test("FOLD5 moving to another knowledge base takes the contents along and keeps the counts right", async () => {
    const from = await makeKnowledgeBase(ada.client);
    const to = await makeKnowledgeBase(ada.client);
    const target = await makeFolder(ada.client, { knowledge_base_id: to.id });
    const top = await makeFolder(ada.client, { knowledge_base_id: from.id });
    const low = await makeFolder(ada.client, { knowledge_base_id: from.id, parent_id: top.id });
    const document = await makeDocument(ada.client, { knowledge_base_id: from.id, folder_id: low.id });
    await makeDocument(ada.client, { knowledge_base_id: from.id });
    const moved = assertStatus(await ada.client.patch(`/folders/${top.id}`, { parent_id: target.id }), 200).data;
    assert.deepEqual([moved.knowledge_base_id, moved.parent_id], [to.id, target.id]);
    assert.equal((await ada.client.get(`/folders/${low.id}`)).data.knowledge_base_id, to.id);
    const after = (await ada.client.get(`/documents/${document.id}`)).data;
    assert.deepEqual([after.knowledge_base_id, after.folder_id, after.version], [to.id, low.id, document.version]);
    assert.deepEqual(await countsOf(from.id), { documents: 1, folders: 0 });
    assert.deepEqual(await countsOf(to.id), { documents: 1, folders: 3 });
    const back = await ada.client.patch(`/folders/${top.id}`, { knowledge_base_id: from.id });
    assert.deepEqual([back.data.knowledge_base_id, back.data.parent_id], [from.id, null]);
    assert.deepEqual(await countsOf(from.id), { documents: 2, folders: 2 });
  });

  test("FOLD6 children are the folder's own, folders first, in natural order", async () => {
    const folder = await folderIn(null);
    const empty = await folderIn(folder.id, "b 10");
    const full = await folderIn(folder.id, "B 9");
    await folderIn(full.id, "inside");
    const document = await makeDocument(ada.client, { knowledge_base_id: base.id, folder_id: folder.id, title: "a" });
    const { data, body } = await ada.client.get(`/folders/${folder.id}/children`);
    assert.deepEqual(
      data.map(({ type, id, has_children }: Loose) => [type, id, has_children]),
      [
        ["folder", full.id, true],
        ["folder", empty.id, false],
        ["document", document.id, undefined],
      ],
    );
    assert.deepEqual(body.page, { cursor: null, next_cursor: null, has_more: false });
  });

  test("FOLD6 children come in pages for who asks, and neither repeat nor skip what stays", async () => {
    const folder = await folderIn(null);
    const names = ["b", "a 10", "a 9", "b", "B", "c"];
    for (const name of names) await folderIn(folder.id, name);
    for (const title of names)
      await makeDocument(ada.client, { knowledge_base_id: base.id, folder_id: folder.id, title });
    const path = `/folders/${folder.id}/children`;
    const { data: all } = await ada.client.get(path);
    const walked: Loose[] = [];
    for (let cursor = ""; ; ) {
      const { data, body } = await ada.client.get(`${path}?limit=5${cursor}`);
      walked.push(...data);
      if (!body.page.has_more) break;
      cursor = `&cursor=${body.page.next_cursor}`;
      if (walked.length === 5) await ada.client.delete(`/folders/${walked[4].id}`);
    }
    assert.deepEqual(walked, all);
    const { body } = await ada.client.get(`${path}?limit=1`);
    const other = await folderIn(null);
    assertError(
      await ada.client.get(`/folders/${other.id}/children?cursor=${body.page.next_cursor}`),
      "cursor_mismatch",
    );
    for (const limit of [0, 101]) assertError(await ada.client.get(`${path}?limit=${limit}`), "invalid_request");
  });

  test("FOLD7 deleting takes all contents along and keeps the counts right", async () => {
    const own = await makeKnowledgeBase(ada.client);
    const top = await makeFolder(ada.client, { knowledge_base_id: own.id });
    const low = await makeFolder(ada.client, { knowledge_base_id: own.id, parent_id: top.id });
    const document = await makeDocument(ada.client, { knowledge_base_id: own.id, folder_id: low.id });
    assert.deepEqual((await ada.client.delete(`/folders/${top.id}`)).data, { id: top.id, deleted: true });
    for (const path of [`/folders/${top.id}`, `/folders/${low.id}/children`, `/documents/${document.id}`])
      assertError(await ada.client.get(path), "not_found");
    assert.deepEqual(await countsOf(own.id), { documents: 0, folders: 0 });
  });

  test("FOLD9 moves at the same time never close a cycle", async () => {
    const { client } = ada;
    for (let round = 0; round < 5; round++) {
      const here = await makeKnowledgeBase(client);
      const there = await makeKnowledgeBase(client);
      const make = (knowledge_base_id: number, parent_id: number | null = null) =>
        makeFolder(client, { knowledge_base_id, parent_id });
      const tops = [await make(here.id), await make(here.id), await make(there.id), await make(there.id)];
      const folders = [...tops];
      for (const top of tops) folders.push(await make(top.knowledge_base_id, top.id));
      const moves = tops.flatMap((top, i) => [
        client.patch(`/folders/${top.id}`, { parent_id: folders[4 + ((i + 1) % 4)].id }),
        client.patch(`/folders/${top.id}`, { parent_id: folders[4 + ((i + 2) % 4)].id }),
      ]);
      for (const reply of await Promise.all(moves)) assert.ok([200, 409].includes(reply.status), reply.text);
      const rows = new Map<number, Loose>();
      for (const { id } of folders) rows.set(id, (await client.get(`/folders/${id}`)).data);
      for (const { id } of folders) {
        let steps = 0;
        for (let at = rows.get(id); at.parent_id !== null; at = rows.get(at.parent_id)) {
          assert.ok(steps++ < folders.length, "a cycle");
          assert.equal(at.knowledge_base_id, rows.get(at.parent_id).knowledge_base_id);
        }
      }
      const counts = [await countsOf(here.id), await countsOf(there.id)];
      for (const [index, { id }] of [here, there].entries())
        assert.equal(counts[index]?.folders, [...rows.values()].filter((row) => row.knowledge_base_id === id).length);
    }
  });

  test("FOLD10 a document that is moved into a folder while the folder goes is never left hanging", async () => {
    const { client } = ada;
    for (let round = 0; round < 8; round++) {
      const folder = await folderIn(null);
      const document = await makeDocument(client, { knowledge_base_id: base.id });
      const [removed, ...moved] = await Promise.all([
        client.delete(`/folders/${folder.id}`),
        client.patch(`/documents/${document.id}`, { folder_id: folder.id }),
        client.put(`/documents/${document.id}/content`, { format: "markdown", content: "New" }, { ifMatch: "*" }),
      ]);
      assertStatus(removed, 200);
      for (const reply of moved) assert.ok([200, 404].includes(reply.status), reply.text);
      const now = await client.get(`/documents/${document.id}`);
      if (now.status === 200) assert.equal(now.data.folder_id, null);
    }
  });
});
