import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { markRules, nodeTypes } from "../schema/nodes.ts";
import type { Node } from "../types.ts";
import { nodeGuide, sampleNodes } from "./node-guide.ts";
import { markSamples, nodeSamples } from "./samples.ts";

const typesIn = (nodes: readonly Node[]): string[] =>
  nodes.flatMap(({ type, marks = [], content = [] }) => [type, ...marks.map((mark) => mark.type), ...typesIn(content)]);

describe("guide of nodes", () => {
  const types = [...Object.keys(nodeTypes), ...markRules.keys()];
  for (const type of types)
    it(`DESC8 the sample of ${type} makes one`, () => {
      const sample = nodeSamples[type] ?? markSamples[type];
      assert.ok(sample && typesIn(sampleNodes(sample)).includes(type));
    });

  it("DESC8 docs/nodes.md is made from the schema: `npm run openapi` writes it", () => {
    assert.equal(readFileSync(new URL("../../../../docs/nodes.md", import.meta.url), "utf8"), nodeGuide());
  });
});
