/**
 * `npm run bench:bulk`: an import of 10,000 documents that people wrote (`DOCUMENTS`), its rate from part to part, what
 * other callers wait meanwhile and before, and whether a search right afterwards finds the last one. Prints a table.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { randomFrom } from "./corpus/random.ts";
import { realArticles } from "./corpus/real-text.ts";
import { Api } from "./harness/api.ts";
import { startImport, zipOf } from "./harness/imports.ts";
import { SVC_SERVER, startServer } from "./harness/processes.ts";
import { residentMemory } from "./harness/processor.ts";
import { type DatabaseKind, makeStore, stopPostgres } from "./harness/store.ts";

const DOCUMENTS = Number(process.env.DOCUMENTS ?? 10_000);
const KINDS = (["sqlite", "postgres"] satisfies DatabaseKind[]).filter((kind) =>
  (process.env.DATABASES ?? "sqlite,postgres").split(",").includes(kind),
);
/** What other callers read, how often, and for how long before the import begins. */
const READ_DOCUMENTS = 100;
const READ_PAUSE_MS = 20;
const ALONE_MS = 10_000;
/** Parts of the import whose rates are told apart. */
const PARTS = 5;
const LAST = "zyxwvutsword";

interface Job {
  readonly done: number;
  readonly isOver: boolean;
  readonly outcome: string;
}

async function readJob(api: Api, id: string): Promise<Job> {
  const { progress, finished_at, status, error } = await api.data("GET", `/api/v1/import-jobs/${id}`);
  return { done: progress.documents_done, isOver: finished_at !== null, outcome: error ? error.code : status };
}

/** Reads any of the documents, one after the other, until it is over; milliseconds that each took, in order. */
async function readMeanwhile(api: Api, ids: readonly string[], isOver: () => boolean): Promise<number[]> {
  const random = randomFrom(5);
  const waits: number[] = [];
  while (!isOver()) {
    const before = performance.now();
    await api.text("GET", `/api/v1/documents/${ids[random(ids.length)]}/content?format=markdown`);
    waits.push(performance.now() - before);
    await sleep(READ_PAUSE_MS);
  }
  return waits.sort((a, b) => a - b);
}

const at = (waits: readonly number[], part: number): string =>
  (waits[Math.min(waits.length - 1, Math.floor(waits.length * part))] ?? 0).toFixed(1);

/** Seconds after which each part of the documents was there. */
async function followImport(api: Api, id: string): Promise<{ readonly ends: number[]; readonly outcome: string }> {
  const began = performance.now();
  const ends: number[] = [];
  for (;;) {
    const { done, isOver, outcome } = await readJob(api, id);
    const seconds = (performance.now() - began) / 1000;
    while (ends.length < PARTS - 1 && done >= ((ends.length + 1) * DOCUMENTS) / PARTS) ends.push(seconds);
    if (isOver) return { ends: [...ends, seconds], outcome };
    await sleep(100);
  }
}

async function measure(kind: DatabaseKind): Promise<void> {
  const texts = realArticles(DOCUMENTS + READ_DOCUMENTS, 8);
  const read = texts.splice(0, READ_DOCUMENTS);
  texts[texts.length - 1] += `\n\n${LAST}\n`;
  const store = await makeStore(kind);
  const svc = await startServer(SVC_SERVER, store.settings);
  try {
    const api = new Api(svc.address, store.headers);
    const base = (await api.data("POST", "/api/v1/knowledge-bases", { name: "Read" })).id;
    const made = await api.each(read.length, (i) => ({
      method: "POST",
      path: "/api/v1/documents",
      body: { title: `Read ${i}`, knowledge_base_id: base, content: { format: "markdown", content: read[i] } },
    }));
    const ids = made.map((answer): string => JSON.parse(answer).data.id);
    await store.analyze();
    const until = performance.now() + ALONE_MS;
    const alone = await readMeanwhile(api, ids, () => performance.now() > until);
    const job = await startImport(
      svc,
      store,
      await zipOf(texts.map((text, i) => [`folder ${i % 50}/document ${i}.md`, text])),
    );
    let isOver = false;
    const following = followImport(api, job).finally(() => {
      isOver = true;
    });
    const [{ ends, outcome }, beside] = await Promise.all([following, readMeanwhile(api, ids, () => isOver)]);
    const asked = performance.now();
    const found = await api.data("GET", `/api/v1/search/v2?q=${LAST}`);
    const searched = `${found.length} hit after ${(performance.now() - asked).toFixed(0)} ms`;
    const rates = ends.map((end, i) => Math.round(DOCUMENTS / PARTS / (end - (ends[i - 1] ?? 0))));
    const waits = [alone, beside].map((of) => `${at(of, 0.5)} / ${at(of, 0.95)}`).join(" | ");
    const memory = Math.round(residentMemory(svc.pid));
    const whole = Math.round(DOCUMENTS / (ends.at(-1) ?? 1));
    console.log(`| ${kind} | ${outcome} | ${whole} | ${rates.join(", ")} | ${waits} | ${searched} | ${memory} |`);
  } finally {
    await svc.stop();
    await store.remove();
  }
}

console.log(
  `| ${DOCUMENTS} documents | outcome | a second | by fifths | others alone, p50 / p95 ms | beside it | search right afterwards | MB then |`,
);
console.log("| --- | --- | ---: | --- | ---: | ---: | --- | ---: |");
try {
  for (const kind of KINDS) await measure(kind);
} finally {
  await stopPostgres();
}
