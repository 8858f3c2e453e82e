/**
 * Two ways to let two processes serve one port: node:cluster, where a parent accepts and hands connections out in turn,
 * and SO_REUSEPORT, where the kernel picks a process by a hash of the addresses. Prints for each how unevenly kept
 * connections are spread, and what a request costs on kept connections and on a connection of its own.
 */
import { type ChildProcess, fork } from "node:child_process";
import cluster from "node:cluster";
import { Agent, createServer, get } from "node:http";
import { median } from "../harness/statistics.ts";

const [role, port] = process.argv.slice(2);
const CONNECTIONS = 16;
const TRIALS = 40;
const REQUESTS = 6000;

if (role === "cluster" && cluster.isPrimary) {
  for (let i = 0; i < 2; i++) cluster.fork();
} else if (role !== undefined) {
  const server = createServer((_, response) => response.end(String(process.pid)));
  server.listen({ port: Number(port), host: "127.0.0.1", reusePort: role === "reuse" });
} else await compare();

function ask(address: string, agent: Agent | false): Promise<string> {
  return new Promise((resolve, reject) =>
    get(address, { agent }, (response) => {
      let text = "";
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () => resolve(text));
    }).on("error", reject),
  );
}

/** The share of the busier process, of kept connections opened at once. */
async function busierShare(address: string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const answers = await Promise.all(Array.from({ length: CONNECTIONS }, () => ask(address, agent)));
  agent.destroy();
  const first = answers.filter((pid) => pid === answers[0]).length;
  return Math.max(first, CONNECTIONS - first) / CONNECTIONS;
}

async function rate(address: string, agent: Agent | false): Promise<number> {
  const begin = performance.now();
  let sent = 0;
  const client = async () => {
    while (sent++ < REQUESTS) await ask(address, agent);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, client));
  return REQUESTS / ((performance.now() - begin) / 1000);
}

async function compare(): Promise<void> {
  for (const [name, at] of [
    ["cluster", 39_801],
    ["reuse", 39_802],
  ] as const) {
    const processes: ChildProcess[] = Array.from({ length: name === "cluster" ? 1 : 2 }, () =>
      fork(import.meta.filename, [name, String(at)]),
    );
    await new Promise((resolve) => setTimeout(resolve, 1500));
    const address = `http://127.0.0.1:${at}/`;
    const shares: number[] = [];
    for (let i = 0; i < TRIALS; i++) shares.push(await busierShare(address));
    const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
    const kept = await rate(address, agent);
    agent.destroy();
    const single = await rate(address, false);
    console.log(
      `${name}: busier process has ${(100 * median(shares)).toFixed(0)} % of the connections (worst ${(100 * Math.max(...shares)).toFixed(0)} %), ` +
        `${Math.round(kept)} requests/s on kept connections, ${Math.round(single)}/s on one each`,
    );
    for (const child of processes) child.kill("SIGTERM");
  }
}
