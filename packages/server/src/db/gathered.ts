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
 * Asks in one question for everything that was wanted in a turn of the event loop, or while another was on its way. A
 * question is never joined once it is on its way, so an answer is never older than the wish for it. `idle` is called
 * when nothing is wanted any more.
 */
export function gathered<Row>(ask: Ask<Row>, idle: () => void = () => undefined): Find<Row> {
  let waiting: Batch<Row> | undefined;
  let running = 0;
  const start = () => {
    if (!waiting) return;
    const { keys, answer } = waiting;
    waiting = undefined;
    running++;
    ask([...keys.values()])
      .then(answer.resolve, answer.reject)
      .finally(() => {
        running--;
        if (waiting) start();
        else if (running === 0) idle();
      });
  };
  const open = (): Batch<Row> => {
    const batch: Batch<Row> = { keys: new Map(), answer: Promise.withResolvers() };
    const startThis = () => batch === waiting && start();
    setImmediate(() => (running === 0 ? startThis() : setTimeout(startThis, PATIENCE_MS)));
    return batch;
  };
  return async (...key) => {
    waiting ??= open();
    const { keys, answer } = waiting;
    const name = nameOf(key);
    keys.set(name, key);
    return (await answer.promise).get(name);
  };
}

/** Runs a query once for all who want it at the same time: its rows are theirs together. */
export function runOnceForAll<Row>(
  run: (sql: string, parameters: unknown[]) => Promise<Row[]>,
): (sql: string, parameters: unknown[]) => Promise<Row[]> {
  const wanted = new Map<string, Find<Row[]>>();
  return async (sql, parameters) => {
    const name = `${sql}\0${JSON.stringify(parameters)}`;
    const ask = async () => new Map([["", await run(sql, parameters)]]);
    const find = wanted.get(name) ?? gathered(ask, () => wanted.delete(name));
    wanted.set(name, find);
    return (await find(""))!;
  };
}
