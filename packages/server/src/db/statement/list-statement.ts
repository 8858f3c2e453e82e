import type { Compilable } from "kysely";
import type { Reader, StatementBuilder, Tx } from "../database.ts";
import type { StatementDialect } from "./runner.ts";
import { compileOnce, enqueueStatement, runStatement, type Sharing } from "./statement.ts";

/** Runs a query that was put together once: only its parameters, in the order of the text, are given each time. */
export interface Prepared<Row> {
  (db: Reader, ...parameters: unknown[]): Promise<Row[]>;
  /** The same in a transaction, without waiting for it where that takes time: see `enqueueStatement`. */
  enqueue(tx: Tx, ...parameters: unknown[]): Promise<void>;
}

/**
 * Like `prepared`, for parameters that are many or of any number. `build` gives any parameters, as many as there will
 * be.
 */
export function prepare<Row>(
  build: (db: StatementBuilder, dialect: StatementDialect) => Compilable<Row>,
  sharing: Sharing = "own",
): Prepared<Row> {
  const queryFor = compileOnce(build);
  const run = (db: Reader, ...parameters: unknown[]): Promise<Row[]> =>
    runStatement(db, queryFor(db), parameters, sharing);
  const enqueue = (tx: Tx, ...parameters: unknown[]): Promise<void> => enqueueStatement(tx, queryFor(tx), parameters);
  return Object.assign(run, { enqueue });
}

/** Items per statement of a list. */
const most = 256;

/**
 * The same for a query with a list as its last parameter. Long lists are cut; a part is filled up to a power of two by
 * repeating its last item, so that few different statements are made.
 */
export function prepareList<Item extends string | number, Row>(
  build: (db: StatementBuilder, list: readonly Item[]) => Compilable<Row>,
  sharing: Sharing = "own",
): (db: Reader, parameters: readonly unknown[], list: readonly Item[]) => Promise<Row[]> {
  const bySize = new Map<number, Prepared<Row>>();
  return async (db, parameters, list) => {
    const rows: Row[] = [];
    for (let i = 0; i < list.length; i += most) {
      const part = filled(list.slice(i, i + most));
      const run = bySize.get(part.length) ?? prepare((of) => build(of, part), sharing);
      bySize.set(part.length, run);
      for (const row of await run(db, ...parameters, ...part)) rows.push(row);
    }
    return rows;
  };
}

function filled<T>(items: readonly T[]): readonly T[] {
  const length = 2 ** Math.ceil(Math.log2(items.length));
  return [...items, ...new Array<T>(length - items.length).fill(items.at(-1) as T)];
}

/** Up to this many rows are one statement of just that size. */
const exact = 64;

/**
 * Inserts rows in a transaction: few in one statement, many in statements of a power of two of them each. `build` inserts the rows it is
 * given, whose values become parameters in the order of `columns`.
 */
export function prepareInsert<Row extends object>(
  columns: readonly (keyof Row & string)[],
  build: (db: StatementBuilder, rows: readonly Row[]) => Compilable<unknown>,
): (tx: Tx, rows: readonly Row[]) => Promise<void> {
  const bySize = new Map<number, Prepared<unknown>>();
  return async (tx, rows) => {
    for (let i = 0; i < rows.length; ) {
      const left = rows.length - i;
      const size = left <= exact ? left : Math.min(most, 2 ** Math.floor(Math.log2(left)));
      const part = rows.slice(i, i + size);
      const run =
        bySize.get(size) ??
        prepare((of) =>
          build(
            of,
            part.map((row) => ordered(row, columns)),
          ),
        );
      bySize.set(size, run);
      const parameters: unknown[] = [];
      for (const row of part) for (const column of columns) parameters.push(row[column]);
      await run.enqueue(tx, ...parameters);
      i += size;
    }
  };
}

/** The query builder takes the columns in the order of the first row's keys. */
const ordered = <Row extends object>(row: Row, columns: readonly (keyof Row & string)[]): Row =>
  Object.fromEntries(columns.map((column) => [column, row[column]])) as Row;
