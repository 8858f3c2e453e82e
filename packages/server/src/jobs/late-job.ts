import { type Expression, type SqlBool, sql } from "kysely";
import type { StatementBuilder } from "../db/database.ts";
import type { ValueOf } from "../db/statement/statement.ts";
import { newId } from "../ids.ts";

/** A job inserted by the statement itself, only if its condition holds. */
export interface LateJob {
  readonly workspaceId: string;
  readonly id: string;
  readonly kind: string;
  readonly payload: string;
  readonly now: number;
}

export const lateJob = (workspaceId: string, kind: string, payload: unknown): LateJob => ({
  workspaceId,
  id: newId("rjob"),
  kind,
  payload: JSON.stringify(payload),
  now: Date.now(),
});

/** Appends the job if the condition holds. A runner finds it when it next checks. */
export const insertJobIf = (db: StatementBuilder, value: ValueOf<LateJob>, condition: Expression<SqlBool>) =>
  db
    .insertInto("jobs")
    .columns([
      ...(["workspace_id", "id", "kind", "payload", "created_at", "ready_at"] as const),
      ...(["status", "progress", "attempts", "crashes", "created_by"] as const),
    ])
    .expression(
      db
        .selectFrom("workspaces as w")
        .select("w.id as workspace_id")
        .select(sql<string>`cast(${value("id")} as text)`.as("id"))
        .select(sql<string>`cast(${value("kind")} as text)`.as("kind"))
        .select(sql<string>`cast(${value("payload")} as text)`.as("payload"))
        .select(sql<number>`cast(${value("now")} as bigint)`.as("created_at"))
        .select(sql<number>`cast(${value("now")} as bigint)`.as("ready_at"))
        .select(sql<"pending">`'pending'`.as("status"))
        .select([sql<string>`'{}'`.as("progress"), sql<number>`0`.as("attempts"), sql<number>`0`.as("crashes")])
        .select(sql<string>`''`.as("created_by"))
        .where("w.id", "=", value("workspaceId"))
        .where(condition),
    );
