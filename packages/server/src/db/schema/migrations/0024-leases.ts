import type { Migration } from "../migration.ts";

/**
 * One kind of lease for everything that one process does at a time, without any time of day (background/presence.ts).
 * What was held before is free: its processes end when this runs, or lose it.
 */
export const leases: Migration = async ({ schema }) => {
  await schema
    .createTable("processes")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("beat", "bigint", (c) => c.notNull())
    .execute();
  await schema
    .createTable("leases")
    .addColumn("name", "text", (c) => c.primaryKey())
    .addColumn("holder", "text", (c) => c.notNull())
    .addColumn("process_id", "text", (c) => c.notNull().references("processes.id").onDelete("cascade"))
    .execute();
  await schema.createIndex("leases_process").on("leases").column("process_id").execute();
  await schema.dropTable("event_streams").execute();
  await schema.dropTable("event_processes").execute();
  await schema
    .createTable("event_streams")
    .addColumn("token_id", "text", (c) => c.notNull())
    .addColumn("id", "text", (c) => c.notNull())
    .addColumn("process_id", "text", (c) => c.notNull().references("processes.id").onDelete("cascade"))
    .addPrimaryKeyConstraint("event_streams_pk", ["token_id", "id"])
    .execute();
  await schema.createIndex("event_streams_process").on("event_streams").column("process_id").execute();
  await schema.dropTable("search_leases").execute();
  await schema.alterTable("webhooks").dropColumn("lease_owner").execute();
  await schema.alterTable("webhooks").renameColumn("lease_until", "served_at").execute();
  await schema.alterTable("jobs").dropColumn("lease_owner").execute();
  await schema
    .alterTable("jobs")
    .addColumn("crashes", "integer", (c) => c.notNull().defaultTo(0))
    .execute();
};
