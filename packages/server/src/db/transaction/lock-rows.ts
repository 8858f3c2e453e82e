import type { CompiledQuery } from "kysely";
import type { Reader } from "../database.ts";
import type { StatementDialect } from "../statement/runner.ts";
import { LOCK_KINDS, type LockedRow, type LockKind, type LockMode, OF_NO_WORKSPACE } from "./lock-order.ts";

type Id = string | number;

/** How rows are locked: everything that the text of the query depends on but the number of ids. */
interface Manner {
  readonly kind: LockKind;
  readonly mode: LockMode;
  readonly mayWait: boolean;
}

/** Ids per statement. */
const MOST = 256;

/** Stand in a compiled query for what is given each time. */
const WORKSPACE = Symbol("workspace");
const idAt = (index: number): { readonly index: number } => ({ index });

const compiled = new Map<StatementDialect, Map<string, CompiledQuery>>();

function queryFor(dialect: StatementDialect, manner: Manner, count: number): CompiledQuery {
  const ofDialect = compiled.get(dialect) ?? new Map<string, CompiledQuery>();
  compiled.set(dialect, ofDialect);
  const name = `${manner.kind} ${manner.mode} ${manner.mayWait} ${count}`;
  const known = ofDialect.get(name) ?? build(dialect, manner, count);
  ofDialect.set(name, known);
  return known;
}

/** Rows are locked in the order of their ids. */
function build(dialect: StatementDialect, { kind, mode, mayWait }: Manner, count: number): CompiledQuery {
  const { table, key, columns } = LOCK_KINDS[kind];
  const ids = Array.from({ length: count }, (_, index) => idAt(index)) as unknown as number[];
  // One of the tables stands for all of them: their types have nothing in common but what is used here.
  const from = dialect.builder.selectFrom(table as "folders");
  const selected = columns ? from.select(columns as unknown as "id"[]) : from.selectAll();
  const found = selected.where(key as "id", "in", ids);
  const inWorkspace = OF_NO_WORKSPACE.has(kind)
    ? found
    : found.where("workspace_id", "=", WORKSPACE as unknown as string);
  const ordered = count > 1 ? inWorkspace.orderBy(key as "id") : inWorkspace;
  return dialect.lockRows(ordered, mode, mayWait).compile();
}

async function lockPart(reader: Reader, manner: Manner, workspaceId: string, ids: readonly Id[]): Promise<unknown[]> {
  const { dialect, run } = reader.statements;
  const { sql, parameters } = queryFor(dialect, manner, ids.length);
  const values = parameters.map((given) =>
    given === WORKSPACE ? workspaceId : ids[(given as ReturnType<typeof idAt>).index],
  );
  return run(sql, values);
}

/** Locks rows whose order has been checked; `ids` are in ascending order. */
export async function lockRows<Kind extends LockKind>(
  reader: Reader,
  manner: Manner & { readonly kind: Kind },
  workspaceId: string,
  ids: readonly Id[],
): Promise<LockedRow<Kind>[]> {
  if (ids.length === 1) return (await lockPart(reader, manner, workspaceId, ids)) as LockedRow<Kind>[];
  const rows: LockedRow<Kind>[] = [];
  for (let i = 0; i < ids.length; i += MOST) {
    const part = filled(ids.slice(i, i + MOST));
    for (const row of await lockPart(reader, manner, workspaceId, part)) rows.push(row as LockedRow<Kind>);
  }
  return rows;
}

/** Up to a power of two by repeating the last id, so that few different statements are made. */
const filled = (ids: readonly Id[]): Id[] => [
  ...ids,
  ...new Array<Id>(2 ** Math.ceil(Math.log2(ids.length)) - ids.length).fill(ids.at(-1)!),
];
