import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { defined } from "../defined.ts";
import { DocumentError } from "../errors.ts";
import { validateBody } from "../schema/validate.ts";
import { arbitraryBody, freeze } from "../testing/arbitrary-body.ts";
import { arbitraryContent, arbitraryOperation } from "../testing/arbitrary-operation.ts";
import * as build from "../testing/builders.ts";
import { type NaiveOperation, naiveApply } from "../testing/naive-edit.ts";
import { refusal } from "../testing/refusal.ts";
import type { Body } from "../types.ts";
import type { EditContext } from "./context.ts";
import { insertAt, moveBlock, patchAttrs, removeBlock, replaceBlock, replaceContent } from "./edit.ts";
import { parsePosition } from "./position.ts";
import { replaceText } from "./replace-text.ts";

const { doc, p, h, ul, li, id, quote, idFor, countingIds, table, tr, td } = build;
const context = (): EditContext => ({ newId: countingIds(1000) });

function apply(body: Body, operation: NaiveOperation, edit: EditContext): Body {
  switch (operation.op) {
    case "insert":
      return insertAt(body, parsePosition(operation.position), operation.nodes, edit);
    case "delete":
      return removeBlock(body, operation.block_id);
    case "replace":
      return replaceBlock(body, operation.block_id, operation.node, edit);
    case "move":
      return moveBlock(body, operation.block_id, parsePosition(operation.position), edit);
    case "set_attrs":
      return patchAttrs(body, operation.block_id, operation.attrs, edit);
    case "content":
      return replaceContent(body, operation.block_id, operation.content, edit);
    case "replace_text":
      return replaceText(body, operation, edit).body;
  }
}

const outcome = (work: () => Body): Body | string => {
  try {
    return work();
  } catch (error) {
    if (error instanceof DocumentError) return error.code;
    throw error;
  }
};

function checkAgainstModel(body: Body, operation: NaiveOperation): void {
  const wanted = outcome(() => naiveApply(body, operation, countingIds(1000)));
  const result = outcome(() => apply(body, operation, context()));
  assert.deepEqual(result, wanted);
  if (typeof result === "string") return;
  validateBody(result, { maxCharacters: 1e9 });
  if (JSON.stringify(result) === JSON.stringify(body)) assert.equal(result, body);
}

test("every edit does what the naive model does, or refuses with the same code", () => {
  fc.assert(
    fc.property(arbitraryBody, arbitraryOperation, (body, make) => checkAgainstModel(freeze(body), make(body))),
    { seed: 11, numRuns: 1000 },
  );
});

test("replacing content does what the naive model does", () => {
  fc.assert(
    fc.property(arbitraryBody, arbitraryContent, (body, make) => checkAgainstModel(freeze(body), make(body))),
    { seed: 12, numRuns: 500 },
  );
});

test("an edit shares all top-level blocks but those it touches", () => {
  fc.assert(
    fc.property(arbitraryBody, arbitraryOperation, (body, make) => {
      const operation = make(body);
      const result = outcome(() => apply(body, operation, context()));
      if (typeof result === "string" || operation.op === "replace_text") return;
      const old = new Set(body.content);
      const inserted = operation.op === "insert" ? operation.nodes.length : 0;
      const fresh = result.content.filter((block) => !old.has(block)).length;
      assert.ok(fresh <= Math.max(2, inserted), `${fresh} new blocks`);
    }),
    { seed: 13, numRuns: 500 },
  );
});

const list = doc(id(1, h(1, "One")), id(2, ul(id(3, li(id(4, p("a")))))), id(5, p("b")));

