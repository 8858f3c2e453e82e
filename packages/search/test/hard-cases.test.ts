import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { defined } from "@svc/document/defined";
import { parseQuery } from "../src/query/query.ts";
import { runSearch } from "../src/query/run-search.ts";
import { explained, queryOf, Workspace } from "../src/testing/workspace.ts";

async function workspaceOf(...texts: string[]): Promise<Workspace> {
  const workspace = new Workspace();
  for (const [i, text] of texts.entries()) await workspace.change(i + 1, [{ text }]);
  return workspace;
}

/** A text and the queries that find it, and those that do not. */
const found: readonly (readonly [text: string, finds: readonly string[], misses: readonly string[]])[] = [
  ["知识库和文档", ["文档", "知识库", "库", "知", "和文档", "知识库和文档", "档"], ["识和", "文库", "文档库"]],
  ["검색은 빠르다", ["검색", "검색은", "색", "빠르"], ["은검"]],
  ["ｶﾞｲﾄﾞ", ["ガイド", "ガイ", "ﾄﾞ"], ["カイト"]],
  ["𠮷野家で食べる", ["𠮷野", "野家", "𠮷", "食べる"], ["吉野"]],
  ["全文search引擎", ["search", "全文", "全文search", "search引擎", "引"], ["文引"]],
  ["ภาษาไทยง่าย", ["ภาษา", "ไทย", "ง่าย", "ภาษาไทย"], ["ไทยภาษา"]],
  ["ພາສາລາວ", ["ລາວ"], ["ໄທ"]],
  ["ភាសាខ្មែរ", ["ខ្មែរ", "ភាសា"], []],
  ["मुझे हिन्दी पसंद है", ["हिन्दी"], ["हन्दी"]],
  ["قال مُحَمَّدٌ", ["محمد", "مُحَمَّد"], ["احمد"]],
  ["cafe\u0301 au lait", ["café", "CAFÉ", "cafe"], []],
  ["İstanbul'da", ["istanbul", "ISTANBUL", "ıstanbul"], []],
  ["Straße", ["strasse", "STRASSE", "straße"], ["strase"]],
  [
    "call getUserNameById(id)",
    ["getUserNameById", "getusernamebyid", "user", "UserName", "byId", "getUser*", "by"],
    ["nameuser", "getname"],
  ],
  [
    "snake_case_name",
    ["snake_case_name", "case", "snake_case", "case_name", "snake.case"],
    ["snake_name", "snakecase"],
  ],
  ["foo.bar.baz()", ["foo.bar", "foo.bar.baz", "bar", "foo_bar"], ["foo.baz"]],
  [
    "GitHub Actions",
    ["github", "GitHub", "hub", '"github actions"', '"GitHub Actions"', '"hub actions"'],
    ["githubactions"],
  ],
  ["github actions", ["GitHub", '"GitHub Actions"'], ["hub"]],
  ["Release v1.2.3 of it", ["v1.2.3", "1.2.3", "v1.2", "1.2"], ["v1.3", "2.1"]],
  ["C++ and C#", ["c++", "C#", "c"], ["c+++x", "f#"]],
  [
    "to be or not to be",
    ['"to be"', '"be or not"', '"to be or not to be"', "be to"],
    ['"to be to be"', '"be to"', '"not be"'],
  ],
  ["ﬁle x² Ｆｕｌｌ", ["file", "x2", "full"], []],
  ["naïve 👩‍👩‍👧 text", ["naive text", '"naive text"'], []],
];

