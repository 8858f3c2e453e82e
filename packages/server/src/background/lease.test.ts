import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { defined } from "@svc/document/defined";
import { until } from "../../test/support/until.ts";
import { onEachDatabase } from "../../test/support/world.ts";
import { type Lease, LeaseLost, Leases } from "./lease.ts";
import { DEAD_AFTER_MS, Presence } from "./presence.ts";

const always = async () => true;

onEachDatabase("leases", (world) => {
  const another = () => {
    const { database, log } = world.app.services;
    const presence = new Presence(database, log);
    return { presence, leases: new Leases(database, presence) };
  };
  const holding = (lease: Lease) => world.app.services.database.transaction((tx) => lease.hold(tx));

  test("one process at a time holds a lease; a released one can be taken at once", async () => {
    const { leases } = world.app.services;
    const other = another();
    const taken = await leases.take("one", always);
    assert.ok(taken);
    assert.equal(await other.leases.take("one", always), undefined);
    assert.equal(await leases.take("one", always), undefined, "not even the same process twice");
    await leases.release(taken.lease);
    await assert.rejects(holding(taken.lease), LeaseLost);
    const next = await other.leases.take("one", always);
    assert.ok(next);
    await other.presence.close();
    assert.ok(await leases.during("one", () => Promise.resolve()), "a clean stop gives back all that it held");
  });

  test("a lease that was not claimed, or whose claim failed, is not held", async () => {
    const { leases } = world.app.services;
    assert.equal(await leases.take("two", async () => undefined), undefined);
    await assert.rejects(leases.take("two", () => Promise.reject(new Error("no"))));
    assert.ok(await leases.during("two", () => Promise.resolve()));
  });

  test("a living process keeps its lease for as long as it wants", async () => {
    const { leases } = world.app.services;
    const other = another();
    const taken = await leases.take("long", always);
    await sleep(DEAD_AFTER_MS + 2000);
    assert.equal(await other.leases.take("long", always), undefined);
    await holding(defined(taken).lease);
    await leases.release(defined(taken).lease);
    await other.presence.close();
  });

  test("the lease of a silent process can be taken, and that process notices when it resumes", async () => {
    const { leases, database } = world.app.services;
    const other = another();
    const { lease } = defined(await other.leases.take("dead", always));
    // As if it could not write: another process finds its beat unchanged for long enough.
    await database.transaction((tx) => tx.deleteFrom("processes").where("id", "=", other.presence.processId).execute());
    const next = await leases.take("dead", always);
    assert.ok(next);
    await assert.rejects(holding(lease), LeaseLost);
    await until("it knows", () => lease.lost.aborted);
    await holding(next.lease);
    await leases.release(next.lease);
    await other.presence.close();
  });

  test("a lease that a process failed to release is free after its next heartbeat", async () => {
    const { leases } = world.app.services;
    const [kept, left] = [await leases.take("kept", always), await leases.take("left", always)];
    defined(left).lease.forget();
    await until("it is free", async () => (await another().leases.take("left", always)) !== undefined);
    await holding(defined(kept).lease);
    await leases.release(defined(kept).lease);
  });
});
