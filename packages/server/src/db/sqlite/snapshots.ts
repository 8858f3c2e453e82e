import type { Reader } from "../database.ts";
import { makeReader } from "../transaction/transaction.ts";
import { kyselyOver, SqliteConnection, statementsOver } from "./connection.ts";

/** Readers for snapshots: each holds a transaction open across awaits, so none is shared. */
export class SnapshotReaders {
  readonly #file: string;
  readonly #idle: { readonly connection: SqliteConnection; readonly db: Reader }[] = [];
  constructor(file: string) {
    this.#file = file;
  }

  async run<T>(work: (db: Reader) => Promise<T>): Promise<T> {
    const reader = this.#idle.pop() ?? this.#open();
    reader.connection.run("begin", []);
    try {
      return await work(reader.db);
    } finally {
      reader.connection.run("rollback", []);
      this.#idle.push(reader);
    }
  }

  #open() {
    const connection = new SqliteConnection(this.#file, { readOnly: true });
    return { connection, db: makeReader(kyselyOver(connection), statementsOver(connection), undefined) };
  }

  close(): void {
    for (const { connection } of this.#idle) connection.close();
  }
}
