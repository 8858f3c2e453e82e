import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { defined } from "../defined.ts";
import { DocumentError } from "../errors.ts";
import { arbitraryBody, freeze } from "../testing/arbitrary-body.ts";
import { arbitraryOperation } from "../testing/arbitrary-operation.ts";
import * as build from "../testing/builders.ts";
import { type NaiveOperation, naiveApply } from "../testing/naive-edit.ts";
import { refusal } from "../testing/refusal.ts";
import type { Body } from "../types.ts";
import { applyBatch, parseOperations } from "./batch.ts";

const { doc, p, id, idFor, countingIds, h } = build;
const options = { maxCharacters: 100_000 };

type Expected = { operations: NaiveOperation[]; body: Body; failure?: { code: string; operation_index: number } };

/** Makes up operations one by one against the naive model, up to the first that fails. */
function expected(body: Body, makers: readonly ((body: Body) => NaiveOperation)[]): Expected {
  const newId = countingIds(1000);
  const operations: NaiveOperation[] = [];
  let current = body;
  for (const make of makers) {
    operations.push(make(current));
    try {
      current = naiveApply(current, defined(operations.at(-1)), newId);
    } catch (error) {
      assert.ok(error instanceof DocumentError);
      return { operations, body, failure: { code: error.code, operation_index: operations.length - 1 } };
    }
  }
  return { operations, body: current };
}

test("a batch is its operations one after another, or the first refusal with its index", () => {
  fc.assert(
    fc.property(arbitraryBody, fc.array(arbitraryOperation, { minLength: 1, maxLength: 8 }), (body, makers) => {
      const { operations, body: wanted, failure } = expected(freeze(body), makers);
      const run = () => applyBatch(body, parseOperations(freeze(operations)), countingIds(1000), options);
      if (failure) {
        const { code, details } = refusal(run);
        assert.deepEqual({ code, operation_index: details.operation_index }, failure);
      } else assert.deepEqual(run().body, wanted);
    }),
    { seed: 21, numRuns: 400 },
  );
});

test("results tell the ids given and the places changed", () => {
  const body = doc(id(1, h(1, "T")), id(2, p("a b a")));
  const operations = [
    { op: "insert", position: { after_heading: "t" }, nodes: [p("x"), build.quote(p("y"))] },
    { op: "replace_text", old: "a", new: "c", expected_count: 2 },
    { op: "move", block_id: idFor(100), position: { document_end: true } },
    { op: "delete", block_id: idFor(2) },
    { op: "set_attrs", block_id: idFor(1), attrs: { level: 2 } },
    { op: "replace", block_id: idFor(101), node: p("z") },
  ];
  const { body: after, results } = applyBatch(body, parseOperations(operations), countingIds(100), options);
  assert.deepEqual(after, doc(id(1, h(2, "T")), id(101, p("z")), id(100, p("x"))));
  assert.deepEqual(
    results.map(({ op, ...rest }) => [op, "block_ids" in rest ? rest.block_ids : Object.values(rest)]),
    [
      ["insert", [idFor(100), idFor(101)]],
      ["replace_text", [null, 2]],
      ["move", [idFor(100)]],
      ["delete", [idFor(2)]],
      ["set_attrs", [idFor(1)]],
      ["replace", [idFor(101)]],
    ],
  );
});

const body = doc(id(1, p("a")));
const insert = (more: object) => ({ op: "insert", position: { document_end: true }, nodes: [p("x")], ...more });
const refused: [what: string, operations: unknown, code: string, path?: string][] = [
  ["no list", {}, "invalid_request", "operations"],
  ["an empty list", [], "invalid_request", "operations"],
  ["too many", Array(101).fill(insert({})), "invalid_request", "operations"],
  ["null", [null], "invalid_request", "operations[0]"],
  ["an unknown op", [insert({}), { op: "toString" }], "invalid_request", "operations[1].op"],
  ["an unknown field", [insert({ at: 1 })], "invalid_request", "operations[0].at"],
  [
    "two positions",
    [insert({ position: { document_start: true, document_end: true } })],
    "invalid_request",
    "operations[0].position",
  ],
  ["no position", [insert({ position: {} })], "invalid_request", "operations[0].position"],
  [
    "document_end false",
    [insert({ position: { document_end: false } })],
    "invalid_request",
    "operations[0].position.document_end",
  ],
  [
    "an unknown position",
    [insert({ position: { __proto__: null, top: true } })],
    "invalid_request",
    "operations[0].position.top",
  ],
  [
    "a blank heading",
    [insert({ position: { after_heading: " \n" } })],
    "invalid_request",
    "operations[0].position.after_heading",
  ],
  ["no block id", [{ op: "delete" }], "invalid_request", "operations[0].block_id"],
  [
    "attrs that are a list",
    [{ op: "set_attrs", block_id: idFor(1), attrs: [] }],
    "invalid_request",
    "operations[0].attrs",
  ],
  [
    "half an expected count",
    [{ op: "replace_text", old: "a", new: "b", expected_count: 0.5 }],
    "invalid_request",
    "operations[0].expected_count",
  ],
];
for (const [what, operations, code, path] of refused)
  test(`refused: ${what}`, () => {
    const error = refusal(() => parseOperations(operations));
    assert.equal(error.code, code);
    assert.equal(defined((error.details.issues as { path: string }[])[0]).path, path);
  });

test("nodes of a batch are validated and named by their path", () => {
  const { code, details } = refusal(() =>
    applyBatch(body, parseOperations([insert({}), insert({ nodes: [p("a"), {}] })]), countingIds(9), options),
  );
  assert.equal(code, "invalid_document");
  assert.deepEqual([details.path, details.operation_index], ["operations[1].nodes[1]", 1]);
});

test("a batch cannot grow a body beyond its limit, however often a text occurs", () => {
  const large = doc(id(1, p("a".repeat(50_000))));
  const grow = { op: "replace_text", old: "a", new: "b".repeat(1_000_000) };
  const { code, details } = refusal(() => applyBatch(large, parseOperations([grow]), countingIds(9), options));
  assert.deepEqual([code, details.used], ["document_too_large", 50_000_000_000]);
  const insertions = Array(3).fill(insert({ nodes: [p("c".repeat(20_000))] }));
  assert.equal(
    refusal(() => applyBatch(large, parseOperations(insertions), countingIds(9), options)).code,
    "document_too_large",
  );
});

test("an attribute called __proto__ stays an attribute", () => {
  const attrs = JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}');
  const operations = parseOperations([{ op: "set_attrs", block_id: idFor(1), attrs }]);
  const { body: after } = applyBatch(body, operations, countingIds(9), options);
  const node = defined(after.content[0]);
  assert.deepEqual(Object.keys(defined(node.attrs)).sort(), ["__proto__", "constructor", "id"]);
  assert.equal(Object.getPrototypeOf(node.attrs), Object.prototype);
  assert.equal(Reflect.get({}, "polluted"), undefined);
});
