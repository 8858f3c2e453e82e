import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { canonicalJson, sameJson } from "./canonical.ts";

function naive(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(naive).join(",")}]`;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${naive(member)}`).join(",")}}`;
}

function shuffled(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(shuffled);
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, shuffled(member)]),
  );
}

test("canonical JSON is sorted, and equal for every key order", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const canonical = canonicalJson(value);
      assert.equal(canonical, naive(value));
      assert.equal(canonicalJson(shuffled(value)), canonical);
      assert.deepEqual(JSON.parse(canonical), JSON.parse(JSON.stringify(value)));
      assert.ok(sameJson(value, shuffled(value)));
    }),
    { seed: 5, numRuns: 500 },
  );
});

const cases: [value: unknown, text: string][] = [
  [{ b: 1, a: 2 }, '{"a":2,"b":1}'],
  [{ é: 1, z: 2, "😀": 3, "\uffff": 4 }, '{"z":2,"é":1,"😀":3,"\uffff":4}'],
  [JSON.parse('{"b":1,"__proto__":{"x":1}}'), '{"__proto__":{"x":1},"b":1}'],
  ["\ud800", '"\\ud800"'],
  [{ a: undefined, b: [undefined] }, '{"b":[null]}'],
  [-0, "0"],
  [{ x: { 1: 1, 2: [{ b: 1, a: { 10: 1, 9: 2 } }] } }, '{"x":{"1":1,"2":[{"a":{"10":1,"9":2},"b":1}]}}'],
  [{ b: 1, "": 2, 1: 3, "01": 4 }, '{"":2,"01":4,"1":3,"b":1}'],
  [{ 10: 1, 9: 2 }, '{"10":1,"9":2}'],
];
for (const [value, text] of cases) test(`canonical JSON of ${text}`, () => assert.equal(canonicalJson(value), text));

test("values are the same exactly when their canonical JSON is", () => {
  const near = fc.oneof(
    fc.constantFrom<unknown>(
      0,
      -0,
      1,
      "a",
      null,
      [],
      {},
      { a: undefined },
      [null],
      [undefined],
      { a: null },
      { toString: 1 },
      { b: 1, a: 2 },
      { a: 2, b: 1 },
      [1, 2],
      { 0: 1, 1: 2 },
    ),
    fc.jsonValue(),
  );
  fc.assert(
    fc.property(near, near, (a, b) => {
      const nulled = JSON.parse(canonicalJson(a));
      assert.equal(sameJson(nulled, JSON.parse(canonicalJson(b))), canonicalJson(a) === canonicalJson(b));
      assert.ok(sameJson(a, structuredClone(a)));
    }),
    { seed: 6, numRuns: 1000 },
  );
  assert.ok(sameJson({ a: undefined, b: 1 }, { b: 1, c: undefined }));
  assert.ok(!sameJson({ constructor: 1 }, { a: 1 }));
  assert.ok(!sameJson({}, []));
});

test("putting keys in order at every level takes linear time", () => {
  let value: unknown = { z: 1, a: 2 };
  for (let i = 0; i < 300; i++) value = i % 2 ? { z: value, a: [value === null] } : { a: 1, b: value };
  assert.equal(canonicalJson(value), naive(value));
});

test("no depth overflows the stack", () => {
  let value: unknown = { z: "\n", a: [] };
  for (let i = 0; i < 100_000; i++) value = i % 2 ? [value, 1] : { z: undefined, b: value, a: null };
  const text = canonicalJson(value);
  assert.ok(text.startsWith('[{"a":null,"b":[{"a":null,"b":['));
  assert.ok(text.includes('{"a":[],"z":"\\n"}'));
  assert.ok(sameJson(value, JSON.parse(text)));
});
