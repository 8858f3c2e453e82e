import assert from "node:assert/strict";
import { test } from "node:test";
import { problemsIn } from "./plain-english.ts";

for (const line of ["/** What comes back. */", "  // Of a page.", "   * Those that stay", "const MOST_PAGES = 3;"])
  test(`plain English is refused: ${line}`, () => assert.equal(problemsIn("a.ts", line).length, 1));

for (const line of [
  "/** Returns what is left. */",
  "// Whatever it is",
  'const text = "What is it?";',
  "const MAX_PAGES = 3;",
])
  test(`plain English is accepted: ${line}`, () => assert.deepEqual(problemsIn("a.ts", line), []));
