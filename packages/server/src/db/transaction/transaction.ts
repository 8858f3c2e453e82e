import type { Kysely } from "kysely";
import type { Reader, Tx } from "../database.ts";
import type { Tables } from "../schema/tables.ts";
import type { Signals } from "../signals.ts";
import type { Lookup } from "../statement/lookup.ts";
import type { StatementRunner, TxStatementRunner } from "../statement/runner.ts";
import { type LastStep, type LastStepName, runLastSteps } from "./last-steps.ts";
import {
  type CommitState,
  type LockedRow,
  type LockId,
  type LockKind,
  type LockMode,
  LockOrder,
} from "./lock-order.ts";
import { lockRows } from "./lock-rows.ts";

/** A reader over a connection or a pool. */
export const makeReader = <Found extends Lookup | undefined>(
  kysely: Kysely<Tables>,
  statements: StatementRunner,
  lookup: Found,
): Reader & { readonly lookup: Found } => ({
  selectFrom: kysely.selectFrom.bind(kysely) as Reader["selectFrom"],
  statements,
  lookup,
});

/** The parts of a driver that a transaction needs. */
export interface TxConnection {
  readonly kysely: Kysely<Tables>;
  readonly statements: TxStatementRunner;
}

const SAVEPOINT = "savepoint attempt";
const RELEASE = "release savepoint attempt";
const UNDO = "rollback to savepoint attempt";

/** The position of a transaction in its commit. */
export interface CommitPosition {
  /** Other transactions come before it in the same commit. */
  readonly isJoiningCommit: boolean;
  /** It may share the commit with others. */
  readonly isShared: boolean;
  /** The locks and expectations of the commit so far. */
  readonly commit: CommitState;
}

/** One transaction, made by a driver for each run of its work. */
export class Transaction implements Tx {
  readonly statements: TxStatementRunner;
  readonly lookup = undefined;
  readonly isJoiningCommit: boolean;
  readonly lastSteps = new Set<LastStep>();
  readonly effects: (() => void)[] = [];
  readonly #kysely: Kysely<Tables>;
  readonly #signals: Pick<Signals, "announce">;
  readonly #commit: CommitState;
  readonly #order: LockOrder;

  constructor(
    { kysely, statements }: TxConnection,
    signals: Pick<Signals, "announce">,
    { isJoiningCommit, isShared, commit }: CommitPosition,
  ) {
    this.#commit = commit;
    this.#order = new LockOrder(commit, isShared);
    this.#kysely = kysely;
    this.statements = statements;
    this.#signals = signals;
    this.isJoiningCommit = isJoiningCommit;
  }

  get selectFrom(): Tx["selectFrom"] {
    return this.#kysely.selectFrom.bind(this.#kysely) as Tx["selectFrom"];
  }

  get insertInto(): Tx["insertInto"] {
    return this.#kysely.insertInto.bind(this.#kysely) as Tx["insertInto"];
  }

  get updateTable(): Tx["updateTable"] {
    return this.#kysely.updateTable.bind(this.#kysely) as Tx["updateTable"];
  }

  get deleteFrom(): Tx["deleteFrom"] {
    return this.#kysely.deleteFrom.bind(this.#kysely) as Tx["deleteFrom"];
  }

  getExecutor(): ReturnType<Tx["getExecutor"]> {
    return this.#kysely.getExecutor();
  }

  get mustNotWait(): boolean {
    return this.#commit.hasCounters;
  }

  async lock<Kind extends LockKind>(
    kind: Kind,
    workspaceId: string,
    id: LockId<Kind>,
    mode: LockMode = "change",
  ): Promise<LockedRow<Kind> | undefined> {
    const { mayWait } = this.#order.take(kind, [id], mode);
    return (await lockRows(this, { kind, mode, mayWait }, workspaceId, [id]))[0];
  }

  async lockAll<Kind extends LockKind>(
    kind: Kind,
    workspaceId: string,
    ids: readonly LockId<Kind>[],
    mode: LockMode = "change",
  ): Promise<LockedRow<Kind>[]> {
    const ordered = [...new Set(ids)].sort((a, b) => (a < b ? -1 : 1));
    if (ordered.length === 0) return [];
    const { mayWait } = this.#order.take(kind, ordered, mode);
    return lockRows(this, { kind, mode, mayWait }, workspaceId, ordered);
  }

  retryIfNull(table: string, column: string): void {
    this.#commit.retryIfNull(table, column);
  }

  beforeCommit(step: LastStep): void {
    this.lastSteps.add(step);
  }

  lastStep<Step extends LastStep>(name: LastStepName, workspaceId: string, make: () => Step): Step {
    for (const step of this.lastSteps) if (step.name === name && step.workspaceId === workspaceId) return step as Step;
    const step = make();
    this.lastSteps.add(step);
    return step;
  }

  afterCommit(effect: () => void): void {
    this.effects.push(effect);
  }

  announce(topic: string): void {
    this.effects.push(() => this.#signals.announce(topic));
  }

  async attempt<T>(work: () => Promise<T>): Promise<T> {
    const before = { steps: [...this.lastSteps], effects: this.effects.length };
    this.statements.enqueue(SAVEPOINT, []);
    try {
      const result = await work();
      this.statements.enqueue(RELEASE, []);
      return result;
    } catch (error) {
      // If the database has aborted the whole transaction there is no savepoint left; the first failure says why.
      await this.#undoAttempt().catch(() => {
        throw error;
      });
      this.lastSteps.clear();
      for (const step of before.steps) this.lastSteps.add(step);
      this.effects.length = before.effects;
      throw error;
    }
  }

  async #undoAttempt(): Promise<void> {
    await this.statements.run(UNDO, []);
  }

  async runChecksNow(): Promise<void> {
    if (![...this.lastSteps].some(({ mayRefuse }) => mayRefuse)) return;
    await runLastSteps([this]);
    this.lastSteps.clear();
    this.#commit.hasCounters = true;
  }
}
