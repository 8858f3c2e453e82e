import { type Find, type LookupText, lookupSql, nameOf } from "../statement/lookup.ts";
import type { SqliteConnection } from "./connection.ts";
import { toDatabaseError } from "./errors.ts";

/** Rows that one lookup remembers, that all queries remember together, and that one of them may have. */
const MOST = { ofLookup: 2000, ofQueries: 5000, ofQuery: 500 };

/**
 * Remembers rows for as long as nobody commits: `data_version` of a connection changes with every commit of another
 * one, in this process or elsewhere. It is asked once per turn of the event loop, and so before any request that was
 * sent because of a commit that somebody has heard of; and again after each commit of this process, which may be heard
 * of in the same turn.
 */
export class RowCache {
  readonly #reader: SqliteConnection;
  readonly #dataVersion: () => unknown;
  readonly #memories: Map<string, unknown>[] = [];
  /** By statement and parameters. */
  readonly #answers = new Map<string, Map<string, readonly unknown[]>>();
  #answered = 0;
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
    const rows = new Map<string, Row>();
    this.#memories.push(rows);
    return (...key) => {
      if (!this.#isAsked) this.#forgetIfChanged();
      const name = nameOf(key);
      const known = rows.get(name);
      if (known !== undefined) return known;
      const [row] = this.#reader.run<Row>(sql, key).rows;
      if (row === undefined) return undefined;
      if (rows.size >= MOST.ofLookup) rows.clear();
      rows.set(name, row);
      return row;
    };
  };

  /** Runs a query whose rows nobody changes. */
  readonly run = (sql: string, parameters: readonly unknown[]): unknown[] => {
    if (!this.#isAsked) this.#forgetIfChanged();
    const name = JSON.stringify(parameters);
    const known = this.#answers.get(sql)?.get(name);
    if (known) return known as unknown[];
    const { rows } = this.#reader.run(sql, parameters);
    if (rows.length > MOST.ofQuery) return rows;
    if (this.#answered + rows.length > MOST.ofQueries) this.#forgetAnswers();
    const answers = this.#answers.get(sql) ?? new Map<string, readonly unknown[]>();
    this.#answers.set(sql, answers.set(name, rows));
    this.#answered += rows.length + 1;
    return rows;
  };

  #forgetAnswers(): void {
    this.#answers.clear();
    this.#answered = 0;
  }

  #forgetIfChanged(): void {
    const current = this.#dataVersion();
    this.#isAsked = true;
    setImmediate(this.askAgain);
    if (current === this.#version) return;
    this.#version = current;
    this.#forgetAnswers();
    for (const rows of this.#memories) rows.clear();
  }
}
