import assert from "node:assert/strict";
import { test } from "node:test";
import { arbitraryBlock } from "@svc/document/testing/arbitrary-body";
import { id, p, quote, tr as row, table, td, th } from "@svc/document/testing/builders";
import type { Node } from "@svc/document/types";
import { documentKit } from "@svc/tiptap-kit/kit";
import { getSchema } from "@tiptap/core";
import { EditorState } from "@tiptap/pm/state";
import fc from "fast-check";
import { replaceBlock } from "../src/browser/editor/binding/narrow-replace.ts";
import { idOfNode } from "../src/browser/editor/block-json.ts";

const schema = getSchema(documentKit());

/** Returns the block after it was replaced by another one. */
function replaced(before: Node, after: Node): { readonly shown: Node; readonly wanted: Node } {
  const doc = schema.nodeFromJSON({ type: "doc", content: [id(1, before), id(2, p("Next"))] });
  const { tr } = EditorState.create({ doc });
  const wanted = schema.nodeFromJSON(id(1, after));
  replaceBlock(tr, idOfNode(doc.child(0)) ?? "", wanted);
  tr.doc.check();
  return { shown: tr.doc.toJSON().content[0], wanted: wanted.toJSON() };
}

test("LIVE17 a block that others changed is shown exactly as it is, whatever it was before", () => {
  fc.assert(
    fc.property(arbitraryBlock, arbitraryBlock, (before, after) => {
      const { shown, wanted } = replaced(before, after);
      assert.deepEqual(shown, wanted);
    }),
    { seed: 7, numRuns: 1000 },
  );
});

test("LIVE17 what comes out of a table, or goes into one, is shown where it stands", () => {
  const inner = table(row(th(p("a")), th(p("b"))), row(td(p("c")), td(p("d"))));
  const forms = [
    table(row(td(p("Na"), inner))),
    table(row(td(p("Na"), table(row(th(p("a"), p("b"))), row(td(p("c")), td(p("d"))))))),
    table(row(td(p("Na"), table(row(th(p("a")), td(inner)), row(td(p("c")), td(p("d"))))))),
    table(row(th(p("a"))), row(td(p("c")), td(p("d"), quote(inner)))),
  ];
  for (const before of forms)
    for (const after of forms) {
      const { shown, wanted } = replaced(before, after);
      assert.deepEqual(shown, wanted);
    }
});