const refused: [what: string, work: () => unknown, code: string][] = [
  [
    "a paragraph into a list",
    () => insertAt(list, { parent_block_id: idFor(2) }, [p("x")], context()),
    "invalid_document",
  ],
  [
    "a list item beside a paragraph",
    () => insertAt(list, { after_block_id: idFor(5) }, [li(p("x"))], context()),
    "invalid_document",
  ],
  ["a block into a line", () => insertAt(list, { parent_block_id: idFor(5) }, [p("x")], context()), "invalid_document"],
  ["a missing block", () => insertAt(list, { after_block_id: idFor(9) }, [p("x")], context()), "block_not_found"],
  ["a missing heading", () => insertAt(list, { after_heading: "Two" }, [p("x")], context()), "heading_not_found"],
  ["an id in use", () => insertAt(list, { document_end: true }, [id(4, p("x"))], context()), "duplicate_block_id"],
  [
    "an id twice",
    () => insertAt(list, { document_end: true }, [id(7, p()), id(7, p())], context()),
    "duplicate_block_id",
  ],
  ["an item replaced by a paragraph", () => replaceBlock(list, idFor(3), p("x"), context()), "invalid_document"],
  [
    "a nested id in use elsewhere",
    () => replaceBlock(list, idFor(2), quote(id(5, p("x"))), context()),
    "duplicate_block_id",
  ],
  ["its own id nested", () => replaceBlock(list, idFor(2), quote(id(2, p("x"))), context()), "duplicate_block_id"],
  ["a level of 7", () => patchAttrs(list, idFor(1), { level: 7 }, context()), "invalid_document"],
  ["an empty list", () => replaceContent(list, idFor(2), [], context()), "invalid_document"],
  ["a block into itself", () => moveBlock(list, idFor(2), { parent_block_id: idFor(3) }, context()), "invalid_request"],
  ["an item out of its list", () => moveBlock(list, idFor(3), { document_end: true }, context()), "invalid_document"],
  ["text that is not there", () => replaceText(list, { old: "zzz", new: "" }, context()).body, "invalid_request"],
  [
    "another count",
    () => replaceText(list, { old: "a", new: "", expected_count: 2 }, context()).body,
    "invalid_request",
  ],
  ["no text", () => replaceText(list, { old: "", new: "a" }, context()).body, "invalid_request"],
];
for (const [what, work, code] of refused) test(`refused: ${what}`, () => assert.equal(refusal(work).code, code));

test("a replaced block keeps its id and the nested ids that came with it", () => {
  const changed = replaceBlock(list, idFor(2), id(8, quote(id(4, p("x")))), context());
  assert.deepEqual(changed.content[1], id(2, quote(id(4, p("x")))));
});

test("removing the last child removes the containers that cannot be empty", () => {
  assert.deepEqual(removeBlock(list, idFor(4)), doc(defined(list.content[0]), defined(list.content[2])));
  const sheet = doc(id(1, table(id(2, tr(id(3, td(id(4, p("a")))))))));
  assert.deepEqual(removeBlock(sheet, idFor(4)), doc());
});

test("the only child may be moved out to the place of its container", () => {
  const body = doc(id(1, quote(id(2, p("a")))), id(3, p("b")));
  const moved = moveBlock(body, idFor(2), { after_block_id: idFor(1) }, context());
  assert.deepEqual(moved, doc(id(2, p("a")), id(3, p("b"))));
  assert.equal(moved.content[0], defined(defined(body.content[0]).content)[0]);
});

test("a spreadsheet takes only tables at the top", () => {
  const sheet = doc(id(1, table(id(2, tr(id(3, td(id(4, p("a")))))))));
  const edit: EditContext = { ...context(), documentType: "spreadsheet" };
  assert.equal(refusal(() => insertAt(sheet, { document_end: true }, [p("x")], edit)).code, "invalid_document");
  assert.equal(refusal(() => replaceBlock(sheet, idFor(1), p("x"), edit)).code, "invalid_document");
  assert.equal(insertAt(sheet, { document_end: true }, [table(tr(td(p("b"))))], edit).content.length, 2);
});

test("an edit cannot nest deeper than allowed", () => {
  let body = doc(id(1, quote(id(2, p("a")))));
  const edit: EditContext = { newId: countingIds(10), maxDepth: 5 };
  body = insertAt(body, { parent_block_id: idFor(1) }, [id(3, quote(id(4, p("b"))))], edit);
  validateBody(body, { maxCharacters: 100, maxDepth: 5 });
  const work = () => insertAt(body, { parent_block_id: idFor(3) }, [quote(quote(p("c")))], edit);
  assert.equal(refusal(work).code, "invalid_document");
});

test("text inserted into a line is joined with it", () => {
  const body = insertAt(doc(id(1, p("a"))), { parent_block_id: idFor(1) }, [build.text("b")], context());
  assert.deepEqual(body, doc(id(1, p("ab"))));
});

test("hundreds of thousands of nodes go in and out in one edit", () => {
  const many = Array.from({ length: 200_000 }, () => build.text("ab"));
  const paragraphs = many.map((line) => ({ type: "paragraph", content: [line] }));
  const body = insertAt(list, { document_start: true }, paragraphs, context());
  assert.equal(body.content.length, 200_003);
  const line = replaceContent(
    list,
    idFor(5),
    many.flatMap((node, i) => (i % 2 ? [build.br] : [node])),
    context(),
  );
  const { body: changed } = replaceText(line, { block_id: idFor(5), old: "b", new: "" }, context());
  assert.equal(defined(defined(changed.content[2]).content).length, 200_000);
});
