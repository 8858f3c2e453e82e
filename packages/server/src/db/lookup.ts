import { CompiledQuery } from "kysely";
import type { Db } from "./database.ts";
import { connectionBelow } from "./sqlite-dialect.ts";

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

export const lookupSql = ({ select, from, key }: LookupText): string =>
  `select ${select} from ${from} where ${key.map((column) => `${column} = ?`).join(" and ")}`;

/** `?` outside of quotes becomes `$1`, `$2`, … */
export const numbered = (text: string): string => {
  let n = 0;
  return text.replace(/'[^']*'|\?/g, (part) => (part === "?" ? `$${++n}` : part));
};

/** Keys as text; no text of a store has NUL. */
export const nameOf = (key: readonly string[]): string => (key.length === 1 ? key[0]! : key.join("\0"));

const lookups = new WeakMap<object, Lookup>();

/** Tells how rows are found through a reader; through any other handle they are read in its transaction. */
export const bindLookup = (reader: Db, lookup: Lookup): void => void lookups.set(reader.getExecutor(), lookup);

/** Finds rows through the handle that is given: the reader, or a transaction. */
export function lookup<Row>(
  text: LookupText,
): (db: Db, ...key: string[]) => Row | undefined | Promise<Row | undefined> {
  const known = new WeakMap<Lookup, Find<Row>>();
  const sql = lookupSql(text);
  const query = CompiledQuery.raw(numbered(sql));
  const findIn = async (tx: Db, parameters: readonly string[]) => {
    const { rows } =
      connectionBelow(tx)?.run<Row>(sql, parameters) ?? (await tx.executeQuery<Row>({ ...query, parameters }));
    return rows[0];
  };
  return (db, ...key) => {
    const reader = lookups.get(db.getExecutor());
    if (!reader) return findIn(db, key);
    const find = known.get(reader) ?? reader<Row>(text);
    known.set(reader, find);
    return find(...key);
  };
}
