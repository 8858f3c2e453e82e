import { defined } from "@svc/document/defined";

/** A lookup of a row by its key, written once in portable SQL, for the most frequent reads. */
export interface LookupText {
  /** The selected columns, which include those of the key. */
  readonly select: string;
  readonly from: string;
  /** Text columns, as they are called in `from`. */
  readonly key: readonly string[];
}

/** Returns the row with this key, synchronously if possible. Callers may share it: do not change it. */
export type Find<Row> = (...key: string[]) => Row | undefined | Promise<Row | undefined>;

/** How a reader finds rows, implemented by each database. */
export type Lookup = <Row>(text: LookupText) => Find<Row>;

/** The query for one row; `markOf` writes a parameter in the database's own way. */
export const lookupSql = ({ select, from, key }: LookupText, markOf: (index: number) => string = () => "?"): string =>
  `select ${select} from ${from} where ${key.map((column, i) => `${column} = ${markOf(i)}`).join(" and ")}`;

/** Joins a key into one text, with NUL, which no stored text contains. */
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
