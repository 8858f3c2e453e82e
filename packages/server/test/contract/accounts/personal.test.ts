import assert from "node:assert/strict";
import { test } from "node:test";
import { png } from "../../support/attachments.ts";
import { assertError, assertStatus, type Loose } from "../../support/client.ts";
import { makeDocument, makeFolder, makeKnowledgeBase, markdown, upload } from "../../support/fixtures.ts";
import { onEachDatabase } from "../../support/world.ts";

onEachDatabase("what a person keeps for themselves", (world) => {
  test("MINE1 favourites are the person's own, the latest first, and leave no audit row", async () => {
    const ada = await world.person();
    const grace = await world.person({ workspace: ada.workspaceId, role: "viewer" });
    const [one, two] = [
      await makeDocument(ada.client, { title: "One" }),
      await makeDocument(ada.client, { title: "Two" }),
    ];
    for (const { id } of [one, two]) assertStatus(await ada.client.put(`/me/favourites/${id}`), 200);
    const titles = async () =>
      (await ada.client.get("/me/favourites")).data.map(({ title }: { title: string }) => title);
    assert.deepEqual(await titles(), ["Two", "One"]);
    assert.deepEqual((await grace.client.get("/me/favourites")).data, []);
    assertStatus(await ada.client.delete(`/me/favourites/${two.id}`), 200);
    assert.deepEqual(await titles(), ["One"]);
    assertError(await ada.client.put("/me/favourites/doc_none"), "not_found");
    const { read } = world.app.services.database;
    const rows = await read
      .selectFrom("audit_log")
      .select("action")
      .where("workspace_id", "=", ada.workspaceId)
      .where("action", "in", ["add_favourite", "remove_favourite"])
      .execute();
    assert.deepEqual(rows, []);
  });

  test("MINE2 what was opened is listed once, the latest first, and comes back from the trash", async () => {
    const { client } = await world.person();
    const [one, two] = [await makeDocument(client, { title: "One" }), await makeDocument(client, { title: "Two" })];
    for (const { id } of [one, two, one]) {
      assertStatus(await client.put(`/me/recent/${id}`), 200);
      await new Promise((done) => setTimeout(done, 3));
    }
    const titles = async () => (await client.get("/me/recent")).data.map(({ title }: { title: string }) => title);
    assert.deepEqual(await titles(), ["One", "Two"]);
    await client.delete(`/documents/${one.id}`);
    assert.deepEqual(await titles(), ["Two"]);
    const [entry] = (await client.get("/trash")).data;
    assertStatus(await client.post(`/trash/${entry.id}/restore`), 200);
    assert.deepEqual(await titles(), ["One", "Two"]);
  });

  test("DOC17 a copy has the text and the settings, other ids, and stands where it was asked for", async () => {
    const { client } = await world.person();
    const base = await makeKnowledgeBase(client);
    const folder = await makeFolder(client, { knowledge_base_id: base.id });
    const original = await makeDocument(client, {
      title: "Plan",
      knowledge_base_id: base.id,
      folder_id: folder.id,
      background_color: "#ffee00",
      text: "First.\n\nSecond.\n",
    });
    const beside = assertStatus(await client.post(`/documents/${original.id}/copy`), 201).data;
    assert.equal(beside.folder_id, folder.id);
    assert.equal(beside.background_color, "#ffee00");
    const named = { title: "Plan B", folder_id: null, knowledge_base_id: base.id };
    const there = assertStatus(await client.post(`/documents/${original.id}/copy`, named), 201).data;
    assert.deepEqual([there.title, there.folder_id], ["Plan B", null]);
    const text = async (id: string) => (await client.get(`/documents/${id}/content?format=markdown`)).text;
    assert.equal(await text(there.id), await text(original.id));
    const ids = async (id: string) =>
      (await client.get(`/documents/${id}/blocks`)).data.map((block: { id: string }) => block.id);
    assert.equal(new Set([...(await ids(there.id)), ...(await ids(original.id))]).size, 4);
  });

  test("DOC17 a copy has all files of the original, those that the text does not show too", async () => {
    const { client } = await world.person();
    const { id } = await makeDocument(client);
    const shown = await upload(client, id, png, "shown.png");
    const beside = await upload(client, id, Buffer.from("beside"), "beside.txt");
    await client.put(`/documents/${id}/content`, markdown(`![p](${shown.url})`), { ifMatch: "*" });
    const copy = assertStatus(await client.post(`/documents/${id}/copy`), 201).data;
    const files = (await client.get(`/documents/${copy.id}/attachments`)).data;
    const facts = files.map((file: Loose) => [file.file_name, file.reference_count]).sort();
    assert.deepEqual(facts, [
      ["beside.txt", 0],
      ["shown.png", 1],
    ]);
    assert.ok(files.every((file: Loose) => file.id !== shown.id && file.id !== beside.id));
    assertStatus(await client.delete(`/documents/${id}`), 200);
    const kept = files.find((file: Loose) => file.file_name === "beside.txt");
    assert.equal((await client.get(`/attachments/${kept.id}`)).text, "beside", "the copy stands by itself");
  });

  test("DOC18 templates are marked and listed; a page made from one has its text and properties and is none", async () => {
    const { client } = await world.person();
    const base = await makeKnowledgeBase(client);
    const fields = { title: "Minutes", knowledge_base_id: base.id, is_template: true };
    const content = markdown("---\nstatus: draft\n---\nPresent:\n");
    const template = assertStatus(await client.post("/documents", { ...fields, content }), 201).data;
    assert.equal(template.is_template, true);
    const plain = await makeDocument(client, { knowledge_base_id: base.id });
    const listed = async (wanted: boolean) =>
      (await client.get(`/documents?is_template=${wanted}`)).data.map(({ id }: { id: string }) => id);
    assert.deepEqual([await listed(true), await listed(false)], [[template.id], [plain.id]]);
    const made = assertStatus(await client.post(`/documents/${template.id}/copy`, { title: "Monday" }), 201).data;
    assert.deepEqual([made.title, made.is_template, made.properties], ["Monday", false, { status: "draft" }]);
    assert.equal((await client.get(`/documents/${made.id}/content?format=markdown`)).text, "Present:\n");
    assertStatus(await client.delete(`/documents/${template.id}`), 200);
    const [entry] = (await client.get("/trash")).data;
    assertStatus(await client.post(`/trash/${entry.id}/restore`), 200);
    assert.deepEqual(await listed(true), [template.id]);
    assertStatus(await client.patch(`/documents/${template.id}`, { is_template: false }), 200);
    assert.deepEqual(await listed(true), []);
  });

  test("KB10 the top level of a knowledge base is listed like a folder, also in pages", async () => {
    const { client } = await world.person();
    const base = await makeKnowledgeBase(client);
    const folder = await makeFolder(client, { name: "Guides", knowledge_base_id: base.id });
    await makeDocument(client, { title: "Deep", knowledge_base_id: base.id, folder_id: folder.id });
    for (const title of ["Note 10", "Note 9"]) await makeDocument(client, { title, knowledge_base_id: base.id });
    const path = `/knowledge-bases/${base.id}/children`;
    const all = assertStatus(await client.get(path), 200);
    const names = (items: { name?: string; title?: string }[]) => items.map(({ name, title }) => name ?? title);
    assert.deepEqual(names(all.data), ["Guides", "Note 9", "Note 10"]);
    assert.equal(all.data[0].has_children, true);
    const first = await client.get(`${path}?limit=2`);
    const next = await client.get(`${path}?limit=2&cursor=${first.body.page.next_cursor}`);
    assert.deepEqual(names([...first.data, ...next.data]), ["Guides", "Note 9", "Note 10"]);
  });
});
