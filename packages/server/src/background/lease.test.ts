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

  test("LEASE1 one holds a name at a time; let go of, it can be taken at once", async () => {
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

  test("LEASE1 what is not claimed is not held, and what fails neither", async () => {
    const { leases } = world.app.services;
    assert.equal(await leases.take("two", async () => undefined), undefined);
    await assert.rejects(leases.take("two", () => Promise.reject(new Error("no"))));
    assert.ok(await leases.during("two", () => Promise.resolve()));
  });

  test("LEASE2 a process that lives keeps its lease for as long as it wants", async () => {
    const { leases } = world.app.services;
    const other = another();
    const taken = await leases.take("long", always);
    await sleep(DEAD_AFTER_MS + 2000);
    assert.equal(await other.leases.take("long", always), undefined);
    await holding(defined(taken).lease);
    await leases.release(defined(taken).lease);
    await other.presence.close();
  });

  test("LEASE3 the lease of a process that is silent can be taken, and it hears of that when it speaks again", async () => {
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

  test("LEASE4 what a process has forgotten to let go of is free after its next beat", async () => {
    const { leases } = world.app.services;
    const [kept, left] = [await leases.take("kept", always), await leases.take("left", always)];
    defined(left).lease.forget();
    await until("it is free", async () => (await another().leases.take("left", always)) !== undefined);
    await holding(defined(kept).lease);
    await leases.release(defined(kept).lease);
  });
});
