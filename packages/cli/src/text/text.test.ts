import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { defined } from "@svc/document/defined";
import fc from "fast-check";
import { probeFiles, requirePeer } from "../../../server/test/support/peers/peer.ts";
import { diffLines, linesOf } from "./diff-lines.ts";
import { hasConflictMarkers, mergeTexts } from "./merge.ts";
import { unified } from "./unified.ts";

const labels = { mine: "mine", base: "base", theirs: "theirs" };
const someLines = fc.array(fc.constantFrom("", "a", "b", "c", "d", "<!--@block=1-->"), { maxLength: 12 });
const asText = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");

test("CMD27 applying the differences of any two texts to the one gives the other", () => {
  fc.assert(
    fc.property(someLines, someLines, (old, current) => {
      const result = [...old];
      for (const d of diffLines(old, current).reverse())
        result.splice(d.oldStart, d.oldEnd - d.oldStart, ...current.slice(d.newStart, d.newEnd));
      assert.deepEqual(result, current);
    }),
    { numRuns: 500 },
  );
});

test("CMD27 the unified form is what `git apply` takes", requirePeer("git", probeFiles(["git"])), () => {
  const folder = mkdtempSync(join(tmpdir(), "svc-diff-"));
  try {
    const old = asText(Array.from({ length: 40 }, (_, i) => `line ${i}`));
    const current = old.replace("line 3\n", "").replace("line 20\n", "line 20\nnew\n").replace("line 39\n", "end\n");
    const file = join(folder, "text");
    writeFileSync(file, old);
    const input = `${unified("a/text", "b/text", old, current).join("\n")}\n`;
    assert.equal(spawnSync("git", ["apply", "-p1", "-"], { cwd: folder, input }).stderr.toString(), "");
    assert.equal(readFileSync(file, "utf8"), current);
    assert.deepEqual(unified("a", "b", old, old), []);
    assert.deepEqual(unified("a", "b", "", "x\n"), ["--- a", "+++ b", "@@ -0,0 +1 @@", "+x"]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("CMD28 a text that only one side changed comes out as that side, and equal changes as either", () => {
  fc.assert(
    fc.property(someLines, someLines, (base, changed) => {
      const [from, to] = [asText(base), asText(changed)];
      assert.deepEqual(mergeTexts(from, to, from, labels), { text: to, conflicts: 0 });
      assert.deepEqual(mergeTexts(from, from, to, labels), { text: to, conflicts: 0 });
      assert.deepEqual(mergeTexts(from, to, to, labels), { text: to, conflicts: 0 });
    }),
  );
});

test("CMD28 edits of different blocks meet; edits of one block stand beside each other with what they came from", () => {
  const body = (first: string, second: string) => `<!--@block=1-->\n${first}\n\n<!--@block=2-->\n${second}\n`;
  const base = body("One.", "Two.");
  const apart = mergeTexts(base, body("One!", "Two."), body("One.", "Two!"), labels);
  assert.deepEqual(apart, { text: body("One!", "Two!"), conflicts: 0 });
  const same = mergeTexts(base, body("Mine.", "Two."), body("Theirs.", "Two!"), labels);
  const marked = "<<<<<<< mine\nMine.\n||||||| base\nOne.\n=======\nTheirs.\n>>>>>>> theirs";
  assert.deepEqual(same, { text: body(marked, "Two!"), conflicts: 1 });
  assert.equal(hasConflictMarkers(same.text), true);
  assert.equal(hasConflictMarkers(apart.text), false);
});

test("CMD28 nothing that either side added is missing from a merge", () => {
  fc.assert(
    fc.property(someLines, someLines, someLines, (base, mine, theirs) => {
      const tagged = (lines: readonly string[], side: string) => lines.map((line, i) => (i % 3 ? line : `${side}${i}`));
      const sides = [tagged(mine, "m"), tagged(theirs, "t")];
      const merged = linesOf(
        mergeTexts(asText(base), asText(defined(sides[0])), asText(defined(sides[1])), labels).text,
      );
      for (const line of sides.flat()) if (/^[mt]\d/.test(line)) assert.ok(merged.includes(line), line);
    }),
    { numRuns: 300 },
  );
});
