import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { normalisedQuery, parseQuery, type Unit } from "./query.ts";

const unitShown = (unit: Unit): string => `${unit.kind}(${unit.indexed})`;

/** Required units, then the excluded ones with a minus. */
function shown(text: string): string {
  const query = parseQuery(text);
  if ("error" in query) return query.error;
  return [...query.required.map(unitShown), ...query.excluded.map((unit) => `-${unitShown(unit)}`)].join(" ");
}

const cases: readonly (readonly [text: string, expected: string])[] = [
  ["cat", "term(cat)"],
  ["Cat DOG", "term(cat) term(dog)"],
  ["cat cat CAT", "term(cat)"],
  ['"to be or"', "phrase(to be or)"],
  ['"cat"', "term(cat)"],
  ["cat*", "prefix(cat*)"],
  ["cat**", "prefix(cat*)"],
  ["c*", "prefix(c*)"],
  ["cat -dog", "term(cat) -term(dog)"],
  ['cat -"a dog" -bi*', "term(cat) -phrase(a dog) -prefix(bi*)"],
  ["-cat", "empty"],
  ["", "empty"],
  [" \t\u3000", "empty"],
  ["👍 ❤️ 1️⃣", "empty"],
  ["*", "empty"],
  ["- -- *** \" ' : ( ) ^ ~", "empty"],
  ["--verbose", "term(verbose)"],
  ["a - b", "term(a) term(b)"],
  ["cat AND dog OR NOT x", "term(cat) term(and) term(dog) term(or) term(not) term(x)"],
  ["NEAR(a b) col:x", "phrase(near a) term(b) phrase(col x)"],
  ['"unclosed phrase', "term(unclosed) term(phrase)"],
  ['a"b c"d', "term(a) phrase(b c) term(d)"],
  ['"" cat', "term(cat)"],
  ["foo_bar", "phrase(foo bar)"],
  ["foo.bar foo_b*", "phrase(foo bar) phrase(foo b*)"],
  ["getUserName", "term(getusername)"],
  ["getUser*", "prefix(getuser*)"],
  ["C++ c#", "term(c++) term(c#)"],
  ["v1.2.3", "phrase(v1 2 3)"],
  ["foo*bar", "phrase(foo bar)"],
  ['"foo ba*"', "phrase(foo ba)"],
  ["库", "prefix(库*)"],
  ["文档", "term(文档)"],
  ["文档*", "term(文档)"],
  ["知识库", "phrase(知识 识库)"],
  ["search库", "phrase(search 库*)"],
  ["全文search", "phrase(全文 文 search)"],
  ['"文档 库"', "phrase(文档 档 库*)"],
  ["ไทย", "phrase(ไท ทย)"],
  ["cat\u0000dog", "phrase(cat dog)"],
  ["\ud800cat", "term(cat)"],
];

describe("query language", () => {
  for (const [text, expected] of cases) it(JSON.stringify(text), () => assert.equal(shown(text), expected));

  it("bounds characters and terms", () => {
    assert.equal(shown("x".repeat(512)), `term(${"x".repeat(64)})`);
    assert.equal(shown("x".repeat(513)), "too_long");
    assert.equal(shown("👍".repeat(512)), "empty");
    assert.equal(shown("👍".repeat(513)), "too_long");
    const words = (count: number): string => Array.from({ length: count }, (_, i) => `w${i}`).join(" ");
    assert.ok("required" in parseQuery(words(32)));
    assert.equal(shown(words(33)), "too_many_terms");
    assert.equal(shown("a ".repeat(33)), "too_many_terms");
  });

  it("takes any text without throwing", () => {
    const text = fc.string({ unit: fc.constantFrom(...'ab -*"_.+#知文\ud800\u0301👍 :()'), maxLength: 40 });
    fc.assert(
      fc.property(text, (raw) => typeof shown(raw) === "string"),
      { numRuns: 3000, seed: 6 },
    );
  });

  it("normalises what means the same", () => {
    const key = (text: string): string => {
      const query = parseQuery(text);
      return "error" in query ? query.error : normalisedQuery(query);
    };
    assert.equal(key("  Cat  cat dog"), key("cat DOG"));
    assert.equal(key('"cat"'), key("cat"));
    assert.notEqual(key("cat dog"), key('"cat dog"'));
    assert.notEqual(key("cat dog"), key("cat -dog"));
    assert.notEqual(key("cat"), key("cat*"));
  });

  it("keeps the words as typed", () => {
    const query = parseQuery('Straße "To Be" foo_Bar*');
    assert.ok("required" in query);
    assert.deepEqual(
      query.required.map((unit) => unit.text),
      ["Straße", '"To Be"', "foo_Bar*"],
    );
  });
});
