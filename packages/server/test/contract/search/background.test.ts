import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { defined } from "@svc/document/defined";
import { changeBody } from "@svc/server/bodies/change-body";
import { requestReindex } from "@svc/server/views/search/background/reindex";
import { assertError, assertStatus, Client, type Loose } from "../../support/client.ts";
import { makeDocument, makeKnowledgeBase, markdown } from "../../support/fixtures.ts";
import { find } from "../../support/search.ts";
import { until } from "../../support/until.ts";
import { onEachDatabase, type World } from "../../support/world.ts";

async function untilFound(client: Client, holds: (answer: Loose) => boolean, q = "word"): Promise<Loose> {
  let answer: Loose;
  await until("it comes to that", async () => {
    answer = await find(client, q);
    return holds(answer);
  });
  return answer;
}
const isComplete = ({ projection }: Loose) => projection.complete;

const lines = (count: number, word: string) => Array.from({ length: count }, (_, i) => `${word} n${i}`).join("\n\n");

/** Counts the index rows of a workspace. */
async function stored({ app }: World, workspaceId: string) {
  const { read } = app.services.database;
  const of = (table: "search_segments" | "search_pages" | "search_blocks" | "search_documents" | "search_hidden") =>
    read
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .where("workspace_id", "=", workspaceId)
      .executeTakeFirstOrThrow()
      .then((row) => Number(row.count));
  const counters = await read
    .selectFrom("search_counters")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .executeTakeFirstOrThrow();
  return {
    counters,
    segments: await of("search_segments"),
    pages: await of("search_pages"),
    blocks: await of("search_blocks"),
    documents: await of("search_documents"),
    hidden: await of("search_hidden"),
  };
}

