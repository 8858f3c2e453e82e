import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { test } from "node:test";
import { defined } from "@svc/document/defined";
import { exported, imported, unzipped } from "../../support/archives.ts";
import { assertError, assertStatus, type Client, type Loose } from "../../support/client.ts";
import { makeDocument, makeSuggestion, zipOf } from "../../support/fixtures.ts";
import { onEachDatabase } from "../../support/world.ts";

const paragraph = (text: string) => ({ type: "paragraph", content: [{ type: "text", text }] });
const accept = (client: Client, { id, version }: Loose, body?: Loose) =>
  client.post(`/suggestions/${id}/accept`, body, { ifMatch: version });
const blocksOf = async (client: Client, id: string): Promise<Loose[]> =>
  (await client.get(`/documents/${id}/blocks?recursive=true`)).data;
const versionOf = async (client: Client, id: string) => (await client.get(`/documents/${id}`)).data.version;

/** Nodes that only stand inside of others. */
const PARTS = [
  { type: "listItem", content: [paragraph("x")] },
  { type: "tableRow", content: [{ type: "tableCell", content: [paragraph("x")] }] },
  { type: "detailsContent", content: [paragraph("x")] },
  { type: "hardBreak" },
  { type: "text", text: "x" },
];

/** A document of three paragraphs, and a suggestion that changes the first two. */
async function proposed(client: Client) {
  const { id, knowledge_base_id } = await makeDocument(client, { text: "One\n\nTwo\n\nThree\n" });
  const [one, two] = (await blocksOf(client, id)).map((block) => block.id);
  const operations = [
    { op: "replace", block_id: one, node: paragraph("Uno") },
    { op: "replace", block_id: two, node: paragraph("Dos") },
  ];
  return { id, knowledge_base_id, one, two, suggestion: await makeSuggestion(client, { document_id: id, operations }) };
}

/** The archive with what a suggestion proposes for its first change. */
async function withAfter(archive: Buffer, after: Loose): Promise<Buffer> {
  const files = unzipped(archive);
  const path = defined([...files.keys()].find((file) => file.startsWith("discussions/")));
  const discussion: Loose = JSON.parse(defined(files.get(path)).toString());
  Object.assign(discussion.suggestions[0].changes[0], { after });
  const text = JSON.stringify(discussion);
  const manifest: Loose = JSON.parse(defined(files.get("manifest.json")).toString());
  manifest.checksums[path] = hash("sha256", text);
  return zipOf({ ...Object.fromEntries(files), [path]: text, "manifest.json": JSON.stringify(manifest) });
}

