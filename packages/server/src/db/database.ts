import type { Kysely, QueryExecutorProvider, TableMetadata } from "kysely";
import type { Tables } from "./schema/tables.ts";
import type { Signals } from "./signals.ts";
import type { Lookup } from "./statement/lookup.ts";
import type { StatementRunner, TxStatementRunner } from "./statement/runner.ts";
import type { LastStep } from "./transaction/last-steps.ts";
import type { LockedRow, LockId, LockKind, LockMode } from "./transaction/lock-order.ts";

/** Builds queries that read. */
export type SelectBuilder = Pick<Kysely<Tables>, "selectFrom">;

/** Builds statements of every kind. */
export type StatementBuilder = SelectBuilder & Pick<Kysely<Tables>, "insertInto" | "updateTable" | "deleteFrom">;

/** Runs queries, and cannot write. Every `Tx` is a `Reader`; no other `Reader` is a `Tx`. */
export interface Reader extends SelectBuilder {
  /** Runs statements that are compiled already (statement.ts). */
  readonly statements: StatementRunner;
  /** Finds rows by their keys in a way that callers share; undefined where rows have to be read inside a transaction. */
  readonly lookup: Lookup | undefined;
  /** The name of a reader from whom some rows are hidden (audience/); undefined for one that sees all rows. */
  readonly audience?: string;
  /** Little is shown: a list finds it by its knowledge bases, and passes by most rows in the order of an index. */
  readonly seesFew?: boolean;
}

/** A write transaction. It carries everything that only a transaction can do. */
export interface Tx extends Reader, StatementBuilder, QueryExecutorProvider {
  readonly statements: TxStatementRunner;
  /** Whether other transactions come before this one in the same commit, so that its last steps are likely to join theirs. */
  readonly follows: boolean;
  /**
   * Locks a row to the end of the transaction and reads it as it is then; undefined if it is not there. Locks are taken
   * in the order of lock-order.ts; what is out of order is refused.
   */
  lock<Kind extends LockKind>(
    kind: Kind,
    workspaceId: string,
    id: LockId<Kind>,
    mode?: LockMode,
  ): Promise<LockedRow<Kind> | undefined>;
  /** The same for several rows of a kind, in the order of their ids. */
  lockAll<Kind extends LockKind>(
    kind: Kind,
    workspaceId: string,
    ids: readonly LockId<Kind>[],
    mode?: LockMode,
  ): Promise<LockedRow<Kind>[]>;
  /** Whether counters are locked already, so that nothing may be waited for. */
  readonly mustNotWait: boolean;
  /** Runs the transaction again if a statement of it finds nothing for this column: what it was made for has changed. */
  retryOnNull(table: keyof Tables, column: string): void;
  /** Runs `step` as one of the last things before the commit. */
  beforeCommit(step: LastStep): void;
  /** The last step of this rank and workspace that is not written yet; made and added if there is none. */
  lastStep<Step extends LastStep>(rank: number, workspaceId: string, make: () => Step): Step;
  /** Runs `effect` when the transaction is durable; never when it was rolled back. */
  afterCommit(effect: () => void): void;
  /** Announces the topic to the listeners of every process once the transaction is durable. */
  announce(topic: string): void;
  /**
   * Runs `work` so that its failure undoes its own changes only, and the transaction goes on. The failure is thrown
   * again. A statement that was enqueued may fail only later, and then fails the transaction.
   */
  attempt<T>(work: () => Promise<T>): Promise<T>;
  /** Runs the last steps now if one of them may refuse: for a caller that must know of it. */
  runIfRefusing(): Promise<void>;
}

/** Milliseconds to wait for a connection, or for others in the write queue or on the file, where no setting says it. */
export const MAX_WAIT_MS = 10_000;

/** What the caller knows of a write transaction before it runs. */
export interface WriteOptions {
  /** Transactions that would wait for each other's rows have the same key: they wait in this process, not on a connection each. */
  readonly queueKey?: string | undefined;
  /** Transactions of one group may share a commit. They may take only the locks that lock-order.ts allows there. */
  readonly group?: string | undefined;
}

/** One of the databases, opened. */
export interface Store {
  /** Sees everything that was committed before the query began. */
  readonly read: Reader & { readonly lookup: Lookup };
  /**
   * Runs `work` in a write transaction and commits. `work` may run again after a serialisation conflict,
   * so it must have no effect but through `tx`.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>, options?: WriteOptions): Promise<T>;
  /** Runs `work` on one unchanging snapshot of the store, read only. */
  snapshot<T>(work: (db: Reader) => Promise<T>): Promise<T>;
  /** The tables of the store and their columns, for what has to look at all of them. */
  tables(): Promise<readonly TableMetadata[]>;
  close(): Promise<void>;
}

export interface Database extends Store {
  /** Hears what transactions of any process announced (see signals.ts). */
  readonly listen: Signals["listen"];
}

/** What a transaction has read no longer holds now that it has its locks: it runs again. */
export class TransactionOutdated extends Error {
  constructor(cause?: unknown) {
    super("What the transaction had read has changed.", { cause });
    this.name = "TransactionOutdated";
  }
}

/** The database cannot answer now: gone, full, or busy for too long. Becomes 503. */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super("The database cannot answer right now.", { cause });
    this.name = "DatabaseUnavailable";
  }
}
