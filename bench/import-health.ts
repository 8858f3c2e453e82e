/**
 * How long an answer about a server's health takes while the worst archives that are accepted are imported, beside the
 * same question to a server that does nothing: what both wait for is the machine. `npm run bench:import-health`.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { startImport, zipOf } from "./harness/imports.ts";
import { type Running, SVC_SERVER, startServer } from "./harness/processes.ts";
import { type DatabaseKind, makeStore, type Store, stopPostgres } from "./harness/store.ts";

const MB = 1024 * 1024;
const PAUSE_MS = 10;

const smallFiles = (count: number, text: (n: number) => string) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`d/${n % 50}/${n}.md`, text(n)]));

/** The largest manifest that this many documents allow, full of lists. */
function largestManifest(): Record<string, string> {
  const bytes = 60 * MB;
  // Numbers that differ: what compresses too well is refused unread.
  const lists = Array.from({ length: Math.floor(bytes / 10) }, (_, n) => `[${1e6 + ((n * 7_919_777) % 9e6)}],`).join(
    "",
  );
  return {
    ...smallFiles(Math.ceil(bytes / 4096), () => "x"),
    "manifest.json": `{"format":"svc-knowledge-base","x":[${lists}[]]}`,
  };
}

const words = "word ".repeat(20);
const archives: Record<string, () => Record<string, string>> = {
  "a manifest of 60 MB": largestManifest,
  "20 documents of a megabyte in 10,000 paragraphs": () =>
    smallFiles(20, (n) => `${n}\n\n${`${words}\n\n`.repeat(10_000)}`),
  "20 documents of a megabyte in one table": () =>
    smallFiles(20, (n) => `${n}\n\n| a | b |\n|---|---|\n${`| ${words}| x |\n`.repeat(9000)}`),
  "5,000 documents that link to each other": () =>
    smallFiles(
      5000,
      (n) =>
        `# ${n}\n\n${Array.from({ length: 20 }, (_, i) => `[to](../${(n + i) % 50}/${(n + i) % 5000}.md)`).join(" ")}\n`,
    ),
};

/** Asks until it is told to stop; milliseconds that each answer took. */
async function ask({ address }: Running, isOver: () => boolean): Promise<number[]> {
  const waits: number[] = [];
  while (!isOver()) {
    const before = performance.now();
    const reply = await fetch(`${address}/healthz`);
    await reply.arrayBuffer();
    if (reply.status !== 200) throw new Error(`health is ${reply.status}`);
    waits.push(performance.now() - before);
    await sleep(PAUSE_MS);
  }
  return waits.sort((a, b) => a - b);
}

async function importInto(server: Running, store: Store, archive: Blob): Promise<string> {
  const { headers } = store;
  const address = `${server.address}/api/v1/import-jobs/${await startImport(server, store, archive)}`;
  for (;;) {
    const { data } = JSON.parse(await (await fetch(address, { headers })).text());
    if (data.finished_at !== null) return data.error ? data.error.code : data.status;
    await sleep(100);
  }
}

const at = (waits: readonly number[], part: number): string =>
  `${Math.round(waits[Math.min(waits.length - 1, Math.floor(waits.length * part))] ?? 0)}`;

async function measure(kind: DatabaseKind): Promise<void> {
  const store = await makeStore(kind);
  const idleStore = await makeStore("sqlite");
  const [busy, idle] = [
    await startServer(SVC_SERVER, store.settings),
    await startServer(SVC_SERVER, idleStore.settings),
  ];
  for (const [name, files] of Object.entries(archives)) {
    const archive = await zipOf(Object.entries(files()));
    let isOver = false;
    const began = performance.now();
    const work = importInto(busy, store, archive).finally(() => {
      isOver = true;
    });
    const [outcome, waits, others] = await Promise.all([work, ask(busy, () => isOver), ask(idle, () => isOver)]);
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    const shown = [waits, others].map((of) => `${at(of, 0.5)} / ${at(of, 0.99)} / ${at(of, 1)}`);
    console.log(`| ${kind} | ${name} | ${outcome} | ${seconds} | ${shown.join(" | ")} |`);
  }
  await Promise.all([busy.stop(), idle.stop()]);
  await Promise.all([store.remove(), idleStore.remove()]);
}

console.log("| store | archive | outcome | s | health p50 / p99 / max in ms | of an idle server beside it |");
console.log("| --- | --- | --- | ---: | ---: | ---: |");
try {
  for (const kind of ["sqlite", "postgres"] as const) await measure(kind);
} finally {
  await stopPostgres();
}