onEachDatabase("accepting suggestions", (world) => {
  test("SUG18 one's own wording must fit at the top level; a refused one changes nothing", async () => {
    const { client } = await world.person();
    const { id, suggestion } = await proposed(client);
    const version = await versionOf(client, id);
    const change_id = suggestion.changes[0].id;
    for (const node of PARTS) {
      const reply = await accept(client, suggestion, { edits: [{ change_id, node }] });
      assert.equal(assertError(reply, "invalid_document").path, "edits[0].node", node.type);
    }
    assertError(await accept(client, suggestion, { edits: [{ change_id, markdown: " " }] }), "invalid_document");
    assert.equal(await versionOf(client, id), version);
    assert.deepEqual((await client.get(`/suggestions/${suggestion.id}`)).data, suggestion);
  });

  test("SUG18 a spreadsheet takes tables alone", async () => {
    const { client } = await world.person();
    const { id } = await makeDocument(client, { document_type: "spreadsheet", text: "| a |\n| --- |\n| 1 |\n" });
    const operations = [{ op: "edit_markdown", old: "| 1 |", new: "| 2 |" }];
    const suggestion = await makeSuggestion(client, { document_id: id, operations });
    const change_id = suggestion.changes[0].id;
    const send = (markdown: string) => accept(client, suggestion, { edits: [{ change_id, markdown }] });
    assert.equal(assertError(await send("A text."), "invalid_document").path, "edits[0].markdown[0]");
    assertError(await send("| a |\n| --- |\n| 3 |\n\nA text."), "invalid_document");
    assertStatus(await send("| a |\n| --- |\n| 3 |"), 200);
    const [sheet] = (await client.get(`/documents/${id}/spreadsheet`)).data.sheets;
    assert.deepEqual(sheet.values, [["a"], ["3"]]);
  });

  test("SUG18 nested blocks of a wording get ids, or keep those of the block that they replace", async () => {
    const { client } = await world.person();
    const { id, one, two, suggestion } = await proposed(client);
    const item = (attrs: Loose) => ({ type: "listItem", attrs, content: [paragraph("x")] });
    const list = (attrs: Loose) => ({ type: "bulletList", content: [item(attrs)] });
    const [first, second] = suggestion.changes.map((change: Loose) => change.id);
    const taken = { change_ids: [first], edits: [{ change_id: first, node: list({ id: two }) }] };
    assertError(await accept(client, suggestion, taken), "duplicate_block_id");
    const edits = [{ change_id: first, node: list({}) }];
    const half = assertStatus(await accept(client, suggestion, { change_ids: [first], edits }), 200).data;
    const blocks = await blocksOf(client, id);
    assert.equal(new Set(blocks.map((block) => block.id)).size, 5);
    for (const block of blocks) assert.match(block.id, /^block_/);
    const again = await makeSuggestion(client, {
      document_id: id,
      operations: [{ op: "replace", block_id: one, node: paragraph("Uno") }],
    });
    const kept = { edits: [{ change_id: "chg_1", node: list({ id: defined(blocks[1]).id }) }] };
    assertStatus(await accept(client, again, kept), 200);
    assert.equal((await blocksOf(client, id))[1]?.id, blocks[1]?.id);
    assert.equal(assertStatus(await accept(client, half, { change_ids: [second] }), 200).data.status, "accepted");
  });

  test("SUG18 what an archive proposes is accepted only where it fits", async () => {
    const ada = await world.person();
    const { knowledge_base_id, two } = await proposed(ada.client);
    const archive = await exported(world, ada, knowledge_base_id);
    const bob = await world.person();
    const tried = async (after: Loose) => {
      const job = await imported(bob.client, await withAfter(archive, after));
      assert.equal(job.status, "succeeded", JSON.stringify(job.error));
      const [document] = (await bob.client.get(`/documents?knowledge_base_id=${job.knowledge_base_id}`)).data;
      const [suggestion] = (await bob.client.get(`/documents/${document.id}/suggestions`)).data;
      const only = { change_ids: [suggestion.changes[0].id] };
      return { id: document.id, reply: await accept(bob.client, suggestion, only) };
    };
    for (const part of PARTS.slice(0, 4)) assertError((await tried(part)).reply, "invalid_document");
    assertError((await tried({ ...paragraph("x"), attrs: { id: two } })).reply, "duplicate_block_id");
    const { id, reply } = await tried({ type: "blockquote", content: [paragraph("x")] });
    assertStatus(reply, 200);
    for (const block of await blocksOf(bob.client, id)) assert.match(block.id, /^block_/);
  });

  test("SUG6 a change is worded once; without change_ids the others are accepted too", async () => {
    const { client } = await world.person();
    const { id, suggestion } = await proposed(client);
    const [first] = suggestion.changes.map((change: Loose) => change.id);
    const edit = (markdown: string) => ({ change_id: first, markdown });
    const twice = await accept(client, suggestion, { edits: [edit("Ein"), edit("Eins")] });
    assert.equal(assertError(twice, "invalid_request").issues[0].path, "body.edits[1].change_id");
    assert.equal(
      assertStatus(await accept(client, suggestion, { edits: [edit("Eins")] }), 200).data.status,
      "accepted",
    );
    const texts = (await blocksOf(client, id)).map(({ text }) => text);
    assert.deepEqual(texts, ["Eins", "Dos", "Three"]);
  });
});
