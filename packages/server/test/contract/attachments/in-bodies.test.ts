import assert from "node:assert/strict";
import { test } from "node:test";
import { removeExpiredFiles, removeStrayFiles } from "@svc/server/domain/content/attachments/remove-files";
import { download, filesOf, png, usedBytes } from "../../support/attachments.ts";
import { assertError, assertStatus, type Client, type Loose } from "../../support/client.ts";
import { makeDocument, markdown, upload } from "../../support/fixtures.ts";
import { onEachDatabase } from "../../support/world.ts";

const imageBody = (...ids: string[]) => ({
  format: "tiptap-json",
  document: { type: "doc", content: ids.map((id) => ({ type: "image", attrs: { attachmentId: id } })) },
});

const show = async (client: Client, documentId: string, ...ids: string[]) =>
  assertStatus(await client.put(`/documents/${documentId}/content`, imageBody(...ids), { ifMatch: "*" }), 200);

async function* pieces(texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

onEachDatabase("attachments and the bodies that show them", (world) => {
  test("ATT5 a body may show its own document's attachments only", async () => {
    const { client } = await world.person();
    const own = await makeDocument(client);
    const other = await makeDocument(client);
    const { id } = await upload(client, other.id, png, "p.png");
    const put = await client.put(`/documents/${own.id}/content`, imageBody(id), { ifMatch: "*" });
    assert.equal(assertError(put, "attachment_not_found").attachment_id, id);
    const create = { title: "New", knowledge_base_id: own.knowledge_base_id, content: imageBody(id) };
    assertError(await client.post("/documents", create), "attachment_not_found");
    const line = [{ type: "paragraph", content: [{ type: "inlineImage", attrs: { attachmentId: id } }] }];
    assertError(
      await client.post(`/documents/${own.id}/blocks`, { nodes: line, position: { document_end: true } }),
      "attachment_not_found",
    );
    const nested = { format: "markdown", content: `> ![x](/api/v1/attachments/${id})\n` };
    assertError(await client.put(`/documents/${own.id}/content`, nested, { ifMatch: "*" }), "attachment_not_found");
    const stranger = await world.person();
    const foreign = await makeDocument(stranger.client);
    assertError(
      await stranger.client.put(`/documents/${foreign.id}/content`, imageBody(id), { ifMatch: "*" }),
      "attachment_not_found",
    );
  });

  test("ATT5 the server sets src, and counts the nodes of the current body", async () => {
    const { client } = await world.person();
    const { id: documentId } = await makeDocument(client);
    const { id, url } = await upload(client, documentId, png, "p.png");
    await show(client, documentId, id, id);
    const { document } = (await client.get(`/documents/${documentId}/content`)).data;
    assert.equal(document.content[0].attrs.src, url);
    const count = async () => (await client.get(`/attachments/${id}/metadata`)).data.reference_count;
    assert.equal(await count(), 2);
    await show(client, documentId, id);
    assert.equal(await count(), 1);
    const [before] = (await client.get(`/documents/${documentId}/versions`)).data;
    await client.post(`/documents/${documentId}/versions/${before.seq}/rollback`, undefined, { ifMatch: "*" });
    assert.equal(await count(), 2);
  });

  test("ATT6 deleting one that is shown is refused with the places, and by force takes the nodes out", async () => {
    const { client } = await world.person();
    const { id: documentId } = await makeDocument(client);
    const { id } = await upload(client, documentId, png, "p.png");
    const text = (value: string) => ({ type: "text", text: value });
    const node = (type: string, content: Loose[], attrs = {}) => ({ type, attrs, content });
    const image = { type: "image", attrs: { attachmentId: id } };
    const line = node("paragraph", [text("a"), { type: "inlineImage", attrs: { attachmentId: id } }, text("b")]);
    const table = node("table", [
      node("tableRow", [node("tableCell", [image]), node("tableCell", [node("paragraph", [text("c")])])]),
    ]);
    const content = [
      image,
      line,
      node("blockquote", [image]),
      table,
      { type: "attachment", attrs: { attachmentId: id } },
    ];
    const body = { format: "tiptap-json", document: { type: "doc", content } };
    assertStatus(await client.put(`/documents/${documentId}/content`, body, { ifMatch: "*" }), 200);
    const refused = assertError(await client.delete(`/attachments/${id}`), "attachment_referenced");
    assert.deepEqual(
      refused.references.map((reference: Loose) => [reference.document_id, reference.node_type]),
      ["image", "inlineImage", "image", "image", "attachment"].map((type) => [documentId, type]),
    );
    const stored = (await client.get(`/documents/${documentId}/content`)).data.document.content;
    assert.equal(refused.references[1].block_id, stored[1].attrs.id);
    assert.deepEqual((await client.delete(`/attachments/${id}?force=true`)).data, { id, deleted: true });
    const types = (await client.get(`/documents/${documentId}/content`)).data.document.content.map(
      (n: Loose) => n.type,
    );
    assert.deepEqual(types, ["paragraph", "table"]);
    assert.equal((await client.get(`/documents/${documentId}/blocks`)).data[0].text, "ab");
    const [version] = (await client.get(`/documents/${documentId}/versions`)).data;
    assert.equal(version.reason, "attachment");
    for (const path of [`/attachments/${id}`, `/attachments/${id}/metadata`])
      assertError(await client.get(path), "not_found");
    assertError(await client.delete(`/attachments/${id}`), "not_found");
    assert.equal(await usedBytes(client), 0);
    const back = await client.post(`/documents/${documentId}/versions/${version.seq}/rollback`, undefined, {
      ifMatch: "*",
    });
    assert.deepEqual(assertError(back, "attachment_not_found").attachment_ids, [id]);
  });

  test("ATT15 a deleted file comes back, with the nodes that force took out unless the body changed since", async () => {
    const { client, token } = await world.person();
    const { id: documentId } = await makeDocument(client);
    const { id } = await upload(client, documentId, png, "p.png");
    await show(client, documentId, id);
    const before = (await client.get(`/documents/${documentId}`)).data.version;
    const restore = () => client.post(`/attachments/${id}/restore`);
    assertError(await restore(), "not_found");
    assertStatus(await client.delete(`/attachments/${id}?force=true`), 200);
    await removeExpiredFiles(world.app.services, Date.now(), 1000);
    assert.equal(assertStatus(await restore(), 200).data.reference_count, 1);
    assert.equal((await client.get(`/documents/${documentId}`)).data.version, before);
    assert.equal(await usedBytes(client), png.length);
    const reply = await download(world, token, `/attachments/${id}`);
    assert.deepEqual(Buffer.from(await reply.arrayBuffer()), png);
    assertError(await restore(), "not_found");
    await client.delete(`/attachments/${id}?force=true`);
    const [{ seq }] = (await client.get(`/documents/${documentId}/versions`)).data;
    await client.put(`/documents/${documentId}/content`, markdown("Other.\n"), { ifMatch: "*" });
    assert.equal(assertStatus(await restore(), 200).data.reference_count, 0);
    assert.equal((await client.get(`/documents/${documentId}/blocks`)).data[0].text, "Other.");
    const back = await client.post(`/documents/${documentId}/versions/${seq}/rollback`, undefined, { ifMatch: "*" });
    assertStatus(back, 200);
  });

  test("ATT15 one that was deleted by itself stays so while its document goes and comes back, and ends with the retention", async () => {
    const { client } = await world.person();
    const { id: documentId } = await makeDocument(client);
    const { id } = await upload(client, documentId, "text", "t.txt");
    await client.delete(`/attachments/${id}`);
    await client.delete(`/documents/${documentId}`);
    assertError(await client.post(`/attachments/${id}/restore`), "not_found");
    const [entry] = (await client.get("/trash")).data;
    assertStatus(await client.post(`/trash/${entry.id}/restore`), 200);
    assertError(await client.get(`/attachments/${id}/metadata`), "not_found");
    assertStatus(await client.post(`/attachments/${id}/restore`), 200);
    await client.delete(`/attachments/${id}`);
    const later = Date.now() + 31 * 24 * 60 * 60 * 1000;
    while (await removeExpiredFiles(world.app.services, later, 1000));
    assertError(await client.post(`/attachments/${id}/restore`), "not_found");
    assert.equal(filesOf(world).includes(id), false);
  });

  test("ATT7 attachments go and come back with their document", async () => {
    const { client, token } = await world.person();
    const document = await makeDocument(client);
    const { id } = await upload(client, document.id, png, "p.png");
    const { id: deletedId } = await upload(client, document.id, "gone", "g.txt");
    await client.delete(`/attachments/${deletedId}`);
    await show(client, document.id, id);
    await client.delete(`/documents/${document.id}`);
    assertError(await client.get(`/attachments/${id}/metadata`), "not_found");
    assert.equal(await usedBytes(client), 0);
    await removeExpiredFiles(world.app.services, Date.now(), 1000);
    const [entry] = (await client.get("/trash")).data;
    assertStatus(await client.post(`/trash/${entry.id}/restore`), 200);
    assert.equal(await usedBytes(client), png.length);
    const reply = await download(world, token, `/attachments/${id}`);
    assert.deepEqual(Buffer.from(await reply.arrayBuffer()), png);
    assertError(await client.get(`/attachments/${deletedId}/metadata`), "not_found");
  });

  test("ATT7 files are removed when nothing can bring them back", async () => {
    const { client } = await world.person();
    const document = await makeDocument(client);
    const kept = await upload(client, document.id, "kept");
    const trashed = await upload(client, (await makeDocument(client)).id, "trashed");
    await client.delete(`/documents/${trashed.document_id}`);
    const doomed = await upload(client, (await makeDocument(client)).id, "doomed");
    const { knowledge_base_id } = (await client.get(`/documents/${doomed.document_id}`)).data;
    await client.delete(`/documents/${doomed.document_id}`);
    const { confirm_id } = (await client.get(`/knowledge-bases/${knowledge_base_id}`)).data;
    assertStatus(await client.delete(`/knowledge-bases/${knowledge_base_id}`, { confirm_id }), 200);
    while (await removeExpiredFiles(world.app.services, Date.now(), 1000));
    const has = (id: string) => filesOf(world).includes(id);
    assert.deepEqual([has(kept.id), has(trashed.id), has(doomed.id)], [true, true, false]);
    const later = Date.now() + 31 * 24 * 60 * 60 * 1000;
    while (await removeExpiredFiles(world.app.services, later, 1000));
    assert.deepEqual([has(kept.id), has(trashed.id)], [true, false]);
  });

  test("ATT8 a stray file is removed once it is old enough, a file of an attachment never", async () => {
    const { client, token } = await world.person();
    const { id } = await upload(client, (await makeDocument(client)).id, "mine");
    const { blobs } = world.app.services;
    const stray = pieces(["left by a crash"]);
    await blobs.put("files/AA/att_stray", stray, { maxBytes: 100 });
    assert.equal(await removeStrayFiles(world.app.services, new Date(Date.now() - 60_000)), 0);
    assert.ok(await blobs.head("files/AA/att_stray"));
    await removeStrayFiles(world.app.services, new Date(Date.now() + 60_000));
    assert.equal(await blobs.head("files/AA/att_stray"), undefined);
    assert.equal(await (await download(world, token, `/attachments/${id}`)).text(), "mine");
  });
});
