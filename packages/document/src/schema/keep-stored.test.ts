import assert from "node:assert/strict";
import { test } from "node:test";
import type { Node } from "../types.ts";
import { keepAllStored } from "./keep-stored.ts";

const paragraph = (id: string, content: Node["content"]): Node => ({ type: "paragraph", attrs: { id }, content });
const stored = paragraph("a", [{ type: "text", text: "One" }]);

test("a block that says the same keeps its stored form, whatever null attributes it came with", () => {
  const sent = { ...stored, attrs: { id: "a", textAlign: null } };
  assert.equal(keepAllStored([sent], [stored])[0], stored);
});

test("a block that was emptied stays as sent", () => {
  const sent = paragraph("a", []);
  assert.equal(keepAllStored([sent], [stored])[0], sent);
});
