import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { codeOf } from "@svc/document/thrown";

const root = resolve(import.meta.dirname, "..");
/** Packages whose libraries are loaded, and more libraries that tests or Word imports load. */
const MANIFESTS = ["packages/server/package.json", "packages/document/package.json", "packages/cli/package.json"];
const LATE = ["@redocly/openapi-core", "mammoth", "oidc-provider", "smtp-server", "spawn-rx", "hono"];

test("the libraries can be loaded although files of theirs were removed", async () => {
  const names = MANIFESTS.flatMap((file) =>
    Object.keys(JSON.parse(readFileSync(join(root, file), "utf8")).dependencies ?? {}),
  );
  const libraries = [...new Set([...names, ...LATE])].filter((name) => !name.startsWith("@svc/"));
  const { resolve: find } = createRequire(join(root, "packages/server/package.json"));
  const missing: string[] = [];
  for (const name of libraries)
    await import(name)
      .catch(() => import(find(name)))
      .catch((error: unknown) => {
        if (/MODULE_NOT_FOUND/.test(codeOf(error))) missing.push(`${name}: ${String(error)}`);
      });
  assert.deepEqual(missing, []);
  assert.ok(libraries.length > 20, `${libraries.length} libraries`);
});
