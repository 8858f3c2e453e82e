import assert from "node:assert/strict";
import { before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { defined } from "@svc/document/defined";
import { png } from "../../support/attachments.ts";
import { assertError, assertStatus } from "../../support/client.ts";
import { makeDocument, makeFolder, makeKnowledgeBase, markdown, upload } from "../../support/fixtures.ts";
import { stayInOneDay } from "../../support/until.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

const share = async ({ client }: Person, id: string) =>
  assertStatus(await client.post(`/documents/${id}/public-share`), 200).data;

onEachDatabase("public shares", (world) => {
  test("SHARE1 the link is the same each time, also for two who ask at once, and its token is not in the store", async () => {
    const person = await world.person();
    const { id } = await makeDocument(person.client);
    const [first, second] = await Promise.all([share(person, id), share(person, id)]);
    assert.deepEqual(first, second);
    assert.deepEqual(await share(person, id), first);
    assert.deepEqual((await person.client.get(`/documents/${id}/public-share`)).data, first);
    assert.equal(first.url, `${world.url}/s/${first.token}`);
    assert.match(first.token, /^[\w-]{43}$/);
    assert.deepEqual([first.access, first.comments_enabled], ["read_only", false]);
    const rows = await world.app.services.database.read.selectFrom("public_shares").selectAll().execute();
    assert.ok(!JSON.stringify(rows).includes(first.token));
  });

  test("SHARE2 the page needs no token, runs nothing, asks not to be indexed and escapes what it shows", async () => {
    const person = await world.person();
    const { id } = await makeDocument(person.client, {
      title: '<b>Plan & "more"</b>',
      text: "# Heading\n\n<script>alert(1)</script>\n\n[bad](javascript:alert(1)) [doc](svc://doc/x) ![out](https://example.com/a.png)\n",
    });
    const { url } = await share(person, id);
    const reply = await fetch(url);
    const html = await reply.text();
    assert.equal(reply.status, 200);
    assert.match(defined(reply.headers.get("content-type")), /^text\/html/);
    assert.match(
      defined(reply.headers.get("content-security-policy")),
      /^default-src 'none'; style-src 'self'; img-src 'self'/,
    );
    assert.match(defined(reply.headers.get("x-robots-tag")), /noindex/);
    assert.match(html, /<meta name="robots" content="noindex/);
    assert.equal(reply.headers.get("set-cookie"), null);
    assert.equal(reply.headers.get("referrer-policy"), "no-referrer");
    assert.ok(html.includes("<title>&lt;b&gt;Plan &amp; &quot;more&quot;&lt;/b&gt;</title>"));
    assert.doesNotMatch(html, /<script|javascript:|svc:\/\/|<img [^>]*src="http/);
    assert.match(html, /<img src="\/s\/[\w-]{43}\/pictures\?address=https%3A%2F%2Fexample\.com%2Fa\.png&amp;proof=/);
    const again = await fetch(url, { headers: { "if-none-match": defined(reply.headers.get("etag")) } });
    assert.equal(again.status, 304);
    await person.client.patch(`/documents/${id}`, { title: "Other" });
    assert.match(
      await (await fetch(url, { headers: { "if-none-match": defined(reply.headers.get("etag")) } })).text(),
      /Other/,
    );
  });

  test("SHEET5 SHARE2 the page of a spreadsheet is computed anew each time, as results change by themselves", async () => {
    const person = await world.person();
    const text = "| a |\n| --- |\n| =MOD(NOW()*86400000,1000000) |\n";
    const { id } = await makeDocument(person.client, { document_type: "spreadsheet", text });
    const { url } = await share(person, id);
    const first = await fetch(url);
    const etag = first.headers.get("etag") ?? "*";
    await sleep(20);
    const again = await fetch(url, { headers: { "if-none-match": etag } });
    assert.equal(again.status, 200);
    const shown = [await first.text(), await again.text()].map((page) => /<td[^>]*>.*?<\/td>/s.exec(page)?.[0]);
    assert.match(defined(shown[0]), />\d+/);
    assert.notEqual(shown[0], shown[1]);
  });

  test("SHARE3 colours become classes that the page's policy allows by hash", async () => {
    const person = await world.person();
    const red = { type: "text", text: "red", marks: [{ type: "textStyle", attrs: { color: "#ff0000" } }] };
    const document = { type: "doc", content: [{ type: "paragraph", content: [red] }] };
    const { id } = await makeDocument(person.client, { content: { format: "tiptap-json", document } });
    const reply = await fetch((await share(person, id)).url);
    const html = await reply.text();
    assert.doesNotMatch(html, / style="/);
    assert.match(html, /<style>\.prose \.y0\{color:light-dark\(#ff0000,/);
    assert.match(defined(reply.headers.get("content-security-policy")), /style-src 'self' 'sha256-[\w+/=]+'/);
  });

  test("SHARE4 it serves the attachments that the body shows, and nothing else", async () => {
    const person = await world.person();
    const { client } = person;
    const { id } = await makeDocument(client);
    const shown = await upload(client, id, png, "p.png");
    const hidden = await upload(client, id, "secret", "h.txt");
    const elsewhere = await upload(client, (await makeDocument(client)).id, png, "e.png");
    await client.put(`/documents/${id}/content`, markdown(`![p](${shown.url})`), { ifMatch: "*" });
    const { url } = await share(person, id);
    assert.match(await (await fetch(url)).text(), new RegExp(`<img src="/s/[\\w-]+/attachments/${shown.id}"`));
    const reply = await fetch(`${url}/attachments/${shown.id}`);
    assert.deepEqual(Buffer.from(await reply.arrayBuffer()), png);
    assert.match(defined(reply.headers.get("x-robots-tag")), /noindex/);
    const part = await fetch(`${url}/attachments/${shown.id}`, { headers: { range: "bytes=0-3" } });
    assert.equal((await part.arrayBuffer()).byteLength, 4);
    for (const other of [hidden.id, elsewhere.id, "att_x", "%00"])
      assert.equal((await fetch(`${url}/attachments/${other}`)).status, 404, other);
    await client.put(`/documents/${id}/content`, markdown("gone"), { ifMatch: "*" });
    assert.equal((await fetch(`${url}/attachments/${shown.id}`)).status, 404);
  });

  test("SHARE5 it is gone at once when withdrawn or deleted, and does not come back from the trash", async () => {
    const person = await world.person();
    const { client } = person;
    const { id } = await makeDocument(client);
    const first = await share(person, id);
    assert.deepEqual((await client.delete(`/documents/${id}/public-share`)).data, { id, deleted: true });
    const gone = await fetch(first.url);
    assert.deepEqual([gone.status, gone.headers.get("content-type")], [404, "text/html; charset=utf-8"]);
    assertError(await client.delete(`/documents/${id}/public-share`), "not_found");
    assertError(await client.get(`/documents/${id}/public-share`), "not_found");
    const second = await share(person, id);
    assert.notEqual(second.token, first.token);
    assert.equal((await fetch(first.url)).status, 404);
    await client.delete(`/documents/${id}`);
    assert.equal((await fetch(second.url)).status, 404);
    const [entry] = (await client.get("/trash")).data;
    assertStatus(await client.post(`/trash/${entry.id}/restore`), 200);
    assert.equal((await fetch(second.url)).status, 404);
  });

  test("SHARE15 the trash and a restore tell how many links ended with a document or a folder", async () => {
    const person = await world.person();
    const { client } = person;
    const base = await makeKnowledgeBase(client);
    const folder = await makeFolder(client, { knowledge_base_id: base.id });
    const below = await makeFolder(client, { knowledge_base_id: base.id, parent_id: folder.id });
    const shared = await makeDocument(client, { knowledge_base_id: base.id, folder_id: below.id });
    await makeDocument(client, { knowledge_base_id: base.id, folder_id: below.id });
    await share(person, shared.id);
    assertStatus(await client.post(`/folders/${below.id}/public-share`), 200);
    const endedBy = async (path: string) => {
      assertStatus(await client.delete(path), 200);
      const [entry] = (await client.get("/trash")).data;
      const { ended_links } = assertStatus(await client.post(`/trash/${entry.id}/restore`), 200).data;
      assert.equal(ended_links, entry.ended_links);
      return ended_links;
    };
    assert.equal(await endedBy(`/folders/${folder.id}`), 2);
    assert.equal(await endedBy(`/folders/${folder.id}`), 0);
    await share(person, shared.id);
    assert.equal(await endedBy(`/documents/${shared.id}`), 1);
    assert.equal(await endedBy(`/documents/${shared.id}`), 0);
  });

  test("SHARE6 any other address under /s/ is the same page of nothing", async () => {
    const texts = new Set<string>();
    for (const path of ["/s/", "/s/x", "/s/%00", `/s/${"a".repeat(43)}`, "/s/a/b/c", "/s/assets/x.css"]) {
      const reply = await fetch(world.url + path);
      assert.equal(reply.status, 404, path);
      texts.add(await reply.text());
    }
    assert.equal(texts.size, 1);
  });
});

onEachDatabase(
  "public shares that are asked for too often",
  (world) => {
    const visit = (path: string, forwarded: string) =>
      fetch(world.url + path, { headers: { "x-forwarded-for": forwarded } });

    before(stayInOneDay);

    test("SHARE8 an address that asks too often waits, others and our own files do not", async () => {
      const person = await world.person();
      const { token } = await share(person, (await makeDocument(person.client)).id);
      const statuses = [];
      for (let n = 0; n < 12; n++) statuses.push((await visit(`/s/${token}`, "192.0.2.1")).status);
      assert.deepEqual(statuses, [...Array(10).fill(200), 429, 429]);
      const refused = await visit(`/s/${token}`, "192.0.2.1");
      assert.ok(Number(refused.headers.get("retry-after")) >= 1);
      assert.match(defined(refused.headers.get("content-security-policy")), /^default-src 'none'/);
      assert.match(await refused.text(), /Too many requests/);
      assert.equal((await visit("/s/assets/icon.svg", "192.0.2.1")).status, 200);
      assert.equal((await visit(`/s/${token}`, "192.0.2.2")).status, 200);
      assert.equal((await visit("/sign-in", "192.0.2.1")).status, 429, "the other pages share the window");
    });

    test("RATE6 a caller cannot choose another address: only what the proxy wrote counts, and IPv6 by its /64", async () => {
      const spoofed = [];
      for (let n = 0; n < 11; n++) spoofed.push((await visit("/s/x", `198.51.100.${n}, 192.0.2.9`)).status);
      assert.deepEqual(spoofed, [...Array(10).fill(404), 429]);
      const rotated = [];
      for (let n = 0; n < 11; n++) rotated.push((await visit("/s/x", `2001:db8:1:2::${n}`)).status);
      assert.deepEqual(rotated, [...Array(10).fill(404), 429]);
      assert.equal((await visit("/s/x", "2001:db8:1:3::1")).status, 404);
    });
  },
  { SVC_RATE_LIMIT: "10", SVC_RATE_LIMIT_WINDOW_S: "86400", SVC_TRUST_PROXY: "on" },
);
