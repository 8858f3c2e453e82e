import { defined } from "@svc/document/defined";
import { type Find, nameOf } from "./lookup.ts";

/** How long a query may run before the next one is sent beside it. */
const PATIENCE_MS = 20;

/** Returns rows by the `nameOf` of their keys. */
export type Ask<Row> = (keys: readonly (readonly string[])[]) => Promise<ReadonlyMap<string, Row>>;

interface Batch<Row> {
  readonly keys: Map<string, readonly string[]>;
  readonly answer: PromiseWithResolvers<ReadonlyMap<string, Row>>;
}

/**
 * Decides when queries are sent: those of one turn of the event loop together, those of later turns when the earlier
 * ones are back. Calls `idle` when none is left.
 */
export class BatchScheduler {
  readonly #idle: () => void;
  #waiting: (() => Promise<unknown>)[] = [];
  #running = 0;
  #patience: NodeJS.Timeout | undefined;

  constructor(idle: () => void = () => undefined) {
    this.#idle = idle;
  }

  /** Calls `start` when it is due, together with others. */
  add(start: () => Promise<unknown>): void {
    this.#waiting.push(start);
    if (this.#waiting.length > 1) return;
    if (this.#running === 0) setImmediate(() => this.#start());
    // One shared timer, because one for each query would cost as much as everything else here.
    else if (this.#patience) this.#patience.refresh();
    else this.#patience = setTimeout(() => this.#start(), PATIENCE_MS).unref();
  }

  #start(): void {
    const starts = this.#waiting;
    if (starts.length === 0) return;
    this.#waiting = [];
    this.#running++;
    void Promise.allSettled(starts.map((start) => start())).then(() => {
      this.#running--;
      this.#start();
      if (this.#running === 0) this.#idle();
    });
  }
}

/**
 * Combines all lookups until the next query is sent into one. No lookup joins a query that is already on its way, so an
 * answer is never older than its question.
 */
export function batchedLookup<Row>(ask: Ask<Row>, scheduler = new BatchScheduler()): Find<Row> {
  let waiting: Batch<Row> | undefined;
  const start = (): Promise<unknown> => {
    const { keys, answer } = defined(waiting);
    waiting = undefined;
    return ask([...keys.values()]).then(answer.resolve, answer.reject);
  };
  const open = (): Batch<Row> => {
    scheduler.add(start);
    return { keys: new Map(), answer: Promise.withResolvers() };
  };
  return async (...key) => {
    waiting ??= open();
    const { keys, answer } = waiting;
    const name = nameOf(key);
    keys.set(name, key);
    return (await answer.promise).get(name);
  };
}

/**
 * Runs a query once for all callers that ask at the same time; they share its rows. It is sent with other queries if
 * their `scheduler` is given, and alone otherwise.
 */
export function runOnceForAll<Row>(
  run: (sql: string, parameters: unknown[]) => Promise<Row[]>,
  scheduler?: BatchScheduler,
): (sql: string, parameters: unknown[]) => Promise<Row[]> {
  const wanted = new Map<string, Find<Row[]>>();
  return async (sql, parameters) => {
    const name = `${sql}\0${JSON.stringify(parameters)}`;
    const forget = () => void wanted.delete(name);
    const ask = async () => {
      if (scheduler) forget();
      return new Map([["", await run(sql, parameters)]]);
    };
    const find = wanted.get(name) ?? batchedLookup(ask, scheduler ?? new BatchScheduler(forget));
    wanted.set(name, find);
    return defined(await find(""));
  };
}
