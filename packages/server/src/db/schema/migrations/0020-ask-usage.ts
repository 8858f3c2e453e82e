import type { Migration } from "../migration.ts";

/** Tokens that a workspace's questions to the model used each day. */
export const askUsage: Migration = async ({ schema }) => {
  await schema
    .createTable("ask_usage")
    .addColumn("workspace_id", "text", (c) => c.notNull().references("workspaces.id").onDelete("cascade"))
    .addColumn("day", "text", (c) => c.notNull())
    .addColumn("tokens", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("ask_usage_pk", ["workspace_id", "day"])
    .execute();
};
