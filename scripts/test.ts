/**
 * Runs tests on SQLite and a real PostgreSQL, and ends with the line `N passed, N failed`. Arguments are parts of the
 * paths of test files. `--core` selects what `npm test` runs, `--rest` what `npm run test:all` adds.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { startPostgres } from "../packages/server/test/support/postgres.ts";
import { makeTemplates } from "../packages/server/test/support/template-store.ts";
import { ensureIslands } from "../packages/web/src/build.ts";
import { processorSeconds } from "./processor-seconds.ts";
import { namingSources } from "./source-places.ts";
import { bundleTests } from "./test-bundle.ts";
import { makeTestFolder } from "./test-folder.ts";
import { endJobs, type FileTime, type Job, runJob, testCommand } from "./test-jobs.ts";
import { type FileGroup, filesOf, groupFiles, patternsOf, testFiles } from "./test-plan.ts";
import { formatLoad, formatTimes, readLoad } from "./test-times.ts";

/** More than the cores of a small machine: many tests wait for a lease, a restart or a heartbeat. */
const JOBS_AT_ONCE = 4;

/** A long search for faults takes as long as it takes. */
const isLongSearch = process.env.SVC_TEST_FAULT_ROUNDS !== undefined;
const FILE_LIMIT_MS = isLongSearch ? Number.POSITIVE_INFINITY : 900_000;

/** A few files start sooner from their sources than a bundle is made. */
const MAX_UNBUNDLED = 3;

const args = process.argv.slice(2);
const isCore = args.includes("--core");
const isPart = isCore || args.includes("--rest");
const parts = args.filter((arg) => !arg.startsWith("--"));

function selectFiles(): FileGroup[] {
  const named = testFiles().filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)));
  return isPart ? filesOf(isCore ? "core" : "rest", named) : [{ files: named, only: undefined }];
}

const selected = selectFiles();
const files = [...new Set(selected.flatMap((group) => group.files))];
const isBundled = files.length > MAX_UNBUNDLED;

mkdirSync("node_modules/.cache", { recursive: true });
/** Beside the packages that a bundle imports. */
const folder = mkdtempSync(resolve("node_modules/.cache/bundle-"));
process.env.SVC_TEST_BUNDLE = folder;
/** Shares compiled code between the processes. */
process.env.NODE_COMPILE_CACHE = isBundled ? join(folder, "compiled") : resolve("node_modules/.cache/tests");
const stores = makeTestFolder();
process.env.TMPDIR = stores.folder;
process.once("exit", () => {
  endJobs();
  stores.remove();
  rmSync(folder, { recursive: true, force: true });
});
let stopPostgres = async (): Promise<void> => undefined;
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => {
    endJobs();
    void stopPostgres().finally(() => process.exit(1));
  });

const loadBefore = readLoad();
const times = new Map<string, FileTime>();
const failures: string[] = [];
const skips: string[] = [];
let passed = 0;
const nameSources = namingSources(folder);

async function runAndPrint(job: Job, isLive: boolean): Promise<void> {
  const texts: string[] = [];
  const print = (text: string) => void (isLive ? process.stdout.write(nameSources(text)) : texts.push(text));
  const result = await runJob(job, FILE_LIMIT_MS, print);
  passed += result.passed;
  failures.push(...result.failures);
  skips.push(...result.skipped);
  for (const [file, { seconds, cpu }] of result.times) {
    const before = times.get(file) ?? { seconds: 0, cpu: 0 };
    times.set(file, { seconds: before.seconds + seconds, cpu: before.cpu + cpu });
  }
  process.stdout.write(nameSources(texts.join("")));
}

async function runAll(jobs: readonly Job[]): Promise<void> {
  const waiting = [...jobs];
  const work = async () => {
    for (let job = waiting.shift(); job; job = waiting.shift()) await runAndPrint(job, jobs.length === 1);
  };
  await Promise.all(Array.from({ length: JOBS_AT_ONCE }, work));
}

/** The checks that need no store; they run while the tests are prepared. */
const command = (...words: readonly string[]): Job => ({
  files: [words.join(" ")],
  command: words,
  isTests: false,
});
const checks =
  isCore && parts.length === 0
    ? [command("npm", "run", "check"), command("npm", "run", "audit", "--", "--offline")]
    : [];

/** A program that imports several files, each within a suite that has its name. */
function writeGroup(number: number, names: readonly string[], places: ReadonlyMap<string, string>): string {
  const imports = names.map((name) => {
    const url = pathToFileURL(places.get(name) ?? resolve(name)).href;
    return `describe(${JSON.stringify(name)}, async () => void (await import(${JSON.stringify(url)})));`;
  });
  const place = join(folder, `group-${number}.mjs`);
  writeFileSync(place, `import { describe } from "node:test";\n${imports.join("\n")}\n`);
  return place;
}

async function makeJobs(): Promise<Job[]> {
  const places = new Map<string, string>();
  if (isBundled)
    for (const [i, place] of (await bundleTests(files, folder)).entries()) places.set(files[i] ?? "", place);
  const groups = selected.flatMap((group) => (isBundled ? groupFiles(group) : single(group)));
  return groups.map(({ files: names, only }, number) => {
    const place = names.length > 1 ? writeGroup(number, names, places) : places.get(names[0] ?? "");
    return { files: names, command: testCommand(place ?? resolve(names[0] ?? ""), patternsOf(only)), isTests: true };
  });
}

const single = ({ files: names, only }: FileGroup): FileGroup[] => names.map((name) => ({ files: [name], only }));

const checked = runAll(checks);
await ensureIslands();
const jobs = await makeJobs();
const postgres = await startPostgres();
stopPostgres = () => postgres.stop();
process.env.SVC_TEST_POSTGRES_URL = postgres.url;
await makeTemplates();
await Promise.all([checked, runAll(jobs)]);
await stopPostgres();

/** A skip for a right that no installation can give counts as no failure. */
const countedSkips = skips.filter((reason) => !reason.startsWith("no right:"));
const forbidden = process.env.SVC_FORBID_SKIPS === "1" ? countedSkips.length : 0;
const failed = failures.length + forbidden;
console.log(`\n${formatTimes(times)}\n${formatLoad(loadBefore, readLoad(), processorSeconds())}`);
for (const reason of new Set(skips)) console.log(`\n!!! SKIPPED: ${reason}`);
if (failures.length > 0) console.log(`\nFailed:\n${failures.map((failure) => `  ${failure}`).join("\n")}`);
if (forbidden > 0)
  console.log(`\nSkips are forbidden here, and ${forbidden} tests were skipped: they count as failed.`);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
