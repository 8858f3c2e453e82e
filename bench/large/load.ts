import { setTimeout as sleep } from "node:timers/promises";
import { Api } from "../harness/api.ts";
import { startImport, zipOf } from "../harness/imports.ts";
import { type Running, SVC_SERVER, startServer } from "../harness/processes.ts";
import { processorTime, processorTotal, residentMemory } from "../harness/processor.ts";
import { filesOf, PER_ARCHIVE } from "./corpus.ts";
import { headersOf, type LargeStore, type Place } from "./place.ts";

interface Wish {
  readonly documents: number;
  readonly minutes: number;
  /** Imports that run at once. */
  readonly imports: number;
}

/** Points of a whole load, and the pause between two looks at the jobs. */
const POINTS = 20;
const LOOK_MS = 1000;

interface Job {
  readonly id: string;
  readonly count: number;
  done: number;
}

/** Imports archives, several at a time, until enough documents are there or the time is over; what has begun ends. */
export async function loadStore(place: Place, store: LargeStore, wish: Wish, say: (line: string) => void) {
  const { minutes, imports } = wish;
  if (store.known.documents >= wish.documents || minutes <= 0) return;
  const svc = await startServer(SVC_SERVER, store.settings);
  const headers = headersOf(store);
  const api = new Api(svc.address, headers);
  const deadline = performance.now() + minutes * 60_000;
  const loading = new Loading(place, store, svc, Math.max(1, wish.documents / POINTS), say);
  let { archives } = store.known;
  let begun = store.known.documents;
  const running = new Set<Job>();
  try {
    for (;;) {
      while (running.size < imports && begun < wish.documents && performance.now() < deadline) {
        const count = Math.min(PER_ARCHIVE, wish.documents - begun);
        const archive = await zipOf(filesOf(archives++, count));
        running.add({ id: await startImport(svc, { headers }, archive), count, done: 0 });
        begun += count;
      }
      if (running.size === 0) break;
      await sleep(LOOK_MS);
      for (const job of running) {
        const { progress, finished_at, status, error } = await api.data("GET", `/api/v1/import-jobs/${job.id}`);
        const done = finished_at === null ? (progress.documents_done ?? 0) : job.count;
        loading.add(done - job.done);
        job.done = done;
        if (finished_at === null) continue;
        if (status !== "succeeded") throw new Error(`An import failed: ${JSON.stringify(error)}`);
        running.delete(job);
      }
      loading.look(archives);
      svc.clearLog();
    }
    loading.end(archives);
    await untilMerged(svc);
  } finally {
    await svc.stop();
  }
  if (place.kind === "postgres") await store.query("vacuum (analyze)");
}

/** Waits until the index has nothing more to merge: the service is idle for five seconds, after ten minutes at most. */
async function untilMerged({ pid }: Running): Promise<void> {
  for (let idle = 0, tries = 0; idle < 5 && tries < 600; tries++) {
    const before = processorTime(pid);
    await sleep(1000);
    idle = processorTime(pid) - before < 50_000 ? idle + 1 : 0;
  }
}

/** Counts what is there, and notes a point now and then. */
class Loading {
  readonly #place: Place;
  readonly #store: LargeStore;
  readonly #svc: Running;
  readonly #step: number;
  readonly #say: (line: string) => void;
  readonly #began = performance.now();
  readonly #secondsBefore: number;
  #documents: number;
  #last: { documents: number; seconds: number; service: number; database: number };

  constructor(place: Place, store: LargeStore, svc: Running, step: number, say: (line: string) => void) {
    this.#place = place;
    this.#store = store;
    this.#svc = svc;
    this.#step = step;
    this.#say = say;
    this.#documents = store.known.documents;
    this.#secondsBefore = store.known.points.at(-1)?.seconds ?? 0;
    this.#last = this.#now();
  }

  add(count: number): void {
    this.#documents += count;
  }

  look(archives: number): void {
    if (this.#documents - this.#last.documents >= this.#step) this.#note(archives);
  }

  end(archives: number): void {
    if (this.#documents > this.#last.documents) this.#note(archives);
  }

  #now() {
    const { postgres } = this.#place;
    return {
      documents: this.#documents,
      seconds: this.#secondsBefore + (performance.now() - this.#began) / 1000,
      service: processorTotal(this.#svc.pid),
      database: postgres ? processorTotal(postgres.pid) : 0,
    };
  }

  #note(archives: number): void {
    const [before, now] = [this.#last, this.#now()];
    this.#last = now;
    const count = now.documents - before.documents;
    const point = {
      documents: now.documents,
      seconds: now.seconds,
      service: (now.service - before.service) / 1000 / count,
      database: (now.database - before.database) / 1000 / count,
      megabytes: residentMemory(this.#svc.pid),
    };
    const { known } = this.#store;
    this.#store.note({ archives, documents: now.documents, points: [...known.points, point] });
    this.#say(
      `${this.#store.name}: ${point.documents} documents after ${point.seconds.toFixed(0)} s, ${(count / (now.seconds - before.seconds)).toFixed(0)} a second, ${point.service.toFixed(2)} + ${point.database.toFixed(2)} ms of processor each, ${point.megabytes.toFixed(0)} MB`,
    );
  }
}
