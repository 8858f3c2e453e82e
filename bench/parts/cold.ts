import { drive, type Requests, type Sample } from "../harness/drive.ts";
import { SVC_SERVER, startServer } from "../harness/processes.ts";
import { figureOf } from "../harness/results.ts";
import type { Run } from "../harness/run.ts";
import type { Stand } from "../harness/stand.ts";
import { most, round, type Task } from "./operation.ts";

const part = "sqlite";
const formats = ["tiptap-json", "markdown", "html"] as const;
const bound =
  "a row for each segment of the body, with its text as it is sent; afterwards the whole is ready in memory";

/** Before measuring: so often is every other body read, until the code is compiled as it will stay. */
const WALKS = 8;
/** So often is each body read again. */
const WARM_READS = 4;

const nameOf = (format: string) => `first read of a body (${format})`;

export const coldReads: Task = { part, operations: formats.map(nameOf), measure: measureCold };

/** A first read comes once in the life of a server: so many lives are measured. */
const LIVES = 3;

type Samples = Record<"cold" | "warm", Sample[]>;

async function measureCold(run: Run, stand: Stand): Promise<void> {
  const samples = new Map(
    formats
      .filter((format) => run.wants(part, nameOf(format)))
      .map((format): [string, Samples] => [format, { cold: [], warm: [] }]),
  );
  for (let i = 0; i < LIVES; i++) await measureLife(run, stand, samples);
  for (const [format, { cold, warm }] of samples) {
    const cells = [{ connections: 16, limit: figure(warm), ours: figure(cold) }];
    run.row({ part, operation: nameOf(format), against: "svc, warm", unit: "µs CPU", cells, goal: most(3), bound });
  }
}

/** First reads after a start: first reads of other documents have compiled the code, the bodies are not in memory. */
async function measureLife(run: Run, stand: Stand, samples: ReadonlyMap<string, Samples>): Promise<void> {
  const server = await startServer(SVC_SERVER, stand.store.settings);
  try {
    const fresh = stand.documents.slice(stand.read.length);
    const requests = (format: string, documents: Stand["documents"]) =>
      documents.map(({ id }) =>
        stand.api.bytes({ method: "GET", path: `/api/v1/documents/${id}/content?format=${format}` }),
      );
    const send = (requestAt: Requests, count: number) => drive(server, requestAt, { connections: 16, count });
    const others = [...stand.read, ...fresh.splice(0, Math.floor(fresh.length / 3))];
    // All formats of all of them do not fit into memory, so that going round is made of first reads too.
    const walk = formats.flatMap((format) => requests(format, others));
    await send(round(walk), walk.length * WALKS);
    const size = Math.floor(fresh.length / formats.length / run.scale.rounds);
    for (let i = 0; i < run.scale.rounds; i++)
      for (const [format, { cold, warm }] of samples) {
        const some = requests(format, fresh.splice(0, size));
        cold.push(await send(round(some), some.length));
        // As many at a time: what it takes to open the connections is part of both figures.
        for (let j = 0; j < WARM_READS; j++) warm.push(await send(round(some), some.length));
      }
  } finally {
    await server.stop();
  }
}

const figure = (samples: readonly Sample[]) => figureOf(samples.map((sample) => sample.cpu));
