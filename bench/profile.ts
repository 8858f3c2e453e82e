/**
 * Where svc spends its time in one operation, for example `node bench/profile.ts "one hot document"`. Sends it for some
 * seconds and prints the functions that took most of the processor. Settings: `DATABASE=postgres`, `SECONDS=10`.
 */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defined } from "@svc/document/defined";
import { realArticles } from "./corpus/real-text.ts";
import { Api } from "./harness/api.ts";
import { drive } from "./harness/drive.ts";
import { makeDirectory, SVC_SERVER, startServer } from "./harness/processes.ts";
import { scales } from "./harness/run.ts";
import { makeStand } from "./harness/stand.ts";
import { stopPostgres } from "./harness/store.ts";
import { me } from "./parts/me.ts";
import { reads } from "./parts/reads.ts";
import { realOperations } from "./parts/real.ts";
import { searches } from "./parts/searches.ts";
import { writes } from "./parts/writes.ts";

interface Profile {
  readonly nodes: readonly { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

const LINES = 40;
const NOT_WORK = new Set(["(idle)", "(program)", "(root)"]);

/** Microseconds of each function alone. */
function selfTimes({ nodes, samples, timeDeltas }: Profile): Map<string, number> {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const times = new Map<string, number>();
  samples.forEach((id, i) => {
    const { functionName, url, lineNumber } = defined(frames.get(id));
    if (NOT_WORK.has(functionName)) return;
    const file = url.split("/").slice(-6).join("/");
    const name = `${functionName || "(anonymous)"} ${file}${file ? `:${lineNumber + 1}` : ""}`;
    times.set(name, (times.get(name) ?? 0) + defined(timeDeltas[i]));
  });
  return times;
}

/** The parts of the server, by where their code is. The first that fits counts. */
const parts: readonly (readonly [string, RegExp])[] = [
  ["collector", /^\(garbage collector\)/],
  ["SQL", /\/db\/|node:sqlite|node_modules\/(kysely|pg)/],
  ["parse Markdown", /document\/src\/(markdown|html)|node_modules\/markdown-it/],
  ["document model", /document\/src\//],
  ["index", /packages\/search\/|views\/search\//],
  ["segments and bodies", /server\/src\/bodies\//],
  ["other views and events", /server\/src\/(views|events|jobs|background)\//],
  [
    "HTTP",
    /server\/src\/http\/|node:_http|node:net|node:internal|node_modules\/(fastify|find-my-way)|^(write|parse)\w*String/,
  ],
];

/** Shares of the time by part. */
function timesByPart(times: ReadonlyMap<string, number>): [string, number][] {
  const sums = new Map<string, number>();
  for (const [where, time] of times) {
    const part = parts.find(([, place]) => place.test(where))?.[0] ?? "the rest";
    sums.set(part, (sums.get(part) ?? 0) + time);
  }
  return [...sums].sort((a, b) => b[1] - a[1]);
}

const name = process.argv[2] ?? "";
const operation = [me, ...reads, ...searches, ...writes, ...realOperations].find((one) => one.name.includes(name));
if (!operation) throw new Error(`No operation is called like ${JSON.stringify(name)}.`);
const directory = makeDirectory();
const kind = process.env.DATABASE === "postgres" ? "postgres" : "sqlite";
const nodeOptions = ["--cpu-prof", `--cpu-prof-dir=${directory.path}`, "--cpu-prof-interval=200"];
const isReal = realOperations.includes(operation);
const scale = isReal
  ? { ...scales.quick, documents: 2000, readDocuments: 2000 }
  : { ...scales.quick, documents: 100, readDocuments: 50 };
const texts = isReal ? { texts: realArticles(scale.documents, 5) } : {};
const stand = await makeStand(kind, scale, texts);
// Another life of the server, so that filling the store is not in the profile.
await stand.svc.stop();
const svc = await startServer(SVC_SERVER, stand.store.settings, nodeOptions);
const { ours } = await operation.prepare({ ...stand, svc, api: new Api(svc.address, stand.store.headers) });
const found = await drive(ours.target, ours.requests, {
  connections: 16,
  ms: Number(process.env.SECONDS ?? 10) * 1000,
});
await svc.stop();
await stand.close();
await stopPostgres();
console.log(`${operation.name}: ${found.rate.toFixed(0)} req/s, ${found.cpu.toFixed(0)} µs of processor each`);
for (const file of readdirSync(directory.path)) {
  const times = selfTimes(JSON.parse(readFileSync(join(directory.path, file), "utf8")));
  const total = times.values().reduce((sum, time) => sum + time, 0);
  console.log(`\n${(total / 1000).toFixed(0)} ms in one thread`);
  for (const [part, time] of timesByPart(times))
    console.log(`${((100 * time) / total).toFixed(1).padStart(5)} %  ${part}`);
  console.log("");
  for (const [where, time] of [...times].sort((a, b) => b[1] - a[1]).slice(0, LINES))
    console.log(`${((100 * time) / total).toFixed(1).padStart(5)} %  ${where}`);
}
directory.remove();
process.exit();
