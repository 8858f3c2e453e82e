import type { Migration } from "../../migration.ts";

export const search: Migration = async (db, types) => {
  const { schema } = db;
  await schema
    .createTable("search_counters")
    .addColumn("workspace_id", "text", (c) => c.primaryKey())
    .addColumn("epoch", "bigint", (c) => c.notNull())
    .addColumn("epoch_base", "bigint", (c) => c.notNull())
    .addColumn("tokenizer_version", "integer", (c) => c.notNull())
    .addColumn("blocks", "bigint", (c) => c.notNull())
    .addColumn("total_length", "bigint", (c) => c.notNull())
    .addColumn("next_number", "bigint", (c) => c.notNull())
    .addColumn("next_document", "bigint", (c) => c.notNull())
    .addColumn("level_zero", "bigint", (c) => c.notNull())
    .addColumn("backlog", "integer", (c) => c.notNull())
    .addColumn("stamp", "bigint", (c) => c.defaultTo(0).notNull())
    .execute();

  await schema
    .createTable("search_documents")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("document_id", "text", (c) => c.notNull())
    .addColumn("number", "bigint", (c) => c.notNull())
    .addColumn("indexed_version", "text", (c) => c.notNull())
    .addColumn("indexed_epoch", "bigint", (c) => c.notNull())
    .addColumn("blocks", "bigint", (c) => c.notNull())
    .addColumn("outline", "text")
    .addColumn("outline_version", "text")
    .addPrimaryKeyConstraint("search_documents_pk", ["workspace_id", "document_id"])
    .execute();
  await schema
    .createIndex("search_documents_number")
    .on("search_documents")
    .columns(["workspace_id", "number"])
    .execute();
  await schema
    .createIndex("search_documents_epoch")
    .on("search_documents")
    .columns(["workspace_id", "indexed_epoch", "document_id"])
    .execute();

  await schema
    .createTable("search_hidden")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("number", "bigint", (c) => c.notNull())
    .addColumn("building", "integer", (c) => c.notNull())
    .addPrimaryKeyConstraint("search_hidden_pk", ["workspace_id", "number"])
    .execute();

  await schema
    .createTable("search_blocks")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("number", "bigint", (c) => c.notNull())
    .addColumn("document", "bigint", (c) => c.notNull())
    .addColumn("block_id", "text", (c) => c.notNull())
    .addColumn("length", "bigint", (c) => c.notNull())
    .addColumn("text", "text")
    .addColumn("section", "text")
    .addPrimaryKeyConstraint("search_blocks_pk", ["workspace_id", "number"])
    .execute();
  await schema
    .createIndex("search_blocks_document")
    .on("search_blocks")
    .columns(["workspace_id", "document", "block_id"])
    .execute();

  await schema
    .createTable("search_segments")
    .addColumn("id", types.integer, types.identity)
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("stamp", "bigint", (c) => c.notNull())
    .addColumn("epoch", "bigint", (c) => c.notNull())
    .addColumn("state", "text", (c) => c.notNull())
    .addColumn("level", "integer", (c) => c.notNull())
    .addColumn("base", "bigint", (c) => c.notNull())
    .addColumn("last", "bigint", (c) => c.notNull())
    .addColumn("blocks", "bigint", (c) => c.notNull())
    .addColumn("term_pages", "bigint", (c) => c.notNull())
    .addColumn("dead", "bigint", (c) => c.notNull())
    .addColumn("removed", types.bytes, (c) => c.notNull())
    .addColumn("tombstones", types.bytes, (c) => c.notNull())
    .addColumn("runs", types.bytes, (c) => c.notNull())
    .addColumn("payload", types.bytes)
    .execute();
  await schema
    .createIndex("search_segments_place")
    .on("search_segments")
    .columns(["workspace_id", "state", "epoch", "base", "id"])
    .execute();

  await schema
    .createTable("search_pages")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("page_key", "bigint", (c) => c.notNull())
    .addColumn("first_term", "text", (c) => c.notNull())
    .addColumn("content", types.bytes, (c) => c.notNull())
    .addPrimaryKeyConstraint("search_pages_pk", ["workspace_id", "page_key"])
    .execute();
  await types.keepInRow(db, "search_pages", "content");
};
