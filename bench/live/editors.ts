import { setTimeout as sleep } from "node:timers/promises";
import { defined } from "@svc/document/defined";
import { Curves } from "../growth/site.ts";
import { processorTime, residentMemory } from "../harness/processor.ts";
import { figureOf, type Goal } from "../harness/results.ts";
import type { Run } from "../harness/run.ts";
import { median, percentile } from "../harness/statistics.ts";
import type { DatabaseKind } from "../harness/store.ts";
import { Company, type Crowd, KEYS_PER_SECOND, letType, openEditors, openRelayed } from "./crowd.ts";
import type { LiveSite } from "./site.ts";

const AGAINST = "a relay in one process that stores nothing";
const EACH = 5;
const BLOCKS = 100;
const SECONDS = 10;
const NAMES = {
  half: "key among 100 documents × 5 editors, half",
  most: "key among 100 documents × 5 editors, 99 of 100",
  processor: "processor for each of these editors",
  memory: "memory for each of these editors",
} as const;

/** Microseconds of both processes together. */
const processorOf = ({ svc }: LiveSite): number => svc.reduce((sum, { pid }) => sum + processorTime(pid), 0);
const memoryOf = ({ svc }: LiveSite): number => svc.reduce((sum, { pid }) => sum + residentMemory(pid), 0);

const makeDocuments = async (site: LiveSite, count: number, blocks: number): Promise<string[]> => {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) ids.push(await site.makeDocument(blocks));
  return ids;
};

/** A round of typing: its delays, and the processor time of what served it. */
async function round(crowd: Crowd, seconds: number, processor: () => number) {
  crowd.delays.length = 0;
  const before = processor();
  const keys = await letType(crowd, seconds);
  return { keys, delays: [...crowd.delays], microseconds: processor() - before };
}

/**
 * 100 documents of five people each who type two keys a second at two processes, while programs read, search and write in
 * the same documents. What their requests cost without people who type is measured in the same round and taken off.
 */
export async function measureCompany(run: Run, part: string, site: LiveSite): Promise<void> {
  if (!Object.values(NAMES).some((name) => run.wants(part, name))) return;
  const documents = await makeDocuments(site, Math.max(2, Math.round(100 * run.scale.growth)), BLOCKS);
  const seconds = Math.max(1, SECONDS * run.scale.effort);
  const memory = { svc: memoryOf(site), relay: residentMemory(site.relay.pid) };
  const editors = await openEditors(site, { documents, each: EACH });
  const relayed = await openRelayed(site, { documents, each: EACH });
  const blocks = await Promise.all(
    documents.map(async (documentId) => {
      const list = await site.api.data("GET", `/api/v1/documents/${documentId}/blocks`);
      return { documentId, blockId: String(defined(list.at(-1)).id) };
    }),
  );
  const found = { svc: rounds(), relay: rounds() };
  for (let n = 0; n < Math.min(3, run.scale.rounds); n++) {
    found.relay.add(await round(relayed, seconds, () => processorTime(site.relay.pid)), seconds, relayed.size);
    const company = new Company(site, blocks);
    // The first requests of each kind take longer.
    await sleep(1000);
    const [before, asked] = [processorOf(site), company.asked];
    await sleep(1000 * seconds);
    const perRequest = (processorOf(site) - before) / Math.max(1, company.asked - asked);
    const askedBefore = company.asked;
    const typed = await round(editors, seconds, () => processorOf(site));
    const others = perRequest * (company.asked - askedBefore);
    await company.leave();
    found.svc.add({ ...typed, microseconds: Math.max(1, typed.microseconds - others) }, seconds, editors.size);
  }
  const perEditor = (now: number, then: number) => figureOf([Math.max(0.001, (now - then) / editors.size)]);
  const memories = {
    limit: perEditor(residentMemory(site.relay.pid), memory.relay),
    ours: perEditor(memoryOf(site), memory.svc),
  };
  for (const crowd of [editors, relayed]) crowd.close();
  const add = (operation: string, unit: string, cell: typeof memories, goal: Goal, bound: string) =>
    run.row({ part, operation, against: AGAINST, unit, cells: [cell], goal, bound });
  const cell = (of: "half" | "most" | "processor") => ({
    limit: figureOf(found.relay[of]),
    ours: figureOf(found.svc[of]),
  });
  const stored = "on disk before anybody hears of it, beside searches, reads and agents' writes on the same cores";
  add(NAMES.half, "ms", cell("half"), { kind: "most", value: 25 }, stored);
  add(NAMES.most, "ms", cell("most"), { kind: "most", value: 250 }, stored);
  const row =
    "a row for each key, and about one fold a second for each document: a new version with its event and views";
  add(NAMES.processor, "ms/s", cell("processor"), { kind: "most", value: 1 }, row);
  const state = "a socket, and a fifth of the document's live state in each of two processes";
  add(NAMES.memory, "MB", memories, { kind: "most", value: 0.5 }, state);
}

