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

type Run = (sql: string, parameters: unknown[]) => Promise<unknown[]>;
const runs = new WeakMap<object, Run>();

/** Tells how a reader runs compiled queries past the query builder, whose own steps cost as much as many a query. */
export const bindRun = (reader: Db, run: Run): void => void runs.set(reader.getExecutor(), run);

/** Runs a compiled query, past the query builder where that is possible. */
export async function runReady<Row>(db: Db, query: CompiledQuery<Row>, parameters: unknown[]): Promise<Row[]> {
  const direct = connectionBelow(db);
  if (direct) return direct.run<Row>(query.sql, parameters).rows;
  const run = runs.get(db.getExecutor());
  if (run) return run(query.sql, parameters) as Promise<Row[]>;
  return (await db.executeQuery<Row>({ ...query, parameters })).rows;
}

/** Runs a query that was built before, with these values. */
export type Prepared<Values, Row> = (db: Db, values: Values) => Promise<Row[]>;

/**
 * A query that is built once for each kind of database and run many times, for the hottest paths: building a query
 * costs many times more than running it. `value` gives what stands for a value in the query.
 */
export function prepared<Values extends object, Row>(
  build: (db: Db, value: <Name extends keyof Values & string>(name: Name) => Values[Name]) => Compilable<Row>,
): Prepared<Values, Row> {
  const known = new Map<unknown, CompiledQuery<Row>>();
  const compile = (db: Db): CompiledQuery<Row> =>
    build(db, <Name extends keyof Values & string>(name: Name) => new Placeholder(name) as Values[Name]).compile();
  return async (db, values) => {
    const kind = db.getExecutor().adapter.constructor;
    const query = known.get(kind) ?? compile(db);
    known.set(kind, query);
    const parameters = query.parameters.map((parameter) =>
      parameter instanceof Placeholder ? values[parameter.name as keyof Values] : parameter,
    );
    return runReady(db, query, parameters);
  };
}
