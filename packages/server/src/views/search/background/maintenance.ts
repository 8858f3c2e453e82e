import { randomUUID } from "node:crypto";
import { setImmediate as others, setTimeout as sleep } from "node:timers/promises";
import { levelZeroFanIn, type MergePlan, manyDead, nextMerge, someDead } from "@svc/search/merge/merge-policy";
import { runMerge } from "@svc/search/merge/run-merge";
import type { SegmentRow } from "@svc/search/segment/store-port";
import type { ViewWork } from "../../../bodies/view.ts";
import type { Database } from "../../../db/database.ts";
import type { Services } from "../../../services.ts";
import { StoredIndex } from "../read/stored-index.ts";
import { clearBacklog, indexWaiting, removeHidden } from "./backlog.ts";
import { Lease, LeaseLost } from "./lease.ts";
import { reindexOutdated } from "./reindex.ts";
import { slices } from "./slices.ts";
import { EpochEnded, StoredMerges } from "./stored-merges.ts";

const pollMs = 1000;
/** Writes come in runs: a moment after the first there is more to merge at once, and less often. */
const gatherMs = 50;
/** A merge gives way to others after this long. */
const sliceMs = 1;
/** Merges into this level and above may take seconds: smaller ones go on beside them. */
const longLevel = 3;

class Stopped extends Error {}

/** Starts the index's background work: merges, removals, and documents that wait to be indexed. */
export function startSearch(app: Services): ViewWork {
  const maintenance = new Maintenance(app);
  const running = maintenance.run();
  return {
    wake: maintenance.wake,
    stop: async () => {
      maintenance.stop();
      await running;
    },
  };
}

class Maintenance {
  readonly #app: Services;
  readonly #owner = randomUUID();
  readonly #stop = new AbortController();
  #wake = Promise.withResolvers<void>();

  constructor(app: Services) {
    this.#app = app;
  }

  wake = (): void => this.#wake.resolve();

  stop(): void {
    this.#stop.abort();
    this.wake();
  }

  async run(): Promise<void> {
    await reindexOutdated(this.#app.database).catch((error) => this.#warn(error));
    while (!this.#stop.signal.aborted) {
      this.#wake = Promise.withResolvers<void>();
      await this.#round().catch((error) => this.#warn(error));
      await Promise.race([this.#wake.promise, sleep(pollMs, undefined, { ref: false })]);
      await sleep(gatherMs, undefined, { ref: false, signal: this.#stop.signal }).catch(() => undefined);
    }
  }

  #warn(error: unknown): void {
    if (!this.#stop.signal.aborted) this.#app.log.warn({ err: error }, "background work on the search index failed");
  }

  /** All workspaces that have work, side by side: a long merge of one holds up no other. */
  async #round(): Promise<void> {
    const rows = await this.#app.database.read
      .selectFrom("search_counters")
      .select("workspace_id")
      .where((eb) => eb.or([eb("level_zero", ">=", levelZeroFanIn), eb("backlog", "=", 1)]))
      .limit(8)
      .execute();
    await Promise.all(rows.map(({ workspace_id }) => this.#workOn(workspace_id)));
  }

  async #workOn(workspaceId: string): Promise<void> {
    const { database } = this.#app;
    const lease = new Lease(workspaceId, this.#owner);
    if (!(await lease.take(database))) return;
    const work = new WorkspaceWork(database, lease, this.#stop.signal);
    try {
      await work.run();
    } catch (error) {
      const isExpected = error instanceof LeaseLost || error instanceof EpochEnded || error instanceof Stopped;
      if (!isExpected) this.#warn(error);
    } finally {
      await lease.release(database).catch((error) => this.#warn(error));
    }
  }
}

/** The work of one workspace, until nothing is left. */
class WorkspaceWork {
  readonly #database: Database;
  readonly #lease: Lease;
  readonly #signal: AbortSignal;
  readonly #long = new Set<Promise<void>>();
  readonly #busy = new Set<number>();
  /** Half-made segments of merges that run now. */
  readonly #making = new Set<number>();
  #hasTidied = false;
  /** Whether documents may wait to be indexed or removed, as it was last seen. */
  #hasBacklog = false;
  #failure: unknown;

  constructor(database: Database, lease: Lease, signal: AbortSignal) {
    this.#database = database;
    this.#lease = lease;
    this.#signal = signal;
  }

  async run(): Promise<void> {
    try {
      for (;;) {
        this.#check();
        if (await this.#step()) await others();
        else if (this.#long.size > 0) await Promise.race([...this.#long, sleep(20)]);
        else break;
      }
      if (this.#hasBacklog) await this.#database.transaction((tx) => clearBacklog(tx, this.#lease.workspaceId));
    } finally {
      this.#failure ??= new Stopped();
      await Promise.allSettled([...this.#long]);
    }
  }

  #check(): void {
    if (this.#failure) throw this.#failure;
    if (this.#signal.aborted) throw new Stopped();
  }

  /** A little of everything there is to do. */
  async #step(): Promise<boolean> {
    const { workspaceId } = this.#lease;
    const { epoch, hasBacklog } = await new StoredIndex(this.#database.read, workspaceId).readCounters();
    this.#hasBacklog = hasBacklog;
    const merges = new StoredMerges(this.#database, this.#lease, epoch);
    const store = { database: this.#database, signal: this.#signal };
    const indexed = hasBacklog && (await indexWaiting(store, workspaceId, epoch));
    const removed = hasBacklog && (await removeHidden(this.#database, workspaceId));
    const merged = await this.#merge(merges);
    const cleaned = await merges.removeSome(this.#making);
    return indexed || removed || merged || cleaned;
  }

  async #merge(merges: StoredMerges): Promise<boolean> {
    const plan = this.#plan(await merges.readSegments());
    if (!plan || (plan.level >= longLevel && this.#long.size > 0)) return false;
    const ids = plan.inputs.map((row) => row.id);
    for (const id of ids) this.#busy.add(id);
    let making: number | undefined;
    const store = {
      readSegments: () => merges.readSegments(),
      readParts: (id: number) => merges.readParts(id),
      readPages: merges.readPages.bind(merges),
      writePages: merges.writePages.bind(merges),
      swapMerged: merges.swapMerged,
      beginMerge: async () => {
        making = await merges.beginMerge();
        this.#making.add(making);
        return making;
      },
    };
    const work = runMerge(store, plan, this.#pause()).finally(() => {
      for (const id of ids) this.#busy.delete(id);
      if (making !== undefined) this.#making.delete(making);
    });
    if (plan.level < longLevel) await work;
    else this.#runBeside(work);
    return true;
  }

  /** A few dead blocks are cleared once a round: otherwise each write of a busy document would bring a merge with it. */
  #plan(rows: readonly SegmentRow[]): MergePlan | undefined {
    const due = nextMerge(rows, this.#busy, Number.POSITIVE_INFINITY);
    if (due) return due;
    const tidying = nextMerge(rows, this.#busy, this.#hasTidied ? manyDead : someDead);
    if (tidying) this.#hasTidied = true;
    return tidying;
  }

  #runBeside(work: Promise<void>): void {
    const noted = work.then(
      () => undefined,
      (error) => {
        this.#failure ??= error;
      },
    );
    const tracked = noted.finally(() => this.#long.delete(tracked));
    this.#long.add(tracked);
  }

  #pause(): () => Promise<void> | undefined {
    const pause = slices(sliceMs);
    return () => {
      this.#check();
      return pause();
    };
  }
}
