import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Client, type Loose } from "../support/client.ts";
import { FailingDisk, noFailingDisk } from "../support/failing-disk.ts";
import { makeDocument, uploadForm } from "../support/fixtures.ts";
import { checkLeft } from "../support/parents.ts";
import { startServer, svc } from "../support/process.ts";

describe("the disk of a running server becomes read-only", { skip: noFailingDisk() }, () => {
  test("on a read-only disk writes are 503 and reads work, and nothing acknowledged is lost once it is repaired", async () => {
    using disk = new FailingDisk();
    const settings = { SVC_DATA_DIR: disk.directory, SVC_PORT: "0" };
    const token = await makeToken(settings);
    await using server = await startServer(settings);
    const client = new Client(server.url, token);
    const documents: Loose[] = [];
    for (let i = 0; i < 20; i++) documents.push(await makeDocument(client, { text: `Kept ${i}\n` }));

    disk.fail();
    for (const write of [
      () => client.post("/documents", { title: "Refused", knowledge_base_id: documents[0].knowledge_base_id }),
      () => client.post("/attachments", uploadForm(documents[0].id)),
      () => client.delete(`/documents/${documents[1].id}`),
    ]) {
      const refused = await write();
      assert.equal(refused.status, 503, refused.text);
      assert.match(refused.headers.get("retry-after") ?? "", /^\d+$/);
    }
    assert.equal((await client.get(`/documents/${documents[1].id}`)).status, 200);
    await server.stop();

    disk.mend();
    await using again = await startServer(settings);
    const after = new Client(again.url, token);
    for (const [i, { id }] of documents.entries())
      assert.match((await after.get(`/documents/${id}/content?format=markdown`)).text, new RegExp(`^Kept ${i}\n`));
    await makeDocument(after);
    await again.stop();
    await checkLeft(settings);
  });
});

async function makeToken(settings: Record<string, string>): Promise<string> {
  const email = "ada@example.com";
  await svc(settings, "users", "create", "--email", email, "--name", "Ada", "--password", "long enough 1");
  return (await svc(settings, "tokens", "create", "--email", email, "--access", "read_write")).token;
}
