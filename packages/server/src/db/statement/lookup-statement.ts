import type { Reader } from "../database.ts";
import { type LookupText, lookupSql } from "./lookup.ts";
import type { StatementDialect } from "./runner.ts";

/** A row lookup as `statement` takes it: `key` names the column of each value. */
export interface KeyedRow<Values> extends Omit<LookupText, "key"> {
  readonly key: { readonly [Name in keyof Values & string]: string };
}

/** Finds the row through the given handle: the reader, or a transaction. See `Find`. */
export type LookupStatement<Values, Row> = (db: Reader, values: Values) => Row | undefined | Promise<Row | undefined>;

export function lookupStatement({ select, from, key }: KeyedRow<object>): LookupStatement<object, unknown> {
  const text: LookupText = { select, from, key: Object.values(key) };
  const names = Object.keys(key) as (keyof object)[];
  const texts = new WeakMap<StatementDialect, string>();
  const findIn = async ({ statements: { dialect, run } }: Reader, keys: string[]): Promise<unknown> => {
    const sql = texts.get(dialect) ?? lookupSql(text, dialect.mark);
    texts.set(dialect, sql);
    return (await run(sql, keys))[0];
  };
  return (db, values) => {
    const keys = names.map((name): string => values[name]);
    return db.lookup ? db.lookup(text)(...keys) : findIn(db, keys);
  };
}
