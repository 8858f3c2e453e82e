import type { StatementBuilder, Tx } from "../database.ts";
import type { StatementDialect } from "../statement/runner.ts";
import { type ReadStatement, statement, type ValueOf } from "../statement/statement.ts";
import { LOCK_TABLES, type LockedRow, type LockKind, type LockMode, WITHOUT_WORKSPACE } from "./lock-order.ts";

type Id = string | number;

/** Everything except the number of ids that determines the text of the query. */
interface Manner {
  readonly kind: LockKind;
  readonly mode: LockMode;
  readonly mayWait: boolean;
}

interface Sought {
  readonly workspaceId: string;
  readonly ids: readonly Id[];
}

const statements = new Map<string, ReadStatement<Sought, unknown>>();

function statementFor(manner: Manner): ReadStatement<Sought, unknown> {
  const name = `${manner.kind} ${manner.mode} ${manner.mayWait}`;
  const found =
    statements.get(name) ??
    statement<Sought, unknown>((db, value, dialect) => lockQuery(manner, db, value, dialect), { list: "ids" });
  statements.set(name, found);
  return found;
}

/** Locks rows in the order of their ids. */
function lockQuery(
  { kind, mode, mayWait }: Manner,
  db: StatementBuilder,
  value: ValueOf<Sought>,
  { lockRows: lock }: StatementDialect,
) {
  const { table, key, columns } = LOCK_TABLES[kind];
  const ids = value("ids") as readonly number[];
  // The query is typed as one of the tables: their types share only the columns used here.
  const from = db.selectFrom(table as "folders");
  const selected = columns ? from.select(columns as unknown as "id"[]) : from.selectAll();
  const found = selected.where(key as "id", "in", ids);
  const inWorkspace = WITHOUT_WORKSPACE.has(kind) ? found : found.where("workspace_id", "=", value("workspaceId"));
  return lock(ids.length > 1 ? inWorkspace.orderBy(key as "id") : inWorkspace, mode, mayWait);
}

/** Locks rows whose order has been checked; `ids` are in ascending order. */
export const lockRows = <Kind extends LockKind>(
  tx: Tx,
  manner: Manner & { readonly kind: Kind },
  workspaceId: string,
  ids: readonly Id[],
): Promise<LockedRow<Kind>[]> =>
  statementFor(manner)(tx, { workspaceId, ids }) as Promise<unknown[]> as Promise<LockedRow<Kind>[]>;
