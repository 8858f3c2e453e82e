import { type Find, type LookupText, lookupSql, nameOf } from "./lookup.ts";
import type { SqliteConnection } from "./sqlite-dialect.ts";
import { explain } from "./sqlite-errors.ts";

/** Rows that one lookup remembers. */
const MOST = 2000;

/**
 * Remembers rows for as long as nobody commits: `data_version` of a connection changes with every commit of another
 * one, in this process or elsewhere. It is asked once per turn of the event loop, and so before any request that was
 * sent because of a commit that somebody has heard of; and again after each commit of this process, which may be heard
 * of in the same turn.
 */
export class RememberedRows {
  readonly #reader: SqliteConnection;
  readonly #dataVersion: () => unknown;
  readonly #memories: Map<string, unknown>[] = [];
  #version: unknown;
  #isAsked = false;

  constructor(reader: SqliteConnection) {
    const statement = reader.raw.prepare("pragma data_version");
    statement.setReturnArrays(true);
    this.#reader = reader;
    this.#dataVersion = () => (statement.get() as unknown as [number])[0];
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
      try {
        if (!this.#isAsked) this.#forgetIfChanged();
        const name = nameOf(key);
        const row = rows.get(name) ?? this.#reader.run<Row>(sql, key).rows[0];
        if (row === undefined) return undefined;
        if (rows.size >= MOST) rows.clear();
        rows.set(name, row);
        return row;
      } catch (error) {
        throw explain(error);
      }
    };
  };

  #forgetIfChanged(): void {
    this.#isAsked = true;
    setImmediate(this.askAgain);
    const current = this.#dataVersion();
    if (current !== this.#version) for (const rows of this.#memories) rows.clear();
    this.#version = current;
  }
}
