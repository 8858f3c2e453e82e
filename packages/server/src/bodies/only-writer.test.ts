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

test("BODY22 nothing outside bodies/ writes the tables of bodies", () => {
  assert.deepEqual(filesWith(builder), ["bodies/snapshots.ts", "bodies/sources.ts", "bodies/store.ts"]);
  assert.deepEqual(filesWith(text), []);
});

test("BODY22 what writes them is called by change-body.ts alone", () => {
  const writers = /\b(?:insertBody|updateBody|insertSegments|insertSnapshot|pruneSnapshots|followLive)\b/;
  assert.deepEqual(filesWith(writers), ["bodies/change-body.ts", "bodies/snapshots.ts", "bodies/store.ts"]);
});

test("BODY22 a body is changed by changeBody and begun by createBody, and tables are named elsewhere only to be packed or removed", () => {
  assert.deepEqual(filesWith(/\bcreateBody\(/), ["bodies/change-body.ts", "resources/documents/create-document.ts"]);
  const generic = new Set(filesWith(/(?:insertInto|updateTable|deleteFrom)\(\s*[^"'\s]/));
  const naming = filesWith(/["'](?:bodies|segments|snapshots)["']|owned-tables/);
  assert.deepEqual(
    naming.filter((name) => generic.has(name)),
    ["resources/trash/packed.ts", "resources/trash/purge.ts"],
  );
});
