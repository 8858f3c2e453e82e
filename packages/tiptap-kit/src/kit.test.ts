import assert from "node:assert/strict";
import { test } from "node:test";
import { defined } from "@svc/document/defined";
import { keepAllStored } from "@svc/document/schema/keep-stored";
import { markRules, nodeTypes } from "@svc/document/schema/nodes";
import { arbitraryBody } from "@svc/document/testing/arbitrary-body";
import { id, p } from "@svc/document/testing/builders";
import type { Body } from "@svc/document/types";
import { getSchema } from "@tiptap/core";
import fc from "fast-check";
import { keepUnknown } from "./keep-unknown.ts";
import { documentKit } from "./kit.ts";

const schema = getSchema(documentKit());

/** Opens a body in an editor and saves it without a change. */
const saved = (body: Body): Body => {
  const doc = schema.nodeFromJSON(body);
  doc.check();
  return JSON.parse(JSON.stringify({ type: "doc", content: doc.toJSON().content ?? [] }));
};

test("BODY26 every node and mark of the schema is in the kit", () => {
  assert.deepEqual(new Set(Object.keys(schema.nodes)), new Set(["doc", "text", ...Object.keys(nodeTypes)]));
  assert.deepEqual(new Set(Object.keys(schema.marks)), new Set(markRules.keys()));
});

test("BODY26 what the kit opens and saves says what it said", () => {
  fc.assert(
    fc.property(arbitraryBody, (body) => {
      const after = keepAllStored(keepUnknown(schema, body, saved(body)).content, body.content);
      assert.deepEqual(after, body.content);
    }),
    { seed: 21, numRuns: 300 },
  );
});

test("BODY26 an edited block keeps the attributes that the editor does not know", () => {
  const opened: Body = { type: "doc", content: [id(1, { ...p("a"), attrs: { custom: [1] } }), id(2, p("b"))] };
  const edited = saved({ type: "doc", content: [id(1, p("A")), id(2, p("b"))] });
  const [first, second] = keepUnknown(schema, opened, edited).content;
  assert.deepEqual(
    [defined(defined(first).attrs).custom, defined(defined(defined(first).content)[0]).text],
    [[1], "A"],
  );
  assert.equal(second, opened.content[1]);
});
