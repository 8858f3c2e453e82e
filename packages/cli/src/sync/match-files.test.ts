import assert from "node:assert/strict";
import { test } from "node:test";
import { matchFiles } from "./match-files.ts";
import type { DocumentRecord } from "./store.ts";

const record = (id: string, path: string, base: string): DocumentRecord => ({
  id,
  path,
  base,
  title: id,
  folder_id: null,
  version: "sha256:0",
  settled: true,
});
const matched = (records: readonly DocumentRecord[], locals: Readonly<Record<string, string>>) => {
  const { files, fresh } = matchFiles(
    records,
    Object.entries(locals).map(([path, text]) => ({ path, text })),
  );
  return { files: Object.fromEntries([...files].map(([id, { path }]) => [id, path])), fresh: [...fresh.keys()] };
};

test("SYNC3 a file that moved is known by its text, or by most of its lines", () => {
  const records = [record("a", "a.md", "One.\nTwo.\nThree.\n"), record("b", "b.md", "Four.\nFive.\n")];
  const moved = { "x.md": "One.\nTwo.\nThree!\n", "y.md": "Four.\nFive.\n", "z.md": "One.\nOther.\nWords.\n" };
  assert.deepEqual(matched(records, moved), { files: { a: "x.md", b: "y.md" }, fresh: ["z.md"] });
});

test("SYNC3 of several that are alike the nearest counts, each for one document", () => {
  const records = [record("a", "a.md", "1\n2\n3\n4\n"), record("b", "b.md", "1\n2\n3\n4\n")];
  const files = { "far.md": "1\n2\nx\ny\n", "near.md": "1\n2\n3\ny\n" };
  assert.deepEqual(matched(records, files), { files: { a: "near.md", b: "far.md" }, fresh: [] });
  assert.deepEqual(matched([record("a", "a.md", "")], { "e.md": "" }), { files: { a: "e.md" }, fresh: [] });
});

test("SYNC3 a folder with other files in place of all the known ones is looked through in time", () => {
  const text = (word: string, at: number) =>
    Array.from({ length: 60 }, (_, line) => `Line ${line} of ${word} ${at}.`).join("\n");
  const records = Array.from({ length: 2000 }, (_, at) => record(`d${at}`, `old/${at}.md`, text("old", at)));
  const locals = Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`new/${at}.md`, text("new", at)]));
  const before = performance.now();
  assert.equal(matched(records, locals).fresh.length, 2000);
  assert.ok(performance.now() - before < 20_000, "it took minutes");
});
