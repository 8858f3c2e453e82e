import type { Compilable, CompiledQuery } from "kysely";
import type { Reader, StatementBuilder, Tx } from "../database.ts";
import type { StatementDialect, StatementRunner } from "./runner.ts";

/** Stands in a query for a value that is given when the query runs. */
class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/**
 * Whose the rows of a query are: the caller's own, or shared between callers, so that nobody may change them. Those of a
 * `batched` one, of few rows by their keys, are shared, and it may wait for others of its kind.
 */
export type Sharing = "own" | "shared" | "batched";

const runnerOf = ({ run, runShared, runBatched }: StatementRunner, sharing: Sharing): StatementRunner["run"] =>
  sharing === "own" ? run : sharing === "batched" ? runBatched : runShared;

/**
 * Runs a compiled query, past the query builder. Not an async function, nor are those that end with it: a write runs
 * twenty statements, and each such function around them is a promise and a few turns more.
 */
export function runStatement<Row>(
  db: Reader,
  query: CompiledQuery<Row>,
  parameters: unknown[],
  sharing: Sharing = "own",
): Promise<Row[]> {
  try {
    return Promise.resolve(runnerOf(db.statements, sharing)(query.sql, parameters)) as Promise<Row[]>;
  } catch (error) {
    return Promise.reject(error);
  }
}

/**
 * Runs a statement of a transaction whose rows nobody needs. Where every message costs a way there and back, it goes with
 * the next statement, in order; should it fail, that one fails with it, the commit at the latest.
 */
export async function enqueueStatement(tx: Tx, query: CompiledQuery, parameters: unknown[]): Promise<void> {
  tx.statements.enqueue(query.sql, parameters);
}

/** The same for one whose rows are needed later: what it gives is to be called for them. */
const enqueueStatementForRows = <Row>(
  tx: Tx,
  query: CompiledQuery<Row>,
  parameters: unknown[],
): (() => Promise<Row[]>) => tx.statements.enqueueForRows(query.sql, parameters) as () => Promise<Row[]>;

/** Runs a query that was built before, with these values. */
export interface Prepared<Values, Row> {
  (db: Reader, values: Values): Promise<Row[]>;
  /** The same in a transaction, without waiting for it where that takes time: see `enqueueStatement`. */
  enqueue(tx: Tx, values: Values): Promise<void>;
  /** The same, for who wants its rows, but not yet: see `enqueueStatementForRows`. */
  enqueueForRows(tx: Tx, values: Values): () => Promise<Row[]>;
}

/** Compiles a query once for each kind of database. */
export function compileOnce<Row>(
  build: (db: StatementBuilder, dialect: StatementDialect) => Compilable<Row>,
): (db: Reader) => CompiledQuery<Row> {
  const known = new Map<StatementDialect, CompiledQuery<Row>>();
  return ({ statements: { dialect } }) => {
    const query = known.get(dialect) ?? build(dialect.builder, dialect).compile();
    known.set(dialect, query);
    return query;
  };
}

type Build<Values, Row> = (
  db: StatementBuilder,
  value: <Name extends keyof Values & string>(name: Name) => Values[Name],
  dialect: StatementDialect,
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
): ((db: Reader, values: Values) => Promise<readonly Readonly<Row>[]>) => prepareQuery(build, "shared");

function prepareQuery<Values extends object, Row>(build: Build<Values, Row>, sharing: Sharing): Prepared<Values, Row> {
  const queryFor = compileOnce((db, dialect) =>
    build(db, <Name extends keyof Values & string>(name: Name) => new Placeholder(name) as Values[Name], dialect),
  );
  const parametersOf = (query: CompiledQuery<Row>, values: Values): unknown[] =>
    query.parameters.map((parameter) =>
      parameter instanceof Placeholder ? values[parameter.name as keyof Values] : parameter,
    );
  const run = (db: Reader, values: Values): Promise<Row[]> => {
    const query = queryFor(db);
    return runStatement(db, query, parametersOf(query, values), sharing);
  };
  const enqueue = (tx: Tx, values: Values): Promise<void> => {
    const query = queryFor(tx);
    return enqueueStatement(tx, query, parametersOf(query, values));
  };
  const enqueueForRows = (tx: Tx, values: Values): (() => Promise<Row[]>) => {
    const query = queryFor(tx);
    return enqueueStatementForRows(tx, query, parametersOf(query, values));
  };
  return Object.assign(run, { enqueue, enqueueForRows });
}
