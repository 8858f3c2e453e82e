import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { defined } from "@svc/document/defined";
import { listHeadings } from "@svc/document/read/headings";
import type { Node } from "@svc/document/types";
import { searchableBlocks } from "@svc/search/text/searchable";
import fc from "fast-check";
import { cut } from "../../../bodies/segment.ts";
import { BodyLayout } from "./body-layout.ts";
import { locateBlock } from "./locate-block.ts";

/** Text that looks like JSON, and attributes that look like those of headings. */
const text = fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom('"level":1', '\\"', '{"type":"heading"}', "]},{["));
const odd = fc.constantFrom({}, { level: 1 }, { other: { level: 1, id: "b1" } }, { note: '"level":1}]\\' });
const line = (value: string): Node[] => [{ type: "text", text: value }];
const leaf = fc.oneof(
  fc.record({ type: fc.constant("paragraph"), attrs: odd, content: text.map(line) }),
  fc.record({
    type: fc.constant("heading"),
    attrs: fc.record({ level: fc.integer({ min: 1, max: 4 }) }),
    content: text.map(line),
  }),
);
const block = fc.oneof(
  leaf,
  fc.record({ type: fc.constant("blockquote"), attrs: odd, content: fc.array(leaf, { minLength: 1, maxLength: 3 }) }),
);

function withIds(nodes: readonly Node[], next = { id: 0 }): Node[] {
  return nodes.map((node) => {
    if (node.type === "text") return node;
    const attrs = { ...node.attrs, id: `b${next.id++}` };
    return { ...node, attrs, ...(node.content && { content: withIds(node.content, next) }) };
  });
}

/** By parsing everything. */
function expectedPath(blocks: readonly Node[], position: number): string[] {
  const path: string[] = [];
  let level = Number.POSITIVE_INFINITY;
  for (const heading of listHeadings(blocks).reverse()) {
    if (heading.nested || heading.position > position || heading.level >= level) continue;
    path.unshift(heading.text);
    level = heading.level;
  }
  return path;
}

describe("location of a block", () => {
  it("is found in the JSON of its body, whatever the texts and attributes look like", () => {
    fc.assert(
      fc.property(fc.array(block, { minLength: 1, maxLength: 12 }), fc.integer({ min: 1, max: 4 }), (made, run) => {
        const blocks = withIds(made as Node[]);
        const segments = Array.from({ length: Math.ceil(blocks.length / run) }, (_, i) =>
          cut(blocks.slice(i * run, (i + 1) * run)),
        ).flat();
        const layout = new BodyLayout(segments);
        const location = (id: string) =>
          locateBlock(layout, id, layout.locationsOf(id), (segment) => defined(segments[segment]).json);
        for (const [position, top] of blocks.entries())
          for (const { id, text } of searchableBlocks([top]))
            assert.deepEqual(location(id), { text, headingPath: expectedPath(blocks, position) });
        assert.equal(location("b99"), undefined);
      }),
    );
  });
});
