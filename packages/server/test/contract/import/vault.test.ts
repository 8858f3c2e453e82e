import assert from "node:assert/strict";
import { test } from "node:test";
import { imported } from "../../support/archives.ts";
import type { Client, Loose } from "../../support/client.ts";
import { zipOf } from "../../support/fixtures.ts";
import { onEachDatabase } from "../../support/world.ts";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const UTF8_NAMES = 0x800;

/** The same archive, whose names do not say that they are UTF-8, as the Finder of a Mac writes it. */
function withoutNameFlag(archive: Buffer): Buffer {
  const result = Buffer.from(archive);
  for (const [signature, offset] of [
    ["PK\x03\x04", 6],
    ["PK\x01\x02", 8],
  ] as const)
    for (let at = result.indexOf(signature); at >= 0; at = result.indexOf(signature, at + 4))
      result.writeUInt16LE(result.readUInt16LE(at + offset) & ~UTF8_NAMES, at + offset);
  return result;
}

async function textsOf(client: Client, id: number): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  const walk = async (items: Loose[]): Promise<void> => {
    for (const item of items)
      if (item.type === "folder") await walk(item.children);
      else texts.set(item.title, await (await client.get(`/documents/${item.id}/content?format=markdown`)).text);
  };
  await walk((await client.get(`/knowledge-bases/${id}/tree`)).data.children);
  return texts;
}

onEachDatabase("vaults", (world) => {
  test("IMP20 names of a Mac's archive, in their own form of letters, read as people type them", async () => {
    const { client } = await world.person();
    const archive = withoutNameFlag(
      await zipOf({
        ["Notizen/Über uns.md".normalize("NFD")]: "Siehe [Grün](Gr%C3%BCn.md), [[Grün]] und ![](Bild%20%C3%A4.png).\n",
        ["Notizen/Grün.md".normalize("NFD")]: "Zurück: [dort](%C3%BCber%20uns.md)\n",
        ["Notizen/Bild ä.png".normalize("NFD")]: PNG,
      }),
    );
    const result = await imported(client, archive);
    assert.equal(result.status, "succeeded", JSON.stringify(result.error));
    assert.deepEqual([result.links_resolved, result.links_unresolved, result.attachments], [3, 0, 1], result.warnings);
    const texts = await textsOf(client, result.knowledge_base_id);
    assert.deepEqual([...texts.keys()].sort(), ["Grün", "Über uns"]);
  });

  test("IMP20 addresses may begin at the top of the vault, and a percent sign may stand for itself", async () => {
    const { client } = await world.person();
    const result = await imported(
      client,
      await zipOf({
        "Vault/.obsidian/app.json": "{}",
        "Vault/Home.md": "[a](/deep/Page.md) [b](deep/Page.md) [c](100%.md)\n",
        "Vault/deep/Page.md": "[home](Home.md) ![](files/a.png)\n",
        "Vault/100%.md": "x\n",
        "Vault/files/a.png": PNG,
      }),
    );
    assert.deepEqual([result.links_resolved, result.links_unresolved, result.attachments], [4, 0, 1], result.warnings);
  });

  test("IMP20 files that no page takes along are named, and texts that are not UTF-8 are read", async () => {
    const { client } = await world.person();
    const result = await imported(
      client,
      await zipOf({
        "A.md": "[used](used.csv)\n",
        "Latin.md": Buffer.from("caf\xe9\n", "latin1"),
        "Wide.md": Buffer.from("\ufeffcafé\n", "utf16le"),
        "used.csv": "a\n",
        "lost.csv": "b\n",
        "board.canvas": "{}",
      }),
    );
    assert.equal(result.status, "succeeded", JSON.stringify(result.error));
    assert.deepEqual(result.warnings, [
      "Files that no page shows or links to are left out (2): lost.csv, board.canvas",
      "Latin.md: it is not UTF-8, and was read as Windows-1252.",
    ]);
    const texts = await textsOf(client, result.knowledge_base_id);
    assert.deepEqual([texts.get("Latin"), texts.get("Wide")], ["café\n", "café\n"]);
  });

  test("IMP20 a page that no document can be made of is named", async () => {
    const { client } = await world.person();
    const { status, error } = await imported(
      client,
      await zipOf({ "A.md": "x\n", "in/Long.md": "long ".repeat(500_000) }),
    );
    assert.deepEqual([status, error.code], ["failed", "document_too_large"]);
    assert.match(error.message, /^in\/Long\.md: The text has \d+ characters/);
  });

  test("BODY31 callouts of Obsidian with titles, folds and its own kinds are callouts, and read as they were written", async () => {
    const { client } = await world.person();
    const text = "> [!danger] Very *hot*\n> Do not touch [[B]].\n\n> [!tip]- Later\n> Hidden.\n";
    const result = await imported(client, await zipOf({ "A.md": text, "B.md": "x\n" }));
    const texts = await textsOf(client, result.knowledge_base_id);
    assert.equal(texts.get("A"), text);
    const { data } = await client.get(`/documents?knowledge_base_id=${result.knowledge_base_id}&q=A`);
    const { document } = (await client.get(`/documents/${data[0].id}/content`)).data;
    const [callout, details] = document.content;
    assert.deepEqual([callout.type, callout.attrs.kind, callout.content.length], ["callout", "caution", 2]);
    assert.deepEqual(callout.content[0].content[0].marks, [{ type: "bold" }]);
    assert.equal(details.type, "details");
    assert.equal(details.content[0].content[0].text, "Later");
    assert.equal(details.content[1].content[0].attrs.kind, "tip");
  });

  test("IMP15 a page with pictures that have a size, and links with text in tables, reads as it was written", async () => {
    const { client } = await world.person();
    const text =
      "> [!note]- Folded\n> text\n\n![[a.png|100x50]]\n\n* item\n\n|a|b|\n|-|-|\n|[[B\\|text]]|![[a.png\\|20]]|\n";
    const result = await imported(client, await zipOf({ "A.md": text, "B.md": "x\n", "a.png": PNG }));
    const texts = await textsOf(client, result.knowledge_base_id);
    assert.equal(texts.get("A"), text);
  });
});
