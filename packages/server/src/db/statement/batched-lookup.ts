import { defined } from "@svc/document/defined";
import { type Find, nameOf } from "./lookup.ts";

/** So long a question may be on its way before the next one goes out beside it. */
const PATIENCE_MS = 20;

/** Rows by `nameOf` their keys. */
export type Ask<Row> = (keys: readonly (readonly string[])[]) => Promise<ReadonlyMap<string, Row>>;

interface Batch<Row> {
  readonly keys: Map<string, readonly string[]>;
  readonly answer: PromiseWithResolvers<ReadonlyMap<string, Row>>;
}

/**
 * When questions go out: those of a turn of the event loop together, and those of later turns when they are back.
 * `idle` is called when there are none any more.
 */
export class BatchScheduler {
  readonly #idle: () => void;
  #waiting: (() => Promise<unknown>)[] = [];
  #running = 0;
  #patience: NodeJS.Timeout | undefined;

  constructor(idle: () => void = () => undefined) {
    this.#idle = idle;
  }

  /** Calls `start` when its time has come, in one go with others. */
  add(start: () => Promise<unknown>): void {
    this.#waiting.push(start);
    if (this.#waiting.length > 1) return;
    if (this.#running === 0) setImmediate(() => this.#start());
    // One timer for all: to make one for each would cost as much as all the rest of this.
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
 * Asks in one question for everything that was wanted until it goes out. A question is never joined once it is on its
 * way, so an answer is never older than the wish for it.
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
 * Runs a query once for all who want it at the same time: its rows are theirs together. It goes out with others if their
 * `scheduler` are given, and by itself otherwise.
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
