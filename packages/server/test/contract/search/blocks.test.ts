import assert from "node:assert/strict";
import { test } from "node:test";
import { findBlocksOfDocument } from "@svc/server/views/search/write/documents";
import type { Loose } from "../../support/client.ts";
import { makeDocument } from "../../support/fixtures.ts";
import { until } from "../../support/until.ts";
import { onEachDatabase } from "../../support/world.ts";

onEachDatabase("blocks in the index", (world) => {
  test("SRCH25 include_block brings the whole block, the row of a cell, and nothing of a title or a long one", async () => {
    const { client } = await world.person();
    const long = `quokka ${"word ".repeat(500)}`;
    const row = "| part | price |\n| --- | --- |\n| quokka | **3** |\n";
    await makeDocument(client, {
      title: "quokka",
      text: `A **quokka** [here](https://a.example).\n\n${row}\n${long}\n`,
    });
    const found = async (query: string, words = "quokka") =>
      (await client.get(`/search/v2?q=${words}&mode=exhaustive${query}`)).data;
    await until("all is found", async () => (await found("")).length === 4);
    const blocks = (await found("&include_block=true")).map((hit: Loose) => hit.block);
    assert.deepEqual(blocks.sort(), [null, null, "A **quokka** [here](https://a.example).", "| quokka | 3 |"].sort());
    assert.ok((await found("")).every((hit: Loose) => hit.block === undefined));
    const partial: Loose[] = await found("&partial=true&include_block=true", "quokka+wombat");
    assert.ok(partial.some((hit) => hit.block === "| quokka | 3 |"));
  });

  test("SRCH17 any number of a document's blocks is found by their ids, each once, and what is not there is not", async () => {
    const { client, workspaceId } = await world.person();
    const text = Array.from({ length: 40 }, (_, i) => `word ${i}`).join("\n\n");
    const { id } = await makeDocument(client, { text });
    await makeDocument(client, { text });
    const ids: string[] = (await client.get(`/documents/${id}/blocks`)).data.map((block: Loose) => block.id);
    const { read } = world.app.services.database;
    for (const count of [0, 1, 3, 16, 17, 40]) {
      const wanted = ids.slice(0, count);
      const rows = await findBlocksOfDocument(read, workspaceId, id, [...wanted, "absent"]);
      assert.deepEqual(rows.map((row) => row.block_id).sort(), wanted.toSorted());
      const stored = await read
        .selectFrom("search_blocks")
        .select(["workspace_id", "number", "document", "block_id", "length"])
        .where("number", "in", rows.length > 0 ? rows.map(({ number }) => number) : [0])
        .where("workspace_id", "=", workspaceId)
        .orderBy("number")
        .execute();
      assert.deepEqual(
        rows.map((row) => ({ ...row })).sort((a, b) => a.number - b.number),
        stored.map((row) => ({ ...row })),
      );
    }
    assert.deepEqual(await findBlocksOfDocument(read, workspaceId, "doc_absent", ids.slice(0, 2)), []);
  });
});
