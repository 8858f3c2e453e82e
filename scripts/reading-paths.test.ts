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
  readonly send: (client: Client, document: DocumentFacts) => Promise<unknown>;
}[] = [
  { name: "GET /search/v2", most: 20, send: (client) => client.get("/search/v2?q=reading+paths") },
  {
    name: "PATCH block",
    most: 15,
    send: async (client, { id, blockId }) => {
      const content = [{ type: "text", text: "Reading paths are kept honest by a test." }];
      const reply = await client.patch(`/documents/${id}/blocks/${blockId}`, { content });
      assert.equal(reply.status, 200, reply.text);
    },
  },
];

interface DocumentFacts {
  readonly id: string;
  readonly blockId: string;
}

interface ListedFile {
  readonly file: string;
  /** Hands it to the rest, where no file of the list imports it. */
  readonly through: string | undefined;
}

/** The files of a numbered list below a line that begins with `Reading path of` and the name. */
function listedFiles(name: string): ListedFile[] {
  const lines = readFileSync(join(ROOT, "docs/ARCHITECTURE.md"), "utf8").split("\n");
  const start = lines.findIndex((line) => line.startsWith(`Reading path of \`${name}\``));
  assert.notEqual(start, -1, `docs/ARCHITECTURE.md has no reading path of ${name}`);
  const files: ListedFile[] = [];
  for (const line of lines.slice(start + 1)) {
    const [, file, through] = /^\d+\. `([^`]+)`(?:, through `([^`]+)`)?/.exec(line) ?? [];
    if (file) files.push({ file, through });
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
let document: DocumentFacts;
before(async () => {
  await world.start();
  ({ client } = await world.person());
  const { id } = await makeDocument(client, { text: "Reading paths are kept honest." });
  document = { id, blockId: (await client.get(`/documents/${id}/blocks`)).data[0].id };
});
after(() => world.stop());

for (const { name, most, send } of PATHS)
  test(`ARCH5 the reading path of ${name} names files that follow from each other and take part`, async () => {
    const files = listedFiles(name);
    assert.ok(files.length > 0 && files.length <= most, `${files.length} files, at most ${most}`);
    for (const [i, { file, through }] of files.entries()) {
      assert.ok(existsSync(join(ROOT, file)), `${file} is not there`);
      const before = through === undefined ? files.slice(0, i).map((earlier) => earlier.file) : [through];
      const isImported = i === 0 || before.some((earlier) => importsOf(earlier).includes(file));
      assert.ok(isImported, `no file before ${file} imports it`);
    }
    const run = await filesRun(() => send(client, document));
    for (const { file } of files) assert.ok(run.has(pathToFileURL(join(ROOT, file)).href), `${file} takes no part`);
  });
