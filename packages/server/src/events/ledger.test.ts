import assert from "node:assert/strict";
import { test } from "node:test";
import { onEachDatabase } from "../../test/support/world.ts";
import { ledgerOf } from "./ledger.ts";

onEachDatabase("the ledger of a workspace", (world) => {
  test("a counter update that changes no row fails the write", async () => {
    const { database } = world.app.services;
    const { workspaceId } = await world.person();
    const counting = (count: (ledger: ReturnType<typeof ledgerOf>) => void, id = workspaceId) =>
      database.transaction(async (tx) => count(ledgerOf(tx, id)));
    await assert.rejects(
      counting((ledger) => ledger.countIn(404, { documents: -1 })),
      /404 was counted in/,
    );
    await assert.rejects(
      counting((ledger) => ledger.count("folders", -1), "ws_gone"),
      /has no counters/,
    );
    await assert.rejects(
      counting((ledger) => ledger.count("folders", 1, 10), "ws_gone"),
      /has no counters/,
    );
  });
});
