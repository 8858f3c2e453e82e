import { setTimeout as sleep } from "node:timers/promises";
import { defined } from "@svc/document/defined";
import type { Node } from "@svc/document/types";
import { figureOf, type Goal } from "../harness/results.ts";
import type { Run } from "../harness/run.ts";
import { percentile } from "../harness/statistics.ts";
import { type LiveSite, openRelay, textOf, typeKey, until } from "./site.ts";

const TYPISTS = 4;
const KEYS_PER_SECOND = 10;
/** An update of one key is so long. */
const KEY_BYTES = 27;
const BLOCKS = 1000;
const AGAINST = "a relay in one process that stores nothing";
const KEY = "key to an editor of another process";
const WRITE = "API write to an editor of another process";

/** Delays of keys, and of API writes, in ms. */
type Delays = readonly number[];

/** Typists in one process, all in one document, and who reads in the other one. */
async function keysOverService(site: LiveSite, keys: number): Promise<Delays> {
  const documentId = await site.makeDocument(TYPISTS);
  const reader = await site.open(documentId, 1);
  const delays: number[] = [];
  const typists = await Promise.all(
    Array.from({ length: TYPISTS }, async (_, at) => {
      const session = await site.open(documentId, 0);
      const blockId = defined(session.live.order[at]);
      const length = () => textOf(defined(reader.live.node(blockId))).length;
      const typed: number[] = [];
      return { session, at, length, before: length(), typed, seen: 0 };
    }),
  );
  reader.live.doc.on("update", () => {
    const now = performance.now();
    for (const one of typists)
      for (const arrived = one.length() - one.before; one.seen < arrived; one.seen++)
        delays.push(now - defined(one.typed[one.seen]));
  });
  for (let key = 0; key < keys; key++)
    for (const { session, at, typed } of typists) {
      typed.push(performance.now());
      typeKey(session, at);
      await sleep(1000 / KEYS_PER_SECOND / TYPISTS);
    }
  await until(() => delays.length === keys * TYPISTS);
  for (const { session } of typists) session.close();
  reader.close();
  return delays;
}

async function keysOverRelay(site: LiveSite, keys: number): Promise<Delays> {
  const room = String(Math.random());
  const delays: number[] = [];
  const reader = await openRelay(site, room);
  reader.on("message", (data: Buffer) => {
    if (data.length === KEY_BYTES) delays.push(performance.now() - data.readDoubleLE());
  });
  const typists = await Promise.all(Array.from({ length: TYPISTS }, () => openRelay(site, room)));
  for (let key = 0; key < keys; key++)
    for (const socket of typists) {
      const bytes = Buffer.alloc(KEY_BYTES);
      bytes.writeDoubleLE(performance.now());
      socket.send(bytes);
      await sleep(1000 / KEYS_PER_SECOND / TYPISTS);
    }
  await until(() => delays.length === keys * TYPISTS);
  for (const socket of [...typists, reader]) socket.close();
  return delays;
}

/** A program changes blocks of a long page by the API of one process; an editor has it open in the other one. */
async function writesOverService(site: LiveSite, writes: number): Promise<Delays> {
  const documentId = await site.makeDocument(BLOCKS);
  const reader = await site.open(documentId, 1);
  const delays: number[] = [];
  for (let i = 0; i < writes; i++) {
    const id = defined(reader.live.order[(i * 37) % BLOCKS]);
    const text = `Written ${i}`;
    const began = performance.now();
    const node: Node = { type: "paragraph", attrs: { id }, content: [{ type: "text", text }] };
    await site.api.text("PATCH", `/api/v1/documents/${documentId}/blocks/${id}`, { node });
    await until(() => textOf(defined(reader.live.node(id))) === text);
    delays.push(performance.now() - began);
  }
  reader.close();
  return delays;
}

/** How long a key and a write take to somebody else's screen, in turns with the relay. */
export async function measureDelays(run: Run, part: string, site: LiveSite): Promise<void> {
  const wanted = [KEY, WRITE].flatMap((name) => [`${name}, half`, `${name}, 99 of 100`]);
  if (!wanted.some((operation) => run.wants(part, operation))) return;
  const keys = Math.max(5, Math.round(60 * run.scale.effort));
  const found: Record<"relay" | "keys" | "writes", Delays[]> = { relay: [], keys: [], writes: [] };
  await keysOverService(site, 5);
  for (let round = 0; round < Math.min(3, run.scale.rounds); round++) {
    found.relay.push(await keysOverRelay(site, keys));
    found.keys.push(await keysOverService(site, keys));
    found.writes.push(await writesOverService(site, keys));
  }
  const add = (name: string, ours: Delays[], share: 0.5 | 0.99, goal: Goal, bound: string) =>
    run.row({
      part,
      operation: `${name}, ${share === 0.5 ? "half" : "99 of 100"}`,
      against: AGAINST,
      unit: "ms",
      cells: [
        {
          limit: figureOf(found.relay.map((delays) => percentile(delays, share))),
          ours: figureOf(ours.map((delays) => percentile(delays, share))),
        },
      ],
      goal,
      bound,
    });
  const stored = "it is on disk before anybody hears of it; the other process is woken and reads the row";
  add(KEY, found.keys, 0.5, { kind: "most", value: 20 }, stored);
  add(KEY, found.keys, 0.99, { kind: "most", value: 150 }, stored);
  const merged = "the write itself, then one process merges it into the live state in a transaction of its own";
  add(WRITE, found.writes, 0.5, { kind: "most", value: 60 }, merged);
  add(WRITE, found.writes, 0.99, { kind: "most", value: 600 }, merged);
}
