import assert from "node:assert/strict";
import { test } from "node:test";
import { localeChain, resolveLocale } from "./locale-chain.ts";

test("LOC6 a tag is shortened from its end; a lone letter goes with what it introduces", () => {
  assert.deepEqual(localeChain("zh-Hant-TW"), ["zh-Hant-TW", "zh-Hant", "zh"]);
  assert.deepEqual(localeChain("de-DE-u-co-phonebk"), ["de-DE-u-co-phonebk", "de-DE-u-co", "de-DE", "de"]);
  assert.deepEqual(localeChain("es"), ["es"]);
});

test("LOC6 the fallback language comes before the source", () => {
  const versions = ["en", "de", "zh"].map((locale) => ({ locale }));
  const resolve = (tag: string, fallback: string) => resolveLocale(versions, tag, { fallback, source: "en" })?.locale;
  assert.equal(resolve("zh-Hant-TW", "de"), "zh");
  assert.equal(resolve("fr", "de"), "de");
  assert.equal(resolve("fr", "ja"), "en");
});
