import type { Compilable, CompiledQuery } from "kysely";
import type { Db } from "./database.ts";
import { connectionBelow } from "./sqlite-dialect.ts";

/** Stands in a query for a value that is given when the query runs. */
class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** Compiled queries past the query builder, whose own steps cost as much as many a query. */
interface ReadyQueries {
  readonly run: (sql: string, parameters: unknown[]) => unknown[] | Promise<unknown[]>;
  /** The same, for rows that nobody changes: several callers may be given the same ones. */
  readonly runShared: ReadyQueries["run"];
}
const readers = new WeakMap<object, ReadyQueries>();

/** Tells how a reader runs compiled queries. */
export const bindReady = (reader: Db, ready: ReadyQueries): void => void readers.set(reader.getExecutor(), ready);

/**
 * Runs a compiled query, past the query builder where that is possible. Not an async function, nor are those that end
 * with it: a write runs twenty statements, and each such function around them is a promise and a few turns more.
 */
export function runReady<Row>(
  db: Db,
  query: CompiledQuery<Row>,
  parameters: unknown[],
  isShared = false,
): Promise<Row[]> {
  try {
    const reader = readers.get(db.getExecutor());
    if (reader)
      return Promise.resolve((isShared ? reader.runShared : reader.run)(query.sql, parameters)) as Promise<Row[]>;
    const direct = connectionBelow(db);
    if (direct) return Promise.resolve(direct.run<Row>(query.sql, parameters).rows);
  } catch (error) {
    return Promise.reject(error);
  }
  return db.executeQuery<Row>({ ...query, parameters }).then(({ rows }) => rows);
}

/** A statement with its values, ready to run. */
export interface Ready<Row> {
  readonly query: CompiledQuery<Row>;
  readonly parameters: unknown[];
}

/** Runs a query that was built before, with these values. */
export interface Prepared<Values, Row> {
  (db: Db, values: Values): Promise<Row[]>;
  /** To be run later, together with others. */
  ready(db: Db, values: Values): Ready<Row>;
}

/** Compiles a query once for each kind of database. */
export function compileOnce<Row>(build: (db: Db) => Compilable<Row>): (db: Db) => CompiledQuery<Row> {
  const known = new Map<unknown, CompiledQuery<Row>>();
  return (db) => {
    const kind = db.getExecutor().adapter.constructor;
    const query = known.get(kind) ?? build(db).compile();
    known.set(kind, query);
    return query;
  };
}

type Build<Values, Row> = (
  db: Db,
  value: <Name extends keyof Values & string>(name: Name) => Values[Name],
) => Compilable<Row>;

/**
 * A query that is built once for each kind of database and run many times, for the hottest paths: building a query
 * costs many times more than running it. `value` gives what stands for a value in the query.
 */
export const prepared = <Values extends object, Row>(build: Build<Values, Row>): Prepared<Values, Row> =>
  prepareQuery(build, false);

/** The same for a read whose rows may be given to several callers at once: nobody may change them. */
export const preparedShared = <Values extends object, Row>(
  build: Build<Values, Row>,
): ((db: Db, values: Values) => Promise<readonly Readonly<Row>[]>) => prepareQuery(build, true);

function prepareQuery<Values extends object, Row>(build: Build<Values, Row>, isShared: boolean): Prepared<Values, Row> {
  const queryFor = compileOnce((db) =>
    build(db, <Name extends keyof Values & string>(name: Name) => new Placeholder(name) as Values[Name]),
  );
  const ready = (db: Db, values: Values): Ready<Row> => {
    const query = queryFor(db);
    const parameters = query.parameters.map((parameter) =>
      parameter instanceof Placeholder ? values[parameter.name as keyof Values] : parameter,
    );
    return { query, parameters };
  };
  const run = (db: Db, values: Values): Promise<Row[]> => {
    const { query, parameters } = ready(db, values);
    return runReady(db, query, parameters, isShared);
  };
  return Object.assign(run, { ready });
}
