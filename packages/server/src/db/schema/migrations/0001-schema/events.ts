import { sql } from "kysely";
import type { Migration } from "../../migration.ts";

export const events: Migration = async ({ schema }) => {
  await schema
    .createTable("events")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("id", "bigint", (c) => c.notNull())
    .addColumn("type", "text", (c) => c.notNull())
    .addColumn("document_id", "text", (c) => c.notNull())
    .addColumn("document_set_id", "text")
    .addColumn("locale", "text")
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("data", "text", (c) => c.notNull())
    .addColumn("user_id", "text")
    .addPrimaryKeyConstraint("events_pk", ["workspace_id", "id"])
    .execute();
  await schema.createIndex("events_age").on("events").column("created_at").execute();
  await schema
    .createIndex("events_deleted")
    .on("events")
    .columns(["workspace_id", "document_id"])
    .where(sql.ref("type"), "=", sql.lit("document.deleted"))
    .execute();

  await schema
    .createTable("changes")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("document_id", "text", (c) => c.notNull())
    .addColumn("revision", "bigint", (c) => c.notNull())
    .addColumn("before_version", "text", (c) => c.notNull())
    .addColumn("version", "text", (c) => c.notNull())
    .addColumn("item_count", "bigint", (c) => c.notNull())
    .addColumn("items", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("changes_pk", ["workspace_id", "document_id", "revision"])
    .execute();

  await schema
    .createTable("webhooks")
    .addColumn("workspace_id", "text", (c) => c.notNull().references("workspaces.id").onDelete("cascade"))
    .addColumn("id", "text", (c) => c.notNull())
    .addColumn("url", "text", (c) => c.notNull())
    .addColumn("description", "text", (c) => c.notNull())
    .addColumn("event_types", "text", (c) => c.notNull())
    .addColumn("knowledge_base_id", "bigint")
    .addColumn("enabled", "integer", (c) => c.notNull())
    .addColumn("disabled_reason", "text")
    .addColumn("secret_nonce", "text", (c) => c.notNull())
    .addColumn("old_secret_nonce", "text")
    .addColumn("old_secret_expires_at", "bigint", (c) => c.notNull())
    .addColumn("last_event_id", "bigint", (c) => c.notNull())
    .addColumn("failures", "integer", (c) => c.notNull())
    .addColumn("failing_since", "bigint")
    .addColumn("retry_at", "bigint", (c) => c.notNull())
    .addColumn("next_at", "bigint", (c) => c.notNull())
    .addColumn("served_at", "bigint", (c) => c.notNull())
    .addColumn("revision", "bigint", (c) => c.notNull())
    .addColumn("deleted", "integer", (c) => c.notNull())
    .addColumn("created_by", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("updated_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("webhooks_pk", ["workspace_id", "id"])
    .execute();

  await schema
    .createTable("webhook_deliveries")
    .addColumn("workspace_id", "text", (c) => c.notNull().references("workspaces.id").onDelete("cascade"))
    .addColumn("webhook_id", "text", (c) => c.notNull())
    .addColumn("id", "text", (c) => c.notNull())
    .addColumn("kind", "text", (c) => c.notNull())
    .addColumn("message_id", "text", (c) => c.notNull())
    .addColumn("event_id", "bigint")
    .addColumn("event_type", "text", (c) => c.notNull())
    .addColumn("payload", "text", (c) => c.notNull())
    .addColumn("redelivery_of", "text")
    .addColumn("status", "text", (c) => c.notNull())
    .addColumn("attempts", "integer", (c) => c.notNull())
    .addColumn("first_attempt_at", "bigint")
    .addColumn("last_attempt_at", "bigint")
    .addColumn("next_attempt_at", "bigint")
    .addColumn("response_status", "integer")
    .addColumn("response_body", "text")
    .addColumn("error", "text")
    .addColumn("duration_ms", "bigint")
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("finished_at", "bigint")
    .addPrimaryKeyConstraint("webhook_deliveries_pk", ["workspace_id", "webhook_id", "id"])
    .execute();
  await schema
    .createIndex("webhook_deliveries_status")
    .on("webhook_deliveries")
    .columns(["workspace_id", "webhook_id", "status", "id"])
    .execute();
  await schema.createIndex("webhook_deliveries_age").on("webhook_deliveries").column("finished_at").execute();

  await schema
    .createTable("event_streams")
    .addColumn("token_id", "text", (c) => c.notNull())
    .addColumn("id", "text", (c) => c.notNull())
    .addColumn("process_id", "text", (c) => c.notNull().references("processes.id").onDelete("cascade"))
    .addPrimaryKeyConstraint("event_streams_pk", ["token_id", "id"])
    .execute();
  await schema.createIndex("event_streams_process").on("event_streams").column("process_id").execute();
};
