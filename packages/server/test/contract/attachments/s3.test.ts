import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { AwsClient } from "aws4fetch";
import { makeDocument, upload } from "../../support/fixtures.ts";
import { requireSwift, type SwiftPeer, startSwift } from "../../support/peers/swift.ts";
import { World } from "../../support/world.ts";

describe("attachments on a real S3-compatible store", requireSwift(), () => {
  let swift: SwiftPeer;
  let world: World;
  before(async () => {
    swift = await startSwift();
    const { accessKeyId, secretAccessKey, region, endpoint } = swift;
    const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: "s3" });
    assert.equal((await client.fetch(`${endpoint}/files`, { method: "PUT" })).status, 200);
    const keys = `${encodeURIComponent(accessKeyId)}:${encodeURIComponent(secretAccessKey)}`;
    world = new World("sqlite", {
      SVC_BLOB_URL: `s3://${keys}@files/team?endpoint=${encodeURIComponent(endpoint)}&region=${region}`,
    });
    await world.start();
  });
  after(async () => {
    await world?.stop();
    await swift?.stop();
  });

  test("ATT14 upload, download in parts and deletion work there alike", async () => {
    const { client, token } = await world.person();
    const { id: documentId } = await makeDocument(client);
    const content = randomBytes(7_000_000);
    const { id } = await upload(client, documentId, content, "big.bin");
    const get = (headers: Record<string, string> = {}) =>
      fetch(`${world.url}/api/v1/attachments/${id}`, { headers: { authorization: `Bearer ${token}`, ...headers } });
    assert.ok(Buffer.from(await (await get()).arrayBuffer()).equals(content));
    const part = await get({ range: "bytes=6000000-6000009" });
    assert.equal(part.status, 206);
    assert.deepEqual(Buffer.from(await part.arrayBuffer()), content.subarray(6_000_000, 6_000_010));
    await client.delete(`/attachments/${id}`);
    assert.equal((await get()).status, 404);
  });
});
