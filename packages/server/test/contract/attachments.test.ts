import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync, readlinkSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { removeExpiredFiles, removeStrayFiles } from "@svc/server/resources/attachments/remove-files";
import { assertError, assertStatus, type Client, type Loose } from "../support/client.ts";
import { makeDocument, upload, uploadForm } from "../support/fixtures.ts";
import { onEachDatabase, type World } from "../support/world.ts";

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAACUAAAAVCAIAAABOhrD5AAAAJElEQVR4nGP8z0BXwERf60btG7Vv1L5R+0btG7Vv1L5R+ygGAPB4ASnITTvDAAAAAElFTkSuQmCC",
  "base64",
);
const sha256 = (content: string | Uint8Array) => createHash("sha256").update(content).digest("hex");

/** Files of attachments that lie in the world's data directory, finished or not. */
function filesOf(world: World): string[] {
  const folder = join(world.app.services.config.dataDir, "attachments");
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name);
}

const usedBytes = async (client: Client) => (await client.get("/me/quota")).data.attachments.used_bytes as number;
const download = (world: World, token: string, path: string, headers: Record<string, string> = {}, method = "GET") =>
  fetch(`${world.url}/api/v1${path}`, { method, headers: { authorization: `Bearer ${token}`, ...headers } });

const imageBody = (...ids: string[]) => ({
  format: "tiptap-json",
  document: { type: "doc", content: ids.map((id) => ({ type: "image", attrs: { attachmentId: id } })) },
});

const show = async (client: Client, documentId: string, ...ids: string[]) =>
  assertStatus(await client.put(`/documents/${documentId}/content`, imageBody(...ids), { ifMatch: "*" }), 200);

/** How often this process, which is the server too, holds the file of an attachment open. */
const openFiles = (id: string): number =>
  readdirSync("/proc/self/fd").filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).endsWith(id);
    } catch {
      return false;
    }
  }).length;

