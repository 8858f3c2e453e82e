import { GroupedCache } from "../../cache/grouped-cache.ts";
import { type Find, type LookupText, lookupSql, nameOf } from "../statement/lookup.ts";
import type { SqliteConnection } from "./connection.ts";
import { toDatabaseError } from "./errors.ts";

/** A query with more rows is not cached. */
const MAX_ROWS = 500;

/** Estimates bytes: two per character of text, and the size of a number for everything else. */
function bytesOfRow(row: object): number {
  let bytes = 64;
  for (const value of Object.values(row)) bytes += 16 + (typeof value === "string" ? 2 * value.length : 0);
  return bytes;
}

const bytesOfRows = (rows: readonly unknown[]): number =>
  rows.reduce<number>((bytes, row) => bytes + bytesOfRow(row as object), 0);

/** The rows of each query, by the number of its text and by its parameters. */
const ROWS = new GroupedCache<readonly unknown[]>("rows", bytesOfRows, { share: 1 / 4 });
let texts = 0;

/**
 * Caches rows until the next commit: a connection's `data_version` changes with every commit of another connection, in
 * any process. It is read once per turn of the event loop, and so before any request that was sent because of a commit
 * that the client knows about; and again after each commit of this process, which a client may learn about in the same
 * turn.
 */
export class RowCache {
  readonly #reader: SqliteConnection;
  readonly #dataVersion: () => unknown;
  /** The numbers of this database's queries, by their text. */
  readonly #numbers = new Map<string, number>();
  #version: unknown;
  #isAsked = false;

  constructor(reader: SqliteConnection) {
    const statement = reader.raw.prepare("pragma data_version");
    statement.setReturnArrays(true);
    this.#reader = reader;
    this.#dataVersion = () => {
      try {
        return (statement.get() as unknown as [number])[0];
      } catch (error) {
        throw toDatabaseError(error);
      }
    };
  }

  /** Called after each commit of this process. */
  readonly askAgain = (): void => {
    this.#isAsked = false;
  };

  readonly lookup = <Row>(text: LookupText): Find<Row> => {
    const sql = lookupSql(text);
    const number = this.#numberOf(sql);
    return (...key) => {
      if (!this.#isAsked) this.#forgetIfChanged();
      const name = nameOf(key);
      const cached = ROWS.get(number, name);
      if (cached !== undefined) return cached[0] as Row;
      const { rows } = this.#reader.run<Row>(sql, key);
      if (rows.length > 0) ROWS.put(number, name, rows);
      return rows[0];
    };
  };

  /** Runs a query whose rows callers do not modify. */
  readonly run = (sql: string, parameters: readonly unknown[]): unknown[] => {
    if (!this.#isAsked) this.#forgetIfChanged();
    const number = this.#numberOf(sql);
    const name = JSON.stringify(parameters);
    const cached = ROWS.get(number, name);
    if (cached) return cached as unknown[];
    const { rows } = this.#reader.run(sql, parameters);
    if (rows.length <= MAX_ROWS) ROWS.put(number, name, rows);
    return rows;
  };

  #numberOf(sql: string): number {
    const number = this.#numbers.get(sql) ?? ++texts;
    this.#numbers.set(sql, number);
    return number;
  }

  /** Other databases of this process lose their rows too, which costs them one query each. */
  #forgetIfChanged(): void {
    const current = this.#dataVersion();
    this.#isAsked = true;
    setImmediate(this.askAgain);
    if (current === this.#version) return;
    this.#version = current;
    ROWS.clear();
  }
}
