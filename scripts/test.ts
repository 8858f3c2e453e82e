/** Runs every test, SQLite and a real PostgreSQL included, and ends with the line `N passed, N failed`. */
import { globSync } from "node:fs";
import { resolve } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { startPostgres } from "../packages/server/test/support/postgres.ts";
import { ensureIslands } from "../packages/web/src/build.ts";

const patterns = process.argv.slice(2);
const files = globSync([
  "packages/*/{src,test,e2e}/**/*.test.ts",
  "scripts/*.test.ts",
  "bench/{*,!(peers)/**/*}.test.ts",
])
  .filter((file) => patterns.length === 0 || patterns.some((pattern) => file.includes(pattern)))
  .sort();

/** Every file runs in a process of its own; what one has compiled the others need not. */
process.env.NODE_COMPILE_CACHE ??= resolve("node_modules/.cache/tests");

await ensureIslands();
const postgres = await startPostgres();
process.env.SVC_TEST_POSTGRES_URL = postgres.url;

const counts = { passed: 0, failed: 0, skipped: 0 };
/** What no installation can bring is told, and held against nobody. */
const isRight = (reason: unknown) => String(reason).startsWith("no right:");
const skips = new Set<string>();
const isSuite = (event: { details: { type?: string } }) => event.details.type === "suite";

const stream = run({ files: files.map((file) => `${process.cwd()}/${file}`), concurrency: 2, timeout: 600_000 });
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
stream.compose(new spec()).pipe(process.stdout, { end: false });
stream.on("end", async () => {
  await postgres.stop();
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
