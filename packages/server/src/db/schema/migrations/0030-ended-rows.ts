import type { Migration } from "../migration.ts";

/** The sweep finds ended sessions and spent tickets without reading all of them. */
export const endedRows: Migration = async ({ schema }) => {
  await schema.createIndex("sessions_end").on("sessions").column("expires_at").execute();
  await schema.createIndex("sessions_seen").on("sessions").column("last_seen_at").execute();
  await schema.createIndex("spent_tickets_end").on("spent_tickets").column("expires_at").execute();
};
