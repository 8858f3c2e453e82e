/**
 * Event streams: 1,000 of them on one process, 50 changes a second. Prints how long after the write's answer an event
 * arrives (99th percentile, goal: under 250 ms), and the processor time per event and stream against the smallest Node
 * server that writes the same bytes to as many sockets, in turns within one run (goal: at most 3 times). The cost of
 * the writes themselves, measured without streams, is taken off. Last, how long 10,000 missed events take.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { readConfig } from "@svc/server/config";
import { connect } from "@svc/server/db/connect";
import { ledgerOf } from "@svc/server/events/ledger";
import { createUser } from "@svc/server/resources/accounts/create-user";
import { createToken } from "@svc/server/resources/tokens/create-token";
import { cpuMs, makeDataDir, type Running, SVC_SERVER, start } from "./servers.ts";

const STREAMS = Number(process.env.STREAMS ?? 1000);
const PER_SECOND = 50;
const EVENTS = Number(process.env.EVENTS ?? 150);
const MISSED = 10_000;
const here = (file: string) => join(import.meta.dirname, file);

const store = makeDataDir();
const settings = { SVC_DATA_DIR: store.directory, SVC_RATE_LIMIT: "1000000000", SVC_LOG_LEVEL: "info" };
const database = await connect(readConfig(settings), console);
const { userId, workspaceId } = await database.transaction((tx) =>
  createUser(tx, { email: "a@example.com", name: "Ada", passwordHash: "unused" }),
);
const tokens: string[] = [];
await database.transaction(async (tx) => {
  for (let i = 0; i < Math.ceil(STREAMS / 3) + 1; i++)
    tokens.push((await createToken(tx, { userId, workspaceId, name: `${i}`, access: "read_write" })).token);
});
const ownToken = tokens.pop()!;

const call = async (base: string, method: string, path: string, body: unknown) => {
  const headers = { authorization: `Bearer ${ownToken}`, "content-type": "application/json" };
  const response = await fetch(`${base}/api/v1${path}`, { method, headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
  return ((await response.json()) as { data: { id: string } }).data;
};

type Write = (mark: number) => Promise<void>;

/** Writes at the rate, and tells when each was answered. */
async function writeAll(write: Write, marks: readonly number[]): Promise<Map<number, number>> {
  const answered = new Map<number, number>();
  const began = performance.now();
  const pending: Promise<void>[] = [];
  for (const [i, mark] of marks.entries()) {
    await sleep(Math.max(0, began + (i * 1000) / PER_SECOND - performance.now()));
    pending.push(write(mark).then(() => void answered.set(mark, Date.now())));
  }
  await Promise.all(pending);
  return answered;
}

interface Readers {
  readonly child: ChildProcess;
  /** Percentiles 0 to 100 of the arrival of each event. */
  readonly arrived: Map<number, number[]>;
}

async function openReaders(url: string): Promise<Readers> {
  const options = JSON.stringify({ url, tokens, streams: STREAMS });
  const child = spawn(process.execPath, [here("event-readers.ts"), options], { stdio: ["ignore", "pipe", "inherit"] });
  const arrived = new Map<number, number[]>();
  await new Promise<void>((ready, failed) => {
    child.once("exit", (code) => failed(new Error(`The readers ended with ${code}.`)));
    createInterface({ input: child.stdout! }).on("line", (line) => {
      const message = JSON.parse(line) as { ready?: number; mark: string; times: number[] };
      if (message.ready) ready();
      else arrived.set(Number(message.mark), message.times);
    });
  });
  return { child, arrived };
}

async function measure(server: Running, write: Write, first: number, url: string) {
  const marks = Array.from({ length: EVENTS }, (_, i) => first + i);
  const idle = cpuMs(server.child.pid);
  await writeAll(write, marks);
  const writesAlone = cpuMs(server.child.pid) - idle;
  const readers = await openReaders(url);
  await sleep(500);
  const before = cpuMs(server.child.pid);
  const answered = await writeAll(
    write,
    marks.map((mark) => mark + EVENTS),
  );
  for (let tries = 0; readers.arrived.size < EVENTS && tries < 100; tries++) await sleep(100);
  const cpu = cpuMs(server.child.pid) - before - writesAlone;
  readers.child.kill();
  const delays = [...readers.arrived].flatMap(([mark, times]) => times.map((at) => at - (answered.get(mark) ?? at)));
  delays.sort((a, b) => a - b);
  return {
    microseconds: (cpu * 1000) / (EVENTS * STREAMS),
    complete: readers.arrived.size,
    p50: delays[delays.length >> 1],
    p99: delays[Math.floor(delays.length * 0.99)],
  };
}

const full = await start(SVC_SERVER, settings);
const bare = await start(here("bare-events.ts"));
const { id: knowledge_base_id } = await call(full.address, "POST", "/knowledge-bases", { name: "Bench" });
const { id } = await call(full.address, "POST", "/documents", { title: "Bench", knowledge_base_id });
const patch: Write = async (mark) => void (await call(full.address, "PATCH", `/documents/${id}`, { title: `${mark}` }));
await patch(1000);
const { data: sample } = await database.read
  .selectFrom("events")
  .select("data")
  .where("id", "=", 2)
  .executeTakeFirstOrThrow();
const bytesOf = (mark: number) =>
  `id: ${mark}\nevent: document.metadata.updated\ndata: ${sample.replace('"1000"', `"${mark}"`)}\n\n`;
const push: Write = async (mark) => void (await fetch(bare.address, { method: "POST", body: bytesOf(mark) }));

console.log(`${STREAMS} streams, ${PER_SECOND} changes a second, ${EVENTS} events of ${bytesOf(1000).length} bytes`);
const ratios: number[] = [];
for (let round = 1; round <= 2; round++) {
  const least = await measure(bare, push, round * 10_000, bare.address);
  const ours = await measure(full, patch, round * 10_000, `${full.address}/api/v1/events`);
  ratios.push(ours.microseconds / least.microseconds);
  for (const [name, result] of [
    ["bare", least],
    ["svc", ours],
  ] as const)
    console.log(
      `${name}: ${result.microseconds.toFixed(1)} µs of processor per event and stream, arrival p50 ${result.p50} ms, p99 ${result.p99} ms, ${result.complete} of ${EVENTS} events at all streams`,
    );
}
console.log(`svc / bare: ${ratios.map((ratio) => ratio.toFixed(2)).join(", ")} (goal: at most 3)`);

const row = await database.read.selectFrom("documents").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
const actor = { userId, tokenId: null, client: { name: "bench", version: null, agent: false } };
await database.transaction(async (tx) => {
  for (let i = 0; i < MISSED; i++) ledgerOf(tx, workspaceId).event("document.metadata.updated", row, actor);
});
const { last_event_id: newest } = await database.read
  .selectFrom("workspace_counters")
  .select("last_event_id")
  .where("workspace_id", "=", workspaceId)
  .executeTakeFirstOrThrow();
const began = performance.now();
const stop = new AbortController();
const response = await fetch(`${full.address}/api/v1/events`, {
  headers: { authorization: `Bearer ${ownToken}`, "last-event-id": String(newest - MISSED) },
  signal: stop.signal,
});
let text = "";
let bytes = 0;
for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
  bytes += chunk.length;
  text = text.slice(-100) + chunk;
  if (text.includes(`id: ${newest}\n`)) break;
}
stop.abort();
console.log(`${MISSED} missed events (${(bytes / 1e6).toFixed(1)} MB) in ${(performance.now() - began).toFixed(0)} ms`);

await bare.stop();
await full.stop();
await database.close();
store.remove();
