import type { Migration } from "../../migration.ts";

export const concepts: Migration = async ({ schema }, types) => {
  await schema
    .createTable("concepts")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("id", "text", (c) => c.notNull())
    .addColumn("knowledge_base_id", "bigint", (c) => c.notNull())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("names_key", "text", (c) => c.notNull())
    .addColumn("aliases", "text", (c) => c.notNull())
    .addColumn("description", "text", (c) => c.notNull())
    .addColumn("canonical_document_id", "text")
    .addColumn("labels", "text", (c) => c.notNull())
    .addColumn("valid_from", "bigint")
    .addColumn("valid_to", "bigint")
    .addColumn("merged_into", "text")
    .addColumn("revision", "bigint", (c) => c.notNull())
    .addColumn("created_by", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("updated_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("concepts_pk", ["workspace_id", "id"])
    .execute();
  await schema
    .createIndex("concepts_place")
    .on("concepts")
    .columns(["workspace_id", "knowledge_base_id", "id"])
    .execute();
  await schema.createIndex("concepts_merged").on("concepts").columns(["workspace_id", "merged_into"]).execute();

  await schema
    .createTable("concept_sources")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("concept_id", "text", (c) => c.notNull())
    .addColumn("source_document_id", "text", (c) => c.notNull())
    .addColumn("source_block_id", "text", (c) => c.notNull())
    .addColumn("source_version", "text", (c) => c.notNull())
    .addColumn("created_by", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("updated_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("concept_sources_pk", [
      "workspace_id",
      "concept_id",
      "source_document_id",
      "source_block_id",
    ])
    .execute();

  await schema
    .createTable("concept_relations")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("id", "text", (c) => c.notNull())
    .addColumn("predicate", "text", (c) => c.notNull())
    .addColumn("source_concept_id", "text", (c) => c.notNull())
    .addColumn("target_concept_id", "text", (c) => c.notNull())
    .addColumn("valid_from", "bigint")
    .addColumn("valid_to", "bigint")
    .addColumn("created_by", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("concept_relations_pk", ["workspace_id", "id"])
    .execute();
  await schema
    .createIndex("concept_relations_source")
    .on("concept_relations")
    .columns(["workspace_id", "source_concept_id", "predicate"])
    .execute();
  await schema
    .createIndex("concept_relations_target")
    .on("concept_relations")
    .columns(["workspace_id", "target_concept_id", "predicate"])
    .execute();

  await schema
    .createTable("concept_history")
    .addColumn("id", types.integer, types.identity)
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("concept_id", "text", (c) => c.notNull())
    .addColumn("action", "text", (c) => c.notNull())
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("details", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .execute();
  await schema
    .createIndex("concept_history_concept")
    .on("concept_history")
    .columns(["workspace_id", "concept_id", "id"])
    .execute();

  await schema
    .createTable("concept_candidates")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("id", "text", (c) => c.notNull())
    .addColumn("knowledge_base_id", "bigint", (c) => c.notNull())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("kind", "text", (c) => c.notNull())
    .addColumn("fingerprint", "text", (c) => c.notNull())
    .addColumn("status", "text", (c) => c.notNull())
    .addColumn("source_document_id", "text", (c) => c.notNull())
    .addColumn("source_block_id", "text")
    .addColumn("source_version", "text", (c) => c.notNull())
    .addColumn("concept_id", "text")
    .addColumn("revision", "bigint", (c) => c.notNull())
    .addColumn("decided_by", "text")
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("updated_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("concept_candidates_pk", ["workspace_id", "id"])
    .execute();
  await schema
    .createIndex("concept_candidates_fingerprint")
    .unique()
    .on("concept_candidates")
    .columns(["workspace_id", "knowledge_base_id", "fingerprint"])
    .execute();
};