describe("search, hard cases", () => {
  for (const [text, finds, misses] of found) {
    it(`${text}`, async () => {
      const workspace = await workspaceOf(text, "something else");
      for (const query of finds) assert.deepEqual(await workspace.find(query), [text], `finds ${query}`);
      for (const query of misses) assert.deepEqual(await workspace.find(query), [], `misses ${query}`);
    });
  }

  it("finds a phrase only within one block", async () => {
    const workspace = new Workspace();
    await workspace.change(1, [{ text: "one two" }, { text: "three four" }]);
    assert.deepEqual(await workspace.find('"two three"'), []);
    assert.deepEqual(await workspace.find("one three"), []);
  });

  it("counts a word that occurs ten thousand times", async () => {
    const workspace = await workspaceOf(`${"again ".repeat(10_000)}once more`, "again");
    const { hits } = await workspace.search("again", { mode: "exhaustive" });
    assert.deepEqual(
      hits.map((hit) => hit.tf),
      [[10_000], [1]],
    );
    assert.equal((await workspace.search('"again once"')).counts.total, 1);
    assert.deepEqual(
      (await workspace.search('"again again"')).hits.map((hit) => hit.tf),
      [[9999]],
    );
  });

  it("scores a word that every block has above zero and ties by index order, titles first", async () => {
    const workspace = new Workspace();
    await workspace.change(1, [{ text: "same" }, { text: "same" }]);
    await workspace.change(2, [{ text: "same", field: "title" }, { text: "same" }]);
    const { hits, counts } = await workspace.search("same");
    assert.deepEqual(
      hits.map((hit) => hit.number),
      [3, 1, 2, 4],
    );
    assert.ok(hits.every((hit) => hit.score > 0));
    assert.deepEqual(counts, { total: 4, all_words: 4, documents: 2, content: 3, title: 1 });
    assert.ok(Math.abs(defined(hits[0]).score - 2 * defined(hits[1]).score) < 1e-12);
  });

  it("works in an empty workspace and with one block", async () => {
    const workspace = new Workspace();
    assert.deepEqual((await workspace.search("any* -thing")).counts, {
      total: 0,
      all_words: 0,
      documents: 0,
      content: 0,
      title: 0,
    });
    await workspace.change(1, [{ text: "anything" }, { text: "…" }, { text: "" }]);
    assert.equal(workspace.store.counters.blocks, 1);
    assert.equal((await workspace.search("any*")).counts.total, 1);
  });

  it("puts pinned titles first", async () => {
    const workspace = new Workspace();
    await workspace.change(1, [{ text: "cat cat cat" }]);
    const [title] = await workspace.change(2, [{ text: "a cat and many other words in a long title", field: "title" }]);
    const { hits } = await workspace.search("cat", { pinned: new Set([defined(title), 999]) });
    assert.deepEqual(
      hits.map((hit) => hit.number),
      [title, 1],
    );
  });

  it("refuses a typed prefix of too many words, never a single character", async () => {
    const workspace = new Workspace();
    const texts = Array.from({ length: 6000 }, (_, i) => ({ text: `x${i} 字${String.fromCharCode(0x4e00 + i)}` }));
    await workspace.change(1, texts);
    const request = { mode: "topk", limit: 10 } as const;
    const run = (text: string) =>
      runSearch(workspace.store, workspace.caches, queryOf(text), workspace.store.counters, request);
    assert.deepEqual(await run("x*"), { error: "prefix_too_broad" });
    assert.deepEqual(await run("-x* 字"), { error: "prefix_too_broad" });
    const broad = await run("字");
    assert.ok("counts" in broad && broad.counts.total === 6000);
    const narrow = await run("x12*");
    assert.ok("counts" in narrow && narrow.counts.total === 111);
  });

  it("explains the score so that it can be computed again", async () => {
    const workspace = await workspaceOf("the quick brown fox", "the lazy dog and the cat", "foxes and more");
    const query = queryOf('the fox* "quick brown"');
    const { hits, statistics } = await workspace.search('the fox* "quick brown"');
    const [hit] = hits;
    const { terms, ...explanation } = explained(query, defined(hit), statistics);
    assert.deepEqual([explanation.n, explanation.length, explanation.average_length], [3, 4, 13 / 3]);
    assert.deepEqual(
      terms.map(({ term, indexed, kind, tf, df }) => [term, indexed, kind, tf, df]),
      [
        ["the", "the", "term", 1, 2],
        ["fox*", "fox*", "prefix", 1, 2],
        ['"quick brown"', "quick brown", "phrase", 1, 1],
      ],
    );
    for (const { tf, df, idf, length_norm, contribution } of terms) {
      assert.equal(idf, Math.log(1 + (3 - df + 0.5) / (df + 0.5)));
      assert.ok(Math.abs(length_norm - (1 - 0.75 + (0.75 * 4) / (13 / 3))) < 1e-12);
      assert.ok(Math.abs(contribution - (idf * tf * 2.2) / (tf + 1.2 * length_norm)) < 1e-12);
    }
    assert.ok(Math.abs(terms.reduce((sum, term) => sum + term.contribution, 0) - defined(hit).score) < 1e-12);
  });

  it("takes 32 terms and a phrase of a whole query", async () => {
    const words = Array.from({ length: 32 }, (_, i) => `w${i}`).join(" ");
    const long = "a.".repeat(255);
    const workspace = await workspaceOf(words, long);
    assert.equal((await workspace.search(words)).counts.total, 1);
    assert.equal((await workspace.search(long)).counts.total, 1);
    assert.deepEqual(parseQuery(`${words} more`), { error: "too_many_terms" });
  });
});
