import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { test } from "node:test";

const src = `${import.meta.dirname}/..`;
const files = globSync(`${src}/**/*.ts`)
  .filter((file) => !file.endsWith(".test.ts"))
  .map((file) => ({ name: relative(src, file), text: readFileSync(file, "utf8") }));

const filesWith = (pattern: RegExp): string[] =>
  files
    .filter(({ text }) => pattern.test(text))
    .map(({ name }) => name)
    .sort();

/** Writes of a body's tables, in the query builder and in SQL. Removal with the document is not a change of a body. */
const builder = /\b(?:insertInto|updateTable|mergeInto|replaceInto)\(\s*["'](?:bodies|segments|snapshots)\b/;
const text = /\b(?:insert\s+into|update|replace\s+into)\s+["']?(?:bodies|segments|snapshots)\b/i;

test("nothing outside bodies/ writes the tables of bodies", () => {
  assert.deepEqual(filesWith(builder), ["bodies/snapshots.ts", "bodies/sources.ts", "bodies/store.ts"]);
  assert.deepEqual(filesWith(text), []);
});

test("HIST2 nothing outside bodies/history/ writes the tables of histories", () => {
  const writes = /\b(?:insertInto|updateTable)\(\s*"history_(?:states|segments)/;
  assert.deepEqual(filesWith(writes), ["bodies/history/states.ts"]);
});

test("what writes them is called by change-body.ts alone", () => {
  const writers = /\b(?:insertBody|updateBody|insertSegments|insertSnapshot|pruneSnapshots|followLive)\b/;
  assert.deepEqual(filesWith(writers), ["bodies/change-body.ts", "bodies/snapshots.ts", "bodies/store.ts"]);
});

test("a body is changed by changeBody and begun by createBody, and tables are named elsewhere only to be packed or removed", () => {
  assert.deepEqual(filesWith(/\bcreateBody\(/), [
    "bodies/change-body.ts",
    "domain/library/documents/create-document.ts",
  ]);
  const generic = new Set(filesWith(/(?:insertInto|updateTable|deleteFrom)\(\s*[^"'\s]/));
  const naming = filesWith(/["'](?:bodies|segments|snapshots)["']|owned-tables/);
  assert.deepEqual(
    naming.filter((name) => generic.has(name)),
    ["domain/lifecycle/trash/packed.ts", "domain/lifecycle/trash/purge.ts"],
  );
});
