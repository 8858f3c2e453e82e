import { type Find, nameOf } from "./lookup.ts";

/** Questions that may be on their way at once; what is asked meanwhile waits for the first to come back. */
const MOST_RUNNING = 2;

/** Rows by `nameOf` their keys. */
export type Ask<Row> = (keys: readonly (readonly string[])[]) => Promise<ReadonlyMap<string, Row>>;

interface Batch<Row> {
  readonly keys: Map<string, readonly string[]>;
  readonly answer: PromiseWithResolvers<ReadonlyMap<string, Row>>;
}

/**
 * Asks in one question for everything that was wanted in a turn of the event loop, or since all that may run does. A
 * question is never joined once it is on its way, so an answer is never older than the wish for it.
 */
export function gathered<Row>(ask: Ask<Row>): Find<Row> {
  let waiting: Batch<Row> | undefined;
  let running = 0;
  const start = () => {
    if (!waiting || running >= MOST_RUNNING) return;
    const { keys, answer } = waiting;
    waiting = undefined;
    running++;
    ask([...keys.values()])
      .then(answer.resolve, answer.reject)
      .finally(() => {
        running--;
        start();
      });
  };
  const open = (): Batch<Row> => {
    setImmediate(start);
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
