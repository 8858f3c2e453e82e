import assert from "node:assert/strict";
import { test } from "node:test";
import { parseBestQuery } from "../query/query.ts";
import { runSearch } from "../query/run-search.ts";
import { Workspace } from "../testing/workspace.ts";
import { layoutOf } from "./layout.ts";
import { isPoorText } from "./poor-text.ts";

/** The texts of one section that "installer" finds, best first, and their scores. The first text is its heading. */
async function find(texts: readonly string[]) {
  const workspace = new Workspace();
  const numbers = await workspace.change(
    1,
    texts.map((text) => ({ text })),
  );
  const blocks = numbers.map((number, i) => {
    const { text } = workspace.texts.get(number)!;
    return { number, blockId: i === 0 ? "heading" : `block-${i}`, section: "heading", isPoor: isPoorText(text) };
  });
  const layout = layoutOf(blocks, [["heading", 1, "Installer"]]);
  const query = parseBestQuery("installer");
  assert.ok(!("error" in query));
  const layouts = async () => new Map([[1, layout]]);
  const request = { mode: "topk", limit: 10, layouts } as const;
  const result = await runSearch(workspace.store, workspace.caches, query, workspace.store.counters, request);
  assert.ok(!("error" in result));
  return result.hits.map(({ number, score, boost }) => ({ text: workspace.texts.get(number)!.text, score, boost }));
}

const HEADING = "Installer";
const FRAGMENT = "Run the installer once.";
const CODE = "$ npm run installer -- --all --quiet --no-questions";
const TEXT = "On every machine the installer must run once, before anybody signs in there.";

for (const [name, others] of [
  ["a fragment", [FRAGMENT]],
  ["code", [CODE]],
  ["a text", [TEXT]],
  ["a text that follows a fragment and code", [TEXT, FRAGMENT, CODE]],
] as const)
  test(`a heading ranks below ${name} of its section`, async () => {
    const rest = others.slice(1);
    const hits = await find([HEADING, ...rest, others[0]]);
    assert.equal(hits.length, others.length + 1);
    assert.equal(hits[0]?.text, others[0]);
    const heading = hits.find(({ text }) => text === HEADING)!;
    assert.ok(heading.score < hits[0]!.score);
    assert.ok(hits[0]!.boost! > 1 && heading.boost! < 1);
  });

test("a heading without another hit in its section keeps its score", async () => {
  const hits = await find([HEADING, "Open the page."]);
  assert.deepEqual(
    hits.map(({ text, boost }) => ({ text, boost })),
    [{ text: HEADING, boost: 1 }],
  );
});
