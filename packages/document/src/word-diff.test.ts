import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { wordDiff } from "./word-diff.ts";

const side = (runs: ReturnType<typeof wordDiff>, hidden: "added" | "removed"): string =>
  runs
    .filter(({ kind }) => kind !== hidden)
    .map(({ text }) => text)
    .join("");

const shown = (before: string, after: string): string =>
  wordDiff(before, after)
    .map(({ kind, text }) => (kind === "same" ? text : kind === "added" ? `{+${text}+}` : `[-${text}-]`))
    .join("");

test("WEB19 differences are told in words", () => {
  assert.equal(shown("the quick brown fox", "the slow brown fox"), "the [-quick-]{+slow+} brown fox");
  assert.equal(shown("", "new"), "{+new+}");
  assert.equal(shown("gone", ""), "[-gone-]");
  assert.equal(shown("same", "same"), "same");
  assert.equal(shown("a b c", "a c"), "a [-b -]c");
  assert.equal(shown("日本語", "日本人"), "日本[-語-]{+人+}");
});

test("WEB19 both texts can be read off the runs", () => {
  const text = fc
    .array(fc.constantFrom("a", "b", "c", " ", "\n", "ä", "👍", "-"), { maxLength: 60 })
    .map((p) => p.join(""));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const runs = wordDiff(before, after);
      assert.equal(side(runs, "added"), before);
      assert.equal(side(runs, "removed"), after);
    }),
    { seed: 7, numRuns: 2000 },
  );
});

test("WEB19 long texts that have little in common stay quick", () => {
  const long = (word: string) => Array.from({ length: 30_000 }, (_, index) => `${word}${index % 97}`).join(" ");
  const start = process.cpuUsage();
  const runs = wordDiff(long("a"), long("b"));
  assert.ok(process.cpuUsage(start).user < 2_000_000);
  assert.equal(side(runs, "removed"), long("b"));
});
