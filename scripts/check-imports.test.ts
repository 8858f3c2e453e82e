import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { test } from "node:test";
import { problemsOf } from "./check-imports.ts";

/** The problems of a small tree that holds only these files. */
function problemsIn(files: Record<string, string>): string[] {
  const root = mkdtempSync(join(tmpdir(), "svc-imports-"));
  try {
    for (const [name, source] of Object.entries(files)) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), source);
    }
    return problemsOf(root);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

const server = "packages/server/src";
const there = {
  [`${server}/db/a.ts`]: "",
  [`${server}/domain/library/x/queries.ts`]: "",
  [`${server}/domain/live/hub.ts`]: "",
  "packages/document/src/d.ts": "",
};

const allowed: [title: string, file: string, source: string][] = [
  ["down", `${server}/domain/library/y/z.ts`, 'import { a } from "../../../db/a.ts";'],
  ["another package below", `${server}/db/b.ts`, 'import type { d } from "@svc/document/d";'],
  ["another resource's queries", `${server}/domain/library/y/z.ts`, 'import { q } from "../x/queries.ts";'],
  ["the server in administration", "packages/cli/src/administration/c.ts", 'import { a } from "@svc/server/db/a";'],
  ["a comment about SQLite", `${server}/http/h.ts`, "/* SQLite */ // postgres\nexport const h = 1;"],
  ["its own database", `${server}/db/sqlite/c.ts`, 'import { a } from "../a.ts";'],
  ["a dialect in db", `${server}/db/c.ts`, 'export const kind = "sqlite";'],
];
for (const [title, file, source] of allowed)
  test(`the import rules allow ${title}`, () => assert.deepEqual(problemsIn({ ...there, [file]: source }), []));

const refused: [title: string, file: string, source: string, reason: RegExp][] = [
  ["up", `${server}/db/b.ts`, 'import {\n  q,\n} from "../domain/library/x/queries.ts";', /stands above/],
  ["up, lazily", `${server}/db/b.ts`, 'const q = await import("../domain/library/x/queries.ts");', /stands above/],
  ["up, handed on", `${server}/db/b.ts`, 'export { q } from "../domain/library/x/queries.ts";', /stands above/],
  ["a package up", "packages/document/src/e.ts", 'import { a } from "@svc/server/db/a";', /stands above/],
  ["a view in a view", `${server}/views/v/run.ts`, 'import { w } from "../w/run.ts";', /the view v imports the view w/],
  [
    "another resource's routes",
    `${server}/domain/library/y/z.ts`,
    'import { r } from "../x/routes.ts";',
    /routes are its own/,
  ],
  [
    "a module in one below it",
    `${server}/domain/library/y/z.ts`,
    'import { h } from "../../live/hub.ts";',
    /the module live stands above library/,
  ],
  [
    "a module without a rank",
    `${server}/domain/news/z.ts`,
    'import { q } from "../library/x/queries.ts";',
    /does not order/,
  ],
  ["a dialect in a string", `${server}/http/h.ts`, 'export const h = kind === "postgres";', /names a database/],
  ["a dialect in a name", `${server}/domain/library/y/z.ts`, "if (sqlite) run();", /names a database/],
  [
    "the server in a command that calls it",
    "packages/cli/src/commands/c.ts",
    'import { a } from "@svc/server/db/a";',
    /only packages\/cli\/src\/administration\/ opens the store/,
  ],
  ["a file without a place", "packages/other/src/o.ts", 'import { a } from "@svc/server/db/a";', /has no place/],
  [
    "one database in what is the same for both",
    `${server}/db/statement/b.ts`,
    'import { o } from "../sqlite/o.ts";',
    /only connect.ts and store-copy.ts know both/,
  ],
  [
    "one database in the other",
    `${server}/db/postgres/b.ts`,
    'import { o } from "../sqlite/o.ts";',
    /only connect.ts and store-copy.ts know both/,
  ],
  ["a missing file", `${server}/db/b.ts`, 'import { n } from "./nothing.ts";', /not there/],
];
const targets = {
  [`${server}/db/sqlite/o.ts`]: "",
  [`${server}/views/w/run.ts`]: "",
  [`${server}/domain/library/x/routes.ts`]: "",
};
for (const [title, file, source, reason] of refused)
  test(`the import rules refuse ${title}`, () => {
    const problems = problemsIn({ ...there, ...targets, [file]: source });
    assert.equal(problems.length, 1, problems.join("\n"));
    assert.match(problems[0] ?? "", reason);
  });

test("the import rules refuse resources that import each other in a circle", () => {
  const resources = `${server}/domain/library`;
  const problems = problemsIn({
    [`${resources}/a/queries.ts`]: 'import { b } from "../b/queries.ts";',
    [`${resources}/b/queries.ts`]: "",
    [`${resources}/b/schema.ts`]: 'import { c } from "../c/queries.ts";',
    [`${resources}/c/queries.ts`]: "",
    [`${resources}/c/schema.ts`]: 'import type { a } from "../a/queries.ts";',
  });
  assert.deepEqual(problems, [
    "the resources library/a → library/b → library/c → library/a import each other in a circle",
  ]);
});

test("our own sources follow the import rules", () =>
  assert.deepEqual(problemsOf(resolve(import.meta.dirname, "..")), []));

test("the import rules refuse files that import each other in a circle, even for types and through services.ts", () => {
  const [a, b] = [`${server}/http/a.ts`, `${server}/http/b.ts`];
  for (const back of ['import { a } from "./a.ts";', 'import type { a } from "./a.ts";'])
    assert.deepEqual(problemsIn({ [a]: 'import { b } from "./b.ts";', [b]: back }), [
      `the files ${a} → ${b} → ${a} import each other in a circle`,
    ]);
  const services = `${server}/services.ts`;
  const named = {
    [services]: 'import type { a } from "./http/a.ts";',
    [a]: 'import type { s } from "../services.ts";',
  };
  assert.deepEqual(problemsIn(named), [`the files ${a} → ${services} → ${a} import each other in a circle`]);
});
