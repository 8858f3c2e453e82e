import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { dirname, join, normalize, resolve } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type { LiveSession } from "@svc/live/session";
import type { Client } from "../packages/server/test/support/client.ts";
import { makeDocument } from "../packages/server/test/support/fixtures.ts";
import { isSaved, openEditor, signIn, type as typeText } from "../packages/server/test/support/live-editor.ts";
import { World } from "../packages/server/test/support/world.ts";

const ROOT = resolve(import.meta.dirname, "..");
const ROOT_URL = `${pathToFileURL(ROOT).href}/`;
const PAGE = readFileSync(join(ROOT, "docs/ARCHITECTURE.md"), "utf8");

/** The files of a group: a heading of the third level, then a line for each folder. */
function group(title: string): string[] {
  const [, section = ""] = PAGE.split(`\n### ${title}\n`);
  const own = section.split(/^##/m)[0] ?? "";
  const lines = [...own.matchAll(/^- `([^`]+)`: (.+)$/gm)];
  const files = lines.flatMap(([, folder, names = ""]) => names.split(", ").map((name) => `${folder}/${name}.ts`));
  assert.ok(files.length > 0, `docs/ARCHITECTURE.md lists no files under "${title}"`);
  return files;
}

/** Our files of which a named function was called while `work` ran. */
async function filesRun(work: () => Promise<unknown>): Promise<Set<string>> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await session.post("Profiler.takePreciseCoverage");
  await work();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  await session.post("Profiler.stopPreciseCoverage");
  session.disconnect();
  const called = result.filter(({ functions }) =>
    functions.some(({ functionName, ranges }) => functionName !== "" && ranges.some(({ count }) => count > 0)),
  );
  const files = called.flatMap(({ url }) => (url.startsWith(ROOT_URL) ? url.slice(ROOT_URL.length) : []));
  return new Set(files.filter((file) => /^packages\/[^/]+\/src\//.test(file)));
}

const ROUNDS = 3;

interface Runs {
  readonly always: ReadonlySet<string>;
  readonly ever: ReadonlySet<string>;
}

/** The files of a warm request: those of every round, and those of any round. */
async function measure(send: (round: number) => Promise<unknown>): Promise<Runs> {
  await send(0);
  const runs: Set<string>[] = [];
  for (let round = 1; round <= ROUNDS; round++) runs.push(await filesRun(() => send(round)));
  const ever = new Set(runs.flatMap((run) => [...run]));
  return { always: new Set([...ever].filter((file) => runs.every((run) => run.has(file)))), ever };
}

const world = new World("sqlite", {});
let client: Client;
let editor: LiveSession;
let document: { readonly id: string; readonly blockId: string };
/** Runs also while nobody asks for anything. */
let background: ReadonlySet<string>;
const measured = new Map<string, Runs>();

before(async () => {
  await world.start();
  const person = await world.person();
  client = person.client;
  const { id } = await makeDocument(client, { text: "Reading paths are honest: alpha, beta, gamma." });
  document = { id, blockId: (await client.get(`/documents/${id}/blocks`)).data[0].id };
  background = await filesRun(() => sleep(2_500));
  for (const [name, send] of PATHS) measured.set(name, await measure(send));
  editor = await openEditor({ url: world.directUrl, cookie: await signIn(world, person), documentId: id });
  measured.set("keystroke", await measure(type));
});
after(async () => {
  editor?.close();
  await world.stop();
});

/** New words in every round, so that no cache has them. */
async function patch(round: number): Promise<void> {
  const content = [{ type: "text", text: `A path with Wört${round}Neu that no text had.` }];
  const reply = await client.patch(`/documents/${document.id}/blocks/${document.blockId}`, { content });
  assert.equal(reply.status, 200, reply.text);
}

async function search(round: number): Promise<void> {
  const reply = await client.get(`/search/v2?q=${["honest", "alpha", "beta", "gamma"][round]}+paths`);
  assert.equal(reply.status, 200, reply.text);
}

async function type(round: number): Promise<void> {
  typeText(editor, 0, ` Kéy${round}Neu.`);
  await isSaved(editor);
}

const PATHS = [
  ["search", search],
  ["write", patch],
] as const;

const GROUPS: Readonly<Record<string, readonly string[]>> = {
  write: ["Request", "Block write", "Body change"],
  search: ["Request", "Search"],
  keystroke: ["Keystroke", "Body change"],
};

for (const [name, titles] of Object.entries(GROUPS)) {
  test(`the reading path of a ${name} lists every file that takes part`, () => {
    const listed = new Set(titles.flatMap(group));
    // A keystroke comes over a socket: it needs a few files of a request, such as the database's.
    if (name === "keystroke") for (const file of group("Request")) listed.add(file);
    const { always } = measured.get(name) ?? { always: new Set<string>() };
    assert.ok(always.size > 50, `${always.size} files`);
    const missing = [...always].filter((file) => !listed.has(file) && !background.has(file));
    assert.deepEqual(missing, [], "add these files to docs/ARCHITECTURE.md, under one of the path's headings");
  });
}

test("every file of a reading path takes part in each path of its group", () => {
  for (const [name, titles] of Object.entries(GROUPS)) {
    const { ever } = measured.get(name) ?? { ever: new Set<string>() };
    for (const title of titles) {
      const idle = group(title).filter((file) => !ever.has(file));
      assert.deepEqual(idle, [], `remove these files from "${title}" in docs/ARCHITECTURE.md: no ${name} runs them`);
    }
  }
});

/** The files that a file imports, of ours. */
function importsOf(file: string): string[] {
  const source = readFileSync(join(ROOT, file), "utf8");
  return [...source.matchAll(/\bfrom "(\.[^"]+)"/g)].map(([, specifier = ""]) =>
    normalize(join(dirname(file), specifier)),
  );
}

test("the browser's files of a keystroke exist, and the editor's script contains them", () => {
  const reached = new Set(["packages/web/src/browser/islands/editor.ts"]);
  for (const file of reached)
    for (const imported of importsOf(file)) if (existsSync(join(ROOT, imported))) reached.add(imported);
  const missing = group("Typing").filter((file) => !reached.has(file));
  assert.deepEqual(missing, []);
});
