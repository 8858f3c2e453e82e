import assert from "node:assert/strict";
import { test } from "node:test";
import { isPageIcon } from "./page-icon.ts";

test("EDIT19 an icon is one emoji or one character", () => {
  for (const sign of ["★", "🌿", "👩‍👩‍👧‍👦", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "é", "A"]) assert.ok(isPageIcon(sign), sign);
  for (const text of ["", "ab", "🌿🌿", "hello world", `a${"\u0301".repeat(20)}`]) assert.ok(!isPageIcon(text), text);
});
