import assert from "node:assert/strict";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { type Node, SyntaxKind } from "typescript/unstable/ast";
import { isAsExpression, isTypeReferenceNode } from "typescript/unstable/ast/is";
import { API } from "typescript/unstable/sync";

const ROOT = resolve(import.meta.dirname, "..");
const PROJECTS = ["tsconfig.json", "packages/web/tsconfig.json"];

/** Limits on unchecked assertions: lower them, never raise them. Most stand in search, where loops index typed arrays. */
const MAX = { nonNull: 674, casts: 272 };

/** `as const` asserts nothing. */
const isCast = (node: Node): boolean =>
  isAsExpression(node) && !(isTypeReferenceNode(node.type) && node.type.typeName.getText() === "const");

function countIn(node: Node, counts: { nonNull: number; casts: number }): void {
  if (node.kind === SyntaxKind.NonNullExpression) counts.nonNull++;
  if (isCast(node)) counts.casts++;
  node.forEachChild((child) => countIn(child, counts));
}

/** Non-null assertions and casts of all our sources, as the compiler reads them. */
function countAssertions(): { nonNull: number; casts: number } {
  const counts = { nonNull: 0, casts: 0 };
  const seen = new Set<string>();
  const api = new API({ cwd: ROOT });
  try {
    for (const config of PROJECTS)
      for (const { program } of api.updateSnapshot({ openProjects: [join(ROOT, config)] }).getProjects())
        for (const file of program.getSourceFileNames()) {
          const isOurs = file.startsWith(ROOT) && !/\/(node_modules|generated)\//.test(file);
          const source = isOurs && !seen.has(file) ? program.getSourceFile(file) : undefined;
          if (source) countIn(source, counts);
          seen.add(file);
        }
    return counts;
  } finally {
    api.close();
  }
}

test("non-null assertions and casts become fewer, not more", () => {
  const { nonNull, casts } = countAssertions();
  assert.ok(nonNull <= MAX.nonNull, `${nonNull} non-null assertions: use defined() or a type, at most ${MAX.nonNull}`);
  assert.ok(casts <= MAX.casts, `${casts} casts: use a type, at most ${MAX.casts}`);
});
