import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { openSqlite } from "../../../db/sqlite/open.ts";
import { isWriterWaiting } from "../../../db/transaction/yield-to-writers.ts";
import { slices } from "../background/slices.ts";
import { Lane } from "./lane.ts";

describe("lane", () => {
  it("lets one run in each turn of the event loop, in the order in which they came", async () => {
    const lane = new Lane(0);
    const ran: string[] = [];
    const work = async (name: string) => {
      await lane.enter();
      ran.push(name);
    };
    const all = ["a", "b", "c", "d"].map(work);
    for (let i = 0; i < 4; i++) {
      await turn();
      ran.push("others");
    }
    await Promise.all(all);
    assert.deepEqual(
      ran.filter((_, i) => i > 0),
      ["b", "others", "c", "others", "d", "others", "others"],
    );
    assert.equal(ran[0], "a");
  });

  it("is free again when nobody waits", async () => {
    const lane = new Lane(0);
    assert.equal(lane.enter(), undefined);
    assert.ok(lane.enter());
    await turn();
    await turn();
    assert.equal(lane.enter(), undefined);
  });

  it("makes long work go round with the others", async () => {
    const lane = new Lane(0);
    const ran: string[] = [];
    const long = async (name: string) => {
      await lane.enter();
      const pause = slices(0, () => lane.giveWay());
      for (let step = 0; step < 3; step++) {
        ran.push(name + step);
        await pause();
      }
    };
    await Promise.all(["a", "b"].map(long));
    assert.deepEqual(ran, ["a0", "b0", "a1", "b1", "a2", "b2"]);
  });

  it("lets small work follow each other in one turn", async () => {
    const lane = new Lane(1000);
    const ran: string[] = [];
    const work = async (name: string) => {
      await lane.enter();
      ran.push(name);
      lane.leave();
    };
    const all = ["a", "b", "c"].map(work);
    await turn();
    ran.push("others");
    await Promise.all(all);
    assert.deepEqual(ran, ["a", "b", "c", "others"]);
  });

  it("lets others follow in the same turn on long work that gives way", async () => {
    const lane = new Lane(1000);
    const ran: string[] = [];
    const work = async (name: string) => {
      await lane.enter();
      ran.push(name);
      await lane.giveWay();
      lane.leave();
    };
    const all = ["a", "b"].map(work);
    await turn();
    ran.push("others");
    await Promise.all(all);
    assert.deepEqual(ran, ["a", "b", "others"]);
  });

  it("leaves turns to who goes first, two in a row at most", async () => {
    const lane = new Lane(0, () => true);
    const ran: string[] = [];
    const work = async () => {
      await lane.enter();
      ran.push("piece");
      lane.leave();
    };
    const all = [work(), work()];
    for (let i = 0; i < 6; i++) {
      ran.push("others");
      await turn();
    }
    await Promise.all(all);
    assert.deepEqual(ran, ["others", "others", "piece", "others", "others", "others", "piece", "others"]);
  });

  it("lets a write on SQLite begin and commit before the next piece", async () => {
    const directory = mkdtempSync(join(tmpdir(), "svc-lane-"));
    const store = await openSqlite(join(directory, "svc.db"));
    const lane = new Lane(0, isWriterWaiting);
    const ran: string[] = [];
    const work = async (name: string) => {
      await lane.enter();
      ran.push(name);
    };
    const searches = ["a", "b", "c"].map(work);
    await store.transaction(async () => ran.push("write"));
    ran.push("written");
    await Promise.all(searches);
    await store.close();
    rmSync(directory, { recursive: true });
    assert.deepEqual(ran, ["a", "write", "written", "b", "c"]);
  });
});
