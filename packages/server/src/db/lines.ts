import { DatabaseUnavailable, type Db, MAX_WAIT_MS } from "./database.ts";

/** A transaction whose turn will come. */
export interface Turn {
  readonly work: (tx: Db) => Promise<unknown>;
  readonly sharesCommit: boolean;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/**
 * Runs a turn, and with it those that `next` gives, which follow it in its line. Settles each of them, and ends when the
 * line may go on; it never fails.
 */
export type Serve = (first: Turn, next: () => Turn | undefined) => Promise<void>;

interface Waiting extends Turn {
  readonly limit: NodeJS.Timeout;
}

/** Transactions that would only wait for what is before them: those of one line run in order, or some of them together. */
export class Lines {
  readonly #serve: Serve;
  readonly #maxWaitMs: number;
  /** Who waits in each line that somebody runs in. */
  readonly #waiting = new Map<string, Waiting[]>();

  constructor(serve: Serve, maxWaitMs = MAX_WAIT_MS) {
    this.#serve = serve;
    this.#maxWaitMs = maxWaitMs;
  }

  run<T>(name: string, sharesCommit: boolean, work: (tx: Db) => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const turn = { work, sharesCommit, resolve: resolve as Turn["resolve"], reject };
    const waiting = this.#waiting.get(name);
    if (waiting) this.#wait(waiting, turn);
    else void this.#open(name, turn);
    return promise;
  }

  /** How many lines there are. */
  get size(): number {
    return this.#waiting.size;
  }

  #wait(waiting: Waiting[], turn: Turn): void {
    const giveUp = () => {
      waiting.splice(waiting.indexOf(one), 1);
      turn.reject(new DatabaseUnavailable(new Error("waited too long for the writers before it")));
    };
    const one: Waiting = { ...turn, limit: setTimeout(giveUp, this.#maxWaitMs) };
    waiting.push(one);
  }

  async #open(name: string, first: Turn): Promise<void> {
    const waiting: Waiting[] = [];
    this.#waiting.set(name, waiting);
    const next = () => (waiting[0]?.sharesCommit ? take(waiting) : undefined);
    const none = () => undefined;
    for (let turn: Turn | undefined = first; turn; turn = take(waiting))
      await this.#serve(turn, turn.sharesCommit ? next : none);
    this.#waiting.delete(name);
  }
}

function take(waiting: Waiting[]): Turn | undefined {
  const turn = waiting.shift();
  clearTimeout(turn?.limit);
  return turn;
}
