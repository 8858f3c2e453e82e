import { defined } from "@svc/document/defined";
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  sql,
} from "kysely";
import type pg from "pg";
import { CommitUnknown } from "../database.ts";
import type { Tables } from "../schema/tables.ts";
import type { StatementDialect, TxStatementRunner } from "../statement/runner.ts";
import type { TxConnection } from "../transaction/transaction.ts";
import { isAftereffect, isReadOnly, isStale, toCommitError, toDatabaseError } from "./errors.ts";
import { type Answer, Message, type PreparedStatements, type Statement } from "./pipeline.ts";

/**
 * Sent when a connection of the pool opens. Not sent as a startup parameter, because PgBouncer refuses unknown ones. A
 * commit that never ends keeps its locks, so others must not wait for them without end.
 */
export const sessionSettings = (lockWaitMs: number): string =>
  `set statement_timeout = 60000; set lock_timeout = ${Math.max(1, Math.round(lockWaitMs))}`;
/** Not `begin read write`, which would override an operator who makes the server read-only. */
export const BEGIN = "begin";

/** At a commit, PostgreSQL sends a warning with this code only when it gave up waiting for a synchronous standby. */
const WARNING = "01000";
const MAX_STATEMENTS = 1000;
const prepares = /^\s*(select|insert|update|delete|with|begin|commit|rollback|savepoint|release)\b/i;

/** Names of prepared statements. */
const names = new Map<string, string>();
function nameOf(text: string): string | undefined {
  const cached = names.get(text);
  if (cached !== undefined || names.size >= MAX_STATEMENTS || !prepares.test(text)) return cached;
  const name = `s${names.size}`;
  names.set(text, name);
  return name;
}

const nothing = () => undefined;

async function withCallerStack(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    // Shows the stack of the caller instead of the socket's.
    if (error instanceof Error) Error.captureStackTrace(error);
    throw toDatabaseError(error);
  }
}

const connections = new WeakMap<pg.PoolClient, PostgresConnection>();

/** Returns the wrapper of a pool connection. */
export function connectionOf(client: pg.PoolClient): PostgresConnection {
  const known = connections.get(client) ?? new PostgresConnection(client);
  connections.set(client, known);
  return known;
}

/**
 * One connection of the pool. It sends a statement whose result nobody awaits together with the next awaited one, and
 * all statements of one turn of the event loop together. So a transaction takes a few round trips, however many
 * statements it has.
 */
export class PostgresConnection implements DatabaseConnection {
  readonly #client: pg.PoolClient;
  readonly #known: PreparedStatements = new Map();
  readonly #waiting: Statement[] = [];
  /**
   * The message on its way. The next one waits for its answer, because nothing may follow a message whose `begin`
   * failed.
   */
  #sent: Message | undefined;
  #isDue = false;
  /** Whether a caller awaits one of the unsent statements. */
  #isWanted = false;
  #isSpent = false;
  /** Ends with the answer to a commit that nobody waits for any more. */
  #lateCommit: Promise<void> | undefined;
  /** A broken connection goes back to the pool once, and is not used again. */
  #isReleased = false;
  /** Whether PostgreSQL has warned since the last commit was sent. */
  #warning = false;
  /**
   * The last failure of a statement. PostgreSQL gives no reason for later statements in the transaction that it
   * aborted.
   */
  #failure: unknown;
  #tx: TxConnection | undefined;