onEachDatabase("search in the background", (world) => {
  test("SRCH17 a very large document is stale until it is indexed, and says so", async () => {
    const { client } = await world.person();
    const small = await makeDocument(client, { text: "word small" });
    const made = await makeDocument(client, { title: "Large", text: lines(2500, "word") });
    const first = await find(client, "word");
    if (!first.projection.complete) {
      assert.deepEqual([first.projection.stale_count, first.projection.stale_document_ids], [1, [made.id]]);
      assert.deepEqual([first.hits.total, (await find(client, "large")).hits.title <= 1], [1, true]);
      const elsewhere = await find(client, "word", `&knowledge_base_id=${small.knowledge_base_id}`);
      assert.equal(elsewhere.projection.complete, true);
    }
    const done = await untilFound(client, isComplete);
    assert.deepEqual([done.hits.total, done.data.at(0).explanation.n], [2501, 2503]);
    assert.equal((await find(client, "large")).hits.title, 1);
    await client.put(`/documents/${made.id}/content`, markdown(lines(2400, "other")), { ifMatch: "*" });
    assert.equal((await find(client, "word")).hits.total, 1);
    const [block] = (await client.get(`/documents/${made.id}/blocks?limit=1`)).data;
    await client.patch(`/documents/${made.id}/blocks/${block.id}`, { content: [{ type: "text", text: "late edit" }] });
    const replaced = await untilFound(client, isComplete, "other");
    assert.equal(replaced.hits.total, 2399);
    const [hit] = (await find(client, "late")).data;
    assert.equal(hit.source_version, (await client.get(`/documents/${made.id}`)).data.version);
  });

  test("SRCH17 a long document of which a line is left, or whose every line is another, leaves no old word", async () => {
    const { client } = await world.person();
    for (const next of ["one line", lines(1500, "other")]) {
      const { id } = await makeDocument(client, { text: lines(1500, "word") });
      assertStatus(await client.put(`/documents/${id}/content`, markdown(next), { ifMatch: "*" }), 200);
      const after = await untilFound(client, isComplete);
      assert.equal(after.hits.total, 0);
    }
    assert.deepEqual([(await find(client, "line")).hits.total, (await find(client, "other")).hits.total], [1, 1500]);
  });

  test("SRCH17 a very large document that is edited without a pause is indexed all the same, as it is then", async () => {
    const { client } = await world.person();
    const { id } = await makeDocument(client, { text: lines(4000, "word") });
    const manifest: Loose[] = (await client.get(`/documents/${id}/changes`)).data.manifest;
    const path = `/documents/${id}/blocks`;
    const edits = manifest.map(({ block_id }, i) => () => {
      if (i % 3 === 0) return client.patch(`${path}/${block_id}`, { content: [{ type: "text", text: "edited" }] });
      if (i % 3 === 1) return client.delete(`${path}/${block_id}`);
      const nodes = [{ type: "paragraph", content: [{ type: "text", text: "word again" }] }];
      return client.post(path, { position: { after_block_id: block_id }, nodes });
    });
    let isDone = false;
    const editing = (async () => {
      for (let i = 0; !isDone; i++) await edits[i]?.();
    })();
    await untilFound(client, isComplete).finally(() => {
      isDone = true;
    });
    await editing;
    const { text } = await client.get(`/documents/${id}/content?format=markdown`);
    const found = await untilFound(client, isComplete);
    assert.equal(found.hits.content, text.match(/^word/gm)?.length);
    assert.equal((await find(client, "edited")).hits.total, text.match(/^edited/gm)?.length ?? 0);
  });

  test("SRCH18 a rebuild is told of, refuses older cursors, and ends with the same result", async () => {
    const { client, workspaceId } = await world.person();
    const base = await makeKnowledgeBase(client);
    for (let i = 0; i < 40; i++)
      await makeDocument(client, { knowledge_base_id: base.id, title: `T${i}`, text: lines(20, "word") });
    const before = await find(client, "word", "&limit=5");
    const exhaustive = await find(client, "word", "&limit=5&mode=exhaustive");
    await world.app.services.database.transaction((tx) => requestReindex(tx, workspaceId));
    const during = await find(client, "word");
    assert.equal(during.projection.complete, during.projection.stale_count === 0);
    assert.equal(during.hits.total, (40 - during.projection.stale_count) * 20);
    for (const [page, mode] of [
      [before, "topk"],
      [exhaustive, "exhaustive"],
    ] as const)
      assertError(
        await client.get(
          `/search/v2?q=word&match=all&mode=${mode}&cursor=${encodeURIComponent(page.page.next_cursor)}`,
        ),
        "search_cursor_stale",
      );
    const after = await untilFound(client, isComplete);
    assert.deepEqual(after.hits, before.hits);
    assert.equal(after.data[0].score, before.data[0].score);
  });

  test("SRCH19 segments are merged while writing goes on; nothing is left of what was merged", async () => {
    const { client, workspaceId } = await world.person();
    const base = await makeKnowledgeBase(client);
    const made: Loose[] = [];
    for (let i = 0; i < 60; i++)
      made.push(await makeDocument(client, { knowledge_base_id: base.id, text: lines(5, "word") }));
    for (let i = 0; i < 60; i++)
      await client.put(`/documents/${made[i % 7].id}/content`, markdown(lines(5, `word edit${i}`)), { ifMatch: "*" });
    assert.equal((await find(client, "word")).hits.total, 300);
    await until("segments are merged", async () => {
      const { segments, counters } = await stored(world, workspaceId);
      return segments <= 24 && counters.level_zero < 16;
    });
    const state = await stored(world, workspaceId);
    assert.deepEqual([state.blocks, state.counters.blocks], [360, 360]);
    assert.equal((await find(client, "word")).hits.total, 300);
    assert.equal((await find(client, "edit59")).hits.total, 5);
  });

  test("SRCH20 deleting a large knowledge base answers at once, and leaves nothing", async () => {
    const { client, workspaceId } = await world.person();
    const base = await makeKnowledgeBase(client);
    for (let i = 0; i < 30; i++) await makeDocument(client, { knowledge_base_id: base.id, text: lines(100, "word") });
    assert.equal((await find(client, "word")).hits.total, 3000);
    const other = await makeDocument(client, { title: "Kept", text: "word kept" });
    assertStatus(await client.delete(`/knowledge-bases/${base.id}`, { confirm_id: base.confirm_id }), 200);
    const after = await find(client, "word");
    assert.deepEqual([after.hits.total, after.data[0].document_id, after.projection.complete], [1, other.id, true]);
    await until("all is cleared", async () => (await stored(world, workspaceId)).counters.backlog !== 1);
    const state = await stored(world, workspaceId);
    assert.deepEqual([state.blocks, state.documents, state.hidden, state.counters.blocks], [2, 1, 0, 2]);
    assert.equal((await find(client, "word")).data[0].explanation.n, 2);
  });

  test("SRCH21 an index of an older tokeniser is rebuilt when the server starts", async () => {
    const { client, workspaceId } = await world.person();
    const made = await makeDocument(client, { text: "word once" });
    const { database } = world.app.services;
    await database.transaction((tx) =>
      tx.updateTable("search_counters").set({ tokenizer_version: 0 }).where("workspace_id", "=", workspaceId).execute(),
    );
    await client.patch(`/documents/${made.id}`, { title: "Renamed elsewhere" });
    assert.deepEqual((await find(client, "word")).projection.stale_document_ids, [made.id]);
    await world.restart();
    const again = new Client(world.url, client.token);
    const answer = await untilFound(again, (one) => isComplete(one) && one.hits.total === 1);
    assert.equal(answer.data[0].title, "Renamed elsewhere");
    assert.equal((await find(again, "renamed")).hits.title, 1);
  });

  test("SRCH21 a rebuild that begins between an edit and its commit: the edit is found all the same", async () => {
    const { client, workspaceId, ...person } = await world.person();
    const { id } = await makeDocument(client, { text: "word before" });
    const { services } = world.app;
    let rebuild: Promise<unknown> | undefined;
    await services.database.transaction(async (tx) => {
      await changeBody(services, tx, {
        key: { workspaceId, documentId: id },
        reason: "blocks",
        actor: { userId: person.userId, tokenId: person.tokenId, client: { name: null, version: null, agent: false } },
        expected: undefined,
        edit: ({ blocks }) => [{ ...defined(blocks[0]), content: [{ type: "text", text: "word after" }] }],
      });
      rebuild ??= services.database.transaction((other) => requestReindex(other, workspaceId));
      // On SQLite the rebuild waits for the edit; on PostgreSQL the edit runs again.
      await Promise.race([rebuild, sleep(300)]);
    });
    await rebuild;
    await untilFound(client, (answer) => isComplete(answer) && answer.hits.total === 1, "after");
    assert.equal((await find(client, "before")).hits.total, 0);
    await until("nothing hidden is left", async () => (await stored(world, workspaceId)).hidden === 0);
    const { blocks, counters } = await stored(world, workspaceId);
    assert.deepEqual([blocks, counters.blocks], [2, 2]);
  });
});
