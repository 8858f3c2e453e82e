import type { Migration } from "../../migration.ts";

export const discussion: Migration = async ({ schema }) => {
  await schema
    .createTable("comments")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("id", "text", (c) => c.notNull())
    .addColumn("document_id", "text", (c) => c.notNull())
    .addColumn("thread_id", "text", (c) => c.notNull())
    .addColumn("markdown", "text")
    .addColumn("text_key", "text", (c) => c.notNull())
    .addColumn("author_type", "text", (c) => c.notNull())
    .addColumn("author_id", "text", (c) => c.notNull())
    .addColumn("author_name", "text", (c) => c.notNull())
    .addColumn("author_agent", "integer", (c) => c.notNull())
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("anchor_block_id", "text")
    .addColumn("anchor_quote", "text")
    .addColumn("anchor_start", "integer", (c) => c.notNull())
    .addColumn("anchor_before", "text", (c) => c.notNull())
    .addColumn("anchor_after", "text", (c) => c.notNull())
    .addColumn("revision", "bigint", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("updated_at", "bigint", (c) => c.notNull())
    .addColumn("resolved_at", "bigint")
    .addColumn("resolved_by", "text")
    .addColumn("deleted_at", "bigint")
    .addPrimaryKeyConstraint("comments_pk", ["workspace_id", "id"])
    .execute();
  await schema
    .createIndex("comments_document")
    .on("comments")
    .columns(["workspace_id", "document_id", "thread_id", "id"])
    .execute();

  await schema
    .createTable("comment_reactions")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("comment_id", "text", (c) => c.notNull())
    .addColumn("document_id", "text", (c) => c.notNull())
    .addColumn("emoji", "text", (c) => c.notNull())
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("comment_reactions_pk", ["workspace_id", "comment_id", "emoji", "user_id"])
    .execute();
  await schema
    .createIndex("comment_reactions_document")
    .on("comment_reactions")
    .columns(["workspace_id", "document_id"])
    .execute();

  await schema
    .createTable("suggestions")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("id", "text", (c) => c.notNull())
    .addColumn("document_id", "text", (c) => c.notNull())
    .addColumn("base_version", "text", (c) => c.notNull())
    .addColumn("status", "text", (c) => c.notNull())
    .addColumn("note", "text", (c) => c.notNull())
    .addColumn("changes", "text", (c) => c.notNull())
    .addColumn("author_type", "text", (c) => c.notNull())
    .addColumn("author_id", "text", (c) => c.notNull())
    .addColumn("author_name", "text", (c) => c.notNull())
    .addColumn("author_agent", "integer", (c) => c.notNull())
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("revision", "bigint", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("updated_at", "bigint", (c) => c.notNull())
    .addColumn("decided_at", "bigint")
    .addColumn("decided_by", "text")
    .addColumn("decision_reason", "text")
    .addPrimaryKeyConstraint("suggestions_pk", ["workspace_id", "id"])
    .execute();
  await schema
    .createIndex("suggestions_document")
    .on("suggestions")
    .columns(["workspace_id", "document_id", "id"])
    .execute();
  await schema.createIndex("suggestions_status").on("suggestions").columns(["workspace_id", "status", "id"]).execute();

  await schema
    .createTable("notifications")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("id", "text", (c) => c.notNull())
    .addColumn("reason", "text", (c) => c.notNull())
    .addColumn("document_id", "text", (c) => c.notNull())
    .addColumn("comment_id", "text")
    .addColumn("suggestion_id", "text")
    .addColumn("actor", "text", (c) => c.notNull())
    .addColumn("excerpt", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("read_at", "bigint")
    .addColumn("knowledge_base_id", "bigint")
    .addColumn("in_page", "integer", (c) => c.defaultTo(1).notNull())
    .addColumn("digest", "integer", (c) => c.defaultTo(0).notNull())
    .addPrimaryKeyConstraint("notifications_pk", ["workspace_id", "user_id", "id"])
    .execute();
  await schema
    .createIndex("notifications_document")
    .on("notifications")
    .columns(["workspace_id", "document_id"])
    .execute();
  await schema
    .createIndex("notifications_digest")
    .on("notifications")
    .columns(["digest", "workspace_id", "user_id"])
    .execute();

  await schema
    .createTable("watches")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("kind", "text", (c) => c.notNull())
    .addColumn("target_id", "text", (c) => c.notNull())
    .addColumn("document_id", "text")
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("watches_pk", ["workspace_id", "kind", "target_id", "user_id"])
    .execute();
  await schema.createIndex("watches_document").on("watches").columns(["workspace_id", "document_id"]).execute();

  await schema
    .createTable("notification_settings")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("kinds", "text", (c) => c.notNull())
    .addColumn("webhook_url", "text")
    .addColumn("webhook_nonce", "text")
    .addColumn("updated_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("notification_settings_pk", ["workspace_id", "user_id"])
    .execute();

  await schema
    .createTable("watch_positions")
    .addColumn("workspace_id", "text", (c) => c.primaryKey())
    .addColumn("last_event_id", "bigint", (c) => c.notNull())
    .execute();

  await schema
    .createTable("deleted_comments")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("id", "text", (c) => c.notNull())
    .addColumn("document_id", "text", (c) => c.notNull())
    .addColumn("thread_id", "text", (c) => c.notNull())
    .addColumn("anchor_block_id", "text")
    .addColumn("content", "text", (c) => c.notNull())
    .addColumn("deleted_by", "text", (c) => c.notNull())
    .addColumn("deleted_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("deleted_comments_pk", ["workspace_id", "id"])
    .execute();
  await schema
    .createIndex("deleted_comments_document")
    .on("deleted_comments")
    .columns(["workspace_id", "document_id"])
    .execute();
  await schema.createIndex("deleted_comments_age").on("deleted_comments").column("deleted_at").execute();
};
