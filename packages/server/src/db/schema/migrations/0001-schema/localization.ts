import type { Migration } from "../../migration.ts";

export const localization: Migration = async ({ schema }) => {
  await schema
    .createTable("translation_usage")
    .addColumn("workspace_id", "text", (c) => c.notNull().references("workspaces.id").onDelete("cascade"))
    .addColumn("day", "text", (c) => c.notNull())
    .addColumn("characters", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("translation_usage_pk", ["workspace_id", "day"])
    .execute();

  await schema
    .createTable("document_sets")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("id", "text", (c) => c.notNull())
    .addColumn("document_id", "text", (c) => c.notNull())
    .addColumn("source_locale", "text", (c) => c.notNull())
    .addColumn("fallback_locale", "text", (c) => c.notNull())
    .addColumn("created_by", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("document_sets_pk", ["workspace_id", "id"])
    .execute();
  await schema
    .createIndex("document_sets_source")
    .on("document_sets")
    .columns(["workspace_id", "document_id"])
    .execute();

  await schema
    .createTable("translation_states")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("document_id", "text", (c) => c.notNull())
    .addColumn("source_document_id", "text", (c) => c.notNull())
    .addColumn("locale", "text", (c) => c.notNull())
    .addColumn("source_version", "text", (c) => c.notNull())
    .addColumn("agreed_source_version", "text", (c) => c.notNull())
    .addColumn("missing", "bigint", (c) => c.notNull())
    .addColumn("source_changed", "bigint", (c) => c.notNull())
    .addColumn("current", "bigint", (c) => c.notNull())
    .addColumn("conflict", "bigint", (c) => c.notNull())
    .addColumn("ignored", "bigint", (c) => c.notNull())
    .addColumn("orphaned", "bigint", (c) => c.notNull())
    .addColumn("open_orphans", "bigint", (c) => c.notNull())
    .addColumn("linked", "bigint", (c) => c.notNull())
    .addColumn("unlinked", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("translation_states_pk", ["workspace_id", "document_id"])
    .execute();
  await schema
    .createIndex("translation_states_source")
    .on("translation_states")
    .columns(["workspace_id", "source_document_id"])
    .execute();

  await schema
    .createTable("translation_units")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("document_id", "text", (c) => c.notNull())
    .addColumn("id", "text", (c) => c.notNull())
    .addColumn("source_block_id", "text", (c) => c.notNull())
    .addColumn("source_hash", "text")
    .addColumn("target_block_id", "text")
    .addColumn("target_present", "integer", (c) => c.notNull())
    .addColumn("target_hash", "text")
    .addColumn("copied_hash", "text")
    .addColumn("agreed_source_hash", "text")
    .addColumn("agreed_target_hash", "text")
    .addColumn("agreed_origin", "text")
    .addColumn("review_status", "text", (c) => c.notNull())
    .addColumn("candidate", "text")
    .addColumn("updated_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("translation_units_pk", ["workspace_id", "document_id", "id"])
    .execute();
  await schema
    .createIndex("translation_units_source")
    .on("translation_units")
    .columns(["workspace_id", "document_id", "source_block_id"])
    .execute();
  await schema
    .createIndex("translation_units_target")
    .on("translation_units")
    .columns(["workspace_id", "document_id", "target_block_id"])
    .execute();

  await schema
    .createTable("localization_audit")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("id", "text", (c) => c.notNull())
    .addColumn("document_id", "text", (c) => c.notNull())
    .addColumn("action", "text", (c) => c.notNull())
    .addColumn("actor", "text", (c) => c.notNull())
    .addColumn("locale", "text")
    .addColumn("unit_id", "text")
    .addColumn("before", "text")
    .addColumn("after", "text")
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("localization_audit_pk", ["workspace_id", "id"])
    .execute();
  await schema
    .createIndex("localization_audit_document")
    .on("localization_audit")
    .columns(["workspace_id", "document_id", "id"])
    .execute();
};
