import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { dirname, join, normalize, resolve } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import type { Client } from "../packages/server/test/support/client.ts";
import { makeDocument } from "../packages/server/test/support/fixtures.ts";
import { World } from "../packages/server/test/support/world.ts";

const ROOT = resolve(import.meta.dirname, "..");

/** The requests that docs/ARCHITECTURE.md explains, and how many files may be needed for one. */
const PATHS: readonly {
  readonly name: string;
  readonly most: number;
  readonly send: (client: Client) => Promise<unknown>;
}[] = [{ name: "GET /search/v2", most: 20, send: (client) => client.get("/search/v2?q=reading+paths") }];

/** The files of a numbered list below a line that begins with `Reading path of` and the name. */
function listedFiles(name: string): string[] {
  const lines = readFileSync(join(ROOT, "docs/ARCHITECTURE.md"), "utf8").split("\n");
  const start = lines.findIndex((line) => line.startsWith(`Reading path of \`${name}\``));
  assert.notEqual(start, -1, `docs/ARCHITECTURE.md has no reading path of ${name}`);
  const files: string[] = [];
  for (const line of lines.slice(start + 1)) {
    const file = /^\d+\. `([^`]+)`/.exec(line)?.[1];
    if (file) files.push(file);
    else if (files.length > 0) break;
  }
  return files;
}

/** The files of ours that a file imports. */
function importsOf(file: string): string[] {
  const source = readFileSync(join(ROOT, file), "utf8");
  return [...source.matchAll(/\bfrom "([^"]+)"/g)].flatMap(([, specifier = ""]) => {
    if (specifier.startsWith(".")) return normalize(join(dirname(file), specifier));
    const own = /^@svc\/([^/]+)\/(.+)$/.exec(specifier);
    return own ? `packages/${own[1]}/src/${own[2]}.ts` : [];
  });
}

/** The files of which a function was called while `work` ran. */
async function filesRun(work: () => Promise<unknown>): Promise<Set<string>> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await work();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  session.disconnect();
  const called = result.filter(({ functions }) =>
    functions.some(({ functionName, ranges }) => functionName !== "" && ranges.some(({ count }) => count > 0)),
  );
  return new Set(called.map(({ url }) => url));
}

const world = new World("sqlite", {});
let client: Client;
before(async () => {
  await world.start();
  ({ client } = await world.person());
  await makeDocument(client, { text: "Reading paths are kept honest." });
});
after(() => world.stop());

for (const { name, most, send } of PATHS)
  test(`ARCH5 the reading path of ${name} names files that follow from each other and take part`, async () => {
    const files = listedFiles(name);
    assert.ok(files.length > 0 && files.length <= most, `${files.length} files, at most ${most}`);
    for (const [i, file] of files.entries()) {
      assert.ok(existsSync(join(ROOT, file)), `${file} is not there`);
      const isImported = i === 0 || files.slice(0, i).some((earlier) => importsOf(earlier).includes(file));
      assert.ok(isImported, `no file before ${file} imports it`);
    }
    const run = await filesRun(() => send(client));
    for (const file of files) assert.ok(run.has(pathToFileURL(join(ROOT, file)).href), `${file} takes no part`);
  });
