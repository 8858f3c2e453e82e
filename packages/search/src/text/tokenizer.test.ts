import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { defined } from "@svc/document/defined";
import fc from "fast-check";
import { scan, tokenize } from "./tokenizer.ts";

/** `term@position` of every token. */
const shown = (text: string): string =>
  tokenize(text)
    .map((token) => `${token.term}@${token.position}`)
    .join(" ");

const cases: readonly (readonly [name: string, text: string, tokens: string])[] = [
  ["words", "The cat, the DOG.", "the@0 cat@1 the@2 dog@3"],
  ["joined words", "foo_bar foo.bar kube-apiserver", "foo@0 bar@1 foo@2 bar@3 kube@4 apiserver@5"],
  ["camel case", "fooBar x", "foobar@0 foo@0 bar@0 x@1"],
  ["three parts", "getUserName", "getusername@0 get@0 getuser@0 user@0 username@0 name@0"],
  ["upper-case runs", "HTTPServer HTTP2Server", "httpserver@0 http@0 server@0 http2server@1 http2@1 server@1"],
  ["equal parts once", "barBar", "barbar@0 bar@0"],
  ["identifiers in base 32 and hexadecimal", "01ARZ3NDEKTSV4 3F2A", "01arz3ndektsv4@0 3f2a@1"],
  ["versions", "v1.2.3 1.2.3", "v1@0 1@0 2@1 3@2 1@3 2@4 3@5"],
  ["C++ and C#", "C++ C++17 C# F# c", "c++@0 c@0 c++@1 c@1 17@2 c#@3 c@3 f#@4 f@4 c@5"],
  ["sums and tags are not names", "a+b a++b #tag a#b foo#", "a@0 b@1 a@2 b@3 tag@4 a@5 b@6 foo@7"],
  ["Chinese", "知识库和文档", "知识@0 识库@1 库和@2 和文@3 文档@4 档@5"],
  ["one character", "库", "库@0"],
  ["astral Han", "𠮷野家", "𠮷野@0 野家@1 家@2"],
  ["mixed scripts", "全文search引擎", "全文@0 文@1 search@2 引擎@3 擎@4"],
  ["kana with long vowel", "サーバー", "サー@0 ーバ@1 バー@2 ー@3"],
  ["half-width kana", "ｶﾞｲﾄﾞ", "ガイ@0 イド@1 ド@2"],
  ["decomposed kana", "か\u3099い", "がい@0 い@1"],
  ["Korean", "검색은", "검색@0 색은@1 은@2"],
  ["decomposed Korean", "검색".normalize("NFD"), "검색@0 색@1"],
  ["Thai by clusters", "ที่นี่", "ที่นี่@0 นี่@1"],
  ["Hindi", "हिन्दी क्षेत्र", "हिन्दी@0 क्षेत्र@1"],
  ["accents", "naïve Café e\u0301te\u0301", "naive@0 cafe@1 ete@2"],
  ["sharp s, sigma, ligatures", "Straße ΟΔΟΣ οδός ﬁle", "strasse@0 οδοσ@1 οδοσ@2 file@3"],
  ["width and superscripts", "Ｆｕｌｌ x²", "full@0 x2@1"],
  ["Turkish i", "İstanbul ısı I", "istanbul@0 isi@1 i@2"],
  ["strokes", "Łódź Đà Ærø", "lodz@0 da@1 aero@2"],
  ["Cyrillic letters and accents", "ёлка мой мои їжак ўсё", "елка@0 мой@1 мои@2 їжак@3 ўсе@4"],
  ["Arabic signs", "مُحَمَّد محمد أحمد ـ", "محمد@0 محمد@1 احمد@2"],
  ["Hebrew points", "שָׁלוֹם", "שלום@0"],
  ["invisible characters", "co\u00adop\u200der", "cooper@0"],
  ["zero-width space separates", "a\u200bb", "a@0 b@1"],
  ["emoji are not words", "👩‍👩‍👧 🇩🇪 1️⃣ ❤️ 👍🏽", ""],
  ["lone surrogates separate", "x\ud800y\udc00z", "x@0 y@1 z@2"],
  ["stray marks", "\u0301 a \u3099", "a@0"],
  ["only punctuation", "… — !?", ""],
  ["empty", "", ""],
];

