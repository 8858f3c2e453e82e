import type { Migration } from "../../migration.ts";

export const jobs: Migration = async ({ schema }) => {
  await schema
    .createTable("jobs")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("id", "text", (c) => c.notNull())
    .addColumn("kind", "text", (c) => c.notNull())
    .addColumn("status", "text", (c) => c.notNull())
    .addColumn("payload", "text", (c) => c.notNull())
    .addColumn("progress", "text", (c) => c.notNull())
    .addColumn("result", "text")
    .addColumn("error", "text")
    .addColumn("attempts", "integer", (c) => c.notNull())
    .addColumn("ready_at", "bigint", (c) => c.notNull())
    .addColumn("created_by", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("finished_at", "bigint")
    .addColumn("crashes", "integer", (c) => c.defaultTo(0).notNull())
    .addPrimaryKeyConstraint("jobs_pk", ["workspace_id", "id"])
    .execute();
  await schema.createIndex("jobs_ready").on("jobs").columns(["status", "ready_at"]).execute();
};
