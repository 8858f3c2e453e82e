import type { Compilable } from "kysely";
import type { Db } from "./database.ts";
import { type Prepared, prepared } from "./prepared.ts";

/** Items or rows of one statement. Lists are cut into powers of two, so that few different statements are made. */
const MOST = 256;

type Value<Values> = <Name extends keyof Values & string>(name: Name) => Values[Name];

/** A prepared query with a list, for `in`. A part of the list is filled up by repeating its last item. */
export function preparedList<Values extends object, Item, Row>(
  build: (db: Db, value: Value<Values>, items: readonly Item[]) => Compilable<Row>,
): (db: Db, values: Values, items: readonly Item[]) => Promise<Row[]> {
  const bySize = new Map<number, Prepared<Values & Record<string, Item>, Row>>();
  const ofSize = (size: number) =>
    prepared<Values & Record<string, Item>, Row>((db, value) =>
      build(
        db,
        value as Value<Values>,
        Array.from({ length: size }, (_, i) => value(`item ${i}`) as Item),
      ),
    );
  return async (db, values, items) => {
    const rows: Row[] = [];
    for (let from = 0; from < items.length; from += MOST) {
      const part = items.slice(from, from + MOST);
      const size = 2 ** Math.ceil(Math.log2(part.length));
      const run = bySize.get(size) ?? ofSize(size);
      bySize.set(size, run);
      const all = { ...values } as Record<string, unknown>;
      for (let i = 0; i < size; i++) all[`item ${i}`] = part[Math.min(i, part.length - 1)];
      for (const row of await run(db, all as Values & Record<string, Item>)) rows.push(row);
    }
    return rows;
  };
}

/** A prepared insert of any number of rows. `build` inserts the rows that it is given. */
export function preparedRows<Row extends object>(
  columns: readonly (keyof Row & string)[],
  build: (db: Db, rows: readonly Row[]) => Compilable<unknown>,
): (db: Db, rows: readonly Row[]) => Promise<void> {
  const bySize = new Map<number, Prepared<Record<string, unknown>, unknown>>();
  const ofSize = (size: number) =>
    prepared<Record<string, unknown>, unknown>((db, value) => {
      const rowAt = (i: number) => Object.fromEntries(columns.map((column) => [column, value(`${i} ${column}`)]));
      return build(
        db,
        Array.from({ length: size }, (_, i) => rowAt(i) as Row),
      );
    });
  return async (db, rows) => {
    for (let from = 0; from < rows.length; ) {
      const size = Math.min(MOST, 2 ** Math.floor(Math.log2(rows.length - from)));
      const run = bySize.get(size) ?? ofSize(size);
      bySize.set(size, run);
      const values: Record<string, unknown> = {};
      for (let i = 0; i < size; i++) for (const column of columns) values[`${i} ${column}`] = rows[from + i]![column];
      await run(db, values);
      from += size;
    }
  };
}
