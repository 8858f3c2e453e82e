import assert from "node:assert/strict";
import { test } from "node:test";
import type { Reader } from "@svc/server/db/database";
import { FoundBlocks } from "@svc/server/views/search/cache/found-blocks";
import { readOpening } from "@svc/server/views/search/read/opening";
import { assertStatus } from "../../support/client.ts";
import { makeDocument } from "../../support/fixtures.ts";
import { onEachDatabase } from "../../support/world.ts";

onEachDatabase("searches that others overtake", (world) => {
  test("SRCH1 SRCH2 each finds what its own snapshot holds; what has not changed is not read again", async () => {
    const { client, workspaceId } = await world.person();
    const [still, changed] = [await makeDocument(client), await makeDocument(client)];
    const memory = new FoundBlocks("overtaken ");
    const { database } = world.app.services;
    const numbersIn = async (db: Reader) =>
      (await db.selectFrom("search_blocks").select("number").where("workspace_id", "=", workspaceId).execute()).map(
        (row) => Number(row.number),
      );
    const look = async (db: Reader) => {
      const opening = await readOpening(db, workspaceId, "");
      const found = (await memory.read(db, workspaceId, opening, await numbersIn(db))).values().toArray();
      const documentOf = (id: string) =>
        found.find(({ document, blockId }) => document.row.id === id && blockId === "")?.document;
      return { still: documentOf(still.id), changed: documentOf(changed.id)?.row.title };
    };
    const rename = async (title: string) =>
      assertStatus(await client.patch(`/documents/${changed.id}`, { title }), 200);
    await rename("One");
    await database.snapshot(async (early) => {
      const first = await look(early);
      await rename("Two");
      const later = await database.snapshot(look);
      const again = await look(early);
      await rename("Three");
      const last = await database.snapshot(look);
      const titles = [first, later, again, last].map((found) => found.changed);
      assert.deepEqual(titles, ["One", "Two", "One", "Three"]);
      for (const found of [later, again, last]) assert.equal(found.still, first.still);
      assert.ok(first.still);
    });
  });
});
