import { defined } from "@svc/document/defined";
import type { Reader } from "../database.ts";
import type { StatementDialect } from "./runner.ts";

/** A row by its key, written once in portable SQL, for the hottest reads. */
export interface LookupText {
  /** What is selected; the columns of the key are among it. */
  readonly select: string;
  readonly from: string;
  /** Text columns, as they are called in `from`. */
  readonly key: readonly string[];
}

/** The row with this key. It comes at once where it can, and may be shared between callers: do not change it. */
export type Find<Row> = (...key: string[]) => Row | undefined | Promise<Row | undefined>;

/** How a reader finds rows: each database does it in its own way. */
export type Lookup = <Row>(text: LookupText) => Find<Row>;

/** The query for one row; `markOf` writes the place of a parameter in the database's own way. */
export const lookupSql = ({ select, from, key }: LookupText, markOf: (index: number) => string = () => "?"): string =>
  `select ${select} from ${from} where ${key.map((column, i) => `${column} = ${markOf(i)}`).join(" and ")}`;

/** Keys as text; no text of a store has NUL. */
export const nameOf = (key: readonly string[]): string => (key.length === 1 ? defined(key[0]) : key.join("\0"));

/** Makes each lookup once for a reader. */
export function onePerText(make: Lookup): Lookup {
  const cached = new Map<LookupText, Find<unknown>>();
  return <Row>(text: LookupText): Find<Row> => {
    const find = cached.get(text) ?? make<Row>(text);
    cached.set(text, find);
    return find as Find<Row>;
  };
}

/** A row by its key, as `statement` takes it: `key` has the column of each value. */
export interface KeyedRow<Values> extends Omit<LookupText, "key"> {
  readonly key: { readonly [Name in keyof Values & string]: string };
}

/** Finds the row through the handle that is given: the reader, or a transaction. See `Find`. */
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
