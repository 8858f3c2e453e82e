import { Connection } from "./connection.ts";
import { processorTime } from "./processor.ts";

export interface Target {
  readonly address: string;
  readonly pid: number;
}

interface Load {
  readonly connections: number;
  /** Stop after this many requests, … */
  readonly count?: number;
  /** … or after this time; at least one of the two. */
  readonly ms?: number;
}

export interface Sample {
  readonly requests: number;
  /** Requests per second as seen from outside. */
  readonly rate: number;
  /** Microseconds of processor of the server, all its threads and processes, per request. */
  readonly cpu: number;
  /** Share of one core that the sender itself took. */
  readonly sender: number;
  /** Milliseconds from each request to its answer. */
  readonly waits: readonly number[];
}

export type Requests = (index: number) => Buffer;

/** Sends requests on kept connections, one at a time on each. An answer that is no success ends it with an error. */
export async function drive(target: Target, requestAt: Requests, load: Load): Promise<Sample> {
  const connections = await Promise.all(
    Array.from({ length: load.connections }, () => Connection.open(target.address)),
  );
  const most = load.count ?? Number.POSITIVE_INFINITY;
  const before = processorTime(target.pid);
  const own = process.cpuUsage();
  const start = performance.now();
  const deadline = start + (load.ms ?? Number.POSITIVE_INFINITY);
  let next = 0;
  const waits: number[] = [];
  const keepSending = (connection: Connection): Promise<void> =>
    new Promise((resolve, reject) => {
      const send = () => {
        const request = requestAt(next++);
        const sent = performance.now();
        connection.send(request, (error, status) => {
          const now = performance.now();
          waits.push(now - sent);
          if (error) reject(error);
          else if (status >= 400) reject(new Error(`${status} for ${firstLine(request)}`));
          else if (next >= most || now >= deadline) resolve();
          else send();
        });
      };
      if (next < most) send();
      else resolve();
    });
  try {
    await Promise.all(connections.map(keepSending));
  } finally {
    for (const connection of connections) connection.close();
  }
  const ms = performance.now() - start;
  const { user, system } = process.cpuUsage(own);
  return {
    requests: next,
    rate: (next * 1000) / ms,
    // The kernel updates a running thread's time only now and then, so it may report none for very few requests.
    cpu: Math.max(1, processorTime(target.pid) - before) / next,
    sender: (user + system) / 1000 / ms,
    waits,
  };
}

const firstLine = (request: Buffer): string => request.toString("latin1", 0, request.indexOf("\r\n"));
