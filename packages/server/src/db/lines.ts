import { DatabaseUnavailable, MAX_WAIT_MS, type Terms, type Tx } from "./database.ts";

/** So many groups of one name run at a time: while one is committed the next is at work. */
const GROUPS_AT_A_TIME = 2;
/** The line of those that have none: they never wait for each other. */
const NONE = "";

/** A transaction whose turn will come. */
export interface Turn {
  readonly work: (tx: Tx) => Promise<unknown>;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/**
 * Runs a turn, and with it those that `next` gives. Settles each of them, and ends when their lines may go on; it never
 * fails.
 */
export type Serve = (first: Turn, next: () => Turn | undefined) => Promise<void>;

interface Waiting extends Turn {
  readonly line: string;
  readonly group: string | undefined;
  readonly limit: NodeJS.Timeout;
}

/** The groups of one name that run. */
interface Groups {
  count: number;
  /** The line that was served last. */
  at: string;
}

/**
 * Transactions that would only wait for what is before them: those of one line run in order. Those of one group that wait
 * run together, and go from line to line in the order of their names: so no two groups wait for each other, whichever
 * process they are of. The next group begins behind the line where the last was, so that nobody is passed over.
 */
export class Lines {
  readonly #serve: Serve;
  readonly #maxWaitMs: number;
  /** In the order in which they came. */
  readonly #waiting = new Set<Waiting>();
  /** Lines that somebody runs in. */
  readonly #busy = new Set<string>();
  readonly #groups = new Map<string, Groups>();

  constructor(serve: Serve, maxWaitMs = MAX_WAIT_MS) {
    this.#serve = serve;
    this.#maxWaitMs = maxWaitMs;
  }

  run<T>(work: (tx: Tx) => Promise<T>, { line = NONE, group }: Terms): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const giveUp = () => {
      this.#waiting.delete(turn);
      reject(new DatabaseUnavailable(new Error("waited too long for the writers before it")));
    };
    const limit = setTimeout(giveUp, this.#maxWaitMs);
    const turn: Waiting = { work, line, group, resolve: resolve as Turn["resolve"], reject, limit };
    this.#waiting.add(turn);
    this.#go();
    return promise;
  }

  /** How many lines and groups there are. */
  get size(): number {
    return this.#busy.size + this.#groups.size;
  }

  /** Begins all that need not wait. */
  #go(): void {
    for (const turn of this.#firsts()) {
      if (turn.group === undefined) void this.#runAlone(turn);
      else if ((this.#groups.get(turn.group)?.count ?? 0) < GROUPS_AT_A_TIME) void this.#runGroup(turn.group);
    }
  }

  /** Whoever waits and has nobody before him: neither in his line nor, where that is not `own`, running in it. */
  #firsts(own: ReadonlySet<string> = new Set()): Waiting[] {
    const passed = new Set<string>();
    return [...this.#waiting].filter(({ line }) => {
      if (line === NONE) return true;
      const isFirst = !passed.has(line) && (own.has(line) || !this.#busy.has(line));
      passed.add(line);
      return isFirst;
    });
  }

  async #runAlone(turn: Waiting): Promise<void> {
    const lines = new Set<string>();
    await this.#serve(this.#take(turn, lines), () => undefined);
    this.#leave(lines);
  }

  async #runGroup(name: string): Promise<void> {
    const groups = this.#groups.get(name) ?? { count: 0, at: NONE };
    const lines = new Set<string>();
    const waiting = () => this.#firsts(lines).filter(({ group }) => group === name);
    let at = groups.at;
    const begin = (turn: Waiting): Turn => {
      at = turn.line;
      groups.at = at;
      return this.#take(turn, lines);
    };
    const first = lowest(waiting(), (line) => line > at) ?? lowest(waiting(), () => true);
    if (!first) return;
    groups.count++;
    this.#groups.set(name, groups);
    await this.#serve(begin(first), () => {
      const turn = lowest(waiting(), (line) => line >= at);
      return turn && begin(turn);
    });
    groups.count--;
    this.#leave(lines);
    if (groups.count === 0) this.#groups.delete(name);
  }

  #take(turn: Waiting, lines: Set<string>): Turn {
    clearTimeout(turn.limit);
    this.#waiting.delete(turn);
    if (turn.line !== NONE) {
      lines.add(turn.line);
      this.#busy.add(turn.line);
    }
    return turn;
  }

  #leave(lines: ReadonlySet<string>): void {
    for (const line of lines) this.#busy.delete(line);
    this.#go();
  }
}

/** The first of the lowest line that is wanted. */
const lowest = (turns: readonly Waiting[], isWanted: (line: string) => boolean): Waiting | undefined =>
  turns
    .filter(({ line }) => isWanted(line))
    .reduce<Waiting | undefined>((low, turn) => (low && low.line <= turn.line ? low : turn), undefined);
