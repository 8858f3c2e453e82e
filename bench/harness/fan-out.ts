import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { defined } from "@svc/document/defined";
import { Api } from "./api.ts";
import { atEnd } from "./clean-up.ts";
import { bareServer, type Running, SVC_SERVER, startServer } from "./processes.ts";
import { processorTime } from "./processor.ts";
import { makeStore } from "./store.ts";

const PER_SECOND = 50;

/** A server that hands one event to many streams for each write. */
export interface Source {
  readonly server: Running;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  write(mark: number): Promise<void>;
}

export interface FanOut {
  /** Microseconds of the server's processor per event and stream; the cost of the writes themselves is taken off. */
  readonly perStream: number;
  /** Microseconds of the server's processor per event, all streams and the write together. */
  readonly perEvent: number;
  /** Milliseconds from a write's answer until the last stream had the event: median, and 99 of 100. */
  readonly p50: number;
  readonly p99: number;
}

/** svc and the smallest server that writes the same bytes, each with its own way of causing an event. */
export async function makeSources(): Promise<{ svc: Source; bare: Source; close(): Promise<void> }> {
  const store = await makeStore("sqlite");
  const server = await startServer(SVC_SERVER, store.settings);
  const bareRunning = await startServer(bareServer("events"));
  const api = new Api(server.address, store.headers);
  const { id: base } = await api.data("POST", "/api/v1/knowledge-bases", { name: "Bench" });
  const { id } = await api.data("POST", "/api/v1/documents", { title: "Bench", knowledge_base_id: base });
  const patch = async (mark: number) =>
    void (await api.text("PATCH", `/api/v1/documents/${id}`, { title: String(mark).padStart(9, "0") }));
  await patch(0);
  const { data: events } = JSON.parse(await api.text("GET", "/api/v1/changes?after=0"));
  const sample = JSON.stringify(events.at(-1));
  const bareApi = new Api(bareRunning.address, { "content-type": "text/plain" });
  const push = async (mark: number) => {
    const title = String(mark).padStart(9, "0");
    const data = sample.replace('"000000000"', `"${title}"`);
    await bareApi.text("POST", "/", `id: ${mark}\nevent: document.metadata.updated\ndata: ${data}\n\n`);
  };
  return {
    svc: { server, url: `${server.address}/api/v1/events`, headers: store.headers, write: patch },
    bare: { server: bareRunning, url: bareRunning.address, headers: {}, write: push },
    close: async () => {
      await server.stop();
      await bareRunning.stop();
      await store.remove();
    },
  };
}

let mark = 1;

/** Writes at a steady rate; tells when each was answered. */
async function writeAll(source: Source, events: number): Promise<Map<number, number>> {
  const answered = new Map<number, number>();
  const began = performance.now();
  const pending: Promise<void>[] = [];
  for (let i = 0; i < events; i++) {
    await sleep(Math.max(0, began + (i * 1000) / PER_SECOND - performance.now()));
    const own = mark++;
    const answer = source.write(own).then(() => void answered.set(own, Date.now()));
    answer.catch(() => undefined);
    pending.push(answer);
  }
  await Promise.all(pending);
  return answered;
}

interface Readers {
  /** When each event had arrived at all streams. */
  readonly arrived: Map<number, number>;
  stop(): Promise<void>;
}

export async function openReaders({ url, headers }: Source, streams: number): Promise<Readers> {
  const options = JSON.stringify({ url, headers, streams });
  const file = join(import.meta.dirname, "event-readers.ts");
  const child = spawn(process.execPath, [file, options], { stdio: ["ignore", "pipe", "inherit"] });
  const forget = atEnd(() => void child.kill("SIGKILL"));
  const ended = new Promise((done) => child.once("exit", done));
  const arrived = new Map<number, number>();
  await new Promise<void>((ready, failed) => {
    child.once("exit", (code) => failed(new Error(`The readers ended with ${code}.`)));
    createInterface({ input: child.stdout }).on("line", (line) => {
      const message: { ready?: number; mark: number; at: number } = JSON.parse(line);
      if (message.ready) ready();
      else arrived.set(message.mark, message.at);
    });
  });
  const stop = async () => {
    child.kill("SIGTERM");
    await ended;
    forget();
  };
  return { arrived, stop };
}

/** What a number of streams cost one server. */
export async function measureFanOut(source: Source, streams: number, events: number): Promise<FanOut> {
  const { pid } = source.server;
  const idle = processorTime(pid);
  await writeAll(source, events);
  const writesAlone = processorTime(pid) - idle;
  const readers = await openReaders(source, streams);
  try {
    await writeAll(source, 5);
    await sleep(300);
    const before = processorTime(pid);
    const answered = await writeAll(source, events);
    const isComplete = () => [...answered.keys()].every((one) => readers.arrived.has(one));
    for (let tries = 0; !isComplete() && tries < 300; tries++) await sleep(100);
    if (!isComplete()) throw new Error("Not every event arrived at every stream.");
    const spent = processorTime(pid) - before;
    const delays = [...answered].map(([one, at]) => Math.max(1, defined(readers.arrived.get(one)) - at));
    delays.sort((a, b) => a - b);
    return {
      perStream: Math.max(1, spent - writesAlone) / (events * streams),
      perEvent: spent / events,
      p50: defined(delays[delays.length >> 1]),
      p99: defined(delays[Math.floor((delays.length - 1) * 0.99)]),
    };
  } finally {
    await readers.stop();
  }
}
