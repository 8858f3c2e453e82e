import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { joinText } from "../../schema/normalise.ts";
import { b, br, i, text } from "../../testing/builders.ts";
import { htmlToBlocks } from "./to-blocks.ts";
import { writeHtmlLine } from "./write-line.ts";

const words = fc.string({ unit: fc.constantFrom("a", " ", "<", "&", "\n", '"', ";") });
const part = fc.oneof(
  words.map((value) => text(value)),
  words.map(b),
  words.map(i),
  fc.constant(br),
);

test("HTML1 a line written as HTML is read back as the same line", () => {
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
      const content = joinText(parts);
      const [paragraph] = htmlToBlocks(`<p align="right">${writeHtmlLine(content)}</p>`) ?? [];
      assert.deepEqual(paragraph?.content ?? [], content);
    }),
    { seed: 8, numRuns: 2000 },
  );
});

test("HTML7 deep and unclosed HTML costs linear time", () => {
  const start = process.cpuUsage();
  for (const html of [
    "<b>".repeat(200_000),
    "<div ".repeat(200_000),
    `<p>${"<i>a</i>".repeat(100_000)}</p>`,
    "<!--".repeat(200_000),
  ])
    htmlToBlocks(html.slice(0, 199_999));
  assert.ok(process.cpuUsage(start).user < 3_000_000);
});
