import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { Lane } from "./lane.ts";
import { slices } from "./slices.ts";

describe("lane", () => {
  it("lets one run in each turn of the event loop, in the order in which they came", async () => {
    const lane = new Lane();
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
    const lane = new Lane();
    assert.equal(lane.enter(), undefined);
    assert.ok(lane.enter());
    await turn();
    await turn();
    assert.equal(lane.enter(), undefined);
  });

  it("makes long work go round with the others", async () => {
    const lane = new Lane();
    const ran: string[] = [];
    const long = async (name: string) => {
      await lane.enter();
      const pause = slices(0, () => lane.enter());
      for (let step = 0; step < 3; step++) {
        ran.push(name + step);
        await pause();
      }
    };
    await Promise.all(["a", "b"].map(long));
    assert.deepEqual(ran, ["a0", "b0", "a1", "b1", "a2", "b2"]);
  });
});
