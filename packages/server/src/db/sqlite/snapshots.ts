import type { Reader } from "../database.ts";
import { makeReader } from "../transaction/transaction.ts";
import { kyselyOver, SqliteConnection, statementsOver } from "./connection.ts";

/** The page cache of the first reader: a search reads rows from all over the index. */
const FIRST_CACHE_KIB = 16_384;
/** The page cache of all other readers. */
const OTHER_CACHE_KIB = 1024;
/** The number of readers that stay open; further ones are closed after use. */
const MAX_IDLE = 32;

interface SnapshotReader {
  readonly connection: SqliteConnection;
  readonly db: Reader;
  readonly isFirst: boolean;
}

/**
 * Readers for snapshots. Each holds a transaction open across awaits, so they are not shared. Each has its own page
 * cache, so only the first may have a large one. Usually one is enough, and the first is taken first.
 */
export class SnapshotReaders {
  readonly #file: string;
  readonly #idle: SnapshotReader[] = [];
  #hasFirst = false;

  constructor(file: string) {
    this.#file = file;
  }

  /** The number of open, unused readers. */
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

  /** Readers are taken from the end of the list. */
  #giveBack(reader: SnapshotReader): void {
    if (reader.isFirst) this.#idle.push(reader);
    else if (this.#idle.length < MAX_IDLE) this.#idle.unshift(reader);
    else reader.connection.close();
  }

  close(): void {
    for (const { connection } of this.#idle) connection.close();
  }
}
