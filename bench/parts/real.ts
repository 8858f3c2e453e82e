import { realArticles } from "../corpus/real-text.ts";
import { SVC_SERVER, startServer } from "../harness/processes.ts";
import { residentMemory } from "../harness/processor.ts";
import { figureOf } from "../harness/results.ts";
import type { Run } from "../harness/run.ts";
import { makeStand, type Stand } from "../harness/stand.ts";
import type { DatabaseKind } from "../harness/store.ts";
import { measureImport } from "./import.ts";
import { measure, type Operation } from "./operation.ts";
import { firstReads, packedReads, randomReads, readsAgain } from "./real-reads.ts";
import { otherSearches, realSearches } from "./real-searches.ts";
import { realWrites } from "./real-writes.ts";

export const realOperations: readonly Operation[] = [
  ...randomReads,
  ...firstReads,
  ...readsAgain,
  ...packedReads,
  ...realSearches,
  ...otherSearches,
  ...realWrites,
];

/** With so many documents more than any cache holds: what is asked of them then. */
const largeOperations: readonly Operation[] = [...randomReads, ...realSearches];
const TIMES_AS_MANY = 10;

/** Cache budget of the server that answers first reads. */
const FORGETFUL_BYTES = 2 * 1024 * 1024;
const MEMORY = "memory after all of this";

/** Documents that people wrote, any of them by chance: what caches do not know beforehand. */
export async function measureReal(run: Run, kind: DatabaseKind): Promise<void> {
  await measureAll(run, kind, `real-${kind}`, realOperations, run.scale.documents);
  if (run.wants(`real-${kind}`, "import")) await measureImport(run, kind);
}

/** The same with more documents than fit into the caches. */
export const measureLarge = (run: Run, kind: DatabaseKind): Promise<void> =>
  measureAll(run, kind, `real-large-${kind}`, largeOperations, TIMES_AS_MANY * run.scale.documents);

async function measureAll(
  run: Run,
  kind: DatabaseKind,
  part: string,
  operations: readonly Operation[],
  documents: number,
): Promise<void> {
  const wanted = operations.filter(({ name }) => run.wants(part, name));
  if (wanted.length === 0) return;
  run.say(`${part}: ${documents} documents of about 10 KB that people wrote`);
  const scale = { ...run.scale, documents, readDocuments: documents };
  const stand = await makeStand(kind, scale, { texts: realArticles(documents, 5) });
  const isAskedFirst = wanted.some((operation) => firstReads.includes(operation));
  const forgetful = isAskedFirst
    ? await startServer(SVC_SERVER, { ...stand.store.settings, SVC_CACHE_BYTES: String(FORGETFUL_BYTES) })
    : undefined;
  const all: Stand = { ...stand, ...(forgetful && { forgetful }) };
  try {
    for (const operation of wanted) await run.attempt(operation.name, () => measure(run, part, operation, all));
    tellMemory(run, part, stand);
  } finally {
    await forgetful?.stop();
    await stand.close();
  }
}

function tellMemory(run: Run, part: string, { svc, bare }: Stand): void {
  const [limit, ours] = [bare, svc].map(({ pid }) => figureOf([residentMemory(pid)]));
  if (!limit || !ours) return;
  run.row({
    part,
    operation: `${MEMORY} (${part})`,
    against: "the bare server, after the same",
    unit: "MB",
    cells: [{ limit, ours }],
    goal: { kind: "most", value: 400 },
    bound: "the caches' budget, and what V8 keeps of the heap",
  });
}
