import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { defined } from "@svc/document/defined";
import { readConfig } from "@svc/server/config";
import { anyTable } from "@svc/server/db/any-table";
import { connect } from "@svc/server/db/connect";
import type { Database, Reader } from "@svc/server/db/database";
import type { Tables } from "@svc/server/db/schema/tables";
import { ownedTableNames } from "@svc/server/domain/lifecycle/trash/owned-tables";
import { isFilesKey } from "@svc/server/views/search/files/files-key";

type Row = Readonly<Record<string, unknown>>;
type Table = readonly Row[];

/** The tables and the column that a reference points to. A null refers to nothing. */
interface Parent {
  readonly tables: readonly (keyof Tables)[];
  readonly key: string;
  /** Its key says all, in whatever workspace. */
  readonly isGlobal?: boolean;
  /** Only these rows need it. */
  readonly only?: (row: Row) => boolean;
}

const rowOf = (...tables: (keyof Tables)[]): Parent => ({ tables, key: "id" });
const globalRowOf = (...tables: (keyof Tables)[]): Parent => ({ tables, key: "id", isGlobal: true });
/** Names what may be gone: it tells of the past, dangles by rule, is removed later, or is no row. */
const FREE = undefined;

/** The target of each column name, in every table that has it. */
const columns: Readonly<Record<string, Parent | typeof FREE>> = {
  workspace_id: globalRowOf("workspaces"),
  user_id: globalRowOf("users"),
  token_id: globalRowOf("tokens"),
  process_id: globalRowOf("processes"),
  knowledge_base_id: rowOf("knowledge_bases"),
  folder_id: rowOf("folders"),
  parent_id: rowOf("folders"),
  document_id: rowOf("documents"),
  document_set_id: rowOf("document_sets"),
  comment_id: rowOf("comments"),
  thread_id: rowOf("comments"),
  concept_id: rowOf("concepts"),
  source_concept_id: rowOf("concepts"),
  target_concept_id: rowOf("concepts"),
  group_id: rowOf("member_groups"),
  trash_id: rowOf("trash"),
  webhook_id: rowOf("webhooks"),
  // Blocks of bodies: links, evidence and anchors dangle by rule.
  block_id: FREE,
  anchor_block_id: FREE,
  source_block_id: FREE,
  target_block_id: FREE,
  top_block_id: FREE,
  // Targets and origins of links, translations and concepts may dangle by rule.
  target_document_id: FREE,
  source_document_id: FREE,
  translated_from_document_id: FREE,
  canonical_document_id: FREE,
  // Authors' ids stay when the people leave.
  author_id: FREE,
  creator_id: FREE,
  // Ids of the past, and names that refer to no row.
  client_id: FREE,
  confirm_id: FREE,
  credential_id: FREE,
  event_id: FREE,
  item_id: FREE,
  last_event_id: FREE,
  message_id: FREE,
  request_id: FREE,
  suggestion_id: FREE,
  unit_id: FREE,
};

/** A document's parts are removed a little after it, in the background. */
const ofDocument: Parent = { tables: ["bodies", "purges"], key: "document_id" };