/** Results of the rounds: percentiles of delays, and processor milliseconds per editor and second. */
function rounds() {
  const found: Record<"half" | "most" | "processor", number[]> = { half: [], most: [], processor: [] };
  return {
    ...found,
    add({ delays, microseconds }: Awaited<ReturnType<typeof round>>, seconds: number, size: number): void {
      found.half.push(percentile(delays, 0.5));
      found.most.push(percentile(delays, 0.99));
      found.processor.push(microseconds / 1000 / seconds / size);
    },
  };
}

const KEY = "a key at another editor, half";
const PROCESSOR = "processor for a key";

interface Point {
  readonly x: number;
  readonly documents: number;
  readonly each: number;
  readonly blocks: number;
}

/** Measures a key's delay and cost at several sizes, one after the other. */
async function growKeys(
  run: Run,
  about: { readonly part: string; readonly over: string; readonly why: string; readonly bound: number },
  site: LiveSite,
  points: readonly Point[],
): Promise<void> {
  const { part, over, why, bound } = about;
  if (!run.wants(part, KEY) && !run.wants(part, PROCESSOR)) return;
  const curves = new Curves({ part, over }, [
    { operation: PROCESSOR, bound, why, unit: "ms CPU" },
    { operation: KEY, why, unit: "ms" },
  ]);
  const seconds = Math.max(1, 5 * run.scale.effort);
  for (const { x, documents, each, blocks } of points) {
    const crowd = await openEditors(site, { documents: await makeDocuments(site, documents, blocks), each });
    await round(crowd, 1, () => 0);
    const found: Awaited<ReturnType<typeof round>>[] = [];
    for (let n = 0; n < Math.min(3, run.scale.rounds); n++)
      found.push(await round(crowd, seconds, () => processorOf(site)));
    crowd.close();
    curves.add(PROCESSOR, x, median(found.map(({ microseconds, keys }) => microseconds / 1000 / keys)));
    // One alone has nobody to see it.
    if (each > 1) curves.add(KEY, x, median(found.map(({ delays }) => percentile(delays, 0.5))));
  }
  curves.finish(run);
}

/** The sizes up to the largest that is wanted, and that one. */
const reached = (sizes: readonly number[], most: number): number[] => [
  ...new Set(sizes.map((size) => Math.min(size, most))),
];

const suffix = (kind: DatabaseKind): string => (kind === "sqlite" ? "" : "-postgres");

/** From one editor to 500: five in a document, because a document takes 50 at a process. */
export function growEditors(run: Run, kind: DatabaseKind, site: LiveSite): Promise<void> {
  const sizes = run.scale.growth < 0.01 ? [5, 10] : reached([1, 10, 100, 500], 500 * run.scale.growth);
  const points = sizes.map((x) => ({ x, documents: Math.ceil(x / EACH), each: Math.min(x, EACH), blocks: BLOCKS }));
  const why = "what is typed within 25 ms in a document shares a commit; folds and looks are by document";
  const over = `editors, ${EACH} in a document, ${KEYS_PER_SECOND} keys a second each`;
  return growKeys(run, { part: `growth-live-editors${suffix(kind)}`, over, why, bound: 0.1 }, site, points);
}

/** From 100 blocks to 10,000, with five editors. */
export function growBlocks(run: Run, kind: DatabaseKind, site: LiveSite): Promise<void> {
  const sizes = run.scale.growth < 0.01 ? [20, 40] : [100, 1000, 10_000];
  const points = sizes.map((x) => ({ x, documents: 1, each: EACH, blocks: x }));
  const why = "a key touches its own block; the fold that follows it grows with the list of blocks";
  const over = `blocks in a document of ${EACH} editors`;
  return growKeys(run, { part: `growth-live-blocks${suffix(kind)}`, over, why, bound: 0.24 }, site, points);
}
