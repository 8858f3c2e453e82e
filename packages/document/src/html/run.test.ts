import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { anyBlocks } from "../markdown/testing/markdown-bodies.ts";
import { slugs } from "../read/slugs.ts";
import { normaliseBody } from "../schema/normalise.ts";
import { h, id, p, quote } from "../testing/builders.ts";
import type { Node } from "../types.ts";
import { renderBody } from "./render.ts";
import { joinHtmlRuns, renderRun } from "./run.ts";

const whole = (content: readonly Node[]): string => renderBody(content, { slugs: slugs({ type: "doc", content }) });

test("runs of a body, wherever it is cut, are the HTML of the whole", () => {
  fc.assert(
    fc.property(anyBlocks, fc.array(fc.nat(20), { maxLength: 4 }), (blocks, cuts) => {
      let next = 0;
      const { content } = normaliseBody({ type: "doc", content: blocks }, () => `block_${next++}`);
      const ends = [0, ...cuts.map((at) => Math.min(at, content.length)).sort((a, b) => a - b), content.length];
      const runs = ends.slice(1).map((end, i) => renderRun(content.slice(ends[i], end)));
      assert.equal(joinHtmlRuns(runs), whole(content));
    }),
    { seed: 11, numRuns: 500 },
  );
});

test("headings of all runs are numbered together, nested ones too", () => {
  const runs = [
    [id(1, h(1, "Same")), id(2, p("text"))],
    [id(3, quote(id(4, h(2, "Same")))), id(5, h(2, "same 1")), id(6, h(3, "Same"))],
  ];
  const html = joinHtmlRuns(runs.map(renderRun));
  assert.equal(html, whole(runs.flat()));
  assert.deepEqual(
    [...html.matchAll(/id="([^"]*)"/g)].map(([, slug]) => slug),
    ["same", "same-1", "same-1-1", "same-2"],
  );
});

test("a text cannot pass for the place of an id", () => {
  const blocks = [id(1, h(1, "\0 and \0")), id(2, p("\0"))];
  assert.equal(joinHtmlRuns([renderRun(blocks)]), whole(blocks));
  assert.equal(joinHtmlRuns([]), "");
});
