import { queriesOf } from "../corpus/text.ts";
import { Connection } from "../harness/connection.ts";
import { drive, type Requests } from "../harness/drive.ts";
import { figureOf } from "../harness/results.ts";
import type { Run } from "../harness/run.ts";
import { makeBlocks, type Stand } from "../harness/stand.ts";
import { median } from "../harness/statistics.ts";
import { edits } from "./edits.ts";
import { most, round } from "./operation.ts";
import type { Task } from "./task.ts";

const operation = "edit one block beside 16 connections that search without a pause";
const part = "sqlite";

/** How long a writer waits for its answer while others search, against what it waits when nobody does. */
export const writerBesideSearches: Task = { part, operations: [operation], measure };

async function measure(run: Run, stand: Stand): Promise<void> {
  const { svc, api, documents } = stand;
  const queries = queriesOf(documents.map(({ text }) => text));
  const paths = [...queries.rare, ...queries.common, ...queries.two].map(
    (q) => `/api/v1/search/v2?q=${encodeURIComponent(q)}&limit=10`,
  );
  const searches = round(paths.map((path) => api.bytes({ method: "GET", path })));
  const requests = edits(stand, await makeBlocks(stand, 20, 100));
  const count = Math.max(3, Math.round(200 * run.scale.effort));
  const found: Record<"alone" | "beside", number[]> = { alone: [], beside: [] };
  await drive(svc, searches, { connections: 16, count: Math.ceil(4000 * run.scale.effort) });
  const writer = await Connection.open(svc.address);
  const searchers = await Promise.all(Array.from({ length: 16 }, () => Connection.open(svc.address)));
  try {
    let sent = 0;
    const half = async () => median(await waits(writer, count, () => requests(sent++)));
    await half();
    for (let i = 0; i < run.scale.rounds; i++) {
      found.alone.push(await half());
      found.beside.push(await beside(searchers, searches, half));
    }
  } finally {
    for (const connection of [writer, ...searchers]) connection.close();
  }
  run.row({
    part,
    operation,
    against: "svc, the same edit alone",
    unit: "ms for half of the writes",
    cells: [{ connections: 16, limit: figureOf(found.alone), ours: figureOf(found.beside) }],
    goal: most(3),
    bound:
      "one thread: a write waits for the searches that run when it comes, and then goes first; between two writes searches have their turn",
  });
}

const answered = (connection: Connection, request: Buffer): Promise<void> =>
  new Promise((resolve, reject) =>
    connection.send(request, (error, status) =>
      error || status >= 400 ? reject(error ?? new Error(`A request was answered with ${status}.`)) : resolve(),
    ),
  );

/** Milliseconds from a request to its whole answer, one after the other. */
async function waits(writer: Connection, count: number, requestOf: () => Buffer): Promise<number[]> {
  const all: number[] = [];
  for (let i = 0; i < count; i++) {
    const from = performance.now();
    await answered(writer, requestOf());
    all.push(performance.now() - from);
  }
  return all;
}

/** What `work` gives while all connections of `searchers` search back to back. */
async function beside<T>(searchers: readonly Connection[], searches: Requests, work: () => Promise<T>): Promise<T> {
  let isOver = false;
  let sent = 0;
  const searching = searchers.map(async (connection) => {
    while (!isOver) await answered(connection, searches(sent++));
  });
  const result = await work();
  isOver = true;
  await Promise.all(searching);
  return result;
}
