import { setTimeout as sleep } from "node:timers/promises";
import { defined } from "@svc/document/defined";
import { startReceiver } from "../../packages/server/test/support/receiver.ts";
import { randomFrom } from "../corpus/text.ts";
import { bareServer, startServer } from "../harness/processes.ts";
import type { DatabaseKind } from "../harness/store.ts";
import { Caller, Ledger } from "./caller.ts";
import { createPage, findProblems, kinds, type Scene } from "./calls.ts";
import { Editors } from "./editors.ts";
import { SoakSite } from "./site.ts";
import { Latencies, Watch, type Window } from "./watch.ts";

interface Plan {
  readonly kind: DatabaseKind;
  readonly minutes: number;
  readonly windowMinutes: number;
  readonly faultMinutes: number;
  /** How many times the usual rate. */
  readonly rate: number;
  readonly say: (line: string) => void;
  /** Told after each window of what was seen so far. */
  readonly keep: (soaked: Soaked) => void;
}

interface Soaked {
  readonly kind: DatabaseKind;
  readonly minutes: number;
  readonly windows: readonly Window[];
  /** The faults that occurred, with their counts. */
  readonly faults: Readonly<Record<string, number>>;
  /** Whether all was read back. */
  readonly isWhole: boolean;
  /** Answers that no fault excuses, and what is not as it was acknowledged. */
  readonly problems: readonly string[];
  /** `doubtful` documents had a write that nobody answered. */
  readonly written: { readonly documents: number; readonly comments: number; readonly doubtful: number };
  /** Creations that no webhook told of. */
  readonly unheard: number;
}

const FIRST_PAGES = 300;
const DISCUSSED = 10;
const LIVE = 3;
const EDITORS = 2;
const KEYS_PER_SECOND = 6;
const IDLE_PER_SECOND = 5;
/** A kind of call has at most so many under way: a store that hangs is not flooded. */
const AT_ONCE = 20;

/** Mixed load at a fixed rate with faults, for so many minutes; then everything is read back. */
export async function soak(plan: Plan): Promise<Soaked> {
  const site = await SoakSite.start(plan.kind);
  const idle = await startServer(bareServer("framework"));
  const receiver = await startReceiver();
  const idleLatencies = new Latencies();
  const latencies = new Latencies();
  const faults: Record<string, number> = {};
  const windows: Window[] = [];
  const editors: Editors[] = [];
  try {
    const scene = await makeScene(site, latencies, receiver.url);
    const { caller, ledger } = scene;
    for (let i = 0; i < LIVE; i++)
      editors.push(await Editors.open(site, await makeLiveDocument(scene), EDITORS, latencies));
    const watch = new Watch(site);
    latencies.take();
    const deadline = performance.now() + plan.minutes * 60_000;
    const isOver = () => performance.now() >= deadline;
    const askIdle = async () => {
      const began = performance.now();
      await (await fetch(`${idle.address}/me`)).arrayBuffer();
      idleLatencies.note("idle", performance.now() - began);
    };
    let keys = 0;
    const type = async () => defined(editors[keys++ % LIVE]).type();
    const failed = (error: unknown) => void caller.wrong.push(`${error}`);
    const paced = (perSecond: number, work: () => Promise<unknown>) =>
      pace(perSecond, () => work().catch(failed), isOver);
    const work = [
      ...kinds.map(({ name, perSecond, run }) => paced(perSecond * plan.rate, () => run(scene, name))),
      paced(KEYS_PER_SECOND * plan.rate, type),
      paced(IDLE_PER_SECOND, askIdle),
      strike(site, plan, faults, isOver).catch(failed),
      keepAlive(site, failed, isOver).catch(failed),
    ];
    const soFar = (): Soaked => ({
      kind: plan.kind,
      minutes: windows.at(-1)?.minute ?? 0,
      windows,
      faults,
      isWhole: false,
      problems: caller.wrong,
      written: {
        documents: ledger.pages.length,
        comments: ledger.comments.length,
        doubtful: ledger.pages.filter(({ doubt }) => doubt).length,
      },
      unheard: 0,
    });
    while (!isOver()) {
      await sleep(Math.min(plan.windowMinutes * 60_000, Math.max(0, deadline - performance.now())));
      const calls = latencies.take();
      const { acknowledged, unanswered } = caller;
      const minute = (windows.length + 1) * plan.windowMinutes;
      const counted = { minute, calls, idle: defined(idleLatencies.take().idle), acknowledged, unanswered };
      windows.push({ ...counted, ...(await watch.close()) });
      site.clearLogs();
      plan.keep(soFar());
      plan.say(`${plan.kind}: minute ${minute}: ${lineOf(defined(windows.at(-1)))}`);
    }
    await Promise.all(work);
    watch.stop();
    const problems = [...caller.wrong, ...(await findProblems(scene))];
    for (const one of editors) problems.push(...(await one.problems((id) => storedTexts(scene, id))));
    const unheard = () => {
      const heard = new Set(receiver.accepted.map(({ data }) => data.document_id));
      return ledger.pages.filter(({ id }) => !heard.has(id)).length;
    };
    for (let tries = 0; unheard() > 0 && tries < 60; tries++) await sleep(1000);
    const whole = { ...soFar(), isWhole: true, problems, unheard: unheard() };
    plan.keep(whole);
    return whole;
  } finally {
    for (const one of editors) one.close();
    await idle.stop();
    await receiver[Symbol.asyncDispose]();
    await site.close();
  }
}

