import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { defined } from "../defined.ts";
import type { Node } from "../types.ts";
import { applyChanges } from "./apply.ts";
import { proposedChanges } from "./changes.ts";

const block = (id: string, text = id): Node => ({
  type: "paragraph",
  attrs: { id },
  content: [{ type: "text", text }],
});
const blocks = (...ids: string[]): Node[] => ids.map((id) => block(id));
const textsOf = (nodes: readonly Node[]): string[] => nodes.map((node) => node.content?.[0]?.text ?? "");

const accept = (base: readonly Node[], proposed: readonly Node[], current: readonly Node[] = base) => {
  const changes = proposedChanges(base, proposed).map((change, i) => ({ ...change, id: String(i) }));
  return applyChanges(current, changes);
};

const arbitraryBody = fc
  .uniqueArray(fc.record({ id: fc.constantFrom(..."abcdefgh"), text: fc.constantFrom("x", "y", "z") }), {
    selector: ({ id }) => id,
  })
  .map((items) => items.map(({ id, text }) => block(id, text)));

test("all changes on the base give the proposal, whatever it is", () => {
  fc.assert(
    fc.property(arbitraryBody, arbitraryBody, (base, proposed) => {
      const { blocks: result, conflicts } = accept(base, proposed);
      assert.deepEqual(conflicts, []);
      assert.deepEqual(result, proposed);
    }),
    { numRuns: 2000 },
  );
});

test("changes of other people stay where the proposal does not touch their blocks", () => {
  const base = blocks("a", "b", "c");
  const proposed = [block("a"), block("b", "better"), block("new"), block("c")];
  const current = [block("zero"), block("a", "edited"), block("b"), block("c")];
  const { blocks: result, conflicts } = accept(base, proposed, current);
  assert.deepEqual(conflicts, []);
  assert.deepEqual(textsOf(result), ["zero", "edited", "better", "new", "c"]);
});

test("a block that both changed is a conflict and stays as it is", () => {
  const { blocks: result, conflicts } = accept(blocks("a"), [block("a", "mine")], [block("a", "theirs")]);
  assert.deepEqual([textsOf(result), conflicts.length], [["theirs"], 1]);
});

test("what was done already is no conflict", () => {
  const proposed = [block("a", "same")];
  assert.deepEqual(accept(blocks("a", "b"), proposed, proposed), {
    blocks: proposed,
    applied: ["0", "1"],
    conflicts: [],
  });
});

test("a person's own wording counts also where the block has changed or gone", () => {
  const [change] = proposedChanges(blocks("a", "b"), [block("a", "mine"), block("b")]);
  const wanted = { ...defined(change), id: "1", wording: [block("a", "agreed")] };
  assert.deepEqual(textsOf(applyChanges([block("a", "theirs"), block("b")], [wanted]).blocks), ["agreed", "b"]);
  assert.deepEqual(textsOf(applyChanges(blocks("b"), [wanted]).blocks), ["b", "agreed"]);
});
