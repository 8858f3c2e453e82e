import { sql } from "kysely";
import type { Config } from "../config.ts";
import { anyTable } from "../db/any-table.ts";
import type { Database, Reader, Tx } from "../db/database.ts";
import type { Tables } from "../db/schema/tables.ts";
import type { Services } from "../services.ts";

/** The maximum of rows that a table keeps per owner. Beyond it the oldest are deleted. */
interface RowLimit {
  readonly table: keyof Tables;
  /** The columns that name the owner. Rows without an owner do not count and stay. */
  readonly owner: readonly string[];
  /** Identifies the rows of one owner. */
  readonly key: string;
  /** Grows with every row. */
  readonly age: string;
  /** Only these rows count and are deleted. */
  readonly only?: readonly [column: string, operator: "in" | "is not" | "!=", value: unknown];
  readonly most: (config: Pick<Config, "maxAuditRows">) => number;
}

const ofDocument = ["workspace_id", "document_id"];

/** Every table that callers can grow without a quota that refuses. */
export const ROW_LIMITS: readonly RowLimit[] = [
  { table: "idempotency_keys", owner: ["workspace_id", "token_id"], key: "key", age: "created_at", most: () => 50_000 },
  { table: "device_codes", owner: ["address"], key: "device_code_hash", age: "created_at", most: () => 1000 },
  { table: "sessions", owner: ["user_id"], key: "id", age: "last_seen_at", most: () => 100 },
  { table: "audit_log", owner: ["workspace_id"], key: "id", age: "id", most: ({ maxAuditRows }) => maxAuditRows },
  {
    table: "jobs",
    owner: ["workspace_id"],
    key: "id",
    age: "created_at",
    only: ["status", "in", ["succeeded", "failed", "obsolete"]],
    most: () => 20_000,
  },
  {
    table: "tokens",
    owner: ["user_id", "workspace_id"],
    key: "id",
    age: "created_at",
    only: ["revoked_at", "is not", null],
    most: () => 1000,
  },
  {
    table: "suggestions",
    owner: ofDocument,
    key: "id",
    age: "created_at",
    only: ["status", "!=", "open"],
    most: () => 10_000,
  },
  { table: "deleted_comments", owner: ofDocument, key: "id", age: "deleted_at", most: () => 1000 },
  { table: "invitations", owner: ["workspace_id"], key: "id", age: "created_at", most: () => 1000 },
  { table: "oauth_codes", owner: ["user_id"], key: "code_hash", age: "expires_at", most: () => 1000 },
  { table: "oauth_refresh_tokens", owner: ["token_id"], key: "token_hash", age: "expires_at", most: () => 1000 },
  { table: "localization_audit", owner: ofDocument, key: "id", age: "created_at", most: () => 10_000 },
  { table: "live_epochs", owner: ofDocument, key: "epoch", age: "ended_at", most: () => 1000 },
  { table: "visits", owner: ["workspace_id", "user_id"], key: "name", age: "at", most: () => 1000 },
  {
    table: "concept_candidates",
    owner: ["workspace_id", "knowledge_base_id"],
    key: "id",
    age: "created_at",
    most: () => 50_000,
  },
  { table: "concept_history", owner: ["workspace_id", "concept_id"], key: "id", age: "id", most: () => 1000 },
];

/** Rows removed in one transaction: few enough to let others write in between. */
const BATCH = 1000;

/** Types queries of the table as if it were one that has all of its columns. */
type AnyTable = "audit_log";
type Owner = Readonly<Record<string, unknown>>;

/** Deletes the rows beyond the limits; returns their number. */
export async function applyRowLimits(
  { database, config }: Pick<Services, "database" | "config">,
  signal?: AbortSignal,
  limits = ROW_LIMITS,
): Promise<number> {
  let removed = 0;
  for (const limit of limits)
    for (const { beyond, ...owner } of await listBeyond(database.read, limit, limit.most(config)))
      removed += await removeOldest(database, limit, owner, beyond, signal);
  return removed;
}

/** The owners of too many rows, and the number of rows beyond the limit. */
async function listBeyond(db: Reader, { table, owner, only }: RowLimit, most: number) {
  const rows = await db
    .selectFrom(anyTable(table))
    .select(owner)
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where((eb) => eb.and(owner.map((column) => eb(column, "is not", null))))
    .where((eb) => (only ? eb(...only) : eb.lit(true)))
    .groupBy(owner)
    .having((eb) => eb.fn.countAll<number>(), ">", most)
    .execute();
  return rows.map(({ count, ...of }): Owner & { beyond: number } => ({ ...of, beyond: Number(count) - most }));
}

async function removeOldest(
  database: Database,
  limit: RowLimit,
  owner: Owner,
  beyond: number,
  signal: AbortSignal | undefined,
): Promise<number> {
  let left = beyond;
  while (left > 0 && !signal?.aborted) {
    const batch = Math.min(BATCH, left);
    await database.transaction((tx) => removeBatch(tx, limit, owner, batch));
    left -= batch;
  }
  return beyond - left;
}

async function removeBatch(tx: Tx, { table, key, age, only }: RowLimit, owner: Owner, count: number): Promise<void> {
  const oldest = await tx
    .selectFrom(anyTable(table))
    .select(key)
    .where((eb) => eb.and(owner))
    .where((eb) => (only ? eb(...only) : eb.lit(true)))
    .orderBy(age)
    .orderBy(key)
    .limit(count)
    .execute();
  const keys = oldest.map((row) => row[key]);
  if (keys.length > 0)
    await tx
      .deleteFrom(table as AnyTable)
      .where((eb) => eb.and(owner))
      .where(sql.ref(key), "in", keys)
      .execute();
}
