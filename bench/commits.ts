/**
 * `npm run bench:commits -- FOLDER`: svc as it is here against svc of another commit, checked out and installed in that
 * folder, each on a store of its own, in turns within one run. Prints a table in Markdown. Settings: as of `npm run bench`.
 */
import { resolve } from "node:path";
import { realArticles } from "./corpus/real-text.ts";
import { compare, type Series } from "./harness/compare.ts";
import { programsIn } from "./harness/processes.ts";
import { Run, readSettings, type Scale } from "./harness/run.ts";
import { makeStand, type Stand } from "./harness/stand.ts";
import { type DatabaseKind, stopPostgres } from "./harness/store.ts";
import { CONNECTIONS, effortOf, type Operation } from "./parts/operation.ts";
import { me, reads, searches } from "./parts/reads.ts";
import { realOperations } from "./parts/real.ts";
import { firstReads } from "./parts/real-reads.ts";
import { writes } from "./parts/writes.ts";

const [, , named] = process.argv;
if (!named) throw new Error("Name the folder of the other commit.");
const folder = resolve(named);
const run = new Run(readSettings(process.env));

const figure = ({ rate, low, high, cpu }: Series): string =>
  `${Math.round(rate)} ± ${Math.round((high - low) / 2)} (${Math.round(cpu)})`;

/** The fastest round of one is slower than the slowest of the other. */
const isApart = (slow: Series, fast: Series): boolean => slow.high < fast.low;

function verdict(before: Series, now: Series): string {
  const ratio = `${(now.rate / before.rate).toFixed(2)}×`;
  return isApart(now, before) ? `**${ratio}, slower**` : isApart(before, now) ? `${ratio}, faster` : ratio;
}

async function measure(part: string, operation: Operation, other: Stand, here: Stand): Promise<void> {
  const [before, now] = [(await operation.prepare(other)).ours, (await operation.prepare(here)).ours];
  const found = await compare(before, now, CONNECTIONS, effortOf(run, operation, here));
  const cells = found.flatMap(({ limit, ours }) => [figure(limit), figure(ours), verdict(limit, ours)]);
  console.log(`| ${[`${part}: ${operation.name}`, ...cells].join(" | ")} |`);
}

/** The operations of a part that are asked for, on both commits with documents of the same texts. */
async function measureAll(
  kind: DatabaseKind,
  part: string,
  operations: readonly Operation[],
  scale: Scale,
  texts?: readonly string[],
): Promise<void> {
  const wanted = operations.filter(({ name }) => run.wants(part, name));
  if (wanted.length === 0) return;
  const given = texts && { texts };
  const other = await makeStand(kind, scale, { programs: programsIn(folder), ...given });
  const here = await makeStand(kind, scale, { ...given });
  try {
    for (const operation of wanted)
      await run.attempt(`${part}: ${operation.name}`, () => measure(part, operation, other, here));
  } finally {
    await other.close();
    await here.close();
  }
}

const columns = CONNECTIONS.flatMap((count) => [`before, ${count} conn.`, `now, ${count} conn.`, "now / before"]);
console.log(`| requests a second, median ± half the spread (µs of processor) | ${columns.join(" | ")} |`);
console.log(`| --- |${" --- |".repeat(columns.length)}`);
const { documents } = run.scale;
for (const kind of ["sqlite", "postgres"] as const) {
  await measureAll(kind, kind, [me, ...reads, ...searches, ...writes], run.scale);
  const known = realOperations.filter((operation) => !firstReads.includes(operation));
  const all = { ...run.scale, readDocuments: documents };
  await measureAll(kind, `real-${kind}`, known, all, realArticles(documents, 5));
}
await stopPostgres();
if (run.failures.length > 0) process.exitCode = 1;
