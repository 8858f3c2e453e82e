import assert from "node:assert/strict";
import { test } from "node:test";
import { defined } from "@svc/document/defined";
import { readSite } from "@svc/server/surfaces/pages/shares/site";
import { png } from "../../support/attachments.ts";
import { assertError, assertStatus, type Loose, type Reply } from "../../support/client.ts";
import { makeDocument, makeFolder, makeKnowledgeBase, markdown, upload } from "../../support/fixtures.ts";
import { until } from "../../support/until.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

const HOUR_MS = 3_600_000;

const shareFolder = async ({ client }: Person, id: number, wish?: Loose) =>
  assertStatus(await client.post(`/folders/${id}/public-share`, wish), 200).data;

const shareDocument = async ({ client }: Person, id: string, wish?: Loose) =>
  assertStatus(await client.post(`/documents/${id}/public-share`, wish), 200).data;

const textOf = async (url: string) => {
  const reply = await fetch(url);
  assert.equal(reply.status, 200, url);
  return reply.text();
};

const unlock = (url: string, password: string, page = "") =>
  fetch(url, { method: "POST", body: new URLSearchParams({ password, page }), redirect: "manual" });

onEachDatabase("public sites of folders", (world) => {
  test("SHARE9 a folder's link is a site of its pages and those below, and of nothing else", async () => {
    const person = await world.person();
    const { client } = person;
    const folder = await makeFolder(client, { name: "Guides <b>" });
    const knowledge_base_id = folder.knowledge_base_id;
    const inner = await makeFolder(client, { knowledge_base_id, parent_id: folder.id, name: "Deeper" });
    const outside = await makeDocument(client, { knowledge_base_id, title: "Outside", text: "zebra secret" });
    const below = await makeDocument(client, {
      knowledge_base_id,
      folder_id: inner.id,
      title: "Below",
      text: "A zebra is here.",
    });
    const first = await makeDocument(client, {
      knowledge_base_id,
      folder_id: folder.id,
      title: "First & last",
      text: `[to below](${below.uri}) [to outside](${outside.uri}) [by address](${world.url}/documents/${outside.id}) [[Below]] [[Outside]]\n`,
    });
    await client.post(`/documents/${first.id}/comments`, { body: markdown("A hidden remark") });
    const { url, kind, token } = await shareFolder(person, folder.id);
    assert.equal(kind, "folder");
    assert.deepEqual(
      await shareFolder(person, folder.id),
      (await client.get(`/folders/${folder.id}/public-share`)).data,
    );

    const home = await textOf(url);
    assert.match(home, /<h1 dir="auto">Guides &lt;b&gt;<\/h1>/);
    assert.match(home, new RegExp(`/s/${token}/pages/${first.id}".*First &amp; last`));
    assert.match(home, /Deeper/);
    assert.ok(!home.includes("Outside"));

    const page = await textOf(`${url}/pages/${first.id}`);
    assert.match(page, new RegExp(`<a href="/s/${token}/pages/${below.id}"[^>]*>to below</a>`));
    assert.ok(!page.includes(outside.id));
    assert.match(page, /<a[^>]*>to outside<\/a>|to outside/);
    assert.match(page, new RegExp(`<a href="/s/${token}/pages/${below.id}"[^>]*>Below</a>`));
    assert.ok(!page.includes("hidden remark"));
    assert.equal((await fetch(`${url}/pages/${outside.id}`)).status, 404);

    await until("the pages are indexed", async () => /zebra/i.test(await textOf(`${url}/search?q=zebra`)));
    const found = await textOf(`${url}/search?q=zebra`);
    assert.match(found, /<mark>zebra<\/mark>/);
    assert.ok(!found.includes("secret"));
    for (const q of ["", "%22", "%00", "nothing-like-it"])
      assert.equal((await fetch(`${url}/search?q=${q}`)).status, 200, q);

    await client.patch(`/documents/${below.id}`, { folder_id: null });
    assert.equal((await fetch(`${url}/pages/${below.id}`)).status, 404);
    assert.ok(!(await textOf(`${url}/search?q=zebra`)).includes("<mark>"));
  });

  test("SHARE16 the tree of a site is kept until something in it changes, and then shows that at once", async () => {
    const person = await world.person();
    const { client } = person;
    const folder = await makeFolder(client, { name: "Guides" });
    const { knowledge_base_id } = folder;
    const put = (folder_id: number | null, title: string) =>
      makeDocument(client, { knowledge_base_id, folder_id, title, text: "Words.\n" });
    const page = await put(folder.id, "One");
    const elsewhere = await put(null, "Two");
    const { url } = await shareFolder(person, folder.id);
    const lines = async () =>
      [...(await textOf(url)).matchAll(/<li class="depth-(\d)">.*?dir="auto">([^<]*)/g)].map(
        (line) => `${line[1]}${line[2]}`,
      );
    const { read } = world.app.services.database;
    const site = () => readSite(read, person.workspaceId, folder.id);
    assert.deepEqual(await lines(), ["0One"]);
    const kept = await site();
    await client.put(`/documents/${page.id}/content`, { format: "markdown", content: "Others.\n" }, { ifMatch: "*" });
    assert.match(await textOf(`${url}/pages/${page.id}`), /Others/);
    assert.equal(await site(), kept, "texts are no part of the tree");

    const change = async (reply: Promise<Reply>, shown: readonly string[]) => {
      const { status, text } = await reply;
      assert.ok(status < 300, text);
      assert.deepEqual(await lines(), shown);
    };
    await change(client.patch(`/documents/${page.id}`, { title: "First" }), ["0First"]);
    await change(client.patch(`/documents/${elsewhere.id}`, { folder_id: folder.id }), ["0First", "0Two"]);
    const inner = await makeFolder(client, { knowledge_base_id, parent_id: folder.id, name: "Deep" });
    assert.deepEqual(await lines(), ["0Deep", "0First", "0Two"]);
    await change(client.patch(`/documents/${page.id}`, { folder_id: inner.id }), ["0Deep", "1First", "0Two"]);
    await change(client.patch(`/folders/${inner.id}`, { name: "Inner" }), ["0Inner", "1First", "0Two"]);
    await change(client.patch(`/folders/${inner.id}`, { parent_id: null }), ["0Two"]);
    await change(client.patch(`/folders/${inner.id}`, { parent_id: folder.id }), ["0Inner", "1First", "0Two"]);
    await change(client.delete(`/documents/${elsewhere.id}`), ["0Inner", "1First"]);
    const [entry] = (await client.get("/trash")).data;
    await change(client.post(`/trash/${entry.id}/restore`, {}), ["0Inner", "1First", "0Two"]);
    await change(client.delete(`/folders/${inner.id}`), ["0Two"]);
    assert.equal((await fetch(`${url}/pages/${page.id}`)).status, 404);
  });

  test("SHARE9 addresses of our own lead to pages of the site, at their place, whichever way they are written", async () => {
    const person = await world.person();
    const { client } = person;
    const folder = await makeFolder(client);
    const { knowledge_base_id } = folder;
    const outside = await makeDocument(client, { knowledge_base_id, title: "Outside" });
    const inside = await makeDocument(client, { knowledge_base_id, folder_id: folder.id, text: "# Head\n" });
    const [block] = (await client.get(`/documents/${inside.id}/blocks`)).data;
    const host = world.url.replace("http:", "https:");
    const links = (id: string) =>
      [
        `/documents/${id}`,
        `/api/v1/documents/${id}`,
        `${host}/documents/${id}`,
        `/documents/${id}?block=${block.id}`,
        `/documents/${id}#section-head`,
        `/documents/${id}/versions`,
      ].map((href, at) => `[${id === inside.id ? "in" : "out"}-${at}](${href})`);
    const place = { knowledge_base_id, folder_id: folder.id };
    const text = [...links(inside.id), ...links(outside.id)].join(" ");
    const from = await makeDocument(client, { ...place, text });
    const { url, token } = await shareFolder(person, folder.id);
    const page = await textOf(`${url}/pages/${from.id}`);
    const hrefOf = (words: string) => new RegExp(`<a href="([^"]*)"[^>]*>${words}</a>`).exec(page)?.[1];
    const at = `/s/${token}/pages/${inside.id}`;
    const expected = [at, at, at, `${at}#${block.id}`, `${at}#section-head`, at];
    assert.deepEqual(
      expected.map((_, index) => hrefOf(`in-${index}`)),
      expected,
    );
    assert.ok(!page.includes(outside.id), "a link to elsewhere reads like one to nothing");
    const single = await textOf((await shareDocument(person, from.id)).url);
    assert.ok(!single.includes(inside.id), "the link of one document leads to no other");
  });

  test("SHARE9 a site's files are those that its pages show, and a document's link is no site", async () => {
    const person = await world.person();
    const { client } = person;
    const folder = await makeFolder(client);
    const place = { knowledge_base_id: folder.knowledge_base_id, folder_id: folder.id };
    const { id } = await makeDocument(client, place);
    const shown = await upload(client, id, png, "p.png");
    const other = await upload(client, (await makeDocument(client)).id, png, "o.png");
    await client.put(`/documents/${id}/content`, markdown(`![p](${shown.url})`), { ifMatch: "*" });
    const { url } = await shareFolder(person, folder.id);
    assert.match(await textOf(`${url}/pages/${id}`), new RegExp(`/attachments/${shown.id}"`));
    assert.equal((await fetch(`${url}/attachments/${shown.id}`)).status, 200);
    assert.equal((await fetch(`${url}/attachments/${other.id}`)).status, 404);
    const single = await shareDocument(person, id);
    assert.equal((await fetch(`${single.url}/pages/${id}`)).status, 404);
    assert.equal((await fetch(`${single.url}/search?q=x`)).status, 404);
  });

  test("SHARE9 a site dies with its folder, and with its knowledge base", async () => {
    const person = await world.person();
    const { client } = person;
    const folder = await makeFolder(client);
    const { url } = await shareFolder(person, folder.id);
    assert.deepEqual((await client.delete(`/folders/${folder.id}/public-share`)).data, {
      id: folder.id,
      deleted: true,
    });
    assert.equal((await fetch(url)).status, 404);
    const again = await shareFolder(person, folder.id);
    assert.notEqual(again.url, url);
    assertStatus(await client.delete(`/folders/${folder.id}`), 200);
    assert.equal((await fetch(again.url)).status, 404);
    const base = await makeKnowledgeBase(client);
    const last = await shareFolder(person, (await makeFolder(client, { knowledge_base_id: base.id })).id);
    assertStatus(await client.delete(`/knowledge-bases/${base.id}`, { confirm_id: base.confirm_id }), 200);
    assert.equal((await fetch(last.url)).status, 404);
  });

  test("SHARE10 a link with an end opens nothing from then on, and a later one is another", async () => {
    const person = await world.person();
    const { client } = person;
    const { id } = await makeDocument(client);
    const ends = Date.now() + HOUR_MS;
    const share = await shareDocument(person, id, { expires_at: ends });
    assert.equal(share.expires_at, ends);
    assert.deepEqual(await shareDocument(person, id), share, "what is not named stays");
    assert.equal((await fetch(share.url)).status, 200);
    for (const expires_at of [Date.now() - 1, 0])
      assertError(await client.post(`/documents/${id}/public-share`, { expires_at }), "invalid_request");
    const { database } = world.app.services;
    await database.transaction((tx) =>
      tx
        .updateTable("public_shares")
        .set({ expires_at: Date.now() - 1 })
        .where("document_id", "=", id)
        .execute(),
    );
    assert.equal((await fetch(share.url)).status, 404);
    assertError(await client.get(`/documents/${id}/public-share`), "not_found");
    const next = await shareDocument(person, id);
    assert.notEqual(next.token, share.token);
    assert.equal(next.expires_at, null);
  });

  test("SHARE11 a password guards page and files, its cookie opens this link only, and another password ends it", async () => {
    const person = await world.person();
    const { client } = person;
    const { id } = await makeDocument(client, { text: "Hush." });
    const file = await upload(client, id, png, "p.png");
    await client.put(`/documents/${id}/content`, markdown(`Hush.\n\n![p](${file.url})`), { ifMatch: "*" });
    const { url, has_password } = await shareDocument(person, id, { password: "open sesame" });
    assert.equal(has_password, true);
    const asked = await fetch(url);
    assert.equal(asked.status, 401);
    const form = await asked.text();
    assert.match(form, /type="password"/);
    assert.ok(!form.includes("Hush"));
    assert.equal((await fetch(`${url}/attachments/${file.id}`)).status, 401);
    const wrong = await unlock(url, "wrong");
    assert.equal(wrong.status, 401);
    assert.equal(wrong.headers.get("set-cookie"), null);
    const right = await unlock(url, "open sesame");
    assert.equal(right.status, 303);
    const [line] = right.headers.getSetCookie();
    assert.match(defined(line), /HttpOnly; SameSite=Lax/);
    const cookie = defined(line).split(";")[0] ?? "";
    const visit = (address: string) => fetch(address, { headers: { cookie } });
    const page = await visit(url);
    assert.match(await page.text(), /Hush/);
    assert.equal(page.headers.get("cache-control"), "no-store");
    assert.equal((await visit(`${url}/attachments/${file.id}`)).status, 200);
    const other = await shareDocument(person, (await makeDocument(client)).id, { password: "open sesame" });
    assert.equal((await visit(other.url)).status, 401);
    await shareDocument(person, id, { password: "changed" });
    assert.equal((await visit(url)).status, 401);
    await shareDocument(person, id, { password: null });
    assert.equal((await fetch(url)).status, 200);
    const rows = await world.app.services.database.read.selectFrom("public_shares").selectAll().execute();
    assert.ok(!JSON.stringify(rows).includes("sesame"));
  });

  test("SHARE11 guessing a link's password is slowed down", async () => {
    const person = await world.person();
    const { url } = await shareDocument(person, (await makeDocument(person.client)).id, { password: "right" });
    const statuses = [];
    for (let n = 0; n < 8; n++) statuses.push((await unlock(url, `wrong ${n}`)).status);
    assert.ok(statuses.includes(429), String(statuses));
    assert.ok(Number((await unlock(url, "right")).headers.get("retry-after")) >= 1);
  });

  test("SHARE12 owners see all links of what they own, and end them", async () => {
    const owner = await world.person();
    const editor = await world.person({ workspace: owner.workspaceId, role: "editor" });
    const folder = await makeFolder(owner.client, { name: "Guides" });
    const base = folder.knowledge_base_id;
    const { id } = await makeDocument(editor.client, { title: "Plan", knowledge_base_id: base });
    await shareFolder(owner, folder.id, { password: "x" });
    const made = await shareDocument(editor, id);
    const { data } = await owner.client.get("/public-shares");
    assert.deepEqual(
      data.map((share: Loose) => [share.kind, share.title, share.document_id, share.folder_id, share.has_password]),
      [
        ["document", "Plan", id, null, false],
        ["folder", "Guides", null, folder.id, true],
      ],
    );
    assert.equal(data[0].url, made.url);
    assert.deepEqual(data[0].created_by, { id: editor.userId, name: "Ada" });
    const page = await owner.client.get("/public-shares?limit=1");
    const rest = await owner.client.get(`/public-shares?limit=1&cursor=${page.body.page.next_cursor}`);
    assert.deepEqual([...page.data, ...rest.data], data);
    assertError(await editor.client.get("/public-shares"), "insufficient_role");
    assertError(await editor.client.get(`/public-shares?knowledge_base_id=${base}`), "insufficient_role");
    const access = { default_role: null, members: [{ user_id: editor.userId, role: "owner" }], groups: [] };
    assertStatus(await owner.client.put(`/knowledge-bases/${base}/access`, access, { ifMatch: "*" }), 200);
    assert.deepEqual((await editor.client.get(`/public-shares?knowledge_base_id=${base}`)).data, data);
    assertStatus(await owner.client.delete(`/documents/${id}/public-share`), 200);
    assert.equal((await fetch(made.url)).status, 404);
    assert.equal((await owner.client.get("/public-shares")).data.length, 1);
  });

  test("SHARE12 a token bound to knowledge bases sees the links of those", async () => {
    const owner = await world.person();
    const [one, two] = [await makeKnowledgeBase(owner.client), await makeKnowledgeBase(owner.client)];
    for (const { id } of [one, two])
      await shareFolder(owner, (await makeFolder(owner.client, { knowledge_base_id: id })).id);
    const bound = await world.person({ workspace: owner.workspaceId, role: "owner", knowledgeBaseIds: [one.id] });
    const seen = (await bound.client.get("/public-shares")).data;
    assert.deepEqual(
      seen.map((share: Loose) => share.knowledge_base_id),
      [one.id],
    );
  });
});
