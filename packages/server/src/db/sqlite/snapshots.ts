import type { Reader } from "../database.ts";
import { makeReader } from "../transaction/transaction.ts";
import { kyselyOver, SqliteConnection, statementsOver } from "./connection.ts";

/** Snapshots that are mostly open at once. */
const OFTEN_NEEDED = 1;
/** Pages that a reader keeps which is needed only when many snapshots are open. */
const SELDOM_CACHE_KIB = 1024;
/** So many readers stay open; more are closed when they are done. */
const MOST_IDLE = 32;

interface SnapshotReader {
  readonly connection: SqliteConnection;
  readonly db: Reader;
  readonly isOftenNeeded: boolean;
}

/**
 * Readers for snapshots: each holds a transaction open across awaits, so none is shared. Each has pages of its own in
 * memory, so that only the first of them, which are taken first, may have many.
 */
export class SnapshotReaders {
  readonly #file: string;
  readonly #idle: SnapshotReader[] = [];
  #oftenNeeded = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** How many are open and not used. */
  get idle(): number {
    return this.#idle.length;
  }

  async run<T>(work: (db: Reader) => Promise<T>): Promise<T> {
    const reader = this.#idle.pop() ?? this.#open();
    reader.connection.run("begin", []);
    try {
      return await work(reader.db);
    } finally {
      reader.connection.run("rollback", []);
      this.#giveBack(reader);
    }
  }

  #open(): SnapshotReader {
    const isOftenNeeded = this.#oftenNeeded < OFTEN_NEEDED;
    const size = isOftenNeeded ? {} : { cacheKib: SELDOM_CACHE_KIB };
    const connection = new SqliteConnection(this.#file, { readOnly: true, ...size });
    if (isOftenNeeded) this.#oftenNeeded++;
    const db = makeReader(kyselyOver(connection), statementsOver(connection), undefined);
    return { connection, db, isOftenNeeded };
  }

  /** The end of the list is taken first. */
  #giveBack(reader: SnapshotReader): void {
    if (reader.isOftenNeeded) this.#idle.push(reader);
    else if (this.#idle.length < MOST_IDLE) this.#idle.unshift(reader);
    else reader.connection.close();
  }

  close(): void {
    for (const { connection } of this.#idle) connection.close();
  }
}
