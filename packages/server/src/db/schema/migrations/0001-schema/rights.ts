import type { Migration } from "../../migration.ts";

export const rights: Migration = async ({ schema }, types) => {
  await schema
    .createTable("member_groups")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("id", "text", (c) => c.notNull())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("updated_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("member_groups_pk", ["workspace_id", "id"])
    .execute();

  await schema
    .createTable("group_members")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("group_id", "text", (c) => c.notNull())
    .addColumn("user_id", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("group_members_pk", ["workspace_id", "group_id", "user_id"])
    .execute();
  await schema.createIndex("group_members_user").on("group_members").columns(["workspace_id", "user_id"]).execute();

  await schema
    .createTable("base_roles")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("subject_id", "text", (c) => c.notNull())
    .addColumn("knowledge_base_id", types.integer, (c) => c.notNull())
    .addColumn("role", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("base_roles_pk", ["workspace_id", "subject_id", "knowledge_base_id"])
    .execute();
  await schema.createIndex("base_roles_base").on("base_roles").columns(["workspace_id", "knowledge_base_id"]).execute();

  await schema
    .createTable("former_roles")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("subject_id", "text", (c) => c.notNull())
    .addColumn("knowledge_base_id", types.integer, (c) => c.notNull())
    .addColumn("role", "text", (c) => c.notNull())
    .addColumn("ended_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("former_roles_pk", ["workspace_id", "subject_id", "knowledge_base_id"])
    .execute();
  await schema.createIndex("former_roles_age").on("former_roles").column("ended_at").execute();
};
