import assert from "node:assert/strict";
import { test } from "node:test";
import { Client } from "../support/client.ts";
import { startServer, svc } from "../support/process.ts";
import { makeStore } from "../support/world.ts";

test("OPS4 while the object store is away uploads are 503, and the log alone tells why", async () => {
  const store = await makeStore("sqlite");
  const settings = { ...store.settings, SVC_BLOB_URL: "s3://key:hunter2@bucket?endpoint=http://127.0.0.1:9&region=x" };
  const server = await startServer(settings);
  try {
    await svc(settings, "users", "create", "--email", "a@example.com", "--name", "A", "--password", "x");
    const { token } = await svc(settings, "tokens", "create", "--email", "a@example.com", "--access", "read_write");
    const client = new Client(server.url, token);
    const base = (await client.post("/knowledge-bases", { name: "Notes" })).data;
    const page = (await client.post("/documents", { title: "Page", knowledge_base_id: base.id })).data;
    const form = new FormData();
    form.append("document_id", page.id);
    form.append("file", new Blob(["words"]), "a.txt");
    const headers = { authorization: `Bearer ${token}` };
    const reply = await fetch(`${server.url}/api/v1/attachments`, { method: "POST", headers, body: form });
    assert.deepEqual([reply.status, reply.headers.get("retry-after")], [503, "5"]);
    assert.doesNotMatch(await reply.text(), /127\.0\.0\.1|object store/);
    assert.equal((await client.get(`/documents/${page.id}`)).status, 200);
  } finally {
    await server.stop();
    await store.remove();
  }
  assert.match(server.stdout, /"msg":"request failed"/);
  assert.match(server.stdout, /"message":"the object store cannot be reached"/);
  assert.doesNotMatch(server.stdout, /hunter2/);
});
