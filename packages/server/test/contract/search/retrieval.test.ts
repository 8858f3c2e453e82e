import assert from "node:assert/strict";
import { test } from "node:test";
import { assertError, assertStatus, type Client, type Loose } from "../../support/client.ts";
import { makeDocument, makeKnowledgeBase, upload } from "../../support/fixtures.ts";
import { makePrivate } from "../../support/make-private.ts";
import { until } from "../../support/until.ts";
import { onEachDatabase } from "../../support/world.ts";

const ask = (client: Client, query: string, more: Loose = {}, setting: Loose = {}) =>
  client.post("/retrieval", {
    knowledge_id: "all",
    query,
    retrieval_setting: { top_k: 5, score_threshold: 0, ...setting },
    ...more,
  });

onEachDatabase("retrieval for Dify", (world) => {
  test("RETR1 records have content, title, a score from 0 to 1 and metadata, the best first", async () => {
    const { client } = await world.person();
    const base = await makeKnowledgeBase(client, "Handbook");
    const text = "# Install\n\nRun the installer once and restart.\n\n# Remove\n\nDelete the folder.\n";
    const made = await makeDocument(client, { title: "Getting started", knowledge_base_id: base.id, text });
    await makeDocument(client, { title: "Other", text: "An installer for something else entirely." });
    const { records } = assertStatus(await ask(client, "How do I run the installer?"), 200).body;
    assert.ok(records.length >= 2);
    const [best] = records;
    assert.deepEqual([best.content, best.title], ["Run the installer once and restart.", "Getting started"]);
    assert.deepEqual(
      [best.metadata.document_id, best.metadata.path, best.metadata.heading_path],
      [made.id, "Handbook / Getting started", ["Install"]],
    );
    for (const [i, record] of records.entries()) {
      assert.ok(record.score >= 0 && record.score <= 1, String(record.score));
      assert.ok(i === 0 || record.score <= records[i - 1].score);
      assert.equal(typeof record.metadata, "object");
    }
    const one = await ask(client, "How do I run the installer?", { knowledge_id: String(base.id) }, { top_k: 1 });
    assert.equal(assertStatus(one, 200).body.records.length, 1);
    const high = await ask(client, "installer", { knowledge_id: `svc://kb/${base.id}` }, { score_threshold: 1 });
    assert.ok(assertStatus(high, 200).body.records.every((record: Loose) => record.score === 1));
  });

  test("RETR1 a question without a word, a very long one and one with no answer give no records", async () => {
    const { client } = await world.person();
    await makeDocument(client, { text: "Penguins swim." });
    for (const query of ["", "🙂🙂", "zxqv", `${"zxqv ".repeat(400)}`])
      assert.deepEqual(assertStatus(await ask(client, query), 200).body.records, []);
  });

  test("RETR2 conditions on metadata choose records", async () => {
    const { client } = await world.person();
    const ops = await makeDocument(client, { title: "Ops", text: "Restart the walrus." });
    await makeDocument(client, { title: "Zoo", text: "Feed the walrus." });
    assertStatus(
      await client.put(`/documents/${ops.id}/properties`, { properties: { tags: ["ops"] } }, { ifMatch: "*" }),
      200,
    );
    const titles = async (conditions: Loose[], logical_operator = "and") => {
      const reply = await ask(client, "walrus", { metadata_condition: { logical_operator, conditions } });
      return assertStatus(reply, 200)
        .body.records.map((record: Loose) => record.title)
        .sort();
    };
    const tagged = { name: ["tags"], comparison_operator: "contains", value: "ops" };
    assert.deepEqual(await titles([tagged]), ["Ops"]);
    assert.deepEqual(await titles([{ ...tagged, comparison_operator: "empty", value: undefined }]), ["Zoo"]);
    assert.deepEqual(await titles([tagged, { name: "title", comparison_operator: "is", value: "Zoo" }]), []);
    assert.deepEqual(await titles([tagged, { name: "title", comparison_operator: "is", value: "zoo" }], "or"), [
      "Ops",
      "Zoo",
    ]);
    assert.deepEqual(await titles([{ name: "updated_at", comparison_operator: "before", value: "2020-01-01" }]), []);
  });

  test("RETR3 refusals have Dify's code and message beside our own", async () => {
    const { client } = await world.person();
    const missing = await ask(client, "x", { knowledge_id: "999999" });
    assertError(missing, "not_found");
    assert.deepEqual([missing.body.error_code, typeof missing.body.error_msg], [2001, "string"]);
    assert.equal((await ask(client, "x", { knowledge_id: "nonsense" })).body.error_code, 2001);
    const wrong = await client.post("/retrieval", { query: "x" });
    assert.deepEqual([wrong.status, wrong.body.error_code], [400, 400]);
    const reply = await fetch(`${world.url}/api/v1/retrieval`, {
      method: "POST",
      headers: { authorization: "Bearer no" },
    });
    const body: Loose = await reply.json();
    assert.deepEqual([reply.status, body.error_code, typeof body.error_msg], [401, 1001, "string"]);
  });

  test("RETR4 only what the token sees is retrieved, files included", async () => {
    const owner = await world.person();
    const reader = await world.person({ workspace: owner.workspaceId, role: "viewer" });
    const hidden = await makeDocument(owner.client, { title: "Secret", text: "A secret narwhal." });
    await makePrivate(world, owner.workspaceId);
    const open = await makeDocument(owner.client, {
      knowledge_base_id: (await makeKnowledgeBase(owner.client, "Open")).id,
      text: "Nothing.",
    });
    const file = await upload(owner.client, open.id, "An open narwhal swims.\n", "open.txt");
    await until("the file is found", async () => (await ask(reader.client, "narwhal")).body.records.length > 0);
    const { records } = (await ask(reader.client, "narwhal")).body;
    assert.deepEqual(
      records.map(({ title, content, metadata }: Loose) => [title, content, metadata.attachment_id, metadata.page]),
      [["open.txt", "An open narwhal swims.", file.id, 1]],
    );
    const base = (await owner.client.get(`/documents/${hidden.id}`)).data.knowledge_base_id;
    assert.equal((await ask(reader.client, "narwhal", { knowledge_id: String(base) })).body.error_code, 2001);
  });
});
