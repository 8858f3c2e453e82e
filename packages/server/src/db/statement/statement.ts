import type { Compilable, CompiledQuery } from "kysely";
import type { Reader, StatementBuilder, Tx } from "../database.ts";
import { exactParts, filledParts } from "./list-parts.ts";
import { type KeyedRow, type LookupStatement, lookupStatement } from "./lookup-statement.ts";
import type { StatementDialect, StatementRunner } from "./runner.ts";
import { listSlots, Slot, ValueSlot } from "./slots.ts";

/** A query that returns rows. */
export type ReadStatement<Values, Row> = (db: Reader, values: Values) => Promise<Row[]>;

/** A query whose rows several callers may share: they must not be modified. */
type SharedStatement<Values, Row> = (db: Reader, values: Values) => Promise<readonly Readonly<Row>[]>;

/** A statement that writes. Only a transaction runs it. */
interface WriteStatement<Values, Row> {
  (tx: Tx, values: Values): Promise<Row[]>;
  /**
   * Queues the statement without returning rows. Where every message costs a round trip, it is sent with the next
   * statement, in order. If it fails, that one fails with it, at the latest the commit.
   */
  enqueue(tx: Tx, values: Values): Promise<void>;
  /** Queues the statement; call the result to get its rows. */
  enqueueForRows(tx: Tx, values: Values): () => Promise<Row[]>;
}

/** The placeholder of a value in the query, by the value's name. */
export type ValueOf<Values> = <Name extends keyof Values & string>(name: Name) => Values[Name];

type Build<Values, Query> = (db: StatementBuilder, value: ValueOf<Values>, dialect: StatementDialect) => Query;

/** Among statements, only a select query has this property. */
type Select<Row> = Compilable<Row> & { readonly isSelectQueryBuilder: true };

type ListName<Values> = {
  [Name in keyof Values & string]: Values[Name] extends readonly unknown[] ? Name : never;
}[keyof Values & string];

type ItemOf<List> = List extends readonly (infer Item)[] ? Item : never;

/**
 * Names the value that is a list, if any. A long list makes several statements, whose rows are joined into one list.
 */
type ListOption<Values> =
  | { readonly list?: undefined; readonly rows?: undefined }
  | {
      [Name in ListName<Values>]: {
        /** The names of the fields if the items are objects. */
        readonly fields?: readonly (keyof ItemOf<Values[Name]> & string)[];
      } & (
        | {
            /** Items may appear in the statement more than once. */
            readonly list: Name;
            readonly rows?: undefined;
          }
        | {
            /** Each item is inserted, so it appears in exactly one statement. */
            readonly rows: Name;
            readonly list?: undefined;
          }
      );
    }[ListName<Values>];

interface SharingOption {
  /**
   * `shared`: several callers may get the same rows. `batched`: the same for a query of few rows by their keys, which
   * may wait for others of its kind.
   */
  readonly sharing: "shared" | "batched";
}

/**
 * A statement that is built once for each database and run many times, because building a query costs many times more
 * than running it. Its values have names; `value` returns the placeholder of one. A row lookup by key is given as text
 * instead (lookup.ts).
 */
export function statement<Values extends object, Row>(keyed: KeyedRow<Values>): LookupStatement<Values, Row>;
export function statement<Values extends object, Row>(
  build: Build<Values, Select<Row>>,
  options: SharingOption & ListOption<Values>,
): SharedStatement<Values, Row>;
export function statement<Values extends object, Row>(
  build: Build<Values, Select<Row>>,
  options?: ListOption<Values>,
): ReadStatement<Values, Row>;
export function statement<Values extends object, Row>(
  build: Build<Values, Compilable<Row>>,
  options?: ListOption<Values>,
): WriteStatement<Values, Row>;
export function statement(
  source: KeyedRow<object> | Build<Record<string, unknown>, Compilable<unknown>>,
  options: Options = {},
): unknown {
  return typeof source === "function" ? madeFrom(new Statement(source, options)) : lookupStatement(source);
}

interface Options extends Partial<SharingOption> {
  readonly list?: string | undefined;
  readonly rows?: string | undefined;
  readonly fields?: readonly string[];
}