const lineOf = ({ processes, bytes, acknowledged, unanswered, idle }: Window): string =>
  [
    ...processes.map(
      ({ megabytes, files, processor }) => `${megabytes.toFixed(0)} MB ${files} files ${processor.toFixed(0)} %`,
    ),
    `${(bytes / 1e6).toFixed(1)} MB stored, ${acknowledged} writes, ${unanswered} unanswered, idle p50 ${idle.p50.toFixed(1)} ms`,
  ].join(", ");

/** Begins so many a second, evenly, whether the ones before have ended or not. */
async function pace(perSecond: number, work: () => Promise<unknown>, isOver: () => boolean): Promise<void> {
  const running = new Set<Promise<unknown>>();
  const pauseMs = 1000 / perSecond;
  for (let next = performance.now() + pauseMs * Math.random(); !isOver(); next += pauseMs) {
    const wait = next - performance.now();
    if (wait > 0) await sleep(Math.min(wait, 5000));
    if (wait > 5000) {
      next -= pauseMs;
      continue;
    }
    // Ticks missed while the machine was busy are not repeated.
    if (wait < -1000) next = performance.now();
    if (isOver() || running.size >= AT_ONCE) continue;
    const one = work().finally(() => running.delete(one));
    running.add(one);
  }
  await Promise.all(running);
}

/** One fault after the other, at even distances. The second process lives to the end: its memory is what is judged. */
async function strike(
  site: SoakSite,
  { faultMinutes, kind }: Plan,
  faults: Record<string, number>,
  isOver: () => boolean,
): Promise<void> {
  const list: [string, () => Promise<unknown>][] = [["kill -9 of a process", () => site.killAndRestart(0)]];
  if (kind === "postgres") list.push(["all connections to PostgreSQL cut", () => site.cutConnections()]);
  for (let count = 0; ; count++) {
    for (const until = performance.now() + faultMinutes * 60_000; performance.now() < until; await sleep(500))
      if (isOver()) return;
    const [name, run] = defined(list[count % list.length]);
    faults[name] = (faults[name] ?? 0) + 1;
    await run();
  }
}

/** A process that ends by itself is told of, and started again. */
async function keepAlive(site: SoakSite, failed: (what: string) => void, isOver: () => boolean): Promise<void> {
  for (; !isOver(); await sleep(500))
    for (const which of site.ended) {
      failed(`process ${which} ended by itself`);
      await site.killAndRestart(which);
    }
}

async function makeScene(site: SoakSite, latencies: Latencies, receiver: string): Promise<Scene> {
  const caller = new Caller(site, latencies);
  const random = randomFrom(30);
  const ledger = new Ledger(random);
  const make = async (path: string, body: unknown): Promise<{ id: number & string }> => {
    const answer = defined(await caller.call("set up", `/api/v1${path}`, { method: "POST", body }));
    if (answer.status >= 300) throw new Error(answer.text);
    return answer.data;
  };
  const { id: base } = await make("/knowledge-bases", { name: "Soak" });
  const folders: number[] = [];
  for (let i = 0; i < 10; i++)
    folders.push((await make("/folders", { name: `Folder ${i}`, knowledge_base_id: base, parent_id: null })).id);
  await make("/webhooks", { url: receiver, enabled: true, event_types: ["document.created"] });
  const discussed: string[] = [];
  for (let i = 0; i < DISCUSSED; i++) discussed.push((await make("/documents", textFields(base, "Discussed", 3))).id);
  const scene = { site, caller, ledger, random, base, folders, discussed };
  for (let i = 0; i < FIRST_PAGES; i++) await createPage(scene, "set up");
  if (caller.wrong.length > 0) throw new Error(caller.wrong[0]);
  return scene;
}

const textFields = (base: number, title: string, blocks: number) => ({
  title,
  knowledge_base_id: base,
  content: { format: "markdown", content: Array.from({ length: blocks }, (_, i) => `Block ${i}.`).join("\n\n") },
});

async function makeLiveDocument({ caller, base }: Scene): Promise<string> {
  const body = textFields(base, "Live", EDITORS);
  return defined(await caller.call("set up", "/api/v1/documents", { method: "POST", body })).data.id;
}

async function storedTexts({ caller }: Scene, documentId: string): Promise<string[]> {
  const answer = defined(await caller.call("read back", `/api/v1/documents/${documentId}/content?format=tiptap-json`));
  const { content } = JSON.parse(answer.text).data?.document ?? JSON.parse(answer.text).data ?? JSON.parse(answer.text);
  return content.map(({ content = [] }: { content?: { text: string }[] }) => content.map(({ text }) => text).join(""));
}
