import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { TextMemory } from "./text-memory.ts";

test("any text comes back as it was, from either half", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: fc.constantFrom("a", "é", "你", "😀", "\ud800", "\0", "\n"), maxLength: 20 })),
      (texts) => {
        const memory = new TextMemory<number>(300);
        texts.forEach((text, i) => {
          memory.set(`k${i}`, text, i);
          assert.deepEqual(memory.get(`k${i}`), { text, about: i });
          for (let j = 0; j < i; j++) {
            const kept = memory.get(`k${j}`);
            if (kept) assert.deepEqual(kept, { text: texts[j], about: j });
          }
        });
      },
    ),
    { seed: 3 },
  );
});

test("what is asked for stays, what is not goes, and the bound holds", () => {
  const memory = new TextMemory<number>(100);
  for (let i = 0; i < 100; i++) {
    memory.set(`k${i}`, `${i}`.padEnd(10), i);
    assert.equal(memory.get("k0")?.about, 0, "it is asked for all the time");
  }
  const left = Array.from({ length: 100 }, (_, i) => i).filter((i) => memory.get(`k${i}`));
  assert.ok(left.length <= 10 && left.includes(99) && left.includes(0) && !left.includes(50), String(left));
});

test("a text may take half of the room and no more; a new one replaces the old one of its key", () => {
  const memory = new TextMemory<null>(100);
  memory.set("large", "x".repeat(50), null);
  memory.set("too large", "é".repeat(26), null);
  assert.equal(memory.get("large")?.text.length, 50);
  assert.equal(memory.get("too large"), undefined);
  memory.set("large", "new", null);
  assert.equal(memory.get("large")?.text, "new");
});
