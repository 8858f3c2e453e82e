import assert from "node:assert/strict";
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

  it("DESC8 the guide has a heading for every type", () => {
    const headings = [...nodeGuide().matchAll(/^### `(\w+)`$/gm)].map(([, type = ""]) => type);
    assert.deepEqual(
      types.filter((type) => type !== "doc" && type !== "text" && !headings.includes(type)),
      [],
    );
  });
});