/** Tables that use a column name in another meaning. */
const exceptions: Readonly<Record<string, Parent | readonly Parent[] | typeof FREE>> = {
  // Only sessions have a person.
  "history_states.user_id": { ...globalRowOf("users"), only: (row) => row.user_id !== "" },
  // A release without histories leaves them when it deletes a document; they are removed when they are due.
  "history_states.document_id": FREE,
  "history_segments.document_id": FREE,
  "documents.id": { tables: ["bodies"], key: "document_id" },
  "folders.index_document_id": rowOf("documents"),
  "translation_states.source_document_id": rowOf("documents"),
  "base_roles.subject_id": globalRowOf("users", "member_groups"),
  "former_roles.subject_id": FREE,
  "former_roles.knowledge_base_id": FREE,
  "attachments.document_id": { ...ofDocument, only: (row) => row.expires_at === null },
  // Rows that expire at once wait for the sweep.
  "trash.knowledge_base_id": { ...rowOf("knowledge_bases"), only: (row) => row.expires_at !== 0 },
  "summaries.target_id": [
    { ...rowOf("folders"), only: (row) => row.scope === "folder" },
    { ...rowOf("knowledge_bases"), only: (row) => row.scope === "knowledge_base" },
  ],
  "watches.target_id": [
    { ...rowOf("folders"), only: (row) => row.kind === "folder" },
    { ...rowOf("knowledge_bases"), only: (row) => row.kind === "knowledge_base" },
  ],
  ...Object.fromEntries(ownedTableNames.map((table) => [`${table}.document_id`, ofDocument])),
  ...Object.fromEntries(
    ["bodies", "translation_states", "inline_relations", "relation_views", "manual_relations"].map((table) => [
      `${table}.document_id`,
      rowOf("documents"),
    ]),
  ),
  "purges.document_id": FREE,
  // Empty where it tells of a knowledge base.
  // One of a comment that was deleted waits for it to come back.
  "notifications.comment_id": FREE,
  "notifications.document_id": { ...ofDocument, only: (row) => row.document_id !== "" },
  // They tell of the past.
  "events.document_id": FREE,
  "events.document_set_id": FREE,
  "events.user_id": FREE,
  "audit_log.user_id": FREE,
  "audit_log.token_id": FREE,
  "audit_log.created_id": FREE,
  "localization_audit.document_id": FREE,
  "concept_history.user_id": FREE,
  // Answers are kept for a day, whatever becomes of the token.
  "idempotency_keys.token_id": FREE,
  "oauth_codes.token_id": FREE,
  // The index of a workspace's files has a key of its own.
  ...Object.fromEntries(
    ["counters", "documents", "hidden", "blocks", "segments", "pages"].map((table) => [
      `search_${table}.workspace_id`,
      { ...globalRowOf("workspaces"), only: (row: Row) => !isFilesKey(String(row.workspace_id)) },
    ]),
  ),
  // Cleared with the index, in the background.
  "search_documents.document_id": FREE,
  // A webhook that only wants events of one knowledge base stays when that goes, and gets none.
  "webhooks.knowledge_base_id": FREE,
  // Authors.
  "comments.user_id": FREE,
  "deleted_comments.thread_id": FREE,
  "comment_reactions.user_id": FREE,
  "suggestions.user_id": FREE,
  "live_updates.user_id": FREE,
  "live_people.user_id": FREE,
  "restore_points.user_id": FREE,
};

/** Every row of the store has the row that it belongs to. A new column with the name of an id has to be listed above. */
export async function checkParents(database: Pick<Database, "snapshot" | "tables">): Promise<void> {
  const tables = new Map<string, Table>();
  // At one instant: what is purged in between would seem to have lost its parent.
  await database.snapshot(async (db) => {
    for (const { name } of await database.tables()) tables.set(name, await rowsOf(db, name));
  });
  const orphans: string[] = [];
  const unknown: string[] = [];
  for (const { name, columns: found } of await database.tables())
    for (const column of found.map((each) => each.name)) {
      const exact = `${name}.${column}`;
      if (!(exact in exceptions) && !column.endsWith("_id")) continue;
      if (!(exact in exceptions) && !(column in columns)) unknown.push(exact);
      const named = exact in exceptions ? exceptions[exact] : columns[column];
      for (const parent of [named ?? []].flat()) orphans.push(...orphansOf(tables, name, column, parent));
    }
  assert.deepEqual(unknown, [], "columns of which nobody said what they name (test/support/parents.ts)");
  assert.deepEqual(orphans.slice(0, 20), [], "rows without the row that they belong to");
}

/** The same for the store that a test leaves, which these settings name; of what was never made nothing is said. */
export async function checkLeft(settings: Readonly<Record<string, string>>): Promise<void> {
  if (!settings.SVC_DATABASE_URL && !existsSync(join(settings.SVC_DATA_DIR ?? "", "svc.db"))) return;
  const database = await connect(readConfig(settings), { warn: () => undefined });
  await checkParents(database).finally(() => database.close());
}

async function rowsOf(db: Reader, table: string): Promise<Table> {
  return db.selectFrom(anyTable(table)).selectAll().execute();
}

function orphansOf(tables: ReadonlyMap<string, Table>, name: string, column: string, parent: Parent): string[] {
  const nameOf = (row: Row, key: string) => `${parent.isGlobal ? "" : row.workspace_id} ${row[key]}`;
  const known = new Set(
    parent.tables.flatMap((table) => defined(tables.get(table)).map((row) => nameOf(row, parent.key))),
  );
  return defined(tables.get(name))
    .filter((row) => row[column] !== null && (parent.only?.(row) ?? true) && !known.has(nameOf(row, column)))
    .map((row) => `${name}.${column} ${row[column]}`);
}
