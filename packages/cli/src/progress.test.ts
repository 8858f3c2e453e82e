import assert from "node:assert/strict";
import { test } from "node:test";
import { Progress } from "./progress.ts";

/** Shows a count every 400 ms, 20 more each time, and returns what was written. */
function written(isTTY: boolean, lines: boolean): string[] {
  const texts: string[] = [];
  let time = 1_000_000;
  const output = { isTTY, write: (text: string) => texts.push(text) };
  const progress = new Progress("Importing documents", String, { lines, output, now: () => time });
  progress.show(0, null);
  for (let done = 20; done <= 100; done += 20) {
    time += 400;
    progress.show(done, 100);
  }
  progress.end();
  return texts;
}

test("CMD17 without a terminal, a long import writes one line a second with count and rate", () => {
  assert.deepEqual(written(false, true), ["Importing documents: 60 of 100, 50 a second\n"]);
  assert.deepEqual(written(false, false), []);
});

test("CMD17 on a terminal, a bar shows count and rate, and is removed at the end", () => {
  const [first, ...rest] = written(true, true);
  assert.equal(first, "\r\x1b[KImporting documents  0");
  const bar = (full: number) => "█".repeat(full) + "░".repeat(24 - full);
  assert.deepEqual(rest, [
    `\r\x1b[KImporting documents  ${bar(5)}  20 of 100`,
    `\r\x1b[KImporting documents  ${bar(10)}  40 of 100`,
    `\r\x1b[KImporting documents  ${bar(14)}  60 of 100, 50 a second`,
    `\r\x1b[KImporting documents  ${bar(19)}  80 of 100, 50 a second`,
    `\r\x1b[KImporting documents  ${bar(24)}  100 of 100, 50 a second`,
    "\r\x1b[K",
  ]);
});
