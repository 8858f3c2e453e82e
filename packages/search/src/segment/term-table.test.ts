import assert from "node:assert/strict";
import { test } from "node:test";
import { fromUtf8 } from "./bytes.ts";
import { TermTable, USUAL_TERMS } from "./term-table.ts";

/** As the table has it. */
function hashOf(term: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < term.length; i++) hash = Math.imul(hash ^ term.charCodeAt(i), 0x01000193);
  return hash ^ (hash >>> 15);
}

const numbered = (count: number): string[] => Array.from({ length: count }, (_, i) => `term${i}`);

function check(table: TermTable, terms: readonly string[]): void {
  for (const [i, term] of terms.entries()) {
    assert.equal(table.numberOf(term), i);
    assert.equal(fromUtf8(table.bytes.subarray(table.starts[i], table.starts[i + 1])), term);
  }
  assert.equal(table.size, terms.length);
}

test("terms keep their numbers, however many there are", () => {
  const table = new TermTable();
  check(table, [...numbered(3 * USUAL_TERMS), "知识", "𠮷野家", "x".repeat(80)]);
  check(table, [...numbered(3 * USUAL_TERMS), "知识", "𠮷野家", "x".repeat(80)]);
  table.clear();
  check(table, ["other", "term1"]);
});

test("terms that were chosen to have one hash are told apart", () => {
  const alike = numbered(4_000_000).filter((term) => (hashOf(term) & (8 * USUAL_TERMS - 1)) === 7);
  assert.ok(alike.length > 100);
  const table = new TermTable();
  check(table, alike);
  const all = [...alike, ...numbered(2 * USUAL_TERMS).map((term) => `${term}s`)];
  check(table, all);
  check(table, all);
});
