import { defined } from "@svc/document/defined";

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
