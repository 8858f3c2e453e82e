import assert from "node:assert/strict";
import { test } from "node:test";
import { exported, imported, unzipped, withManifest } from "../../support/archives.ts";
import { png } from "../../support/attachments.ts";
import { assertStatus, type Client, type Loose } from "../../support/client.ts";
import { makeDocument, makeKnowledgeBase, markdown, upload } from "../../support/fixtures.ts";
import { onEachDatabase } from "../../support/world.ts";

const markdownOf = async (client: Client, id: string): Promise<string> =>
  (await client.get(`/documents/${id}/content?format=markdown`)).text;

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
});
