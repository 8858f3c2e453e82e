import { defined } from "@svc/document/defined";
import { drive } from "../harness/drive.ts";
import { SVC_SERVER, startServer } from "../harness/processes.ts";
import { residentMemory } from "../harness/processor.ts";
import { type Figure, figureOf } from "../harness/results.ts";
import type { Run } from "../harness/run.ts";
import type { Stand } from "../harness/stand.ts";
import { most } from "./operation.ts";
import type { Task } from "./task.ts";

const part = "process";
const operation = "memory after reading every body in 3 formats, second time";
const formats = ["tiptap-json", "markdown", "html"];
const STEPS = 5;

export const memory: Task = { part, operations: [operation], measure: measureMemory };

/** Reads every body of the store in every format, twice. What is kept is bounded, so the second walk adds nothing. */
async function measureMemory(run: Run, stand: Stand): Promise<void> {
  const server = await startServer(SVC_SERVER, stand.store.settings);
  try {
    const requests = stand.documents.flatMap(({ id }) =>
      formats.map((format) =>
        stand.api.bytes({ method: "GET", path: `/api/v1/documents/${id}/content?format=${format}` }),
      ),
    );
    const walk = async (): Promise<Figure> => {
      const size = Math.ceil(requests.length / STEPS);
      const seen: number[] = [];
      for (let from = 0; from < requests.length; from += size) {
        const some = requests.slice(from, from + size);
        await drive(server, (i) => defined(some[i]), { connections: 8, count: some.length - 8 });
        seen.push(residentMemory(server.pid));
      }
      return { ...figureOf(seen), value: Math.max(...seen) };
    };
    const cells = [{ limit: await walk(), ours: await walk() }];
    const bound = "memories of parsed and rendered bodies, each with a bound in bytes";
    run.row({ part, operation, against: "svc, first time", unit: "MB", cells, goal: most(1.25), bound });
  } finally {
    await server.stop();
  }
}
