import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { defined } from "@svc/document/defined";
import { anyBlocks } from "@svc/document/markdown/testing/markdown-bodies";
import { normaliseBody } from "@svc/document/schema/normalise";
import { id, p } from "@svc/document/testing/builders";
import fc from "fast-check";
import { makeRun, RULES, readRun, writeRun } from "./renderings.ts";
import { joinHtml } from "./stored-html.ts";

const forms = ["markdown", "html"] as const;

/** Bodies of every kind, always the same ones. */
const bodies = fc.sample(anyBlocks, { seed: 25, numRuns: 400 }).map((blocks) => {
  let next = 0;
  return normaliseBody({ type: "doc", content: blocks }, () => `block_${next++}`).content;
});

test("BODY25 a stored run is read as it was made", () => {
  for (const blocks of bodies)
    for (const form of forms) {
      const run = makeRun[form](blocks);
      const stored = writeRun(run);
      if (stored !== null) assert.partialDeepStrictEqual(readRun(stored), run);
    }
});

test("BODY25 HTML comes from strings and from bytes alike, also from before places were counted in bytes", () => {
  for (const [i, blocks] of bodies.entries()) {
    const runs = [blocks, defined(bodies[(i + 1) % bodies.length])].map(makeRun.html);
    const stored = runs.map(writeRun).filter((text) => text !== null);
    if (stored.length < runs.length) continue;
    const whole = joinHtml(runs);
    const old = runs.map(({ text, ...about }) => `${JSON.stringify(about)}\n${text}`);
    const fromBytes = joinHtml(stored.map((text) => readRun<"html">(Buffer.from(text))));
    assert.ok(Buffer.isBuffer(fromBytes));
    assert.equal(String(fromBytes), whole);
    for (const [first, second] of [
      [stored[0], old[1]],
      [old[0], stored[1]],
    ])
      assert.equal(joinHtml([first, second].map((text) => readRun<"html">(Buffer.from(defined(text))))), whole);
    assert.equal(joinHtml(stored.map((text) => readRun<"html">(text))), whole);
  }
});

test("BODY25 what a database would change or refuse is not stored", () => {
  assert.equal(writeRun(makeRun.html([id(1, p("half of a pair: \ud800"))])), null);
  assert.equal(writeRun({ text: "\0", warnings: [], first: "", last: "" }), null);
});

/** SHA-256 of what the rules make of the bodies. */
const digests: Readonly<Record<number, string>> = {
  2: "dec8a61b3caa994bb7a4f7bce8ce988e0a42e08f0792517b92396cd7293f8723",
  3: "37dfbfbc1ba8b1259770d939bf3c295cf0711e9753b5a8e83c7db35fab57e82b",
  4: "3a9a29441d9ebaa15c458b30b0579e5cd9727bae52c23a0b0aa564f2eba3c07d",
  5: "37affcd2a722ff67e5df3e8394a9dc9a5ec358b03da0cb5daba03f2236379084",
  6: "56c368937e9bd9bb91ac91b6d39366ebbb79ef4bdba1bfa091237b074ff0f9dc",
  8: "4d358368205009c39db9608bc7270ab306d0f903a5e337922190c1a787178978",
  7: "56c368937e9bd9bb91ac91b6d39366ebbb79ef4bdba1bfa091237b074ff0f9dc",
};

test("BODY25 Markdown and HTML that come out otherwise have rules with a new number", () => {
  const sum = createHash("sha256");
  for (const blocks of bodies) for (const form of forms) sum.update(JSON.stringify(makeRun[form](blocks)));
  assert.equal(sum.digest("hex"), digests[RULES], "Count RULES up and write the new digest beside it.");
});
