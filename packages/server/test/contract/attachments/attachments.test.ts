import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { request } from "node:http";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { defined } from "@svc/document/defined";
import { filesOf, png, sha256, usedBytes } from "../../support/attachments.ts";
import { assertError, assertStatus } from "../../support/client.ts";
import { makeDocument, upload, uploadForm } from "../../support/fixtures.ts";
import { onEachDatabase, type World } from "../../support/world.ts";

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
      markdown: `![a picture.txt](/api/v1/attachments/${id})`,
      width: 37,
      height: 21,
      text_status: "none",
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
      for (const [name, value] of Object.entries(fields))
        if (typeof value === "string") made.append(name, value);
        else made.append(name, value);
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
      const refused = defined(replies.find((reply) => reply.status === 422));
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
      for (let tries = 0; filesOf(world).length !== before && tries < 6000; tries++) await sleep(20);
      assert.equal(filesOf(world).length, before);
      assert.deepEqual((await client.get(`/documents/${documentId}/attachments`)).data, []);
      assert.equal(await usedBytes(client), 0);
    });
  },
  { SVC_MAX_ATTACHMENT_BYTES: "100000", SVC_MAX_STORAGE_BYTES: "300000" },
);
