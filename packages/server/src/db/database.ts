import type { Kysely } from "kysely";
import type { Lookup } from "./lookup.ts";
import type { Signals } from "./signals.ts";
import type { Tables } from "./tables.ts";

/** A handle that runs queries: the reader, or the one inside a transaction. */
export type Db = Kysely<Tables>;

/** So long a transaction waits for others at most, in a line or for the file, before it is refused. */
export const MAX_WAIT_MS = 10_000;

/** What is known of a transaction beforehand. */
export interface Terms {
  /** Transactions that would wait for each other's rows name the same line: they wait in this process, where that costs nothing. */
  readonly line?: string | undefined;
  /** It locks no rows but those of its line, and all writers of that take them in the same order: it may share a commit with others that name the same group. */
  readonly group?: string | undefined;
}

/** One of the databases, opened. */
export interface Store {
  /** Sees everything that was committed before the query began. */
  readonly read: Db;
  /**
   * Runs `work` in a write transaction and commits. `work` may run again after a serialisation conflict,
   * so it must have no effect but through `tx` and the hooks of `transaction.ts`.
   */
  transaction<T>(work: (tx: Db) => Promise<T>, terms?: Terms): Promise<T>;
  /** Runs `work` on one unchanging snapshot of the store, read only. */
  snapshot<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** How `read` finds rows by their keys (lookup.ts). */
  readonly lookup: Lookup;
  close(): Promise<void>;
}

export interface Database extends Store {
  /** Hears what transactions of any process announced (see signals.ts). */
  readonly listen: Signals["listen"];
}

/** The database cannot answer now: gone, full, or busy for too long. Becomes 503. */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super("The database cannot answer right now.", { cause });
    this.name = "DatabaseUnavailable";
  }
}
