import { sql } from "kysely";
import type { Migration } from "../migration.ts";

/**
 * Who saw a knowledge base that is gone, for as long as events tell of it; and a way from a deleted document to the
 * event that says where it was deleted from.
 */
export const formerRoles: Migration = async ({ schema }, { integer }) => {
  await schema
    .createTable("former_roles")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("subject_id", "text", (c) => c.notNull())
    .addColumn("knowledge_base_id", integer, (c) => c.notNull())
    .addColumn("role", "text", (c) => c.notNull())
    .addColumn("ended_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("former_roles_pk", ["workspace_id", "subject_id", "knowledge_base_id"])
    .execute();
  await schema.createIndex("former_roles_age").on("former_roles").column("ended_at").execute();
  await schema
    .createIndex("events_deleted")
    .on("events")
    .columns(["workspace_id", "document_id"])
    .where(sql.ref("type"), "=", sql.lit("document.deleted"))
    .execute();
};
