/**
 * `npm run bench:profile -- "one block" "create with 10 KB, real"`: where the server spends its time. Each operation whose
 * name holds one of the texts is warmed up and then sent for some seconds, one request at a time; a table tells the
 * microseconds of processor per request by part. With `FUNCTIONS=40` the functions that took most follow. With
 * `PUBLISH=after` (or `before`) the table goes into docs/performance.md; `PAGE` names another file. `FOLDER` names a checkout
 * of another commit, whose server is started instead. Settings: `DATABASE=postgres`, `MS=6000`, `DOCUMENTS=2000`,
 * `CONNECTIONS=1`, `SVC_CACHE_BYTES=2097152` (nearly every read is the first of its kind).
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { realArticles } from "./corpus/real-text.ts";
import { Api } from "./harness/api.ts";
import { counting } from "./harness/compare.ts";
import { drive } from "./harness/drive.ts";
import { makeDirectory, ours, programsIn, startServer } from "./harness/processes.ts";
import { commit, machine } from "./harness/results.ts";
import { scales } from "./harness/run.ts";
import { makeStand, type Stand } from "./harness/stand.ts";
import { stopPostgres } from "./harness/store.ts";
import { me } from "./parts/me.ts";
import type { Operation } from "./parts/operation.ts";
import { reads } from "./parts/reads.ts";
import { realOperations } from "./parts/real.ts";
import { searches } from "./parts/searches.ts";
import { writes } from "./parts/writes.ts";
import { PART_NAMES, type Times, timesOf } from "./profile/parts.ts";
import { fillMarkers } from "./report/markers.ts";
import { table } from "./report/text.ts";

const { env } = process;
/** Those that docs/performance.md shows. */
const SHOWN: readonly string[] = [
  "search, another word each time",
  "replace a body, wholly new, real text",
  "replace a body, one paragraph changed, plain Markdown with ids=match",
  "create with 10 KB, real text",
  "edit one block, real text",
];
const HOOK = join(import.meta.dirname, "profile/hook.ts");
const PROGRAMS = env.FOLDER ? programsIn(resolve(env.FOLDER)) : ours;
const MS = Number(env.MS ?? 6000);
const CONNECTIONS = Number(env.CONNECTIONS ?? 1);
const CACHES: Record<string, string> = env.SVC_CACHE_BYTES ? { SVC_CACHE_BYTES: env.SVC_CACHE_BYTES } : {};

const wanted = process.argv.slice(2);
const isWanted = ({ name }: Operation): boolean =>
  wanted.length === 0 ? SHOWN.includes(name) : wanted.some((text) => name.includes(text));
const real = realOperations.filter(isWanted);
const synthetic = [me, ...reads, ...searches, ...writes].filter(isWanted);
if (real.length + synthetic.length === 0) throw new Error(`No operation is called like ${JSON.stringify(wanted)}.`);

const directory = makeDirectory();
const file = join(directory.path, "profile.json");
const rows: string[][] = [];

/** What was written to the file when the server got the signal for the second time. */
async function profileOf(pid: number, work: () => Promise<void>): Promise<Times> {
  rmSync(file, { force: true });
  process.kill(pid, "SIGUSR2");
  await work();
  process.kill(pid, "SIGUSR2");
  for (;;) {
    await sleep(100);
    try {
      if (existsSync(file)) return timesOf(JSON.parse(readFileSync(file, "utf8")));
    } catch {
      // It is still being written.
    }
  }
}

async function profile(operation: Operation, stand: Stand): Promise<void> {
  const { target, requests } = counting((await operation.prepare(stand)).ours);
  await drive(target, requests, { connections: 16, count: operation.kind === "save" ? 500 : 3000, ms: 5 * MS });
  const quiet = await drive(target, requests, { connections: CONNECTIONS, ms: MS });
  const times = await profileOf(target.pid, async () => {
    await drive(target, requests, { connections: CONNECTIONS, ms: MS });
  });
  const share = (part: string) => (times.parts.get(part) ?? 0) / times.total;
  const figures = PART_NAMES.map((part) => Math.round(quiet.cpu * share(part)).toLocaleString("en"));
  rows.push([operation.name, Math.round(quiet.cpu).toLocaleString("en"), ...figures]);
  const longest = [...times.functions].sort((a, b) => b[1] - a[1]).slice(0, Number(env.FUNCTIONS ?? 0));
  if (longest.length > 0) console.log(`\n${operation.name}: ${quiet.cpu.toFixed(0)} µs`);
  for (const [where, time] of longest)
    console.log(`${((100 * time) / times.total).toFixed(1).padStart(5)} %  ${where}`);
}

async function profileAll(operations: readonly Operation[], texts?: readonly string[]): Promise<void> {
  if (operations.length === 0) return;
  const documents = texts?.length ?? 100;
  const scale = { ...scales.quick, documents, readDocuments: texts ? documents : 50 };
  const stand = await makeStand(env.DATABASE === "postgres" ? "postgres" : "sqlite", scale, {
    texts,
    programs: PROGRAMS,
  });
  // Another life of the server, so that what filled the store is not in its memory.
  await stand.svc.stop();
  const settings = { ...stand.store.settings, BENCH_PROFILE: file, ...CACHES };
  const svc = await startServer(PROGRAMS.server, settings, [`--import=${HOOK}`]);
  const again = { ...stand, svc, api: new Api(svc.address, stand.store.headers) };
  for (const operation of operations) await profile(operation, again);
  await svc.stop();
  await stand.close();
}

await profileAll(real, realArticles(Number(env.DOCUMENTS ?? 2000), 5));
await profileAll(synthetic);
await stopPostgres();
const made = table(["operation, µs CPU", "all", ...PART_NAMES], rows);
console.log(`\n${made}`);
if (env.PUBLISH) {
  const page = env.PAGE ?? join(import.meta.dirname, "../docs/performance.md");
  const section = `${made}\n\nCommit ${commit()}, ${machine().processor}, 1 minute's load ${loadavg()[0]?.toFixed(1)}.`;
  writeFileSync(page, fillMarkers(readFileSync(page, "utf8"), new Map([[`profile-${env.PUBLISH}`, section]])));
}
directory.remove();
process.exit();
