/**
 * `npm run bench:commits -- FOLDER`: svc as it is here against svc of another commit, checked out and installed in that
 * folder, each on a store of its own, in turns within one run. Prints a table in Markdown. Settings: as of `npm run bench`.
 */
import { resolve } from "node:path";
import { compare, type Series } from "./harness/compare.ts";
import { programsIn } from "./harness/processes.ts";
import { Run, readSettings } from "./harness/run.ts";
import { makeStand, type Stand } from "./harness/stand.ts";
import { type DatabaseKind, stopPostgres } from "./harness/store.ts";
import { me } from "./parts/me.ts";
import { CONNECTIONS, effortOf, type Operation } from "./parts/operation.ts";
import { reads } from "./parts/reads.ts";
import { searches } from "./parts/searches.ts";
import { writes } from "./parts/writes.ts";

const folder = process.argv[2];
if (!folder) throw new Error("Name the folder of the other commit.");
const run = new Run(readSettings(process.env));

const figure = ({ rate, low, high, cpu }: Series): string =>
  `${Math.round(rate)} ± ${Math.round((high - low) / 2)} (${Math.round(cpu)})`;

/** The fastest round of one is slower than the slowest of the other. */
const isApart = (slow: Series, fast: Series): boolean => slow.high < fast.low;

function verdict(before: Series, now: Series): string {
  const ratio = `${(now.rate / before.rate).toFixed(2)}×`;
  return isApart(now, before) ? `**${ratio}, slower**` : isApart(before, now) ? `${ratio}, faster` : ratio;
}

async function measure(kind: DatabaseKind, operation: Operation, other: Stand, here: Stand): Promise<void> {
  const [before, now] = [(await operation.prepare(other)).ours, (await operation.prepare(here)).ours];
  const found = await compare(before, now, CONNECTIONS, effortOf(run, operation, here));
  const cells = found.flatMap(({ limit, ours }) => [figure(limit), figure(ours), verdict(limit, ours)]);
  console.log(`| ${[`${kind}: ${operation.name}`, ...cells].join(" | ")} |`);
}

const columns = CONNECTIONS.flatMap((count) => [`before, ${count} conn.`, `now, ${count} conn.`, "now / before"]);
console.log(`| requests a second, median ± half the spread (µs of processor) | ${columns.join(" | ")} |`);
console.log(`| --- |${" --- |".repeat(columns.length)}`);
for (const kind of ["sqlite", "postgres"] as const) {
  const wanted = [me, ...reads, ...searches, ...writes].filter(({ name }) => run.wants(kind, name));
  if (wanted.length === 0) continue;
  const other = await makeStand(kind, run.scale, { programs: programsIn(resolve(folder)) });
  const here = await makeStand(kind, run.scale);
  try {
    for (const operation of wanted)
      await run.attempt(`${kind}: ${operation.name}`, () => measure(kind, operation, other, here));
  } finally {
    await other.close();
    await here.close();
  }
}
await stopPostgres();
if (run.failures.length > 0) process.exitCode = 1;
