import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import type { Query } from "../query/query.ts";
import { queryOf } from "../testing/workspace.ts";
import { contextOf as contextIn } from "./context.ts";
import { ScannedText } from "./scanned-text.ts";

const contextOf = (text: string, query: Query) => contextIn(new ScannedText(text), query);
const matched = (text: string, query: string): string => contextOf(text, queryOf(query)).match;

const cases: readonly (readonly [name: string, text: string, query: string, match: string])[] = [
  ["first word", "cat and dog", "cat", "cat"],
  ["last word", "dog and cat", "cat", "cat"],
  ["whole phrase", "the quick, brown fox", '"quick brown"', "quick, brown"],
  ["folded to another length", "an der Straße", "strasse", "Straße"],
  ["ligature", "a ﬁle", "file", "ﬁle"],
  ["one character", "知识库和文档", "库", "库"],
  ["several characters", "知识库和文档", "知识库", "知识库"],
  ["prefix", "the category", "cat*", "category"],
  ["part of an identifier", "call getUserName now", "username", "UserName"],
  ["joined words", "a foo_bar b", "foo.bar", "foo_bar"],
  ["half-width kana", "a ｶﾞｲﾄﾞ b", "ガイド", "ｶﾞｲﾄﾞ"],
  ["not what is excluded", "dog cat", "cat -bird", "cat"],
];

describe("context", () => {
  for (const [name, text, query, match] of cases) it(name, () => assert.equal(matched(text, query), match));

  it("shows the place where most of the query stands", () => {
    const text = `cat here. ${"filler ".repeat(50)} and there the cat meets a dog. ${"filler ".repeat(50)} dog`;
    const { before, match, after } = contextOf(text, queryOf("dog cat"));
    assert.equal(match, "cat");
    assert.ok(before.endsWith("and there the "));
    assert.ok(after.startsWith(" meets a dog."));
  });

  it("ends at words, with about eighty characters on each side", () => {
    const text = `${"lorem ipsum ".repeat(30)}cat ${"dolor sit ".repeat(30)}`;
    const { before, after } = contextOf(text, queryOf("cat"));
    assert.ok(before.length > 50 && before.length <= 80 && /^(lorem|ipsum) /.test(before));
    assert.ok(after.length > 50 && after.length <= 80 && /(dolor|sit)$/.test(after));
  });

  it("is a verbatim part that cuts no character", () => {
    const unit = fc.constantFrom(
      "a",
      " ",
      "cat",
      "é",
      "e\u0301",
      "知",
      "👩‍👩‍👧",
      "🇩🇪",
      "👍🏽",
      "\ud800",
      "ที่",
      "\u200d",
      "𠮷",
    );
    const text = fc.array(unit, { maxLength: 200 }).map((parts) => parts.join(""));
    const property = fc.property(text, fc.constantFrom("cat", "知", "e*", "ที่", "absent"), (raw, query) => {
      const { before, match, after } = contextOf(raw, queryOf(query));
      assert.ok(raw.includes(before + match + after));
      if (raw.isWellFormed()) assert.ok((before + match + after).isWellFormed());
    });
    fc.assert(property, { numRuns: 1000, seed: 6 });
  });

  it("keeps flags and families whole", () => {
    const text = `${"🇩🇪".repeat(100)}cat${"👩‍👩‍👧".repeat(100)}`;
    const { before, after } = contextOf(text, queryOf("cat"));
    assert.equal(before.replaceAll("🇩🇪", ""), "");
    assert.equal(after.replaceAll("👩‍👩‍👧", ""), "");
  });

  it("is bounded in huge blocks, and still finds a late word", () => {
    const huge = `${"filler ".repeat(300_000)}the Needle is here`;
    const from = process.cpuUsage();
    assert.equal(matched(huge, "needle"), "Needle");
    assert.ok(process.cpuUsage(from).user < 500_000);
    const token = contextOf("x".repeat(100_000), queryOf("x*"));
    assert.ok(token.match.length <= 400);
    assert.equal(contextOf("y".repeat(100_000), queryOf("absent")).match, "");
  });
});
