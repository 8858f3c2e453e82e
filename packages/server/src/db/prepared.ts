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
  /** The same, where queries that take next to no time are better asked together. */
  readonly runQuick?: ReadyQueries["run"];
  /** For a statement of a transaction whose rows nobody needs: sent with the next one, which fails with it. */
  readonly post?: (sql: string, parameters: unknown[]) => void;
  /** The same, where they are needed later: what it gives is called for them. */
  readonly later?: (sql: string, parameters: unknown[]) => () => Promise<unknown[]>;
}
const readers = new WeakMap<object, ReadyQueries>();

/** Tells how a reader runs compiled queries. */
export const bindReady = (reader: Db, ready: ReadyQueries): void => void readers.set(reader.getExecutor(), ready);

/**
 * Whose the rows of a query are: the caller's own, or shared between callers, so that nobody may change them. Those of a
 * `quick` one, of few rows by their keys, are shared, and it may wait for others of its kind.
 */
export type Sharing = "own" | "shared" | "quick";

const runnerOf = ({ run, runShared, runQuick = runShared }: ReadyQueries, sharing: Sharing): ReadyQueries["run"] =>
  sharing === "own" ? run : sharing === "quick" ? runQuick : runShared;

/**
 * Runs a compiled query, past the query builder where that is possible. Not an async function, nor are those that end
 * with it: a write runs twenty statements, and each such function around them is a promise and a few turns more.
 */
export function runReady<Row>(
  db: Db,
  query: CompiledQuery<Row>,
  parameters: unknown[],
  sharing: Sharing = "own",
): Promise<Row[]> {
  try {
    const reader = readers.get(db.getExecutor());
    if (reader) return Promise.resolve(runnerOf(reader, sharing)(query.sql, parameters)) as Promise<Row[]>;
    const direct = connectionBelow(db);
    if (direct) return Promise.resolve(direct.run<Row>(query.sql, parameters).rows);
  } catch (error) {
    return Promise.reject(error);
  }
  return db.executeQuery<Row>({ ...query, parameters }).then(({ rows }) => rows);
}

/**
 * Runs a statement of a transaction whose rows nobody needs. Where every message costs a way there and back, it goes with
 * the next statement, in order; should it fail, that one fails with it, the commit at the latest.
 */
export async function postReady(tx: Db, query: CompiledQuery, parameters: unknown[]): Promise<void> {
  const post = readers.get(tx.getExecutor())?.post;
  if (post) post(query.sql, parameters);
  else await runReady(tx, query, parameters);
}

/** The same for one whose rows are needed later: what it gives is to be called for them. */
function runLater<Row>(tx: Db, query: CompiledQuery<Row>, parameters: unknown[]): () => Promise<Row[]> {
  const later = readers.get(tx.getExecutor())?.later;
  if (later) return later(query.sql, parameters) as () => Promise<Row[]>;
  const rows = runReady(tx, query, parameters);
  rows.catch(() => undefined);
  return () => rows;
}

/** Runs a query that was built before, with these values. */
export interface Prepared<Values, Row> {
  (db: Db, values: Values): Promise<Row[]>;
  /** The same in a transaction, without waiting for it where that takes time: see `postReady`. */
  post(tx: Db, values: Values): Promise<void>;
  /** The same, for who wants its rows, but not yet: see `runLater`. */
  later(tx: Db, values: Values): () => Promise<Row[]>;
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
  prepareQuery(build, "own");

/** The same for a read whose rows may be given to several callers at once: nobody may change them. */
export const preparedShared = <Values extends object, Row>(
  build: Build<Values, Row>,
): ((db: Db, values: Values) => Promise<readonly Readonly<Row>[]>) => prepareQuery(build, "shared");

function prepareQuery<Values extends object, Row>(build: Build<Values, Row>, sharing: Sharing): Prepared<Values, Row> {
  const queryFor = compileOnce((db) =>
    build(db, <Name extends keyof Values & string>(name: Name) => new Placeholder(name) as Values[Name]),
  );
  const parametersOf = (query: CompiledQuery<Row>, values: Values): unknown[] =>
    query.parameters.map((parameter) =>
      parameter instanceof Placeholder ? values[parameter.name as keyof Values] : parameter,
    );
  const run = (db: Db, values: Values): Promise<Row[]> => {
    const query = queryFor(db);
    return runReady(db, query, parametersOf(query, values), sharing);
  };
  const post = (tx: Db, values: Values): Promise<void> => {
    const query = queryFor(tx);
    return postReady(tx, query, parametersOf(query, values));
  };
  const later = (tx: Db, values: Values): (() => Promise<Row[]>) => {
    const query = queryFor(tx);
    return runLater(tx, query, parametersOf(query, values));
  };
  return Object.assign(run, { post, later });
}
