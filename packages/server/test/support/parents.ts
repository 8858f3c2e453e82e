import assert from "node:assert/strict";
import { defined } from "@svc/document/defined";
import type { Database } from "@svc/server/db/database";
import type { Tables } from "@svc/server/db/schema/tables";

type Row = Record<string, unknown>;

/** Where the row is that a row of a table belongs to: each of these columns names a row of the parent, or is null. */
const parents: readonly (readonly [table: string, column: string, parent: string, key?: string])[] = [
  ["folders", "knowledge_base_id", "knowledge_bases"],
  ["folders", "parent_id", "folders"],
  ["documents", "knowledge_base_id", "knowledge_bases"],
  ["documents", "folder_id", "folders"],
  ["documents", "document_set_id", "document_sets"],
  ["documents", "id", "bodies", "document_id"],
  ["document_sets", "document_id", "documents"],
  ["translation_states", "document_id", "documents"],
  ["translation_states", "source_document_id", "documents"],
  ["concepts", "knowledge_base_id", "knowledge_bases"],
  ["concept_candidates", "knowledge_base_id", "knowledge_bases"],
  ["concept_sources", "concept_id", "concepts"],
  ["concept_history", "concept_id", "concepts"],
  ["concept_relations", "source_concept_id", "concepts"],
  ["concept_relations", "target_concept_id", "concepts"],
  ["inline_relations", "document_id", "documents"],
  ["relation_views", "document_id", "documents"],
  ["manual_relations", "document_id", "documents"],
  ["public_shares", "document_id", "documents"],
  ["public_shares", "folder_id", "folders"],
  ["trash_items", "trash_id", "trash"],
  ["webhook_deliveries", "webhook_id", "webhooks"],
];

/** Tables whose `document_id` may name a document that is gone, because they tell of the past or are cleared later. */
const outliveDocuments = new Set(["events", "localization_audit", "search_documents", "purges", "attachments"]);

/** Every row of the store has the row that it belongs to. */
export async function checkParents(database: Database): Promise<void> {
  const rowsOf = async (table: string): Promise<Row[]> =>
    (await database.read
      .selectFrom(table as keyof Tables & "documents")
      .selectAll()
      .execute()) as unknown as Row[];
  const keysOf = async (table: string, key = "id") =>
    new Set((await rowsOf(table)).map((row) => `${row.workspace_id} ${row[key]}`));
  const orphans: string[] = [];
  const look = async (table: string, column: string, known: ReadonlySet<string>, rows?: readonly Row[]) => {
    for (const row of rows ?? (await rowsOf(table)))
      if (row[column] !== null && !known.has(`${row.workspace_id} ${row[column]}`))
        orphans.push(`${table}.${column} ${row[column]}`);
  };
  for (const [table, column, parent, key] of parents) await look(table, column, await keysOf(parent, key));
  // What a document owns goes a little after it, in the background.
  const owners = (await keysOf("documents")).union(await keysOf("purges", "document_id"));
  const direct = new Set(parents.map(([table, column]) => `${table} ${column}`));
  for (const { name, columns } of await database.tables())
    if (columns.some((column) => column.name === "document_id") && !outliveDocuments.has(name))
      if (!direct.has(`${name} document_id`)) await look(name, "document_id", owners);
  const attachments = (await rowsOf("attachments")).filter((row) => row.expires_at === null);
  await look("attachments", "document_id", owners, attachments);
  const summaries = await rowsOf("summaries");
  for (const [scope, parent] of [
    ["folder", "folders"],
    ["knowledge_base", "knowledge_bases"],
  ])
    await look(
      "summaries",
      "target_id",
      await keysOf(defined(parent)),
      summaries.filter((row) => row.scope === scope),
    );
  const trash = (await rowsOf("trash")).filter((row) => row.expires_at !== 0);
  await look("trash", "knowledge_base_id", await keysOf("knowledge_bases"), trash);
  assert.deepEqual(orphans.slice(0, 20), [], "rows without the row that they belong to");
}
