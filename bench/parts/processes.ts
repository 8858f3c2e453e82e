import { compare } from "../harness/compare.ts";
import { SVC_SERVER, startServer } from "../harness/processes.ts";
import { type Figure, figureOf } from "../harness/results.ts";
import type { Run } from "../harness/run.ts";
import type { Stand } from "../harness/stand.ts";
import type { DatabaseKind } from "../harness/store.ts";
import type { Task } from "./documents.ts";
import { cellOf, least, round, side } from "./operation.ts";

const CORES = 2;
const ownCores = (name: string) => `${name}, on cores of their own`;
/** What so many cores give that the server has to itself: reads wait for nothing but the processor. */
const capacity = ({ cpu }: Figure, cores: number): Figure => figureOf([(cores * 1e6) / cpu!]);

interface Scaled {
  readonly name: string;
  readonly path: (stand: Stand, index: number) => string;
}

const scaled: readonly Scaled[] = [
  { name: "metadata", path: ({ read }, i) => `documents/${read[i]!.id}` },
  { name: "body as Tiptap JSON", path: ({ read }, i) => `documents/${read[i]!.id}/content` },
  { name: "body as Markdown", path: ({ read }, i) => `documents/${read[i]!.id}/content?format=markdown` },
  { name: "list, page of 25", path: () => "documents?limit=25" },
];

export function processes(kind: DatabaseKind): Task {
  const part = `processes-${kind}`;
  return {
    part,
    operations: scaled.flatMap(({ name }) => [name, ownCores(name)]),
    measure: (run, stand) => measureProcesses(run, part, stand),
  };
}

/** Reads with two server processes against one, on the same store, beside each other. */
async function measureProcesses(run: Run, part: string, stand: Stand): Promise<void> {
  const wanted = scaled.filter(({ name }) => run.wants(part, name) || run.wants(part, ownCores(name)));
  run.say(`${part}: two server processes against one`);
  const two = await startServer(SVC_SERVER, { ...stand.store.settings, SVC_WORKERS: "2" });
  try {
    for (const { name, path } of wanted) {
      const requests = round(
        stand.read.map((_, i) => stand.api.bytes({ method: "GET", path: `/api/v1/${path(stand, i)}` })),
      );
      const effort = run.effort(400, 6000);
      const [found] = await compare(side(stand.svc, requests), side(two, requests), [16], effort);
      const cell = cellOf(found!);
      const common = { part, against: "svc, one process", unit: "req/s" };
      run.row({ ...common, operation: name, cells: [cell], bound: "the sender shares the cores with the servers" });
      run.row({
        ...common,
        operation: ownCores(name),
        cells: [{ connections: 16, limit: capacity(cell.limit, 1), ours: capacity(cell.ours, CORES) }],
        goal: least(1.6),
        bound: "processes that share caches and the store's locks",
      });
      stand.svc.clearLog();
      two.clearLog();
    }
  } finally {
    await two.stop();
  }
}