type Values = Readonly<Record<string, unknown>>;

/** These are not async functions: a write runs twenty statements, and each would add a promise and a few turns. */
const madeFrom = (made: Statement): WriteStatement<Values, unknown> =>
  Object.assign((db: Reader, values: Values) => made.run(db, values), {
    enqueue: (tx: Tx, values: Values) => made.enqueue(tx, values),
    enqueueForRows: (tx: Tx, values: Values) => made.enqueueForRows(tx, values),
  });

/** The part of a statement without a list. */
const NO_LIST: readonly unknown[] = [];

class Statement {
  readonly #build: Build<Record<string, unknown>, Compilable<unknown>>;
  readonly #sharing: SharingOption["sharing"] | undefined;
  readonly #listName: string | undefined;
  readonly #fields: readonly string[] | undefined;
  readonly #partsOf: typeof filledParts;
  /** By the length of the list. */
  readonly #queries = new WeakMap<StatementDialect, Map<number, CompiledQuery>>();

  constructor(build: Build<Record<string, unknown>, Compilable<unknown>>, { sharing, list, rows, fields }: Options) {
    this.#build = build;
    this.#sharing = sharing;
    this.#listName = list ?? rows;
    this.#fields = fields;
    this.#partsOf = rows === undefined ? filledParts : exactParts;
  }

  run(db: Reader, values: Values): Promise<unknown[]> {
    const parts = this.#parts(values);
    const [first] = parts;
    return parts.length === 1 && first ? this.#runPart(db, values, first) : this.#runParts(db, values, parts);
  }

  async enqueue(tx: Tx, values: Values): Promise<void> {
    for (const part of this.#parts(values)) {
      const { sql, parameters } = this.#queryFor(tx, part.length);
      tx.statements.enqueue(sql, parametersOf(parameters, values, part));
    }
  }

  enqueueForRows(tx: Tx, values: Values): () => Promise<unknown[]> {
    const waiting = this.#parts(values).map((part) => {
      const { sql, parameters } = this.#queryFor(tx, part.length);
      return tx.statements.enqueueForRows(sql, parametersOf(parameters, values, part));
    });
    return async () => (await Promise.all(waiting.map((rows) => rows()))).flat();
  }

  #parts(values: Values): readonly (readonly unknown[])[] {
    return this.#listName === undefined ? [NO_LIST] : this.#partsOf(values[this.#listName] as readonly unknown[]);
  }

  #runPart(db: Reader, values: Values, part: readonly unknown[]): Promise<unknown[]> {
    try {
      const { sql, parameters } = this.#queryFor(db, part.length);
      return Promise.resolve(this.#runnerOf(db.statements)(sql, parametersOf(parameters, values, part)));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  async #runParts(db: Reader, values: Values, parts: readonly (readonly unknown[])[]): Promise<unknown[]> {
    const rows: unknown[] = [];
    for (const part of parts) for (const row of await this.#runPart(db, values, part)) rows.push(row);
    return rows;
  }

  #runnerOf({ run, runShared, runBatched }: StatementRunner): StatementRunner["run"] {
    if (this.#sharing === undefined) return run;
    return this.#sharing === "batched" ? runBatched : runShared;
  }

  #queryFor({ statements: { dialect } }: Reader, length: number): CompiledQuery {
    const ofDialect = this.#queries.get(dialect) ?? new Map<number, CompiledQuery>();
    this.#queries.set(dialect, ofDialect);
    const query = ofDialect.get(length) ?? this.#compile(dialect, length);
    ofDialect.set(length, query);
    return query;
  }

  #compile(dialect: StatementDialect, length: number): CompiledQuery {
    const value = (name: string): unknown =>
      name === this.#listName ? listSlots(length, this.#fields) : new ValueSlot(name);
    return this.#build(dialect.builder, value, dialect).compile();
  }
}

const parametersOf = (parameters: readonly unknown[], values: Values, part: readonly unknown[]): unknown[] =>
  parameters.map((parameter) => (parameter instanceof Slot ? parameter.read(values, part) : parameter));
