import assert from "node:assert/strict";
import { before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { defined } from "@svc/document/defined";
import { id, p } from "@svc/document/testing/builders";
import type { Database, Reader, Tx } from "@svc/server/db/database";
import { blockIds, makeBody } from "../../support/bodies.ts";
import { assertError, assertStatus, type Client, type Loose } from "../../support/client.ts";
import { makeKnowledgeBase } from "../../support/fixtures.ts";
import { lastStep } from "../../support/last-step.ts";
import { onEachDatabase } from "../../support/world.ts";

const line = { queueKey: "a line", group: "a group" };

onEachDatabase("transactions that share a commit", (world) => {
  let database: Database;
  let client: Client;
  before(async () => {
    database = world.app.services.database;
    ({ client } = await world.person());
  });
  const put = (tx: Tx, key: string, value = "") => tx.insertInto("server_state").values({ key, value }).execute();
  const read = async (db: Reader, key: string) =>
    (await db.selectFrom("server_state").select("value").where("key", "=", key).executeTakeFirst())?.value;

  test("one that fails undoes itself alone, and has no effects", async () => {
    const effects: string[] = [];
    const write = (name: string, failure?: "thrown" | "of the database") =>
      database.transaction(async (tx) => {
        tx.afterCommit(() => effects.push(name));
        await put(tx, `alone ${name}`);
        if (failure === "thrown") throw new Error("no");
        if (failure) await put(tx, "alone a");
      }, line);
    const writes = [
      write("a"),
      write("b"),
      write("c", "thrown"),
      write("d"),
      write("e", "of the database"),
      write("f"),
    ];
    assert.deepEqual(
      (await Promise.allSettled(writes)).map(({ status }) => status === "fulfilled"),
      [true, true, false, true, false, true],
    );
    assert.deepEqual(effects, ["a", "b", "d", "f"]);
    const found = ["a", "b", "c", "d", "e", "f"].map((name) => read(database.read, `alone ${name}`));
    assert.deepEqual(await Promise.all(found), ["", "", undefined, "", undefined, ""]);
  });

  test("a last step that fails takes back its own transaction alone", async () => {
    const effects: string[] = [];
    const write = (name: string, step: (tx: Tx) => Promise<unknown>) =>
      database.transaction(async (tx) => {
        await put(tx, `last ${name}`);
        tx.afterCommit(() => effects.push(name));
        tx.beforeCommit(lastStep(() => step(tx)));
      }, line);
    const note = (name: string) => write(name, (tx) => put(tx, `noted ${name}`));
    const writes = [note("a"), note("b"), write("c", () => Promise.reject(new Error("no"))), note("d")];
    assert.deepEqual(
      (await Promise.allSettled(writes)).map(({ status }) => status === "fulfilled"),
      [true, true, false, true],
    );
    assert.deepEqual(effects, ["a", "b", "d"]);
    for (const name of ["last a", "noted a", "last b", "noted b", "last d", "noted d"])
      assert.equal(await read(database.read, name), "", name);
    assert.equal(await read(database.read, "last c"), undefined);
  });

  test("what does not share its commit sees the last steps of those before it", async () => {
    const write = (name: string) =>
      database.transaction(async (tx) => tx.beforeCommit(lastStep(() => put(tx, name))), line);
    const all = Promise.all([write("step 1"), write("step 2"), write("step 3")]);
    const look = (tx: Tx) => Promise.all(["step 1", "step 2", "step 3"].map((name) => read(tx, name)));
    assert.deepEqual(await database.transaction(look, { queueKey: "a line" }), ["", "", ""]);
    await all;
  });

  test("a refusal that comes from what an earlier one wrote is heard when that is committed", async () => {
    const refuse = async (tx: Tx) => {
      throw new Error(`there is ${await read(tx, "seen")}`);
    };
    const writes = [
      database.transaction((tx) => put(tx, "not seen"), line),
      database.transaction((tx) => put(tx, "seen", "news"), line),
    ];
    const refused = database.transaction(refuse, line);
    // Puts the commit off.
    writes.push(database.transaction(() => sleep(50, []), line));
    await assert.rejects(refused, /there is news/);
    assert.equal(await read(database.read, "seen"), "news");
    await Promise.all(writes);
  });

  test("edits of one document at once are told apart in everything that is made from them", async () => {
    const nodes = Array.from({ length: 20 }, (_, i) => id(i + 1, p(`alpha${i}`)));
    const made = await makeBody(client, nodes);
    const blocks = await blockIds(client, made.id);
    const after = (await client.get("/changes")).body.resume_from;
    const edit = (i: number, block: string) =>
      client.patch(
        `/documents/${made.id}/blocks/${block}`,
        { node: p(`omega${i}`) },
        { headers: { "if-match": "*", ...(i % 3 === 0 && { "idempotency-key": `edit-${i}` }) } },
      );
    const unknown = "block_01K9ZQ4T6N4Y3V7J8W2M5R1XCM";
    const replies = await Promise.all([...blocks, unknown, unknown].map((block, i) => edit(i, block)));
    for (const refused of replies.splice(blocks.length)) assertError(refused, "not_found");
    const versions = replies.map((reply) => assertStatus(reply, 200).data.version);
    const events: Loose[] = (await client.get(`/changes?after=${after}`)).data;
    assert.deepEqual(events.map(({ document }) => document.version).toSorted(), versions.toSorted());
    assert.deepEqual(
      events.map(({ event_id }) => event_id),
      events.map((_, i) => defined(events[0]).event_id + i),
    );
    const { version } = (await client.get(`/documents/${made.id}`)).data;
    assert.equal(defined(events.at(-1)).document.version, version);
    const kept: Loose[] = (await client.get(`/documents/${made.id}/versions?limit=100`)).data;
    const befores = [made.version, ...events.slice(0, -1).map(({ document }) => document.version)];
    assert.deepEqual(kept.map((snapshot) => snapshot.version).toSorted(), befores.toSorted());
    const found = async (word: string) => (await client.get(`/search/v2?q=${word}`)).data.length;
    for (const i of blocks.keys()) assert.deepEqual([await found(`omega${i}`), await found(`alpha${i}`)], [1, 0]);
  });
});

onEachDatabase(
  "creations at once against a quota",
  (world) => {
    test("DOC15 just as many are made as there is room for, and each of them is whole", async () => {
      const { client } = await world.person();
      const { id: knowledge_base_id } = await makeKnowledgeBase(client);
      const create = (i: number) =>
        client.post("/documents", {
          title: `Title ${i}`,
          knowledge_base_id,
          content: { format: "markdown", content: `omega${i}` },
        });
      const replies = await Promise.all(Array.from({ length: 24 }, (_, i) => create(i)));
      const made = replies.filter(({ status }) => status === 201);
      for (const reply of replies) if (reply.status !== 201) assertError(reply, "quota_exceeded");
      assert.equal(made.length, 10);
      for (const { data } of made) {
        const hits: Loose[] = (await client.get(`/search/v2?q=${data.title.replace("Title ", "omega")}`)).data;
        assert.deepEqual(
          hits.map((hit) => hit.document_id),
          [data.id],
        );
      }
      const ids = made.map(({ data }) => data.id).toSorted();
      const events: Loose[] = (await client.get("/changes?after=0")).data;
      assert.deepEqual(events.map((event) => event.document_id).toSorted(), ids);
      assert.equal((await client.get("/me/quota")).data.documents.used, 10);
    });
  },
  { SVC_MAX_DOCUMENTS: "10" },
);
