import type { Migration, Schema } from "../migration.ts";

/** Comments with their reactions, suggestions, and the setting of a knowledge base that lets its viewers make them. */
export const discussion: Migration = async (db) => {
  await createComments(db);
  await createSuggestions(db);
  await db.schema
    .alterTable("knowledge_bases")
    .addColumn("members_may_comment", "integer", (c) => c.notNull().defaultTo(1))
    .execute();
  await db.schema.alterTable("snapshots").addColumn("suggested_by", "text").execute();
};

async function createComments({ schema }: Schema): Promise<void> {
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
}

async function createSuggestions({ schema }: Schema): Promise<void> {
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
}