onEachDatabase("attachments", (world) => {
  test("ATT1 an upload answers what the file is, by its content; the metadata say the same", async () => {
    const { client, userId } = await world.person();
    const { id: documentId } = await makeDocument(client);
    const form = uploadForm(documentId, png, "a picture.txt");
    const { data } = assertStatus(await client.post("/attachments", form), 201);
    const { id, created_at, ...rest } = data;
    assert.match(id, /^att_[0-9A-HJKMNP-TV-Z]{26}$/);
    assert.deepEqual(rest, {
      document_id: documentId,
      file_name: "a picture.txt",
      content_type: "image/png",
      size: png.length,
      sha256: sha256(png),
      url: `/api/v1/attachments/${id}`,
      width: 37,
      height: 21,
      reference_count: 0,
      created_by: userId,
    });
    assert.ok(Math.abs(created_at - Date.now()) < 60_000);
    assert.deepEqual((await client.get(`/attachments/${id}/metadata`)).data, data);
    assert.deepEqual((await client.get(`/documents/${documentId}/attachments`)).data, [data]);
    assert.equal(await usedBytes(client), png.length);
  });

  test("ATT1 parts may come in any order, and names in any script", async () => {
    const { client } = await world.person();
    const { id: documentId } = await makeDocument(client);
    const form = new FormData();
    form.set("file", new Blob(["x"]), "Übersicht – 概要 🙂.md");
    form.set("document_id", documentId);
    const { data } = assertStatus(await client.post("/attachments", form), 201);
    assert.equal(data.file_name, "Übersicht – 概要 🙂.md");
    assert.equal(data.content_type, "application/octet-stream");
    assert.deepEqual([data.width, data.height], [null, null]);
  });

  test("ATT2 a download has the bytes, an ETag, a length and headers that keep it harmless", async () => {
    const { client, token } = await world.person();
    const { id: documentId } = await makeDocument(client);
    const html = "<script>alert(1)</script>";
    const page = await upload(client, documentId, html, 'e"vil\\é.html');
    const reply = await download(world, token, `/attachments/${page.id}`);
    assert.equal(await reply.text(), html);
    assert.equal(reply.headers.get("content-type"), "application/octet-stream");
    assert.equal(reply.headers.get("x-content-type-options"), "nosniff");
    assert.match(reply.headers.get("content-security-policy")!, /default-src 'none'.*sandbox/);
    assert.equal(reply.headers.get("etag"), `"${sha256(html)}"`);
    assert.equal(reply.headers.get("content-length"), String(html.length));
    assert.equal(
      reply.headers.get("content-disposition"),
      `attachment; filename="${"é.html".normalize("NFKD").replace("\u0301", "")}"; filename*=UTF-8''%C3%A9.html`,
    );
    const picture = await upload(client, documentId, png, "p.png");
    const shown = await download(world, token, `/attachments/${picture.id}`);
    assert.match(shown.headers.get("content-disposition")!, /^inline; /);
    assert.deepEqual(Buffer.from(await shown.arrayBuffer()), png);
    const svg = await upload(client, documentId, '<svg xmlns="http://www.w3.org/2000/svg"/>', "p.svg");
    const saved = await download(world, token, `/attachments/${svg.id}`);
    assert.match(saved.headers.get("content-disposition")!, /^attachment; /);
    await saved.arrayBuffer();
  });

  test("ATT2 whoever leaves in the middle of a download leaves no file open", async () => {
    const { client, token } = await world.person();
    const { id } = await upload(client, (await makeDocument(client)).id, randomBytes(20_000_000));
    // Two requests at once: the second answer has no connection of its own yet when the reader goes.
    const { hostname, port } = new URL(world.directUrl);
    const reader = connect(Number(port), hostname).on("error", () => undefined);
    reader.write(
      `GET /api/v1/attachments/${id} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n\r\n`.repeat(2),
    );
    reader.once("data", () => reader.pause());
    for (let tries = 0; openFiles(id) < 2 && tries < 500; tries++) await sleep(10);
    assert.equal(openFiles(id), 2);
    reader.destroy();
    for (let tries = 0; openFiles(id) > 0 && tries < 500; tries++) await sleep(10);
    assert.equal(openFiles(id), 0);
  });

  test("ATT3 If-None-Match is 304, HEAD has the headers alone", async () => {
    const { client, token } = await world.person();
    const { id } = await upload(client, (await makeDocument(client)).id, "0123456789");
    const etag = `"${sha256("0123456789")}"`;
    const same = await download(world, token, `/attachments/${id}`, { "if-none-match": etag });
    assert.deepEqual([same.status, await same.text()], [304, ""]);
    const head = await download(world, token, `/attachments/${id}`, {}, "HEAD");
    assert.deepEqual([head.status, head.headers.get("content-length"), await head.text()], [200, "10", ""]);
  });

  test("ATT4 one range is 206, several or odd ones are answered whole, one outside is 416", async () => {
    const { client, token } = await world.person();
    const { id } = await upload(client, (await makeDocument(client)).id, "0123456789");
    const part = async (range: string, more: Record<string, string> = {}) => {
      const reply = await download(world, token, `/attachments/${id}`, { range, ...more });
      return [reply.status, await reply.text(), reply.headers.get("content-range")];
    };
    assert.deepEqual(await part("bytes=2-4"), [206, "234", "bytes 2-4/10"]);
    assert.deepEqual(await part("bytes=7-"), [206, "789", "bytes 7-9/10"]);
    assert.deepEqual(await part("bytes=-3"), [206, "789", "bytes 7-9/10"]);
    assert.deepEqual(await part("bytes=0-999"), [206, "0123456789", "bytes 0-9/10"]);
    for (const range of ["bytes=0-1,3-4", "bytes=5-2", "lines=1-2", "bytes=-", "nonsense"])
      assert.deepEqual(await part(range), [200, "0123456789", null], range);
    const outside = await client.get(`/attachments/${id}`, { headers: { range: "bytes=10-" } });
    assertError(outside, "range_not_satisfiable");
    assert.equal(outside.headers.get("content-range"), "bytes */10");
    assert.deepEqual(await part("bytes=2-4", { "if-range": '"other"' }), [200, "0123456789", null]);
    assert.deepEqual(await part("bytes=2-4", { "if-range": `"${sha256("0123456789")}"` }), [
      206,
      "234",
      "bytes 2-4/10",
    ]);
  });

  test("ATT4 an empty file can be uploaded and downloaded", async () => {
    const { client, token } = await world.person();
    const { id, size } = await upload(client, (await makeDocument(client)).id, "");
    assert.equal(size, 0);
    const reply = await download(world, token, `/attachments/${id}`);
    assert.deepEqual([reply.status, await reply.text()], [200, ""]);
  });

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

  test("ATT9 a repeated upload with the same key is one attachment and one file", async () => {
    const { client } = await world.person();
    const { id: documentId } = await makeDocument(client);
    const first = await client.post("/attachments", uploadForm(documentId, "same"), { key: "k1" });
    const before = filesOf(world).length;
    const again = await client.post("/attachments", uploadForm(documentId, "same"), { key: "k1" });
    assert.equal(again.headers.get("idempotency-replayed"), "true");
    assert.equal(again.text, first.text);
    assert.equal(filesOf(world).length, before);
    const other = await client.post("/attachments", uploadForm(documentId, "other"), { key: "k1" });
    assertError(other, "idempotency_conflict");
    assert.equal(filesOf(world).length, before);
    assert.equal(await usedBytes(client), 4);
  });

  test("ATT10 what cannot be is refused, and leaves nothing", async () => {
    const { client } = await world.person();
    const { id: documentId } = await makeDocument(client);
    const before = filesOf(world).length;
    const form = (fields: Record<string, string | Blob>) => {
      const made = new FormData();
      for (const [name, value] of Object.entries(fields)) made.append(name, value as Blob);
      return made;
    };
    const file = new Blob(["x"]);
    const wrong: [FormData, string][] = [
      [form({ file }), "body.document_id"],
      [form({ document_id: documentId }), "body.file"],
      [form({ document_id: documentId, file: "not a file" }), "body.file"],
      [form({ file, document_id: documentId, extra: "1" }), "body.extra"],
      [form({ file, document_id: documentId, __proto: "1" }), "body.__proto"],
    ];
    for (const [body, path] of wrong)
      assert.equal(assertError(await client.post("/attachments", body), "invalid_request").issues[0].path, path);
    const two = uploadForm(documentId);
    two.append("file", file, "second.txt");
    assertError(await client.post("/attachments", two), "invalid_request");
    const twice = uploadForm(documentId);
    twice.append("document_id", documentId);
    assertError(await client.post("/attachments", twice), "invalid_request");
    const unknown = new FormData();
    unknown.set("file", file, "x.txt");
    unknown.set("document_id", "doc_01K9ZQ4T6N4Y3V7J8W2M5R1XCJ");
    assertError(await client.post("/attachments", unknown), "not_found");
    const stranger = await world.person();
    assertError(await stranger.client.post("/attachments", uploadForm(documentId)), "not_found");
    const details = assertError(
      await client.post("/attachments", { document_id: documentId }),
      "unsupported_media_type",
    );
    assert.match(details.hint, /multipart\/form-data/);
    assertError(await client.post("/attachments"), "unsupported_media_type");
    assert.equal(filesOf(world).length, before);
    assert.equal(await usedBytes(client), 0);
  });

  test("ATT10 JSON routes take no multipart", async () => {
    const { client } = await world.person();
    assertError(await client.post("/knowledge-bases", uploadForm("x")), "unsupported_media_type");
  });
});

