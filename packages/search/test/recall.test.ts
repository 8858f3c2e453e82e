import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { describe, it } from "node:test";
import { defined } from "@svc/document/defined";
import fc from "fast-check";
import { queryOf, Workspace } from "../src/testing/workspace.ts";
import { scan, tokenize } from "../src/text/tokenizer.ts";

const alphabets = {
  Chinese: "知识库和文档的全文搜索引擎支持中国人",
  Japanese: "日本語のドキュメントをサーバーで検索する",
  Korean: "검색은빠르다문서를저장하고한국어",
};

describe("recall", () => {
  for (const [language, alphabet] of Object.entries(alphabets)) {
    it(`${language}: every substring of one to six characters is found, and nothing else`, async () => {
      const characters = [...alphabet];
      const text = fc.string({ unit: fc.constantFrom(...characters), minLength: 1, maxLength: 30 });
      const property = fc.asyncProperty(
        fc.array(text, { minLength: 5, maxLength: 20 }),
        fc.nat(),
        async (texts, seed) => {
          const workspace = new Workspace();
          for (const text of texts) await workspace.change(1, [{ text }]);
          if (seed % 2) await workspace.mergeAll();
          for (let size = 1; size <= 6; size++) {
            const source = defined(texts[seed % texts.length]);
            const word = source.slice(seed % source.length).slice(0, size);
            assert.deepEqual(
              await workspace.find(word),
              texts.filter((text) => text.includes(word)),
              word,
            );
          }
        },
      );
      await fc.assert(property, { numRuns: 60, seed: 6 });
    });
  }

  it("Thai words are found inside text without spaces", async () => {
    const words = ["ภาษา", "ไทย", "ค้นหา", "เอกสาร", "ความรู้", "ระบบ", "ข้อมูล", "ภาพ"];
    const word = fc.constantFrom(...words);
    const property = fc.asyncProperty(
      fc.array(fc.array(word, { minLength: 1, maxLength: 8 }), { minLength: 3, maxLength: 10 }),
      async (lists) => {
        const workspace = new Workspace();
        const texts = lists.map((list) => list.join(""));
        for (const text of texts) await workspace.change(1, [{ text }]);
        for (const asked of words) {
          const found = await workspace.find(asked);
          for (const [i, list] of lists.entries())
            if (list.includes(asked)) assert.ok(found.includes(defined(texts[i])), asked);
        }
      },
    );
    await fc.assert(property, { numRuns: 60, seed: 6 });
  });

  it("any text is found by each of its words, parts and pairs as they are written", async () => {
    const unit = fc.oneof(
      {
        weight: 3,
        arbitrary: fc.constantFrom(
          " ",
          "get",
          "User",
          "NAME",
          "_",
          ".",
          "v2",
          "C++",
          "知",
          "識",
          "ที่",
          "가",
          "é",
          "ß",
          "x",
        ),
      },
      { weight: 1, arbitrary: fc.string({ unit: "binary", minLength: 1, maxLength: 1 }) },
    );
    const text = fc.array(unit, { minLength: 1, maxLength: 30 }).map((parts) => parts.join(""));
    const property = fc.asyncProperty(text, async (raw) => {
      const workspace = new Workspace();
      await workspace.change(1, [{ text: raw }]);
      for (const { start, end } of tokenize(raw)) {
        const word = raw.slice(start, end);
        assert.deepEqual(await workspace.find(word), [raw], word);
      }
    });
    await fc.assert(property, { numRuns: 500, seed: 6 });
  });
});

/** FTS5 over our tokens, one per position: parts of a word are left out, since FTS5 would count them as words. */
function oracle(texts: ReadonlyMap<number, { text: string }>): (expression: string) => number[] {
  const database = new DatabaseSync(":memory:");
  database.exec("create virtual table f using fts5(t, tokenize='ascii')");
  const insert = database.prepare("insert into f(rowid, t) values (?, ?)");
  for (const [number, { text }] of texts) {
    const terms: string[] = [];
    scan(text, (term, _start, _end, _position, kind) => kind !== "part" && terms.push(term));
    insert.run(BigInt(number), terms.join(" "));
  }
  const select = database.prepare("select rowid from f where f match ? order by rowid");
  return (expression) => select.all(expression).map((row) => Number(row.rowid));
}

function expressionOf(text: string): string {
  const { required, excluded } = queryOf(text);
  const [positive, negative] = [required, excluded].map((units) =>
    units.map(({ slots }) => `"${slots.map((slot) => slot.term).join(" ")}"${defined(slots.at(-1)).prefix ? "*" : ""}`),
  );
  return [defined(positive).join(" AND "), ...defined(negative)].join(" NOT ");
}

describe("FTS5 as a second opinion", () => {
  it("matches the same blocks", async () => {
    const vocabulary = [
      "to",
      "be",
      "or",
      "not",
      "cat",
      "catalog",
      "the",
      "知识库和文档",
      "库",
      "검색은",
      "ไทย",
      "foo_bar",
      "straße",
    ];
    const text = fc
      .array(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: 12 })
      .map((words) => words.join(" "));
    const queries = [
      "to",
      "to be",
      '"to be"',
      '"be or not"',
      '"to be to"',
      "cat*",
      "ca* the",
      "the -cat*",
      'to -"to be"',
      "知识库",
      "库",
      "검색",
      "foo_bar",
      "foo_b*",
      "STRASSE not",
      '"the 知识"',
      '"or 库"',
    ];
    const property = fc.asyncProperty(fc.array(text, { minLength: 5, maxLength: 60 }), async (texts) => {
      const workspace = new Workspace();
      for (const text of texts) await workspace.change(1, [{ text }]);
      await workspace.mergeAll();
      const ask = oracle(workspace.texts);
      for (const query of queries) {
        const { hits } = await workspace.search(query, { mode: "exhaustive" });
        assert.deepEqual(
          hits.map((hit) => hit.number),
          ask(expressionOf(query)),
          query,
        );
      }
    });
    await fc.assert(property, { numRuns: 30, seed: 6 });
  });
});
