import { setTimeout as sleep } from "node:timers/promises";
import { defined } from "@svc/document/defined";
import type { LiveSession } from "@svc/live/session";
import type WebSocket from "ws";
import { fetchState } from "../../packages/server/test/support/live-editor.ts";
import { Curves } from "../growth/site.ts";
import { processorTime, residentMemory } from "../harness/processor.ts";
import { figureOf } from "../harness/results.ts";
import type { Run } from "../harness/run.ts";
import { median } from "../harness/statistics.ts";
import { type LiveSite, openRelay, typeKey, until } from "./site.ts";

const AGAINST = "a relay in one process that stores nothing";
const FOLD = "the fold of an edit";
const CROWD = "processor of 100 documents × 5 editors at 3 keys a second";
const MEMORY = "memory for each live document of 100 blocks";
const JOIN = "join a page of 1,000 blocks";
const EDITORS = 5;
const KEYS_PER_SECOND = 3;

/** Folds of a process by now, and the seconds that they took. */
async function foldsOf({ svc }: LiveSite): Promise<{ folds: number; seconds: number }> {
  const text = await (await fetch(`${svc[0].address}/metrics`)).text();
  const value = (name: string) => Number(new RegExp(`^${name}(?:{.*})? (.+)$`, "m").exec(text)?.[1]);
  return { folds: value("svc_live_folds_total"), seconds: value("svc_live_fold_seconds_total") };
}

/** Measures how long the fold of one edit takes, by the length of the document. */
export async function growFolds(run: Run, site: LiveSite): Promise<void> {
  const part = "growth-live";
  if (!run.wants(part, FOLD)) return;
  const why = "only changed blocks are read; the list of blocks gets longer";
  const grown = [{ operation: FOLD, bound: 0.24, why, unit: "ms" }];
  const curves = new Curves({ part, over: "blocks in the live document" }, grown);
  const sizes = run.scale.growth < 0.01 ? [20, 40] : [100, 1000, 10_000];
  const sessions: LiveSession[] = [];
  for (const size of sizes) sessions.push(await site.open(await site.makeDocument(size)));
  const timeEdits = async (session: LiveSession, size: number, edits: number): Promise<number> => {
    const before = await foldsOf(site);
    for (let n = 0; n < edits; n++) {
      typeKey(session, size >> 1);
      await until(() => session.isSaved);
    }
    const after = await foldsOf(site);
    return (1000 * (after.seconds - before.seconds)) / (after.folds - before.folds);
  };
  for (const [i, session] of sessions.entries()) await timeEdits(session, defined(sizes[i]), 3);
  const found = sizes.map((): number[] => []);
  // One fold at a time, in turns: a neighbour on the machine disturbs all sizes alike.
  for (let round = 0; round < Math.max(3, Math.round(20 * run.scale.effort)); round++)
    for (const [i, session] of sessions.entries())
      defined(found[i]).push(await timeEdits(session, defined(sizes[i]), 1));
  sizes.forEach((size, i) => {
    curves.add(FOLD, size, median(defined(found[i])));
  });
  for (const session of sessions) session.close();
  curves.finish(run);
}

