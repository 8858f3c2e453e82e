import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { after, before, test } from "node:test";
import { build } from "esbuild";
import { namingSources } from "./source-places.ts";

let folder: string;
const SOURCE = `interface Unused {
  readonly nothing: string;
}

export const fail = () => {
  throw new Error("no");
};
fail();
`;

before(() => {
  mkdirSync("node_modules/.cache", { recursive: true });
  folder = mkdtempSync(resolve("node_modules/.cache/bundle-"));
});
after(() => rmSync(folder, { recursive: true, force: true }));

test("the stack trace of a bundled program names its source, line and column", async () => {
  const [source, file] = [join(folder, "failing.ts"), join(folder, "bundled/failing.mjs")];
  writeFileSync(source, SOURCE);
  await build({ entryPoints: [source], outfile: file, format: "esm", sourcemap: true });
  const { stderr } = spawnSync(process.execPath, [file], { encoding: "utf8" });
  const place = relative(process.cwd(), source);
  const trace = `    at fail (${place}:6:9)\n    at ${place}:8:1\n`;
  assert.ok(!stderr.includes(trace));
  assert.ok(namingSources(folder)(stderr).includes(trace), namingSources(folder)(stderr));
});

test("a position outside the bundle's source maps stays unchanged", () => {
  const nameSources = namingSources(folder);
  const lines = [
    `at ${folder}/none.mjs:1:2`,
    `at file://${resolve("other.mjs")}:3:4`,
    "at packages/server/src/app/make-app.ts:5:6",
  ];
  assert.equal(nameSources(lines.join("\n")), lines.join("\n"));
});
