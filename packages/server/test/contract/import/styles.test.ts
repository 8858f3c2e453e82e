import assert from "node:assert/strict";
import { test } from "node:test";
import { exported, imported, unzipped, withManifest } from "../../support/archives.ts";
import { png } from "../../support/attachments.ts";
import { assertStatus, type Client, type Loose } from "../../support/client.ts";
import { makeDocument, makeKnowledgeBase, markdown, upload, zipOf } from "../../support/fixtures.ts";
import { onEachDatabase } from "../../support/world.ts";

const markdownOf = async (client: Client, id: string): Promise<string> =>
  (await client.get(`/documents/${id}/content?format=markdown`)).text;

/** How the file that a document came from writes its addresses. */
async function addressesOf(client: Client, id: string): Promise<Record<string, string>> {
  const headers = { accept: "application/json" };
  return (await client.get(`/documents/${id}/content?format=markdown&front_matter=true`, { headers })).data
    .file_addresses;
}

/** The documents of a knowledge base by their titles. */
async function byTitle(client: Client, base: number): Promise<Record<string, Loose>> {
  const documents: Loose[] = (await client.get(`/documents?knowledge_base_id=${base}`)).data;
  return Object.fromEntries(documents.map((document) => [document.title, document]));
}

onEachDatabase("Markdown styles in archives", (world) => {
  test("EXP13 IMP19 Markdown reads as it was written, with the new ids in its addresses", async () => {
    const ada = await world.person();
    const { client } = ada;
    const { id: base } = await makeKnowledgeBase(client, "Styled");
    const place = { knowledge_base_id: base };
    const target = await makeDocument(client, { ...place, title: "Target", text: "Here.\n" });
    const { id: block } = (await client.get(`/documents/${target.id}/blocks`)).data[0];
    const linked = await makeDocument(client, { ...place, title: "Linked" });
    const { id: picture } = await upload(client, linked.id, png, "p.png");
    const text = (to: Loose, blockId: string, file: string) =>
      `Heading\n=======\n\n* one\n* two\n\n__bold__ [to it][r] and ![a picture](/api/v1/attachments/${file} 'Title')\n\n\n[r]: ${to.uri}#block=${blockId}\n`;
    const written: Record<string, string> = {
      Linked: text(target, block, picture),
      Windows: "+ a\r\n+ b\r\n\r\nlast line without an end",
      Front: "---\nstatus:   done\n---\n\nText with __bold__\n",
      Ends: "---\ntags:   [b]\nalias: c\n---\n\n\nText  \n\n",
      Edited: "* one\n* two\n\nThis line goes.\n\nTitle\n-----\n",
    };
    for (const [title, source] of Object.entries(written)) {
      const { id } = title === "Linked" ? linked : await makeDocument(client, { ...place, title });
      assertStatus(await client.put(`/documents/${id}/content`, markdown(source), { ifMatch: "*" }), 200);
    }
    const { Edited } = await byTitle(client, base);
    const line = (await client.get(`/documents/${Edited.id}/blocks`)).data[1].id;
    const other = { content: [{ type: "text", text: "Another line." }] };
    assertStatus(await client.patch(`/documents/${Edited.id}/blocks/${line}`, other), 200);

    const made = await imported(client, await exported(world, ada, base));
    assert.deepEqual(made.warnings, []);
    const copies = await byTitle(client, made.knowledge_base_id);
    const newBlock = (await client.get(`/documents/${copies.Target.id}/blocks`)).data[0].id;
    const [newPicture] = (await client.get(`/documents/${copies.Linked.id}/attachments`)).data;
    assert.equal(await markdownOf(client, copies.Linked.id), text(copies.Target, newBlock, newPicture.id));
    assert.equal(await markdownOf(client, copies.Windows.id), written.Windows);
    assert.equal(
      await markdownOf(client, copies.Front.id),
      await markdownOf(client, (await byTitle(client, base)).Front.id),
    );
    const whole = async (id: string) =>
      (await client.get(`/documents/${id}/content?format=markdown&front_matter=true`)).text;
    assert.equal(await whole(copies.Ends.id), written.Ends);
    assert.equal(await whole(copies.Front.id), written.Front);
    assert.equal(copies.Front.properties.status, "done");
    assert.equal(
      await markdownOf(client, copies.Edited.id),
      written.Edited?.replace("This line goes.", "Another line."),
    );
  });

  test("EXP13 IMP19 only what is written otherwise has a file, and one that says another text is left out", async () => {
    const ada = await world.person();
    const { client } = ada;
    const plain = await makeDocument(client, { title: "Plain", text: "- one\n" });
    const place = { knowledge_base_id: plain.knowledge_base_id };
    const styled = await makeDocument(client, { ...place, title: "Styled", text: "* one\n" });
    const archive = await exported(world, ada, plain.knowledge_base_id);
    const styles = [...unzipped(archive).keys()].filter((path) => path.startsWith("styles/"));
    assert.deepEqual(styles, [`styles/${styled.id}.txt`]);
    const crossed = await withManifest(archive, ({ documents }) => {
      for (const line of documents) line.style_path = styles[0];
      documents.find(({ title }: Loose) => title === "Styled").style_path = "manifest.json";
    });
    assert.equal((await imported(client, crossed)).error.code, "checksum_mismatch");
    const other = await withManifest(archive, ({ documents }) => {
      documents.find(({ title }: Loose) => title === "Styled").style_path = documents[0].path;
    });
    const made = await imported(client, other);
    const copies = await byTitle(client, made.knowledge_base_id);
    assert.equal(await markdownOf(client, copies.Styled.id), "- one\n");
  });

  test("EXP14 IMP26 the words of a file for its addresses go through export and import, and into copies", async () => {
    const ada = await world.person();
    const { client } = ada;
    const files = {
      "SUMMARY.md": "[One](one.md) [Two](two.md)\n",
      "one.md": "# One\n\n[to two](two.html#a-b) ![p](img/p.png)\n",
      "two.md": "# Two\n\n## A b\n\nx\n",
      "img/p.png": png,
    };
    const first = await imported(client, await zipOf(files));
    const archive = await exported(world, ada, first.knowledge_base_id);
    const second = await imported(client, archive);
    assert.deepEqual(second.warnings, []);
    const { One, Two } = await byTitle(client, second.knowledge_base_id);
    const block = (await client.get(`/documents/${Two.id}/blocks`)).data.find(
      ({ type, text }: Loose) => type === "heading" && /A b/.test(JSON.stringify(text)),
    );
    const [picture] = (await client.get(`/documents/${One.id}/attachments`)).data;
    const link = `svc://doc/${Two.id}#block=${block.id}`;
    const words = { [link]: "two.html#a-b", [`/api/v1/attachments/${picture.id}`]: "img/p.png" };
    assert.deepEqual(await addressesOf(client, One.id), words);
    const copy = await client.post(`/documents/${One.id}/copy`, {});
    assertStatus(copy, 201);
    const [copied] = (await client.get(`/documents/${copy.data.id}/attachments`)).data;
    assert.deepEqual(await addressesOf(client, copy.data.id), {
      [link]: "two.html#a-b",
      [`/api/v1/attachments/${copied.id}`]: "img/p.png",
    });

    const other = await withManifest(archive, ({ documents }) => {
      for (const line of documents) line.file_addresses_path = documents[0].path;
    });
    assert.equal((await imported(client, other)).error.code, "invalid_archive");
  });

  test("IMP15 a byte order mark stays at the beginning of a file", async () => {
    const ada = await world.person();
    const { client } = ada;
    const files = {
      "Plain.md": "\uFEFFText with __bold__ and [[Front]]\n",
      "Front.md": "\uFEFF---\naliases: [Other]\n---\n\n* one\n",
    };
    const first = await imported(client, await zipOf(files));
    const second = await imported(client, await exported(world, ada, first.knowledge_base_id));
    for (const { knowledge_base_id } of [first, second]) {
      const { Plain, Front } = await byTitle(client, knowledge_base_id);
      const headers = { accept: "application/json" };
      const whole = async ({ id }: Loose) =>
        (await client.get(`/documents/${id}/content?format=markdown&front_matter=true`, { headers })).data.content;
      assert.equal(await whole(Plain), files["Plain.md"]);
      assert.equal(await whole(Front), files["Front.md"]);
      assert.deepEqual(Front.properties, { aliases: ["Other"] });
    }
  });
});
