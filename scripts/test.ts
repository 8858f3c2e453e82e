/** Runs every test, SQLite and a real PostgreSQL included, and ends with the line `N passed, N failed`. */
import { globSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { startPostgres } from "../packages/server/test/support/postgres.ts";
import { makeTemplates } from "../packages/server/test/support/template-store.ts";
import { ensureIslands } from "../packages/web/src/build.ts";
import { namingSources } from "./source-places.ts";
import { bundleTests } from "./test-bundle.ts";
import { makeTestFolder } from "./test-folder.ts";
import { readLoad, tellLoad, tellTimes } from "./test-times.ts";

/** More than the cores of a small machine: many tests wait for a lease, a restart or a heartbeat. */
const FILES_AT_ONCE = 4;

/** A long search for what faults break takes as long as it takes. */
const FILE_TIMEOUT_MS = process.env.SVC_TEST_FAULT_ROUNDS === undefined ? 600_000 : Number.POSITIVE_INFINITY;

const patterns = process.argv.slice(2);
const files = globSync([
  "packages/*/{src,test,e2e}/**/*.test.ts",
  "scripts/*.test.ts",
  "bench/{*,!(peers)/**/*}.test.ts",
])
  .filter((file) => patterns.length === 0 || patterns.some((pattern) => file.includes(pattern)))
  .sort();

mkdirSync("node_modules/.cache", { recursive: true });
/** Beside the packages that a bundle imports. */
const folder = mkdtempSync(resolve("node_modules/.cache/bundle-"));
/** A few files start sooner from their sources than a bundle is made. */
const isBundled = files.length > 3;
process.env.SVC_TEST_BUNDLE = folder;
/** Every file runs in a process of its own; what one has compiled the others need not. */
process.env.NODE_COMPILE_CACHE = isBundled ? join(folder, "compiled") : resolve("node_modules/.cache/tests");
const places = isBundled ? await bundleTests(files, folder) : files.map((file) => resolve(file));

const stores = makeTestFolder();
process.env.TMPDIR = stores.folder;
await ensureIslands();
const postgres = await startPostgres();
process.env.SVC_TEST_POSTGRES_URL = postgres.url;
await makeTemplates();

const loadBefore = readLoad();
const seconds = new Map<string, number>();
const counts = { passed: 0, failed: 0, skipped: 0 };
/** What no installation can bring is told, and held against nobody. */
const isRight = (reason: unknown) => String(reason).startsWith("no right:");
const skips = new Set<string>();
const isSuite = (event: { details: { type?: string } }) => event.details.type === "suite";

const stream = run({ files: places, concurrency: FILES_AT_ONCE, timeout: FILE_TIMEOUT_MS });
stream.on("test:pass", (event) => {
  if (isSuite(event)) return;
  if (event.skip === undefined && event.todo === undefined) counts.passed++;
  else {
    if (!isRight(event.skip)) counts.skipped++;
    skips.add(String(event.skip || event.todo || event.name));
  }
});
stream.on("test:fail", (event) => {
  if (!isSuite(event) || event.details.error?.message?.includes("hook")) counts.failed++;
});
stream.on("test:summary", ({ file, duration_ms: milliseconds }) => {
  if (file) seconds.set(files[places.indexOf(file)] ?? file, milliseconds / 1000);
});
const nameSources = namingSources(folder);
async function* named(texts: AsyncIterable<unknown>) {
  for await (const text of texts) yield nameSources(String(text));
}
const printed = stream.compose(new spec()).compose(named);
printed.pipe(process.stdout, { end: false });
printed.on("end", async () => {
  const load = tellLoad(loadBefore, readLoad());
  await postgres.stop();
  stores.remove();
  rmSync(folder, { recursive: true, force: true });
  console.log(`\n${tellTimes(seconds)}\n${load}`);
  for (const reason of skips) console.log(`\n!!! SKIPPED: ${reason}`);
  const forbidden = process.env.SVC_FORBID_SKIPS === "1" ? counts.skipped : 0;
  if (forbidden > 0)
    console.log(`\nSkips are forbidden here, and ${forbidden} tests were skipped: they count as failed.`);
  const failed = counts.failed + forbidden;
  setTimeout(() => {
    console.log(`\n${counts.passed} passed, ${failed} failed`);
    process.exit(failed > 0 || counts.passed === 0 ? 1 : 0);
  }, 200);
});
