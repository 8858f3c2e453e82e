import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { defined } from "@svc/document/defined";
import fc from "fast-check";
import { referenceSearch } from "../testing/reference.ts";
import { explained, queryOf, Workspace } from "../testing/workspace.ts";
import { parseQuery } from "./query.ts";

const vocabulary = [
  "to",
  "be",
  "or",
  "not",
  "the",
  "cat",
  "catalog",
  "category",
  "fooBar",
  "foobar",
  "foo_bar",
  "foo.bar",
  "getUserName",
  "v1.2",
  "C++",
  "知识库和文档",
  "文档",
  "库",
  "知",
  "검색은",
  "검색",
  "ภาษาไทย",
  "ไทย",
  "Straße",
  "𠮷野家",
  "naïve",
  "…",
  "👩‍👩‍👧",
];
const queries = [
  "to",
  "the cat",
  '"to be"',
  '"to be or not"',
  '"to be to be"',
  "cat*",
  "c*",
  "foo*",
  "fooBar",
  "FOOBAR",
  "foo_bar",
  "UserName",
  "getUser*",
  "1.2",
  "c++",
  "c",
  "文档",
  "知识库",
  "库",
  "知",
  "검색",
  "ไทย",
  "strasse",
  "𠮷野",
  "naive",
  "cat -the",
  'the -"to be"',
  "the -cat*",
  "to -库",
  '"cat 文"',
  '"the 知识"',
  "to be or not the cat",
  "foo_b*",
  "absent",
  "the absent",
];

const text = fc.array(fc.constantFrom(...vocabulary), { maxLength: 12 }).map((words) => words.join(" "));
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("insert" as const),
      document: fc.integer({ min: 1, max: 4 }),
      texts: fc.array(text, { minLength: 1, maxLength: 4 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("edit" as const), which: fc.nat(), text }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("delete" as const),
      which: fc.nat(),
      count: fc.integer({ min: 1, max: 4 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("merge" as const),
      from: fc.nat(),
      count: fc.integer({ min: 1, max: 20 }),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function apply(workspace: Workspace, action: Step): Promise<void> {
  const live = [...workspace.texts.values()];
  if (action.kind === "insert") {
    const title = { field: "title" as const, text: defined(action.texts[0]) };
    await workspace.change(action.document, [title, ...action.texts.map((text) => ({ text }))]);
  } else if (action.kind === "merge") await mergeAnyNeighbours(workspace, action.from, action.count);
  else if (live.length > 0) {
    const at = action.which % live.length;
    const { number, document, field } = defined(live[at]);
    if (action.kind === "edit") await workspace.change(document, [{ field, text: action.text }], [number]);
    else
      await workspace.change(
        document,
        [],
        live.slice(at, at + action.count).map((block) => block.number),
      );
  }
}

/** Any neighbours of level 0 to the end of the list, or any others: more than the policy would ever choose. */
async function mergeAnyNeighbours(workspace: Workspace, from: number, count: number): Promise<void> {
  const { rows } = workspace.store;
  if (rows.length === 0) return;
  const start = from % rows.length;
  const inputs = rows.slice(start, start + count);
  const level = Math.max(...inputs.map((row) => row.level)) + 1;
  await workspace.mergeOnce({ inputs, level });
}

async function assertEqualsReference(workspace: Workspace, queryText: string, accepts?: (document: number) => boolean) {
  const query = queryOf(queryText);
  const expected = referenceSearch(workspace.texts.values(), query, accepts);
  const { hits, counts, statistics } = await workspace.search(queryText, accepts ? { accepts } : {});
  const label = `query ${queryText}`;
  assert.deepEqual(
    hits.map((hit) => hit.number),
    expected.map((hit) => hit.number),
    label,
  );
  for (const [i, hit] of hits.entries()) {
    const { score, tf, field } = defined(expected[i]);
    assert.ok(Math.abs(hit.score - score) < 1e-9, label);
    assert.deepEqual([hit.tf, hit.field], [tf, field], label);
    const parts = explained(query, hit, statistics).terms.reduce((sum, term) => sum + term.contribution, 0);
    assert.ok(Math.abs(parts - hit.score) < 1e-9, label);
  }
  const title = expected.filter((hit) => hit.field === "title").length;
  const documents = new Set(expected.map((hit) => hit.document)).size;
  const [total, content] = [expected.length, expected.length - title];
  assert.deepEqual(counts, { total, all_words: total, documents, content, title }, label);
}

describe("evaluator", () => {
  it("equals a scan of all texts through inserts, edits, deletes and merges anywhere", async () => {
    const history = fc.array(step, { minLength: 5, maxLength: 40 });
    const property = fc.asyncProperty(
      history,
      fc.shuffledSubarray(queries, { minLength: 6, maxLength: 6 }),
      async (steps, asked) => {
        const workspace = new Workspace();
        for (const action of steps) await apply(workspace, action);
        for (const query of asked) await assertEqualsReference(workspace, query);
        await assertEqualsReference(workspace, defined(asked[0]), (document) => document % 2 === 0);
        const live = [...workspace.texts.keys()].length;
        assert.equal(workspace.store.counters.blocks, live);
      },
    );
    await fc.assert(property, { numRuns: 150, seed: 6 });
  });

  it("equals a scan for any characters in texts and queries", async () => {
    const characters = fc.oneof(
      fc.string({ unit: "binary", minLength: 1, maxLength: 2 }),
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 2 }),
      fc.constantFrom(
        " ",
        "a",
        "Ab",
        "_",
        "ｶﾞ",
        "﨑",
        "𠮷",
        "ﷺ",
        "é",
        "\u0301",
        "ß",
        "++",
        "v1",
        "-",
        '"',
        "*",
        "ที่",
        "가",
      ),
    );
    const anyText = fc.array(characters, { minLength: 1, maxLength: 25 }).map((parts) => parts.join(""));
    const property = fc.asyncProperty(
      fc.array(anyText, { minLength: 2, maxLength: 12 }),
      fc.nat(),
      async (texts, seed) => {
        const workspace = new Workspace();
        for (const text of texts) await workspace.change(1, [{ text }]);
        if (seed % 2) await mergeAnyNeighbours(workspace, 0, texts.length);
        for (const [i, text] of texts.entries()) {
          const from = (seed + i) % text.length;
          const query = text.slice(from, from + 1 + (seed % 6));
          if (!("error" in parseQuery(query))) await assertEqualsReference(workspace, query);
        }
      },
    );
    await fc.assert(property, { numRuns: 300, seed: 6 });
  });
});
