import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { canonicalJson } from "./canonical.ts";
import { readCanonical } from "./read-canonical.ts";
import { arbitraryBody } from "./testing/arbitrary-body.ts";
import * as build from "./testing/builders.ts";
import type { Json, Node } from "./types.ts";

const asPlain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

function assertReadsLikeJson(nodes: readonly Node[]): void {
  const json = canonicalJson(nodes);
  assert.deepEqual(asPlain(readCanonical(json)), JSON.parse(json));
}

test("nodes are read as JSON.parse reads them", () => {
  fc.assert(
    fc.property(arbitraryBody, ({ content }) => assertReadsLikeJson(content)),
    { seed: 7, numRuns: 300 },
  );
});

test("texts, attributes and their names may hold anything", () => {
  const name = fc.oneof(fc.string(), fc.constantFrom("id", "type", "__proto__", "1", 'a"},{"b', "\\"));
  const value = fc.oneof(fc.string({ unit: "binary" }), fc.jsonValue(), fc.constantFrom("\\", '"', '\\"', '"},"'));
  const node = fc
    .tuple(fc.dictionary(name, value as fc.Arbitrary<Json>), value)
    .map(([attrs, text]): Node[] => [
      { ...build.p(String(text), build.br, `${text}\\`), attrs },
      build.code(String(text), String(text)),
      build.text(String(text), { type: "link", attrs }),
      { ...build.text(""), marks: [], content: [] },
    ]);
  fc.assert(fc.property(node, assertReadsLikeJson), { seed: 7, numRuns: 500 });
});

test("what looks otherwise is left to JSON.parse", () => {
  const spaced = '[ {"type": "paragraph", "content": [{"type": "text", "text": "a"}]} ]';
  assert.deepEqual(readCanonical(spaced), JSON.parse(spaced));
  const whole = canonicalJson([build.h(2, "a\\b"), build.ul(build.li(build.p(build.text("c", build.bold))))]);
  for (let end = 0; end < whole.length; end++)
    assert.throws(() => readCanonical(whole.slice(0, end)), SyntaxError, whole.slice(0, end));
});
