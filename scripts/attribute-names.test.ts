import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { test } from "node:test";
import { attributeProblems } from "./attribute-names.ts";

/** The problems of a small tree that holds only these files. */
function problemsIn(files: Record<string, string>, shared: Record<string, string> = {}): string[] {
  const root = mkdtempSync(join(tmpdir(), "svc-attributes-"));
  try {
    for (const [name, source] of Object.entries(files)) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), source);
    }
    return attributeProblems(root, shared);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

const web = "packages/web/src";
const desk = { [`${web}/pages/desk.ts`]: "html`<div data-desk></div>`" };

test("a data attribute that scripts select belongs to one part of the pages", () => {
  const alone = { ...desk, [`${web}/islands/desk.ts`]: 'document.querySelector("[data-desk]");' };
  assert.deepEqual(problemsIn(alone), []);
  const marked = {
    ...alone,
    [`${web}/islands/desk.ts`]: 'document.querySelector("[data-desk]"); root.dataset.desk = "x";',
  };
  assert.deepEqual(problemsIn(marked), [
    `data-desk is written by several files: ${web}/islands/desk.ts, ${web}/pages/desk.ts`,
  ]);
  assert.deepEqual(problemsIn(marked, { desk: "the desk" }), []);
  const valued = { ...alone, [`${web}/pages/other.ts`]: 'html`<div data-desk="1"></div>`' };
  assert.match(problemsIn(valued, { desk: "the desk" }).join(), /a marker in one place and has a value in another/);
  assert.deepEqual(problemsIn(alone, { desk: "the desk" }), ["data-desk need not be listed as shared"]);
});

test("no shared data attribute has two meanings", () => {
  assert.deepEqual(attributeProblems(resolve(import.meta.dirname, "..")), []);
});
