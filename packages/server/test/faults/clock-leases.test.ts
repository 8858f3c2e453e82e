import assert from "node:assert/strict";
import { test } from "node:test";
import { admit, signInSubjects } from "@svc/server/resources/attempts/slow-down";
import { Lease } from "@svc/server/views/search/background/lease";
import { EventReader } from "../support/event-reader.ts";
import { onEachDatabase } from "../support/world.ts";

const HOUR_MS = 60 * 60 * 1000;

onEachDatabase("what was set before the clock was put back", (world) => {
  test("FAULT13 streams of a process that died then hold nobody's place", async () => {
    const { token, tokenId } = await world.person();
    await world.app.services.database.transaction(async (tx) => {
      await tx
        .insertInto("event_processes")
        .values({ id: "dead", expires_at: Date.now() + HOUR_MS })
        .execute();
      const streams = ["a", "b", "c"].map((id) => ({ token_id: tokenId, id, process_id: "dead" }));
      await tx.insertInto("event_streams").values(streams).execute();
    });
    const reader = await EventReader.open(world.url, token);
    assert.equal(reader.status, 200);
    reader.close();
  });

  test("FAULT13 its work on an index is taken over", async () => {
    const { workspaceId } = await world.person();
    const { database } = world.app.services;
    const lease = { workspace_id: workspaceId, owner: "dead" };
    const until = (ms: number) =>
      database.transaction(async (tx) => {
        await tx.deleteFrom("search_leases").where("workspace_id", "=", workspaceId).execute();
        await tx
          .insertInto("search_leases")
          .values({ ...lease, until: Date.now() + ms })
          .execute();
      });
    await until(5000);
    assert.equal(await new Lease(workspaceId, "living").take(database), false, "a lease that holds");
    await until(HOUR_MS);
    assert.equal(await new Lease(workspaceId, "living").take(database), true);
  });

  test("FAULT13 nobody waits for hours after wrong passwords", async () => {
    const { database } = world.app.services;
    const subjects = signInSubjects({ email: "ada@example.com", address: "192.0.2.1" });
    const now = Date.now();
    let wait = 0;
    for (let tries = 0; wait === 0 && tries < 20; tries++) wait = await admit(database, subjects, now);
    assert.ok(wait > 0, "so many wrong ones at once have to wait");
    assert.equal(await admit(database, subjects, now - 2 * HOUR_MS), 0);
  });
});
