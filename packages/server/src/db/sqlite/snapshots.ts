import type { Reader } from "../database.ts";
import { makeReader } from "../transaction/transaction.ts";
import { kyselyOver, SqliteConnection, statementsOver } from "./connection.ts";

/** What the first reader keeps of pages: a search reads rows from all over the index. */
const FIRST_CACHE_KIB = 16_384;
/** What all others keep. */
const OTHER_CACHE_KIB = 1024;
/** So many readers stay open; more are closed when they are done. */
const MOST_IDLE = 32;

interface SnapshotReader {
  readonly connection: SqliteConnection;
  readonly db: Reader;
  readonly isFirst: boolean;
}

/**
 * Readers for snapshots: each holds a transaction open across awaits, so none is shared. Each has pages of its own in
 * memory, so that only the first one may have many. Mostly one is enough, and that one is taken first.
 */
export class SnapshotReaders {
  readonly #file: string;
  readonly #idle: SnapshotReader[] = [];
  #hasFirst = false;

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
    const isFirst = !this.#hasFirst;
    const cacheKib = isFirst ? FIRST_CACHE_KIB : OTHER_CACHE_KIB;
    const connection = new SqliteConnection(this.#file, { readOnly: true, cacheKib });
    this.#hasFirst = true;
    const db = makeReader(kyselyOver(connection), statementsOver(connection), undefined);
    return { connection, db, isFirst };
  }

  /** The end of the list is taken first. */
  #giveBack(reader: SnapshotReader): void {
    if (reader.isFirst) this.#idle.push(reader);
    else if (this.#idle.length < MOST_IDLE) this.#idle.unshift(reader);
    else reader.connection.close();
  }

  close(): void {
    for (const { connection } of this.#idle) connection.close();
  }
}
