import assert from "node:assert/strict";
import { test } from "node:test";
import { Memory } from "./memory.ts";

test("what is asked for stays, what is not goes, and the bound holds", () => {
  const memory = new Memory<number>(100);
  const kept = () => Array.from({ length: 200 }, (_, i) => i).filter((i) => memory.get(`k${i}`) !== undefined);
  for (let i = 0; i < 100; i++) {
    memory.set(`k${i}`, i, 10);
    assert.equal(memory.get("k0"), 0, "it is asked for all the time");
  }
  const left = kept();
  assert.ok(left.length <= 10 && left.includes(99) && left.includes(0) && !left.includes(50), String(left));
});

test("a value may take half of the room and no more; a new one replaces the old one of its key", () => {
  const memory = new Memory<string>(100);
  memory.set("large", "half", 50);
  memory.set("too large", "more", 51);
  assert.equal(memory.get("large"), "half");
  assert.equal(memory.get("too large"), undefined);
  memory.set("large", "new", 5);
  assert.equal(memory.get("large"), "new");
  for (let i = 0; i < 9; i++) memory.set("large", `again ${i}`, 5);
  memory.set("other", "other", 45);
  assert.equal(memory.get("large"), "again 8");
});
