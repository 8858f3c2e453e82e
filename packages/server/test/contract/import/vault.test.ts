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

  test("IMP2 a first heading gives the title without its pictures, and none when it holds badges alone", async () => {
    const { client } = await world.person();
    const badge = "[![Build](https://ci.example/badge.svg)](https://ci.example)";
    const result = await imported(
      client,
      await zipOf({
        "badges.md": `# ${badge} ${badge}\n\nText.\n`,
        "named.md": `# Parser ${badge}\n\nText.\n`,
      }),
    );
    assert.equal(result.status, "succeeded", JSON.stringify(result.error));
    const texts = await textsOf(client, result.knowledge_base_id);
    assert.deepEqual([...texts.keys()].sort(), ["Parser", "badges"]);
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

  const titlesOf = async (client: Client, id: number): Promise<Record<string, string | null>> => {
    const { data } = await client.get(`/documents?knowledge_base_id=${id}`);
    return Object.fromEntries(data.map((document: Loose) => [document.title, document.file_name]));
  };

  test("IMP2 a page whose name is dots alone is taken, and hidden ones are named", async () => {
    const { client } = await world.person();
    const files = { "common/..md": "# .\n", "common/a.md": "# a\n", "common/.b.md": "x\n" };
    const result = await imported(client, await zipOf(files));
    assert.deepEqual(await titlesOf(client, result.knowledge_base_id), { ".": null, a: null });
    assert.deepEqual(result.warnings, ["common/.b.md: left out, as its name begins with a dot."]);
  });

  test("IMP22 in a vault a page is called as its file; elsewhere its file's name is kept beside the title", async () => {
    const { client } = await world.person();
    const pages = { "Home.md": "# Welcome\n\nSee [[v1.1]].\n", "v1.1.md": "# Part 2\n" };
    const vault = await imported(client, await zipOf(pages));
    assert.equal(vault.format, "obsidian");
    assert.deepEqual(await titlesOf(client, vault.knowledge_base_id), { Home: null, "v1.1": null });
    const linked = { ...pages, "Home.md": "# Welcome\n\nSee [it](v1.1.md).\n" };
    const folder = await imported(client, await zipOf(linked));
    assert.equal(folder.format, "markdown");
    assert.deepEqual(await titlesOf(client, folder.knowledge_base_id), { Welcome: "Home", "Part 2": "v1.1" });
    const marked = await imported(client, await zipOf({ ...linked, ".obsidian/app.json": "{}" }));
    assert.equal(marked.format, "obsidian");
    assert.deepEqual(await titlesOf(client, marked.knowledge_base_id), { Home: null, "v1.1": null });
  });

  test("IMP23 pictures and links in HTML are taken along, and blank lines at the start stay", async () => {
    const { client } = await world.person();
    const text = '\n\n_y_\n\n<img src="img/a.png" class="c" alt="x" />\n\n<a name="n" href="B.md">b</a>\n';
    const result = await imported(
      client,
      await zipOf({ "A.md": text, "B.md": "---\nk: v\n---\n\nx\n", "img/a.png": PNG }),
    );
    assert.deepEqual([result.attachments, result.warnings], [1, []]);
    const texts = await textsOf(client, result.knowledge_base_id);
    assert.match(
      texts.get("A") ?? "",
      /^\n\n_y_\n\n<img src="\/api\/v1\/attachments\/att_\w+" class="c" alt="x" \/>\n/,
    );
    assert.equal(texts.get("B"), "\nx\n");
    const { data } = await client.get(`/documents?knowledge_base_id=${result.knowledge_base_id}&q=A`);
    const reply = await client.get(`/documents/${data[0].id}/content?format=markdown&front_matter=true`, {
      headers: { accept: "application/json" },
    });
    const [[there, said]] = Object.entries(reply.data.file_addresses) as [[string, string]];
    assert.match(there, /^\/api\/v1\/attachments\/att_/);
    assert.equal(said, "img/a.png");
  });

  test("IMP24 links of a book to the HTML of its pages lead to the pages, and links that lead nowhere are counted by target", async () => {
    const { client } = await world.person();
    const result = await imported(
      client,
      await zipOf({
        "SUMMARY.md": "[One](one.md) [Two](sub/README.md)\n",
        "one.md": "# One\n\n[s](sub/index.html#a-b) [lost](gone.html) [lost](gone.html)\n",
        "sub/README.md": "# Two\n\n## A b\n\n[one](../one.html) [lost](../gone.html)\n",
      }),
    );
    assert.equal(result.format, "mdbook");
    assert.deepEqual([result.links_resolved, result.links_unresolved], [4, 3]);
    assert.deepEqual(result.warnings, [
      "one.md: 2 links to gone.html lead nowhere, there is no such file.",
      "sub/README.md: the link to ../gone.html leads nowhere, there is no such file.",
    ]);
  });

  test("IMP25 pages of Logseq are found by namespace, alias and day, and their texts stay", async () => {
    const { client } = await world.person();
    const files = {
      "logseq/config.edn": "{}",
      "pages/Whiteboard___Object.md": "alias:: Thing\ntype:: Feature\n\n- text {{embed [[Tool]]}}\n",
      "pages/Tool.md": "- [[Whiteboard/Object]] [[Thing]] [[May 25th, 2021]]\n",
      "journals/2021_05_25.md": "- today\n",
    };
    const result = await imported(client, await zipOf(files));
    assert.equal(result.format, "logseq");
    assert.deepEqual([result.links_resolved, result.links_unresolved], [4, 0], result.warnings);
    assert.deepEqual(await titlesOf(client, result.knowledge_base_id), {
      "2021_05_25": null,
      Tool: null,
      "Whiteboard/Object": "Whiteboard___Object",
    });
    const texts = await textsOf(client, result.knowledge_base_id);
    assert.equal(texts.get("Tool"), files["pages/Tool.md"]);
    assert.equal(texts.get("Whiteboard/Object"), files["pages/Whiteboard___Object.md"]);
  });
});
