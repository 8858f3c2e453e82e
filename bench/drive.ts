import { readdirSync, readFileSync } from "node:fs";
import { Agent, request } from "node:http";

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

export interface Cost {
  /** CPU time of the server, all its threads, per request, in microseconds. */
  readonly cpu: number;
  /** Requests per second as seen from outside. */
  readonly rate: number;
}

/** Nanoseconds that all threads of a process have run. Unlike the clock, it does not count what neighbours take. */
function cpuTime(pid: number): number {
  const tasks = `/proc/${pid}/task`;
  return readdirSync(tasks).reduce(
    (sum, task) => sum + Number(readFileSync(`${tasks}/${task}/schedstat`, "utf8").split(" ")[0]),
    0,
  );
}

/** Sends `count` calls on `connections` kept connections, and tells what each cost the server. */
export async function drive(
  server: { readonly address: string; readonly pid: number },
  callOf: (index: number) => Call,
  count: number,
  connections = 8,
): Promise<Cost> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const before = cpuTime(server.pid);
  const start = performance.now();
  let next = 0;
  const worker = async () => {
    while (next < count) await send(server.address, callOf(next++), agent);
  };
  await Promise.all(Array.from({ length: connections }, worker));
  const seconds = (performance.now() - start) / 1000;
  const cpu = (cpuTime(server.pid) - before) / count / 1000;
  agent.destroy();
  return { cpu, rate: count / seconds };
}

/** One call; fails on an answer that is not a success. */
export function send(address: string, call: Call, agent?: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(
      address + call.path,
      { method: call.method, headers: call.headers ?? {}, agent },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk) => chunks.push(chunk));
        response.on("end", () => {
          const text = Buffer.concat(chunks).toString();
          if ((response.statusCode ?? 500) < 400) resolve(text);
          else reject(new Error(`${call.method} ${call.path}: ${response.statusCode} ${text.slice(0, 300)}`));
        });
      },
    );
    sent.on("error", reject);
    sent.end(call.body);
  });
}
