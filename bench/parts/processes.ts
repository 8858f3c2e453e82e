import { defined } from "@svc/document/defined";
import { bytesOf } from "../harness/api.ts";
import { compare } from "../harness/compare.ts";
import type { Requests } from "../harness/drive.ts";
import { bareServer, type Running, SVC_SERVER, startServer } from "../harness/processes.ts";
import { type Figure, figureOf, type Goal } from "../harness/results.ts";
import type { Run } from "../harness/run.ts";
import type { Stand } from "../harness/stand.ts";
import type { DatabaseKind } from "../harness/store.ts";
import { cellOf, least, round, side, type Task } from "./operation.ts";

const CORES = 2;
/** The rate of a server that shares nothing, on this machine. */
const BARE = "the bare framework, a constant";
const ownCores = (name: string) => `${name}, on cores of their own`;
/** Many short turns: a neighbour on the machine disturbs for seconds, and a ratio of two processes feels it twice. */
const TURNS = { ms: 200, times: 4, warmUp: 40_000 };
/** The rate on this many cores of the server's own: reads wait only for the processor. */
const capacity = ({ cpu }: Figure, cores: number): Figure => figureOf([(cores * 1e6) / defined(cpu)]);

interface Scaled {
  readonly name: string;
  readonly path: (stand: Stand, index: number) => string;
}

const scaled: readonly Scaled[] = [
  { name: "metadata", path: ({ read }, i) => `documents/${defined(read[i]).id}` },
  { name: "body as Tiptap JSON", path: ({ read }, i) => `documents/${defined(read[i]).id}/content` },
  { name: "body as Markdown", path: ({ read }, i) => `documents/${defined(read[i]).id}/content?format=markdown` },
  { name: "list, page of 25", path: () => "documents?limit=25" },
];

export function processes(kind: DatabaseKind): Task {
  const part = `processes-${kind}`;
  return {
    part,
    operations: [BARE, ...scaled.map(({ name }) => name)].flatMap((name) => [name, ownCores(name)]),
    measure: (run, stand) => measureProcesses(run, part, stand),
  };
}

/** The same server as one process and as two. */
interface Pair {
  readonly one: Running;
  readonly two: Running;
}

/** Reads with two server processes against one, on the same store, beside each other; and the bare framework's. */
async function measureProcesses(run: Run, part: string, stand: Stand): Promise<void> {
  const wants = (name: string) => run.wants(part, name) || run.wants(part, ownCores(name));
  run.say(`${part}: two server processes against one`);
  if (wants(BARE)) await measureBare(run, part);
  const start = (workers: string) => startServer(SVC_SERVER, { ...stand.store.settings, SVC_WORKERS: workers });
  const pair = { one: await start("1"), two: await start("2") };
  try {
    for (const { name, path } of scaled.filter((one) => wants(one.name))) {
      const requests = stand.read.map((_, i) => stand.api.bytes({ method: "GET", path: `/api/v1/${path(stand, i)}` }));
      await measurePair(run, part, name, pair, round(requests), least(1.6));
    }
  } finally {
    await Promise.all([pair.one.stop(), pair.two.stop()]);
  }
}

async function measureBare(run: Run, part: string): Promise<void> {
  const start = (workers: string) => startServer(bareServer("framework"), { BENCH_WORKERS: workers });
  const [one, two] = await Promise.all([start("1"), start("2")]);
  try {
    await measurePair(run, part, BARE, { one, two }, round([bytesOf({ method: "GET", path: "/me" })]));
  } finally {
    await Promise.all([one.stop(), two.stop()]);
  }
}

async function measurePair(run: Run, part: string, name: string, { one, two }: Pair, requests: Requests, goal?: Goal) {
  const { rounds, ...effort } = run.effort(TURNS.ms, TURNS.warmUp);
  const measured = async (processes: number) => {
    const sides = [side(one, requests), { ...side(two, requests), processes }] as const;
    const [found] = await compare(...sides, [16], { ...effort, rounds: rounds * TURNS.times });
    return cellOf(defined(found));
  };
  const common = { part, against: "one process", unit: "req/s" };
  const bound = "the sender shares the cores with the servers";
  run.row({ ...common, operation: name, cells: [await measured(1)], bound });
  const { limit, ours } = await measured(CORES);
  run.row({
    ...common,
    operation: ownCores(name),
    cells: [{ connections: 16, limit: capacity(limit, 1), ours: capacity(ours, CORES) }],
    ...(goal && { goal }),
    bound: "processes that share caches and the store's locks",
  });
  one.clearLog();
  two.clearLog();
}
