import { setImmediate as others, setTimeout as sleep } from "node:timers/promises";
import {
  LEVEL_ZERO_FAN_IN,
  MANY_DEAD,
  type MergePlan,
  NO_TIDYING,
  nextMerge,
  SOME_DEAD,
} from "@svc/search/merge/merge-policy";
import { runMerge } from "@svc/search/merge/run-merge";
import type { SegmentRow } from "@svc/search/segment/store-port";
import { type Lease, LeaseLost } from "../../../background/lease.ts";
import { Loop } from "../../../background/loop.ts";
import type { ViewWork } from "../../../bodies/view.ts";
import type { Database } from "../../../db/database.ts";
import type { Services } from "../../../services.ts";
import { StoredIndex } from "../read/stored-index.ts";
import { clearBacklog, indexWaiting, removeHidden } from "./backlog.ts";
import { reindexOutdated } from "./reindex.ts";
import { slices } from "./slices.ts";
import { EpochEnded, StoredMerges } from "./stored-merges.ts";

const POLL_MS = 1000;
/** Writes come in bursts: merging a moment after the first handles more at once. */
const GATHER_MS = 50;
/** A merge yields to other work after this long. */
const SLICE_MS = 1;
/** Merges into this level and above may take seconds, so smaller ones run beside them. */
const LONG_LEVEL = 3;

class Stopped extends Error {}

/** Starts the index's background work: merges, removals, and documents that wait to be indexed. */
export function startSearch(app: Services): ViewWork {
  const maintenance = new Maintenance(app);
  return { wake: maintenance.wake, stop: maintenance.stop };
}

class Maintenance {
  readonly #app: Services;
  readonly #loop: Loop;
  #hasReindexed = false;

  constructor(app: Services) {
    this.#app = app;
    this.#loop = new Loop({
      round: () => this.#round(),
      pauseMs: POLL_MS,
      firstAfterMs: 0,
      gatherMs: GATHER_MS,
      failed: (error) => this.#warn(error),
    });
    this.wake = this.#loop.wake;
    this.stop = this.#loop.stop;
  }

  readonly wake: () => void;
  readonly stop: () => Promise<void>;

  #warn(error: unknown): void {
    if (!this.#loop.signal.aborted) this.#app.log.warn({ err: error }, "background work on the search index failed");
  }

  /** Works on all workspaces side by side, so that a long merge in one delays no other. */
  async #round(): Promise<void> {
    if (!this.#hasReindexed) await reindexOutdated(this.#app.database).catch((error) => this.#warn(error));
    this.#hasReindexed = true;
    const rows = await this.#app.database.read
      .selectFrom("search_counters")
      .select("workspace_id")
      .where((eb) => eb.or([eb("level_zero", ">=", LEVEL_ZERO_FAN_IN), eb("backlog", "=", 1)]))
      .limit(8)
      .execute();
    await Promise.all(rows.map(({ workspace_id }) => this.#workOn(workspace_id)));
  }

  async #workOn(workspaceId: string): Promise<void> {
    const { database, leases } = this.#app;
    await leases.during(`search:${workspaceId}`, async (lease) => {
      try {
        await new WorkspaceWork(database, lease, workspaceId, this.#loop.signal).run();
      } catch (error) {
        const isExpected = error instanceof LeaseLost || error instanceof EpochEnded || error instanceof Stopped;
        if (!isExpected) this.#warn(error);
      }
    });
  }
}

/** Works on one workspace until nothing is left. */
class WorkspaceWork {
  readonly #database: Database;
  readonly #lease: Lease;
  readonly #workspaceId: string;
  readonly #signal: AbortSignal;
  readonly #long = new Set<Promise<void>>();
  readonly #busy = new Set<number>();
  /** Unfinished segments of running merges. */
  readonly #making = new Set<number>();
  #hasTidied = false;
  /** Whether there may be something to remove: a merge or a new epoch has left it since the last check. */
  #mayHaveGone = true;
  #epoch = 0;
  /** Whether documents waited to be indexed or removed at the last check. */
  #hasBacklog = false;
  #failure: unknown;

  constructor(database: Database, lease: Lease, workspaceId: string, signal: AbortSignal) {
    this.#database = database;
    this.#lease = lease;
    this.#workspaceId = workspaceId;
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
      if (this.#hasBacklog) await this.#database.transaction((tx) => clearBacklog(tx, this.#workspaceId));
    } finally {
      this.#failure ??= new Stopped();
      await Promise.allSettled([...this.#long]);
    }
  }

  #check(): void {
    if (this.#failure) throw this.#failure;
    if (this.#signal.aborted) throw new Stopped();
  }

  /** Does a little of each kind of work. */
  async #step(): Promise<boolean> {
    const workspaceId = this.#workspaceId;
    const { epoch, hasBacklog } = await new StoredIndex(this.#database.read, workspaceId).readCounters();
    this.#hasBacklog = hasBacklog;
    if (epoch !== this.#epoch) this.#mayHaveGone = true;
    this.#epoch = epoch;
    const merges = new StoredMerges(this.#database, this.#lease, workspaceId, epoch);
    const store = { database: this.#database, signal: this.#signal };
    const indexed = hasBacklog && (await indexWaiting(store, workspaceId, epoch));
    const removed = hasBacklog && (await removeHidden(this.#database, workspaceId));
    const merged = await this.#merge(merges);
    const cleaned = await this.#clean(merges);
    return indexed || removed || merged || cleaned;
  }

  async #clean(merges: StoredMerges): Promise<boolean> {
    if (!this.#mayHaveGone) return false;
    // Set before the check, because a merge that ends during it requests another one.
    this.#mayHaveGone = false;
    const hasRemoved = await merges.removeSome(this.#making);
    this.#mayHaveGone ||= hasRemoved;
    return hasRemoved;
  }

  async #merge(merges: StoredMerges): Promise<boolean> {
    const plan = this.#plan(await merges.readSegments());
    if (!plan || (plan.level >= LONG_LEVEL && this.#long.size > 0)) return false;
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
      this.#mayHaveGone = true;
    });
    if (plan.level < LONG_LEVEL) await work;
    else this.#runBeside(work);
    return true;
  }

  /** Clears a few dead blocks once a round: otherwise each write to a busy document would cause a merge. */
  #plan(rows: readonly SegmentRow[]): MergePlan | undefined {
    const due = nextMerge(rows, this.#busy, NO_TIDYING);
    if (due) return due;
    const tidying = nextMerge(rows, this.#busy, this.#hasTidied ? MANY_DEAD : SOME_DEAD);
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
    const pause = slices(SLICE_MS);
    return () => {
      this.#check();
      return pause();
    };
  }
}
