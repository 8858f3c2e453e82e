import type { Migration } from "../migration.ts";

/** When a person, or a program of theirs, last looked at what had changed; by the name they gave it. */
export const visits: Migration = async ({ schema }) => {
  await schema
    .createTable("visits")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("visits_pk", ["workspace_id", "user_id", "name"])
    .execute();
};