describe("tokenizer", () => {
  for (const [name, text, tokens] of cases) it(name, () => assert.equal(shown(text), tokens));

  it("gives offsets of the text as it was", () => {
    const text = "a Straße: ｶﾞｲﾄﾞ getUserName";
    const parts = tokenize(text).map(({ start, end }) => text.slice(start, end));
    assert.deepEqual(parts.slice(0, 5), ["a", "Straße", "ｶﾞｲ", "ｲﾄﾞ", "ﾄﾞ"]);
    assert.deepEqual(parts.slice(5), ["getUserName", "get", "getUser", "User", "UserName", "Name"]);
  });

  it("keeps its rules on any text", () => {
    const text = fc.string({ unit: "binary", maxLength: 60 });
    const property = fc.property(text, (raw) => {
      let previous = -1;
      const seen = new Set<string>();
      const length = scan(raw, (term, start, end, position) => {
        assert.ok(term.length > 0 && term.length <= 66 && term.isWellFormed());
        assert.ok(start < end && end <= raw.length);
        assert.ok(position >= previous);
        assert.ok(!seen.has(`${position} ${term}`));
        seen.add(`${position} ${term}`);
        previous = position;
      });
      assert.equal(length, previous + 1);
    });
    fc.assert(property, { numRuns: 2000, seed: 6 });
  });

  it("gives the same tokens whatever was scanned before: what it remembers of words is theirs alone", () => {
    const unit = fc.constantFrom(..."abvC1é Ñйßς字か\u0301\u200d+#.", "𝐀", "𠮷");
    const texts = fc.sample(fc.string({ unit, maxLength: 12 }), { numRuns: 40_000, seed: 6 });
    const first = texts.slice(0, 2000).map(shown);
    for (const text of texts) scan(text, () => {});
    assert.deepEqual(texts.slice(0, 2000).map(shown), first);
    // A long word takes another way, which remembers nothing.
    const long = "x".repeat(40);
    for (const text of texts.slice(0, 2000).filter((text) => /^[a-zé1]+$/.test(text)))
      assert.equal(defined(tokenize(`${text}${long}`)[0]).term, defined(tokenize(text)[0]).term + long);
  });

  it("finds a word however its case, width and composition", () => {
    const word = fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 });
    const folded = (text: string) => tokenize(text).flatMap(({ term, kind }) => (kind === "part" ? [] : [term]));
    const property = fc.property(word, (raw) =>
      assert.deepEqual(folded(raw.normalize("NFD")), folded(raw.normalize("NFC"))),
    );
    fc.assert(property, { numRuns: 1000, seed: 6 });
  });

  it("is linear on hostile texts", () => {
    const million = 1_000_000;
    const hostile = [
      "a".repeat(million),
      "aB".repeat(million / 2),
      `e${"\u0301".repeat(million)}`,
      `か${"\u3099".repeat(million)}か`,
      "+".repeat(million),
      "c++".repeat(million / 3),
      "\u200d".repeat(million),
      "\ud800".repeat(million),
      "字".repeat(million),
      "ﷺ".repeat(million / 4),
    ];
    for (const text of hostile) {
      const from = process.cpuUsage();
      scan(text, () => {});
      assert.ok(process.cpuUsage(from).user < 2_000_000);
    }
  });

  it("knows a long word by its beginning", () => {
    const [token, ...others] = tokenize("x".repeat(100_000));
    assert.equal(defined(token).term, "x".repeat(64));
    assert.equal(defined(token).end, 100_000);
    assert.deepEqual(others, []);
  });
});