  constructor(client: pg.PoolClient) {
    this.#client = client;
    client.connection.on("parseComplete", () => this.#sent?.handleParseComplete());
    client.on("notice", ({ code }) => {
      this.#warning = code === WARNING;
    });
  }

  /** Queries on this connection, for a transaction. */
  get tx(): TxConnection {
    this.#tx ??= { kysely: this.#makeKysely(), statements: this.#makeStatements() };
    return this.#tx;
  }

  /** Runs a statement after the queued ones and returns its rows. */
  run(text: string, values: readonly unknown[] = []): Promise<Answer> {
    if (text.startsWith("rollback")) this.#undo();
    const answer = this.#add(text, values);
    this.#sendSoon();
    return withCallerStack(answer);
  }

  /** Queues a statement to be sent with the next one that runs, which fails if this one does. */
  enqueue(text: string, values: readonly unknown[] = []): void {
    this.#waiting.push({ name: nameOf(text), text, values, resolve: nothing, reject: nothing });
  }

  /** Queues a statement whose rows are needed later. Calling the result sends it, unless something else has. */
  enqueueForRows(text: string, values: readonly unknown[] = []): () => Promise<Answer> {
    const answer = this.#add(text, values);
    const statement = defined(this.#waiting.at(-1));
    answer.catch(nothing);
    return () => {
      if (this.#waiting.includes(statement)) this.#sendSoon();
      return withCallerStack(answer);
    };
  }

  /**
   * Commits, and waits for so long for the answer. A later answer is not cancelled, because cancelling would make the
   * transaction visible without its standby: the connection is set aside until it comes.
   */
  async commit(waitMs: number): Promise<void> {
    this.#warning = false;
    const answer = this.run("commit");
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      this.#lateCommit = answer.then(nothing, () => {
        this.#isSpent = true;
      });
      late.reject(new CommitUnknown(new Error("A commit has had no answer for too long.")));
    }, waitMs);
    const { done } = await Promise.race([answer, late.promise])
      .catch((error) => {
        throw toCommitError(error);
      })
      .finally(() => clearTimeout(timer));
    // PostgreSQL gave up waiting for a standby: the transaction exists, but is lost if that standby takes over.
    if (this.#warning) throw new CommitUnknown(new Error("A commit is not known to have reached the standby."));
    if (done === "ROLLBACK")
      throw toDatabaseError(this.#failure ?? new Error("A statement of the transaction had failed."));
  }

  async rollback(): Promise<void> {
    if (this.#lateCommit) return;
    await this.run("rollback").catch(() => {
      this.#isSpent = true;
    });
  }

  /** Returns the connection to the pool, which replaces it if it is broken. */
  release(): void {
    if (this.#lateCommit) void this.#lateCommit.then(() => this.#giveBack());
    else this.#giveBack();
  }

  /** Closes a connection whose commit has no answer yet, at the end of the process. The commit is not cancelled. */
  abandon(): void {
    if (!this.#lateCommit) return;
    this.#isSpent = true;
    this.#giveBack();
  }

  #giveBack(): void {
    if (this.#isReleased) return;
    this.#isReleased = this.#isSpent;
    this.#lateCommit = undefined;
    this.#client.release(this.#isSpent);
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const { rows, done } = await this.run(sql, parameters);
    const [, affected] = /^(?:INSERT 0|UPDATE|DELETE|MERGE) (\d+)$/.exec(done) ?? [];
    return { rows: rows as Row[], ...(affected !== undefined && { numAffectedRows: BigInt(affected) }) };
  }

  // biome-ignore lint/correctness/useYield: nobody reads rows one by one
  async *streamQuery<Row>(): AsyncGenerator<QueryResult<Row>> {
    throw new Error("Rows are not streamed.");
  }

  #add(text: string, values: readonly unknown[]): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    this.#waiting.push({ name: nameOf(text), text, values, resolve, reject });
    return promise;
  }

  #sendSoon(): void {
    this.#isWanted = true;
    if (this.#isDue || this.#sent) return;
    this.#isDue = true;
    process.nextTick(() => {
      this.#isDue = false;
      this.#send();
    });
  }

  #send(): void {
    this.#isWanted = false;
    if (this.#waiting.length === 0) return;
    const message = new Message(this.#waiting.splice(0), this.#known, (error) => this.#answered(error));
    this.#sent = message;
    this.#client.query(message as unknown as pg.Submittable);
  }

  /** Returns the failure for the callers that wait for the message. */
  #answered(error: unknown): unknown {
    this.#sent = undefined;
    if (error) {
      if (!isAftereffect(error)) this.#failure = error;
      this.#isSpent ||= isStale(error) || isReadOnly(error);
      this.#drop(this.#failure ?? error);
    }
    if (this.#isWanted) this.#sendSoon();
    return error && (this.#failure ?? error);
  }

  /** Statements that would be rolled back at once are not sent at all. */
  #undo(): void {
    const isSavepoint = ({ text }: Statement) => text.startsWith("savepoint");
    this.#drop(new Error("The transaction was rolled back."), this.#waiting.findLastIndex(isSavepoint) + 1);
  }

  #drop(error: unknown, from = 0): void {
    for (const { reject } of this.#waiting.splice(from)) reject(error);
  }

  #makeKysely(): Kysely<Tables> {
    return new Kysely<Tables>({ dialect: dialectOf({ take: async () => this, giveBack: nothing }) });
  }

  #makeStatements(): TxStatementRunner {
    const run = async (text: string, values: unknown[]) => (await this.run(text, values)).rows;
    const enqueue = (text: string, values: unknown[]) => this.enqueue(text, values);
    const enqueueForRows = (text: string, values: unknown[]) => {
      const answer = this.enqueueForRows(text, values);
      return async () => (await answer()).rows;
    };
    return { dialect: postgresStatements, run, runShared: run, runBatched: run, enqueue, enqueueForRows };
  }
}

/** The source of a handle's connections: the pool or one transaction. */
interface Source {
  readonly take: () => Promise<PostgresConnection>;
  readonly giveBack: (connection: PostgresConnection) => void;
}

const run = async (connection: DatabaseConnection, text: string): Promise<void> => {
  await connection.executeQuery(CompiledQuery.raw(text));
};

class PostgresDriver implements Driver {
  readonly #source: Source;
  constructor(source: Source) {
    this.#source = source;
  }
  async init() {}
  acquireConnection = () => this.#source.take();
  beginTransaction = (connection: DatabaseConnection) => run(connection, BEGIN);
  commitTransaction = (connection: DatabaseConnection) => run(connection, "commit");
  rollbackTransaction = (connection: DatabaseConnection) => run(connection, "rollback");
  releaseConnection = async (connection: DatabaseConnection) => this.#source.giveBack(connection as PostgresConnection);
  async destroy() {}
}

export const dialectOf = (source: Source): Dialect => ({
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => new PostgresDriver(source),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
});

export const postgresStatements: StatementDialect = {
  builder: new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  }),
  mark: (index) => `$${index + 1}`,
  textToSend: (column) => sql`${sql.ref(column)}`,
  hasOneWriter: false,
  lockRows: (query, mode, mayWait) => {
    const locked =
      mode === "keep" ? query.forKeyShare() : mode === "change" ? query.forNoKeyUpdate() : query.forUpdate();
    return mayWait ? locked : locked.noWait();
  },
  claimRows: (query) => query.forUpdate().skipLocked(),
};
