import type { Run } from "../harness/run.ts";
import { makeStand } from "../harness/stand.ts";
import { type DatabaseKind, knowsWorkers } from "../harness/store.ts";
import { coldReads } from "./cold.ts";
import { measure, type Operation, type Task } from "./operation.ts";
import { processes } from "./processes.ts";
import { me, reads, searches } from "./reads.ts";
import { writes } from "./writes.ts";

const taskOf = (part: DatabaseKind, operation: Operation): Task => ({
  part,
  operations: [operation.name],
  measure: (run, stand) => measure(run, part, operation, stand),
});

/** Everything about documents on one database. Reads come first: they see the store as it was filled. */
export async function measureDocuments(run: Run, kind: DatabaseKind): Promise<void> {
  const operations = [me, ...reads, ...searches, ...writes];
  const tasks: Task[] = [
    ...(kind === "sqlite" ? [coldReads] : []),
    ...operations.map((operation) => taskOf(kind, operation)),
    ...(knowsWorkers ? [processes(kind)] : []),
  ];
  const wanted = tasks.filter(({ part, operations }) => operations.some((name) => run.wants(part, name)));
  if (!knowsWorkers) run.say(`!!! processes-${kind} SKIPPED: this server does not know SVC_WORKERS`);
  if (wanted.length === 0) return;
  run.say(`${kind}: ${run.scale.documents} documents of about 10 KB`);
  const stand = await makeStand(kind, run.scale);
  try {
    for (const task of wanted) await run.attempt(`${task.part}: ${task.operations[0]}`, () => task.measure(run, stand));
  } finally {
    await stand.close();
  }
}
