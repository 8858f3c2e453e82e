import assert from "node:assert/strict";
import { test } from "node:test";
import { assertStatus } from "../../support/client.ts";
import { makeDocument, makeFolder, makeKnowledgeBase } from "../../support/fixtures.ts";
import { signIn } from "../../support/live-editor.ts";
import { Visitor } from "../../support/visitor.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

onEachDatabase("what the browser says of public links", (world) => {
  const browserOf = async (person: Person) => {
    const browser = new Visitor(world.url);
    browser.keep(await signIn(world, person));
    return { browser, read: async (path: string) => (await browser.fetch(path)).text() };
  };

  test("SHARE14 what stands in a shared folder is told to be public, by a link to the folder", async () => {
    const person = await world.person();
    const { client } = person;
    const top = await makeFolder(client, { name: "Open guides" });
    const { knowledge_base_id } = top;
    const inner = await makeFolder(client, { knowledge_base_id, parent_id: top.id, name: "Deeper" });
    const inside = await makeDocument(client, { knowledge_base_id, folder_id: inner.id });
    const beside = await makeDocument(client, { knowledge_base_id });
    const { read } = await browserOf(person);
    assert.match(await read(`/documents/${inside.id}`), /Only members can see the document/);
    assertStatus(await client.post(`/folders/${top.id}/public-share`), 200);
    for (const path of [`/documents/${inside.id}`, `/folders/${inner.id}`]) {
      const page = await read(path);
      assert.match(page, new RegExp(`public link of <a href="/folders/${top.id}#share"><bdi>Open guides`), path);
      assert.doesNotMatch(page, /Only members can see/, path);
    }
    assert.match(await read(`/documents/${beside.id}`), /Only members can see the document/);
    await world.app.services.database.transaction((tx) =>
      tx.updateTable("public_shares").set({ expires_at: 1 }).where("folder_id", "=", top.id).execute(),
    );
    assert.match(await read(`/documents/${inside.id}`), /Only members can see the document/);
  });

  test("SHARE14 the access of a knowledge base leads its owners to its public links, which they end there", async () => {
    const owner = await world.person();
    const editor = await world.person({ workspace: owner.workspaceId, role: "editor" });
    const [base, other] = [await makeKnowledgeBase(owner.client), await makeKnowledgeBase(owner.client, "Other")];
    const access = { default_role: null, members: [{ user_id: editor.userId, role: "owner" }], groups: [] };
    assertStatus(await owner.client.put(`/knowledge-bases/${base.id}/access`, access, { ifMatch: "*" }), 200);
    const links = `/public-links?base=${base.id}`;
    const { browser, read } = await browserOf(editor);
    assert.ok(!(await read(`/knowledge-bases/${base.id}/access`)).includes(links));
    const folder = await makeFolder(owner.client, { knowledge_base_id: base.id });
    const elsewhere = await makeFolder(owner.client, { knowledge_base_id: other.id, name: "Elsewhere" });
    for (const { id } of [folder, elsewhere]) assertStatus(await owner.client.post(`/folders/${id}/public-share`), 200);
    assert.ok((await read(`/knowledge-bases/${base.id}/access`)).includes(`href="${links}"`));
    assert.doesNotMatch(await read(`/knowledge-bases/${other.id}/access`), /public-links\?base/, "for owners alone");
    const page = await read(links);
    assert.match(page, /Link to Guides/);
    assert.doesNotMatch(page, /Elsewhere/);
    assert.equal((await browser.fetch(`/public-links?base=${other.id}`)).status, 403);
    const fields = { kind: "folder", id: String(folder.id), base: String(base.id) };
    const ended = await browser.submit(links, "/public-links/end", fields);
    assert.equal(ended.headers.get("location"), links);
    assert.match(await read(links), /Nothing is public/);
  });
});
