import assert from "node:assert/strict";
import { before, test } from "node:test";
import { routes } from "@svc/server/routes";
import { assertError, assertStatus } from "../../support/client.ts";
import { makeDocument } from "../../support/fixtures.ts";
import { runsOf, testRoutes } from "../../support/test-routes.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

onEachDatabase(
  "idempotency",
  (world) => {
    let ada: Person;
    before(async () => {
      ada = await world.person();
    });
    const write = (value: unknown, key: string, who = ada, headers: Record<string, string> = {}) =>
      who.client.post("/test-writes", { value }, { key, headers });

    test("IDEM1 the same request has its effect once and answers the first result, byte for byte", async () => {
      const first = assertStatus(await write("once", "k1"), 201);
      const again = assertStatus(await write("once", "k1", ada, { "x-request-id": "second" }), 201);
      assert.equal(again.text, first.text);
      assert.equal(again.headers.get("idempotency-replayed"), "true");
      assert.equal(first.headers.get("idempotency-replayed"), null);
      assert.equal(again.headers.get("x-request-id"), "second");
      assert.notEqual(again.body.request_id, "second");
      assert.equal(runsOf(world, "once"), 1);
    });

    test("IDEM1 a body, a change and a deletion whose answer was lost can be sent again like a creation", async () => {
      const { client } = ada;
      const kb = (await client.post("/knowledge-bases", { name: "Retried" })).data;
      const doc = (await client.post("/documents", { title: "Retried", knowledge_base_id: kb.id })).data;
      const body = { format: "markdown", content: "Once." };
      const writes = [
        () => client.put(`/documents/${doc.id}/content`, body, { key: "put", ifMatch: doc.version }),
        () => client.patch(`/documents/${doc.id}`, { title: "Renamed" }, { key: "patch" }),
        () => client.delete(`/documents/${doc.id}`, undefined, { key: "delete" }),
      ];
      for (const send of writes) {
        const first = assertStatus(await send(), 200);
        const again = assertStatus(await send(), 200);
        assert.equal(again.text, first.text);
        assert.equal(again.headers.get("idempotency-replayed"), "true");
      }
    });

    test("IDEM2 another body or query under the same key is a conflict", async () => {
      await write("two", "k2");
      assertError(await write("three", "k2"), "idempotency_conflict");
      assertError(await ada.client.post("/test-writes?x=1", { value: "two" }, { key: "k2" }), "idempotency_conflict");
      assert.equal(runsOf(world, "three"), 0);
    });

    test("IDEM3 a key is its token's own", async () => {
      const bob = await world.person();
      await write("mine", "k3");
      assertStatus(await write("mine", "k3", bob), 201);
      assert.equal(runsOf(world, "mine"), 2);
    });

    test("IDEM4 a refusal is kept too, and undoes the effect", async () => {
      for (const value of ["refused", "refused early"]) {
        const first = await write(value, `k4 ${value}`.replaceAll(" ", "-"));
        assertError(first, "quota_exceeded");
        const again = await write(value, `k4 ${value}`.replaceAll(" ", "-"));
        assert.equal(again.text, first.text);
        assert.equal(again.headers.get("idempotency-replayed"), "true");
      }
      assert.equal(runsOf(world, "refused"), 1);
      const { database } = world.app.services;
      const rows = await database.read.selectFrom("server_state").where("value", "=", "refused").selectAll().execute();
      assert.deepEqual(rows, []);
    });

    test("IDEM5 what the request itself gets wrong is kept: mending it needs a new key", async () => {
      assertError(await write(5, "k5"), "invalid_request");
      assert.equal((await write(5, "k5")).headers.get("idempotency-replayed"), "true");
      assertError(await write("five", "k5"), "idempotency_conflict");
      assertError(await ada.client.post("/test-writes", "{nonsense", { key: "k5b" }), "invalid_json");
      assertError(await write("five", "k5b"), "idempotency_conflict");
    });

    test("IDEM6 a failure of ours is not kept, nor is a trial run", async () => {
      for (const key of ["k6", "k6"]) assertError(await write("broken", key), "internal_error");
      assert.equal(runsOf(world, "broken"), 2);
      for (const key of ["k7", "k7"]) assert.deepEqual((await write("dry", key)).data, { dry: true });
      const { database } = world.app.services;
      const rows = await database.read.selectFrom("server_state").where("value", "=", "dry").selectAll().execute();
      assert.deepEqual(rows, []);
    });

    test("IDEM7 two at once: one effect, one result", async () => {
      const replies = await Promise.all(Array.from({ length: 6 }, () => write("slow", "k8")));
      for (const reply of replies)
        if (reply.status === 409) assertError(reply, "idempotency_in_progress");
        else assert.equal(assertStatus(reply, 201).text, replies[0]?.text);
      assert.equal(runsOf(world, "slow"), 1);
    });

    test("IDEM8 a key has 1 to 128 visible ASCII characters", async () => {
      assertStatus(await write("long", "k".repeat(128)), 201);
      for (const key of ["k".repeat(129), "with space", "naïve"])
        assertError(await write("long", key), "invalid_request");
      assert.equal(runsOf(world, "long"), 1);
    });

    test("IDEM9 a key older than 24 hours is free again", async () => {
      await write("old", "k9");
      await world.app.services.database.transaction((tx) =>
        tx
          .updateTable("idempotency_keys")
          .set({ created_at: Date.now() - 24 * 3_600_000 - 1 })
          .where("key", "=", "k9")
          .execute(),
      );
      assert.equal(assertStatus(await write("old", "k9"), 201).headers.get("idempotency-replayed"), null);
      assert.equal(runsOf(world, "old"), 2);
    });

    test("IDEM11 of large answers the newest 16 MB stay, and a key whose answer has gone has no second effect", async () => {
      const { database } = world.app.services;
      const keys = ["k11a", "k11b", "k11c", "k11d"];
      const body = JSON.stringify({ data: "x".repeat(5_000_000), request_id: "r" });
      for (const [n, key] of keys.entries()) {
        assertStatus(await write("large", key), 201);
        const age = { body, created_at: Date.now() - 1000 * (keys.length - n) };
        await database.transaction((tx) =>
          tx.updateTable("idempotency_keys").set(age).where("key", "=", key).execute(),
        );
      }
      assert.equal((await write("large", "k11a")).status, 201);
      const { id } = await makeDocument(ada.client, { text: "Text" });
      const nodes = [{ type: "paragraph", content: [{ type: "text", text: "y".repeat(100_000) }] }];
      const insert = { position: { document_end: true }, nodes };
      const first = assertStatus(await ada.client.post(`/documents/${id}/blocks`, insert, { key: "k11" }), 201);
      assert.equal((await ada.client.post(`/documents/${id}/blocks`, insert, { key: "k11" })).text, first.text);
      assert.equal(assertError(await write("large", "k11a"), "idempotency_conflict").status, 201);
      for (const key of keys.slice(1)) assert.equal((await write("large", key)).text, body);
      assert.equal(runsOf(world, "large"), keys.length);
    });

    test("IDEM10 every change leaves one audit row with client and agent flag, a replay leaves none", async () => {
      const headers = { "user-agent": "crawler/2.1 (Research Agent)" };
      for (let n = 0; n < 2; n++) await write("audited", "k10", ada, { ...headers, "x-request-id": `audit-${n}` });
      const rows = await world.app.services.database.read
        .selectFrom("audit_log")
        .selectAll()
        .where("request_id", "like", "audit-%")
        .execute();
      assert.equal(rows.length, 1);
      const [row] = rows;
      assert.deepEqual(
        [row?.action, row?.user_id, row?.token_id, row?.client_name, row?.client_version, row?.agent, row?.status],
        ["test_write", ada.userId, ada.tokenId, "Research Agent", "2.1", 1, 201],
      );
    });
  },
  {},
  [...routes, ...testRoutes],
);
