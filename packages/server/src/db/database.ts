import type { Kysely, QueryExecutorProvider, TableMetadata } from "kysely";
import type { Tables } from "./schema/tables.ts";
import type { Signals } from "./signals.ts";
import type { Lookup } from "./statement/lookup.ts";
import type { StatementRunner, TxStatementRunner } from "./statement/runner.ts";
import type { LastStep, LastStepName } from "./transaction/last-steps.ts";
import type { LockedRow, LockId, LockKind, LockMode } from "./transaction/lock-order.ts";

/** Builds queries that read. */
export type SelectBuilder = Pick<Kysely<Tables>, "selectFrom">;

/** Builds statements of every kind. */
export type StatementBuilder = SelectBuilder & Pick<Kysely<Tables>, "insertInto" | "updateTable" | "deleteFrom">;

/** Runs queries and cannot write. Every `Tx` is a `Reader`; no other `Reader` is a `Tx`. */
export interface Reader extends SelectBuilder {
  /** Runs compiled statements (statement.ts). */
  readonly statements: StatementRunner;
  /**
   * Finds rows by their keys and shares them between callers; undefined inside a transaction, which must read for
   * itself.
   */
  readonly lookup: Lookup | undefined;
  /** The name of the filter of a restricted reader (audience/); undefined for a reader that sees all rows. */
  readonly audience?: string;
  /** The reader sees few documents: a list finds them by knowledge base instead of passing by most rows of an index. */
  readonly filterByVisibleIds?: boolean;
}

/** Exists for the compiler alone. */
declare const isVisible: unique symbol;

/** Reads for one caller and finds only the rows that the caller may see. Only rights/ makes one. */
export interface VisibleReader extends Reader {
  readonly [isVisible]: true;
}

/** A write transaction. It carries everything that only a transaction can do. */
export interface Tx extends Reader, StatementBuilder, QueryExecutorProvider {
  readonly statements: TxStatementRunner;
  /**
   * Whether other transactions come before this one in the same commit, so that its last steps are likely to join
   * theirs.
   */
  readonly isJoiningCommit: boolean;
  /**
   * Locks a row until the end of the transaction and returns it as read under the lock; undefined if it does not exist.
   * Locks must be taken in the order of lock-order.ts; any other order throws.
   */
  lock<Kind extends LockKind>(
    kind: Kind,
    workspaceId: string,
    id: LockId<Kind>,
    mode?: LockMode,
  ): Promise<LockedRow<Kind> | undefined>;
  /** Locks several rows of a kind, in the order of their ids. */
  lockAll<Kind extends LockKind>(
    kind: Kind,
    workspaceId: string,
    ids: readonly LockId<Kind>[],
    mode?: LockMode,
  ): Promise<LockedRow<Kind>[]>;
  /** Whether the counters are already locked, so that the transaction must not wait for anything. */
  readonly mustNotWait: boolean;
  /** Retries the transaction if this column would be null: the row it refers to changed. */
  retryIfNull(table: keyof Tables, column: string): void;
  /** Adds a step that runs just before the commit. */
  beforeCommit(step: LastStep): void;
  /** Returns the unwritten last step with this name and workspace; makes and adds one if there is none. */
  lastStep<Step extends LastStep>(name: LastStepName, workspaceId: string, make: () => Step): Step;
  /** Runs `effect` once the transaction is durable; never if it is rolled back. */
  afterCommit(effect: () => void): void;
  /** Announces the topic to the listeners of every process once the transaction is durable. */
  announce(topic: string): void;
  /**
   * Runs `work` so that its failure undoes only its own changes and the transaction can continue. Throws the failure. A
   * statement that was enqueued may fail later; then the whole transaction fails.
   */
  attempt<T>(work: () => Promise<T>): Promise<T>;
  /** Runs deferred checks now, so that the caller sees their error. */
  runChecksNow(): Promise<void>;
}

/** The default for how long to wait for a connection, in the write queue or for the file, in milliseconds. */
export const MAX_WAIT_MS = 10_000;

/** Facts about a write transaction that the caller knows before it runs. */
export interface WriteOptions {
  /**
   * Transactions that would wait for each other's rows share a key, so they wait in this process instead of each
   * holding a connection.
   */
  readonly queueKey?: string | undefined;
  /**
   * Transactions of one group may share a commit. They may only take the locks that lock-order.ts allows for groups.
   */
  readonly group?: string | undefined;
  /** Nobody waits for the transaction, so it may wait longer for others that share its commit. */
  readonly isPatient?: boolean;
  /**
   * The transaction is of so little value that a crash of the database may undo it: its commit waits neither for the disk
   * nor for a standby of PostgreSQL. Not together with a group.
   */
  readonly mayBeLost?: boolean;
}

/** An open database. */
export interface Store {
  /** Sees everything that was committed before the query began. */
  readonly read: Reader & { readonly lookup: Lookup };
  /**
   * Runs `work` in a write transaction and commits. `work` may run again after a serialisation conflict, so it must act
   * only through `tx`.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>, options?: WriteOptions): Promise<T>;
  /** Runs `work` on one immutable snapshot of the store, read-only. */
  snapshot<T>(work: (db: Reader) => Promise<T>): Promise<T>;
  /** The tables of the store and their columns, for code that must look at all of them. */
  tables(): Promise<readonly TableMetadata[]>;
  close(): Promise<void>;
}

export interface Database extends Store {
  /** Subscribes to the announcements of transactions in all processes (see signals.ts). */
  readonly listen: Signals["listen"];
}

/** The store for one caller. Its transactions see every row, because writes depend on all of them. */
export interface VisibleDatabase extends Database {
  readonly read: VisibleReader & { readonly lookup: Lookup };
  snapshot<T>(work: (db: VisibleReader) => Promise<T>): Promise<T>;
}

/** The rows that a transaction read changed before it had its locks, so it runs again. */
export class TransactionOutdated extends Error {
  constructor(cause?: unknown) {
    super("What the transaction had read has changed.", { cause });
    this.name = "TransactionOutdated";
  }
}

/** The database cannot answer now: it is gone, full or busy for too long. The write has no effect. Becomes a 503. */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super("The database cannot answer right now.", { cause });
    this.name = "DatabaseUnavailable";
  }
}

/** The commit was sent and got no answer: whether the write took effect is not known. Becomes a 503 `unknown`. */
export class CommitUnknown extends DatabaseUnavailable {}
