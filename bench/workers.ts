/**
 * Reads with one process and with two (SVC_WORKERS=2), in turns within one run. The load generator runs on the same
 * two processors and takes its part of them, so three ratios are told for each read:
 * - measured: requests per second with two processes over those with one;
 * - at most: what two processors allow when they also carry the generator, from the processor time of a request in the
 *   server and in the generator;
 * - of its own: what two processors give that the server has to itself, twice the time of a request with one process
 *   over that with two. Reads wait for nothing but the processor, and unlike the clock this does not count what other
 *   programs take. Goal: 1.6.
 */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { Api } from "./harness/api.ts";
import { type Running, SVC_SERVER, startServer } from "./harness/processes.ts";
import { processorTime } from "./harness/processor.ts";
import { median } from "./harness/statistics.ts";
import { makeStore } from "./harness/store.ts";

const ROUNDS = Number(process.env.ROUNDS ?? 5);
const ROUND_MS = 1500;
const CONNECTIONS = 16;
const BLOCKS = 60;
const run = promisify(execFile);

const store = await makeStore("sqlite");
const startWith = (workers: number): Promise<Running> =>
  startServer(SVC_SERVER, { ...store.settings, SVC_WORKERS: String(workers) });
const servers = { one: await startWith(1), two: await startWith(2) };

const api = new Api(servers.one.address, store.headers);
const base = await api.data("POST", "/api/v1/knowledge-bases", { name: "Base" });
const content = Array.from({ length: BLOCKS }, (_, n) => `Block ${n} of a document about voles and other animals.`);
const document = await api.data("POST", "/api/v1/documents", {
  title: "Bench",
  knowledge_base_id: base.id,
  content: { format: "markdown", content: content.join("\n\n") },
});

interface Round {
  readonly rate: number;
  /** Microseconds of a request: in the server, and in what asks it. */
  readonly server: number;
  readonly client: number;
}

const program = (name: string) => new URL(name, import.meta.url).pathname;

async function measure(server: Running, path: string): Promise<Round> {
  const before = processorTime(server.pid);
  const token = store.headers.authorization!.slice("Bearer ".length);
  const args = [server.address + path, token, String(CONNECTIONS), String(ROUND_MS)];
  const { stdout } = await run(process.execPath, [program("light-load.ts"), ...args]);
  const { requests, seconds, cpu } = JSON.parse(stdout);
  return { rate: requests / seconds, server: (processorTime(server.pid) - before) / requests, client: cpu };
}

const reads = {
  "GET /me": "/api/v1/me",
  "GET /documents/{id}": `/api/v1/documents/${document.id}`,
  "GET /documents/{id}/content": `/api/v1/documents/${document.id}/content`,
  "GET /search/v2, common word": "/api/v1/search/v2?q=voles",
};
for (const [name, path] of Object.entries(reads)) {
  const rounds: Record<"one" | "two", Round[]> = { one: [], two: [] };
  for (let round = 0; round <= ROUNDS; round++)
    for (const which of ["one", "two"] as const) {
      const measured = await measure(servers[which], path);
      if (round > 0) rounds[which].push(measured);
    }
  const of = (which: "one" | "two", what: keyof Round) => median(rounds[which].map((round) => round[what]));
  const show = (which: "one" | "two") =>
    `${which} ${Math.round(of(which, "rate"))}/s (${of(which, "server").toFixed(0)} µs, client ${of(which, "client").toFixed(0)} µs)`;
  const measured = of("two", "rate") / of("one", "rate");
  const atMost = (2 * of("one", "server")) / (of("two", "server") + of("two", "client"));
  const ofItsOwn = (2 * of("one", "server")) / of("two", "server");
  console.log(
    `${name}: ${show("one")}, ${show("two")}; ratio measured ${measured.toFixed(2)}, ` +
      `at most ${atMost.toFixed(2)}, on processors of its own ${ofItsOwn.toFixed(2)} (goal 1.60)`,
  );
}
await servers.one.stop();
await servers.two.stop();
await store.remove();
