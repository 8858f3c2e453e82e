import assert from "node:assert/strict";
import { connect } from "node:net";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { makeDocument } from "../../support/fixtures.ts";
import { until } from "../../support/until.ts";
import { onEachDatabase, type World } from "../../support/world.ts";

const BOUNDARY = "svc-fuzz";

/** Sends raw bytes as the body and answers the status; 0 when the server closed without one. */
function send(world: World, token: string, contentType: string, body: Buffer): Promise<number> {
  const { hostname, port } = new URL(world.url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let answer = "";
    socket.setTimeout(10_000, () => socket.destroy());
    socket.on("data", (chunk) => {
      answer += chunk.toString("latin1");
    });
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0)));
    const head = [
      "POST /api/v1/attachments HTTP/1.1",
      `host: ${hostname}`,
      `authorization: Bearer ${token}`,
      `content-type: ${contentType}`,
      `content-length: ${body.length}`,
      "connection: close",
    ];
    socket.write(`${head.join("\r\n")}\r\n\r\n`);
    socket.write(body);
  });
}

onEachDatabase("hostile multipart", (world) => {
  test("ATT12 no bytes make the server fail, hang or keep a stray file", async () => {
    const { client, token } = await world.person();
    const { id: documentId } = await makeDocument(client);
    const delimiter = `--${BOUNDARY}`;
    const field = (name: string, value: string) =>
      `${delimiter}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    const file = (content: string) =>
      `${delimiter}\r\ncontent-disposition: form-data; name="file"; filename="f.bin"\r\n\r\n${content}\r\n`;
    const piece = fc.oneof(
      fc.constant(field("document_id", documentId)),
      fc.constant(file("content")),
      fc.constant(`${delimiter}--\r\n`),
      fc.constantFrom(
        "\r\n",
        delimiter,
        "--",
        `${delimiter}\r\n`,
        "content-disposition: form-data",
        field("__proto__", "x"),
      ),
      fc.constant(`${delimiter}\r\n${"x: y\r\n".repeat(30)}\r\n`),
      fc.constant(field("a".repeat(5000), "b".repeat(9000))),
      fc.string({ unit: "binary", maxLength: 40 }),
    );
    const type = fc.constantFrom(
      `multipart/form-data; boundary=${BOUNDARY}`,
      "multipart/form-data",
      `multipart/form-data; boundary="${"b".repeat(300)}"`,
      `multipart/mixed; boundary=${BOUNDARY}`,
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 8 }), type, async (pieces, contentType) => {
        const status = await send(world, token, contentType, Buffer.from(pieces.join("")));
        assert.ok([201, 400, 404, 413, 415].includes(status), `${status} for ${JSON.stringify(pieces)}`);
      }),
      { seed: 20261115, numRuns: 100, endOnFailure: true },
    );
    const whole = Buffer.from(`${field("document_id", documentId)}${file("content")}${delimiter}--\r\n`);
    assert.equal(await send(world, token, `multipart/form-data; boundary=${BOUNDARY}`, whole), 201);
    const { database, blobs } = world.app.services;
    await until("no file is without its row", async () => {
      const listed = await database.read.selectFrom("attachments").select("blob_key").execute();
      const stored: string[] = [];
      for await (const { key } of blobs.list("files/")) stored.push(key);
      return isDeepStrictEqual(stored.sort(), listed.map((row) => row.blob_key).sort());
    });
  });
});