/** Many people in many documents: processor time, and memory for each document. */
export async function measureCrowd(run: Run, part: string, site: LiveSite): Promise<void> {
  if (!run.wants(part, CROWD) && !run.wants(part, MEMORY)) return;
  const documents = run.scale.growth < 0.01 ? 3 : 100;
  const ids: string[] = [];
  for (let i = 0; i < documents; i++) ids.push(await site.makeDocument(100));
  const memory = residentMemory(site.svc[0].pid);
  const editors: LiveSession[] = [];
  for (const id of ids) for (let i = 0; i < EDITORS; i++) editors.push(await site.open(id));
  const memoryOfRelay = residentMemory(site.relay.pid);
  const sockets: WebSocket[] = [];
  for (const id of ids) for (let i = 0; i < EDITORS; i++) sockets.push(await openRelay(site, id));
  const seconds = Math.max(1, 8 * run.scale.effort);
  const shares: Record<"svc" | "relay", number[]> = { svc: [], relay: [] };
  const key = Buffer.alloc(27);
  for (let round = 0; round < Math.min(3, run.scale.rounds); round++) {
    const relayed = { pid: site.relay.pid, type: (i: number) => sockets[i]?.send(key), isDone: () => true };
    shares.relay.push(await shareOf(relayed, seconds, sockets.length));
    const typed = {
      pid: site.svc[0].pid,
      type: (i: number) => typeKey(defined(editors[i]), i % EDITORS),
      isDone: () => editors.every((editor) => editor.isSaved),
    };
    shares.svc.push(await shareOf(typed, seconds, editors.length));
  }
  const perDocument = (pid: number, before: number) => Math.max(0.001, (residentMemory(pid) - before) / documents);
  const [ours, relays] = [perDocument(site.svc[0].pid, memory), perDocument(site.relay.pid, memoryOfRelay)];
  for (const editor of editors) editor.close();
  for (const socket of sockets) socket.close();
  run.row({
    part,
    operation: CROWD,
    against: AGAINST,
    unit: "% of a core",
    cells: [{ limit: figureOf(shares.relay), ours: figureOf(shares.svc) }],
    goal: { kind: "most", value: 50 },
    bound: "a row for each key, and about one fold a second for each document: a new version with its event and views",
  });
  run.row({
    part,
    operation: MEMORY,
    against: AGAINST,
    unit: "MB",
    cells: [{ limit: figureOf([relays]), ours: figureOf([ours]) }],
    goal: { kind: "most", value: 1 },
    bound: "the live state with its blocks, within the caches' budget, and five sockets",
  });
}

interface Crowd {
  readonly pid: number;
  readonly type: (index: number) => void;
  /** All of it has arrived. */
  readonly isDone: () => boolean;
}

/**
 * The share of a core, in percent, that a process needs when each of so many types: its processor time until all of it
 * has arrived, however late on a busy machine, over the time in which people type so much.
 */
async function shareOf({ pid, type, isDone }: Crowd, seconds: number, count: number): Promise<number> {
  const before = processorTime(pid);
  const began = performance.now();
  const keys = Math.round(seconds * count * KEYS_PER_SECOND);
  for (let n = 0; n < keys; ) {
    const due = Math.min(keys, ((performance.now() - began) / 1000) * count * KEYS_PER_SECOND);
    for (; n < due; n++) type(n % count);
    await sleep(2);
  }
  await until(isDone);
  return (processorTime(pid) - before) / 10_000 / seconds;
}

/** From nothing to a connected editor: the state is fetched, then the socket says hello. */
export async function measureJoin(run: Run, part: string, site: LiveSite): Promise<void> {
  if (!run.wants(part, JOIN)) return;
  const documentId = await site.makeDocument(1000);
  const { length } = await fetchState(await site.seat(documentId));
  const found: Record<"svc" | "relay", number[]> = { svc: [], relay: [] };
  const timed = async (join: () => Promise<{ close(): void }>): Promise<number> => {
    const began = performance.now();
    const joined = await join();
    const took = performance.now() - began;
    joined.close();
    return took;
  };
  for (let i = 0; i < Math.max(2, Math.round(15 * run.scale.effort)); i++) {
    found.relay.push(
      await timed(async () => {
        await (await fetch(`${site.relay.address}/state?bytes=${length}`)).arrayBuffer();
        return openRelay(site, documentId);
      }),
    );
    found.svc.push(await timed(() => site.open(documentId)));
  }
  run.row({
    part,
    operation: JOIN,
    against: "a relay that sends the same bytes",
    unit: "ms",
    cells: [{ limit: figureOf(found.relay), ours: figureOf(found.svc) }],
    goal: { kind: "most", value: 250 },
    bound: "the editor's own reading of the state; the server sends bytes from its table",
  });
}