async function* pieces(texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

onEachDatabase(
  "attachment limits",
  (world) => {
    test("ATT11 one file may not be larger than the limit, sent with or without its length", async () => {
      const { client, token } = await world.person();
      const { id: documentId } = await makeDocument(client);
      const before = filesOf(world).length;
      await upload(client, documentId, randomBytes(100_000));
      const large = assertError(
        await client.post("/attachments", uploadForm(documentId, randomBytes(100_001))),
        "payload_too_large",
      );
      assert.equal(large.limit, 100_000);
      assertError(
        await client.post("/attachments", uploadForm(documentId, randomBytes(5_000_000))),
        "payload_too_large",
      );
      assert.equal(await sendSlowly(world, token, multipartHead(documentId), 400, randomBytes(50_000)), 413);
      assert.equal(filesOf(world).length, before + 1);
      assert.equal(await usedBytes(client), 100_000);
    });

    test("ATT11 all files together may not be larger than the quota, also when they come at once", async () => {
      const { client } = await world.person();
      const { id: documentId } = await makeDocument(client);
      const before = filesOf(world).length;
      const replies = await Promise.all(
        Array.from({ length: 8 }, () => client.post("/attachments", uploadForm(documentId, randomBytes(90_000)))),
      );
      const statuses = replies.map((reply) => reply.status).sort();
      assert.deepEqual(statuses, [201, 201, 201, 422, 422, 422, 422, 422]);
      const refused = replies.find((reply) => reply.status === 422)!;
      assert.equal(assertError(refused, "quota_exceeded").quota, "attachment_bytes");
      assert.equal(await usedBytes(client), 270_000);
      assert.equal(filesOf(world).length, before + 3);
      assertError(await client.post("/attachments", uploadForm(documentId, randomBytes(40_000))), "quota_exceeded");
      await upload(client, documentId, randomBytes(30_000));
    });

    test("ATT12 an upload that breaks off leaves no file, no row, no quota", async () => {
      const { client, token } = await world.person();
      const { id: documentId } = await makeDocument(client);
      const before = filesOf(world).length;
      for (const pieces of [0, 1, 3]) await breakOff(world, token, multipartHead(documentId), pieces);
      for (let tries = 0; filesOf(world).length !== before && tries < 1500; tries++) await sleep(20);
      assert.equal(filesOf(world).length, before);
      assert.deepEqual((await client.get(`/documents/${documentId}/attachments`)).data, []);
      assert.equal(await usedBytes(client), 0);
    });
  },
  { SVC_MAX_ATTACHMENT_BYTES: "100000", SVC_MAX_STORAGE_BYTES: "300000" },
);

const boundary = "----svc-test-boundary";
const multipartHead = (documentId: string) =>
  `--${boundary}\r\ncontent-disposition: form-data; name="document_id"\r\n\r\n${documentId}\r\n--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="big.bin"\r\n\r\n`;

const openUpload = (world: World, token: string) =>
  request(`${world.url}/api/v1/attachments`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": `multipart/form-data; boundary=${boundary}` },
  });

/** A chunked upload whose length nobody knows beforehand. Ends when the answer is there and all of it was taken. */
async function sendSlowly(world: World, token: string, head: string, count: number, piece: Buffer): Promise<number> {
  const sending = openUpload(world, token);
  const taken = once(sending, "finish", { signal: AbortSignal.timeout(20_000) });
  sending.write(head);
  for (let i = 0; i < count; i++) sending.write(piece);
  sending.end(`\r\n--${boundary}--\r\n`);
  const [[reply]] = await Promise.all([once(sending, "response"), taken]);
  reply.resume();
  return reply.statusCode;
}

/** Sends some of an upload, then drops the connection. */
async function breakOff(world: World, token: string, head: string, pieces: number): Promise<void> {
  const sending = openUpload(world, token);
  sending.on("error", () => undefined);
  sending.write(head);
  for (let i = 0; i < pieces; i++) sending.write(randomBytes(10_000));
  await sleep(100);
  sending.destroy();
  await sleep(50);
}
