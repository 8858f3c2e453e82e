import assert from "node:assert/strict";
import { test } from "node:test";
import { assertStatus, type Loose } from "../../support/client.ts";
import { makeDocument, makeFolder, makeKnowledgeBase } from "../../support/fixtures.ts";
import { onEachDatabase } from "../../support/world.ts";

onEachDatabase("oEmbed", (world) => {
  const ask = async (address: string, more = "") => {
    const reply = await fetch(`${world.url}/oembed?url=${encodeURIComponent(address)}${more}`);
    const body: Loose = await reply.json();
    return { status: reply.status, body };
  };
  const local = (url: string) => world.url + new URL(url).pathname;

  test("SHARE30 a page with a public link is described as oEmbed 1.0 says, and names its description", async () => {
    const { client } = await world.person();
    const base = await makeKnowledgeBase(client);
    const folder = await makeFolder(client, { name: "Guide", knowledge_base_id: base.id });
    const page = await makeDocument(client, { title: "A <b>title", knowledge_base_id: base.id, folder_id: folder.id });
    const one = assertStatus(await client.post(`/documents/${page.id}/public-share`, {}), 200).data;
    const { status, body } = await ask(local(one.url));
    assert.equal(status, 200);
    assert.deepEqual(body, {
      version: "1.0",
      type: "link",
      title: "A <b>title",
      provider_name: "svc",
      provider_url: world.url,
      cache_age: 300,
    });
    const link = (await fetch(local(one.url))).headers.get("link") ?? "";
    const [, address = ""] = /^<([^>]+)>; rel="alternate"; type="application\/json\+oembed"$/.exec(link) ?? [];
    const { title }: Loose = await (await fetch(address)).json();
    assert.equal(title, "A <b>title");
    const all = assertStatus(await client.post(`/folders/${folder.id}/public-share`, {}), 200).data;
    assert.equal((await ask(local(all.url))).body.title, "Guide");
    assert.equal((await ask(`${local(all.url)}/pages/${page.id}`)).body.title, "A <b>title");
    const outside = await makeDocument(client, { knowledge_base_id: base.id });
    assert.equal((await ask(`${local(all.url)}/pages/${outside.id}`)).status, 404);
    assert.equal((await ask(local(one.url), "&format=xml")).status, 501);
  });

  test("SHARE30 private pages, closed links and other hosts reveal nothing", async () => {
    const { client } = await world.person();
    const page = await makeDocument(client, { title: "Secret" });
    for (const id of [page.id, "doc_00000000000000000000000000"])
      assert.equal((await ask(`${world.url}/documents/${id}`)).status, 401);
    for (const address of ["https://other.example/s/x", "nonsense", "", `${world.url.replace("http", "ftp")}/s/x`])
      assert.equal((await ask(address)).status, 404);
    assert.equal((await ask(`${world.url}/s/nothing`)).status, 404);
    const made = assertStatus(
      await client.post(`/documents/${page.id}/public-share`, { password: "open sesame 12" }),
      200,
    );
    const locked = await ask(local(made.data.url));
    assert.equal(locked.status, 401);
    assert.ok(!JSON.stringify(locked.body).includes("Secret"));
  });
});
