import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { queryOf } from "../testing/workspace.ts";
import { SEPARATOR, unitClass } from "../text/characters.ts";
import { findMatches, matchesAmong } from "./find-matches.ts";
import { plainMatches } from "./plain-matches.ts";
import { ScannedText, scanRegion } from "./scanned-text.ts";

const word = fc.constantFrom(
  "user",
  "getUserName",
  "USER",
  "v1",
  "V12",
  "C++",
  "c#",
  "f#x",
  "c",
  "a1b",
  "x".repeat(70),
);
const between = fc.constantFrom(" ", "-", "_", ".", "++", "#", "\u00a0", "’", "—", "→", "😀", "✔\ufe0f", "é", "\n", "");
const text = fc.array(fc.tuple(word, between), { maxLength: 12 }).map((parts) => parts.flat().join(""));
const asked = fc.constantFrom(
  "user",
  "username",
  "name",
  "1",
  "v1",
  "c",
  "c++",
  "c#",
  "12",
  "b*",
  "us*",
  "x*",
  "c user",
);

describe("matches in plain text", () => {
  it("are those among all tokens", () => {
    fc.assert(
      fc.property(text, asked, (given, q) => {
        const query = queryOf(q);
        const all = matchesAmong(given, scanRegion(given, 0, given.length), query);
        assert.deepEqual(findMatches(new ScannedText(given), query), all);
      }),
      { numRuns: 2000 },
    );
  });

  it("are not looked for where a letter may be written in other ways, nor of phrases", () => {
    assert.equal(plainMatches("Ｕser", queryOf("user")), undefined);
    assert.equal(plainMatches("the user", queryOf('"the user"')), undefined);
    assert.equal(plainMatches("the “user” …", queryOf("user"))?.length, 1);
  });

  it("stand between characters that are no part of any word, whatever their case", () => {
    const separators = Array.from({ length: 0x10000 }, (_, unit) => unit).filter(
      (unit) => unitClass[unit] === SEPARATOR,
    );
    for (const unit of [0xa0, ...Array.from({ length: 0x18 }, (_, i) => 0x2010 + i)])
      assert.ok(separators.includes(unit));
    for (const unit of separators.filter((one) => one > 0x7f))
      assert.match(String.fromCharCode(unit).toLowerCase(), /^[^\0-\x7f]$/u);
  });
});
