import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readdirSync, readlinkSync } from "node:fs";
import { connect } from "node:net";
import { test } from "node:test";
import { defined } from "@svc/document/defined";
import { download, png, sha256 } from "../../support/attachments.ts";
import { assertError } from "../../support/client.ts";
import { makeDocument, upload } from "../../support/fixtures.ts";
import { signIn } from "../../support/live-editor.ts";
import { until } from "../../support/until.ts";
import { onEachDatabase } from "../../support/world.ts";

/** How often this process, which is the server too, holds the file of an attachment open. */
const openFiles = (id: string): number =>
  readdirSync("/proc/self/fd").filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).endsWith(id);
    } catch {
      return false;
    }
  }).length;

onEachDatabase("downloads of attachments", (world) => {
  test("ATT2 a download has the bytes, an ETag, a length and headers that keep it harmless", async () => {
    const { client, token } = await world.person();
    const { id: documentId } = await makeDocument(client);
    const html = "<script>alert(1)</script>";
    const page = await upload(client, documentId, html, 'e"vil\\é.html');
    const reply = await download(world, token, `/attachments/${page.id}`);
    assert.equal(await reply.text(), html);
    assert.equal(reply.headers.get("content-type"), "application/octet-stream");
    assert.equal(reply.headers.get("x-content-type-options"), "nosniff");
    assert.match(defined(reply.headers.get("content-security-policy")), /default-src 'none'.*sandbox/);
    assert.equal(reply.headers.get("etag"), `"${sha256(html)}"`);
    assert.equal(reply.headers.get("content-length"), String(html.length));
    assert.equal(
      reply.headers.get("content-disposition"),
      `attachment; filename="${"é.html".normalize("NFKD").replace("\u0301", "")}"; filename*=UTF-8''%C3%A9.html`,
    );
    const picture = await upload(client, documentId, png, "p.png");
    const shown = await download(world, token, `/attachments/${picture.id}`);
    assert.match(defined(shown.headers.get("content-disposition")), /^inline; /);
    assert.deepEqual(Buffer.from(await shown.arrayBuffer()), png);
    const svg = await upload(client, documentId, '<svg xmlns="http://www.w3.org/2000/svg"/>', "p.svg");
    const saved = await download(world, token, `/attachments/${svg.id}`);
    assert.match(defined(saved.headers.get("content-disposition")), /^attachment; /);
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
    await until("both are under way", () => openFiles(id) === 2);
    reader.destroy();
    await until("no file is open", () => openFiles(id) === 0);
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

  test("ATT4 a session's address of a file answers ranges like the API's", async () => {
    const ada = await world.person();
    const { id } = await upload(ada.client, (await makeDocument(ada.client)).id, "0123456789");
    const cookie = await signIn(world, ada);
    const part = async (headers: Record<string, string>) => {
      const reply = await fetch(`${world.url}/files/${id}`, { headers: { cookie, ...headers } });
      return [reply.status, reply.headers.get("content-range"), (await reply.text()).length];
    };
    const [status, range] = await part({ range: "bytes=10-" });
    assert.deepEqual([status, range], [416, "bytes */10"]);
    assert.deepEqual(await part({ range: "bytes=2-4" }), [206, "bytes 2-4/10", 3]);
    assert.deepEqual(await part({ range: "bytes=2-4", "if-range": '"another"' }), [200, null, 10]);
  });

  test("ATT4 numbers of any length count as the end of the file", async () => {
    const { client, token } = await world.person();
    const { id } = await upload(client, (await makeDocument(client)).id, "0123456789");
    const asked = async (range: string) => {
      const reply = await download(world, token, `/attachments/${id}`, { range });
      await reply.text();
      return [reply.status, reply.headers.get("content-range")];
    };
    for (const large of ["9999999999999999", "9".repeat(400), "9".repeat(4000)]) {
      assert.deepEqual(await asked(`bytes=${large}-`), [416, "bytes */10"]);
      assert.deepEqual(await asked(`bytes=${large}-${large}`), [416, "bytes */10"]);
      assert.deepEqual(await asked(`bytes=3-${large}`), [206, "bytes 3-9/10"]);
      assert.deepEqual(await asked(`bytes=-${large}`), [206, "bytes 0-9/10"]);
      assert.deepEqual(await asked(`bytes=${large}-${large.slice(1)}8`), [200, null]);
    }
    assert.deepEqual(await asked(`bytes=${"0".repeat(400)}2-${"0".repeat(400)}4`), [206, "bytes 2-4/10"]);
  });

  test("ATT4 an empty file can be uploaded and downloaded", async () => {
    const { client, token } = await world.person();
    const { id, size } = await upload(client, (await makeDocument(client)).id, "");
    assert.equal(size, 0);
    const reply = await download(world, token, `/attachments/${id}`);
    assert.deepEqual([reply.status, await reply.text()], [200, ""]);
  });
});
