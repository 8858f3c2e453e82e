import { DatabaseUnavailable, MAX_WAIT_MS, type Tx, type WriteOptions } from "../database.ts";

/** The number of groups with one name that run at a time: while one commits, the next one works. */
const GROUPS_AT_A_TIME = 2;
/** The key of writes without one: they never wait for each other. */
const NO_KEY = "";

/** A write that waits for its turn. */
export interface QueuedWrite {
  readonly work: (tx: Tx) => Promise<unknown>;
  /** Whether it may share its commit with others. */
  readonly isShared: boolean;
  readonly isPatient: boolean;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/**
 * Runs a write together with those that `next` returns. Settles each of them, resolves when later writes with their
 * keys may run, and never rejects.
 */
export type Serve = (first: QueuedWrite, next: () => QueuedWrite | undefined) => Promise<void>;

interface Waiting extends QueuedWrite {
  readonly queueKey: string;
  readonly group: string | undefined;
  readonly limit: NodeJS.Timeout;
}

/** The running groups of one name. */
interface RunningGroups {
  count: number;
  /** The key that was served last. */
  lastKey: string;
}

/**
 * Queues the write transactions of this process that would only wait for each other on connections. Writes with the
 * same key run in order. Writes of one group run together in the order of their keys, so two groups never wait for each
 * other in a circle, even across processes. The next group starts after the last key of the one before, so that no key
 * starves.
 */
export class WriteQueue {
  readonly #serve: Serve;
  readonly #maxWaitMs: number;
  /** In the order of arrival. */
  readonly #waiting = new Set<Waiting>();
  /** Keys with a running write. */
  readonly #busy = new Set<string>();
  readonly #groups = new Map<string, RunningGroups>();

  constructor(serve: Serve, maxWaitMs = MAX_WAIT_MS) {
    this.#serve = serve;
    this.#maxWaitMs = maxWaitMs;
  }

  run<T>(work: (tx: Tx) => Promise<T>, { queueKey = NO_KEY, group, isPatient = false }: WriteOptions): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const giveUp = () => {
      this.#waiting.delete(write);
      reject(new DatabaseUnavailable(new Error("waited too long for the writers before it")));
    };
    const limit = setTimeout(giveUp, this.#maxWaitMs);
    const write: Waiting = {
      work,
      isShared: group !== undefined,
      isPatient,
      queueKey,
      group,
      resolve,
      reject,
      limit,
    };
    this.#waiting.add(write);
    this.#startReady();
    return promise;
  }

  /** The number of busy keys and running groups. */
  get size(): number {
    return this.#busy.size + this.#groups.size;
  }

  #startReady(): void {
    for (const write of this.#ready()) {
      if (write.group === undefined) void this.#runAlone(write);
      else if ((this.#groups.get(write.group)?.count ?? 0) < GROUPS_AT_A_TIME) void this.#runGroup(write.group);
    }
  }

  /** The first waiting write of each key that is not busy; keys in `own` count as free. */
  #ready(own: ReadonlySet<string> = new Set()): Waiting[] {
    const passed = new Set<string>();
    return [...this.#waiting].filter(({ queueKey }) => {
      if (queueKey === NO_KEY) return true;
      const isFirst = !passed.has(queueKey) && (own.has(queueKey) || !this.#busy.has(queueKey));
      passed.add(queueKey);
      return isFirst;
    });
  }

  async #runAlone(write: Waiting): Promise<void> {
    const keys = new Set<string>();
    await this.#serve(this.#take(write, keys), () => undefined);
    this.#release(keys);
  }

  async #runGroup(name: string): Promise<void> {
    const groups = this.#groups.get(name) ?? { count: 0, lastKey: NO_KEY };
    const keys = new Set<string>();
    const ready = () => this.#ready(keys).filter(({ group }) => group === name);
    let lastKey = groups.lastKey;
    const begin = (write: Waiting): QueuedWrite => {
      lastKey = write.queueKey;
      groups.lastKey = lastKey;
      return this.#take(write, keys);
    };
    const first = lowest(ready(), (key) => key > lastKey) ?? lowest(ready(), () => true);
    if (!first) return;
    groups.count++;
    this.#groups.set(name, groups);
    await this.#serve(begin(first), () => {
      const write = lowest(ready(), (key) => key >= lastKey);
      return write && begin(write);
    });
    groups.count--;
    this.#release(keys);
    if (groups.count === 0) this.#groups.delete(name);
  }

  #take(write: Waiting, keys: Set<string>): QueuedWrite {
    clearTimeout(write.limit);
    this.#waiting.delete(write);
    if (write.queueKey !== NO_KEY) {
      keys.add(write.queueKey);
      this.#busy.add(write.queueKey);
    }
    return write;
  }

  #release(keys: ReadonlySet<string>): void {
    for (const key of keys) this.#busy.delete(key);
    this.#startReady();
  }
}

/** The first write of the lowest wanted key. */
const lowest = (writes: readonly Waiting[], isWanted: (key: string) => boolean): Waiting | undefined =>
  writes
    .filter(({ queueKey }) => isWanted(queueKey))
    .reduce<Waiting | undefined>((low, write) => (low && low.queueKey <= write.queueKey ? low : write), undefined);
