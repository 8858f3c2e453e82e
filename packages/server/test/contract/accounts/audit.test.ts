import assert from "node:assert/strict";
import { test } from "node:test";
import { assertError, assertStatus, type Loose } from "../../support/client.ts";
import { makeDocument, makeKnowledgeBase } from "../../support/fixtures.ts";
import { onEachDatabase } from "../../support/world.ts";

onEachDatabase("the audit log over the API", (world) => {
  test("AUDIT1 owners walk and filter the entries of their workspace, others may not", async () => {
    const owner = await world.person();
    const editor = await world.person({ workspace: owner.workspaceId, role: "editor" });
    const base = await makeKnowledgeBase(owner.client);
    const made = await makeDocument(editor.client, { knowledge_base_id: base.id });
    await makeDocument((await world.person()).client);

    const all = assertStatus(await owner.client.get("/audit"), 200).data;
    assert.deepEqual(
      all.map((entry: Loose) => entry.action),
      ["create_document", "create_knowledge_base"],
    );
    assert.deepEqual(
      all.map((entry: Loose) => entry.created_id),
      [made.id, String(base.id)],
    );
    assert.equal(all[0].user_id, editor.userId);
    assert.equal(all[0].email, editor.email);
    assert.equal(all[0].token_id, editor.tokenId);
    const first = await owner.client.get("/audit?limit=1");
    assert.deepEqual(first.data, [all[0]]);
    const cursor = encodeURIComponent(first.body.page.next_cursor);
    assert.deepEqual((await owner.client.get(`/audit?limit=1&cursor=${cursor}`)).data, [all[1]]);
    assertError(await owner.client.get(`/audit?action=x&cursor=${cursor}`), "cursor_mismatch");

    const found = async (query: string) => (await owner.client.get(`/audit?${query}`)).data.map((e: Loose) => e.id);
    assert.deepEqual(await found(`user_id=${editor.userId}`), [all[0].id]);
    assert.deepEqual(await found(`token_id=${owner.tokenId}`), [all[1].id]);
    assert.deepEqual(await found("action=create_knowledge_base"), [all[1].id]);
    assert.deepEqual(await found(`since=${all[0].created_at + 1}`), []);
    assert.deepEqual(await found(`until=${all[1].created_at}`), []);
    assert.deepEqual(await found("agent=true"), []);
    assertError(await owner.client.get("/audit?since=yesterday"), "invalid_request");
    const stranger = await world.person();
    assertError(await owner.client.get(`/audit?user_id=${stranger.userId}`), "not_found");
    assertError(await owner.client.get(`/audit?token_id=${stranger.tokenId}`), "not_found");

    assertError(await editor.client.get("/audit"), "insufficient_role");
    const bound = await world.person({
      workspace: owner.workspaceId,
      role: "owner",
      knowledgeBaseIds: [base.id],
    });
    assertError(await bound.client.get("/audit"), "insufficient_role");
  });

  test("AUDIT2 all entries come as JSON lines, the oldest first, in more than one batch", async () => {
    const owner = await world.person();
    const rows = Array.from({ length: 1100 }, (_, n) => ({
      workspace_id: owner.workspaceId,
      created_at: n,
      user_id: owner.userId,
      token_id: null,
      client_name: null,
      client_version: null,
      agent: 0,
      action: n % 2 ? "odd" : "even",
      path: "/",
      status: 200,
      request_id: "req",
      summary: `line\n${n}`,
    }));
    await world.app.services.database.transaction(async (tx) => {
      for (let n = 0; n < rows.length; n += 100)
        await tx
          .insertInto("audit_log")
          .values(rows.slice(n, n + 100))
          .execute();
    });
    const linesOf = (text: string) =>
      text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
    const reply = await owner.client.get("/audit?format=jsonl");
    assert.equal(reply.headers.get("content-type"), "application/x-ndjson");
    assert.deepEqual(
      linesOf(reply.text).map((entry) => entry.summary),
      rows.map((row) => row.summary),
    );
    const odd = await owner.client.get("/audit?action=odd", { headers: { accept: "application/x-ndjson" } });
    assert.equal(linesOf(odd.text).length, 550);
    const page = await owner.client.get("/audit?action=odd&limit=1");
    assert.deepEqual(page.data[0], linesOf(odd.text).at(-1));
  });
});
