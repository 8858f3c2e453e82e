import type { Reader, Tx } from "../../../db/database.ts";
import type { SummaryRow } from "../../../db/schema/tables/summaries.ts";
import { batchesOf } from "../../../db/statement/batches.ts";
import { notFound } from "../../../errors.ts";
import { isNoTarget } from "../../library/documents/queries.ts";
import type { TargetKey } from "./target-key.ts";

export interface SourceDocument {
  readonly id: string;
  readonly title: string;
  readonly version: string;
  readonly updated_at: number;
}

/** Documents that the summary of a folder or knowledge base covers; translations are not listed beside their source. */
export function listSourceDocuments(
  db: Reader,
  workspaceId: string,
  scope: { knowledgeBaseId: number } | { folderIds: readonly number[] },
): Promise<SourceDocument[]> {
  const rows = db
    .selectFrom("documents")
    .select(["id", "title", "version", "updated_at"])
    .where("workspace_id", "=", workspaceId)
    .where(isNoTarget);
  const inScope =
    "knowledgeBaseId" in scope
      ? rows.where("knowledge_base_id", "=", scope.knowledgeBaseId)
      : rows.where("folder_id", "in", scope.folderIds);
  return inScope.orderBy("id").execute();
}

const withAuthors = (db: Reader, workspaceId: string) =>
  db
    .selectFrom("summaries as s")
    .leftJoin("users as u", "u.id", "s.author_id")
    .selectAll("s")
    .select("u.name as author_name")
    .where("s.workspace_id", "=", workspaceId);

export const findSummary = (db: Reader, key: TargetKey) =>
  withAuthors(db, key.workspaceId)
    .where("s.scope", "=", key.scope)
    .where("s.target_id", "=", key.targetId)
    .where("s.block_id", "=", key.blockId)
    .executeTakeFirst();

/** All stored summaries of one subject. */
export const listStored = (
  db: Reader,
  workspaceId: string,
  scopes: readonly SummaryRow["scope"][],
  targetId: string,
): Promise<FoundSummary[]> =>
  withAuthors(db, workspaceId)
    .where("s.scope", "in", scopes)
    .where("s.target_id", "=", targetId)
    .where("s.revision", ">", 0)
    .orderBy("s.block_id")
    .execute();

/** The folders that have a stored summary. */
export async function listSummarised(db: Reader, workspaceId: string, folderIds: readonly number[]): Promise<number[]> {
  const found: number[] = [];
  for (const some of batchesOf(folderIds.map(String))) {
    const rows = await db
      .selectFrom("summaries")
      .select("target_id")
      .where("workspace_id", "=", workspaceId)
      .where("scope", "=", "folder")
      .where("target_id", "in", some)
      .where("revision", ">", 0)
      .execute();
    found.push(...rows.map((row) => Number(row.target_id)));
  }
  return found;
}

export const insertSummary = (tx: Tx, key: TargetKey, columns: Partial<SummaryRow>) =>
  tx
    .insertInto("summaries")
    .values({ ...emptyRow(key, Date.now()), ...columns, revision: 1 })
    .execute();

export type FoundSummary = NonNullable<Awaited<ReturnType<typeof findSummary>>>;

/**
 * Locks the summary's subject, so that it cannot disappear and saves are serialized; inserts an empty row if there is
 * none.
 */
export async function lockSummary(tx: Tx, key: TargetKey): Promise<FoundSummary | undefined> {
  await lockTarget(tx, key);
  const found = await findSummary(tx, key);
  if (!found) await insertEmpty(tx, key);
  return found && found.revision > 0 ? found : undefined;
}

async function lockTarget(tx: Tx, { workspaceId, scope, targetId }: TargetKey): Promise<void> {
  const row =
    scope === "knowledge_base"
      ? await tx.lock("knowledge_base", workspaceId, Number(targetId))
      : scope === "folder"
        ? await tx.lock("folder", workspaceId, Number(targetId))
        : await tx.lock("document", workspaceId, targetId);
  if (!row) throw notFound(scope === "section" ? "document" : scope, targetId);
}

const insertEmpty = (tx: Tx, key: TargetKey) =>
  tx
    .insertInto("summaries")
    .values(emptyRow(key, Date.now()))
    .onConflict((conflict) => conflict.columns(["workspace_id", "scope", "target_id", "block_id"]).doNothing())
    .execute();

const emptyRow = (key: TargetKey, now: number): SummaryRow => ({
  workspace_id: key.workspaceId,
  scope: key.scope,
  target_id: key.targetId,
  block_id: key.blockId,
  document_id: key.scope === "document" || key.scope === "section" ? key.targetId : null,
  text: "",
  outline: "[]",
  generator: "deterministic",
  source_version: "",
  source_block_ids: "[]",
  source_document_ids: "[]",
  covered: 0,
  total: 0,
  pinned: 0,
  revision: 0,
  author_id: null,
  created_at: now,
  updated_at: now,
});

export const updateSummary = (tx: Tx, key: TargetKey, changes: Partial<SummaryRow>) =>
  tx
    .updateTable("summaries")
    .set((eb) => ({ ...changes, revision: eb("revision", "+", 1), updated_at: Date.now() }))
    .where("workspace_id", "=", key.workspaceId)
    .where("scope", "=", key.scope)
    .where("target_id", "=", key.targetId)
    .where("block_id", "=", key.blockId)
    .execute();

/** Whether a model is writing this summary now. */
export async function isGenerating(db: Reader, key: TargetKey): Promise<boolean> {
  const rows = await db
    .selectFrom("jobs")
    .select("payload")
    .where("workspace_id", "=", key.workspaceId)
    .where("kind", "=", "summary_job")
    .where("status", "in", ["pending", "running"])
    .execute();
  return rows.some(({ payload }) => {
    const { scope, targetId, blockId }: TargetKey = JSON.parse(payload);
    return scope === key.scope && targetId === key.targetId && blockId === key.blockId;
  });
}

/** Deletes the summaries of deleted folders and knowledge bases. */
export async function deleteSummariesOf(
  tx: Tx,
  workspaceId: string,
  scope: "folder" | "knowledge_base",
  ids: readonly number[],
): Promise<void> {
  for (let i = 0; i < ids.length; i += 500)
    await tx
      .deleteFrom("summaries")
      .where("workspace_id", "=", workspaceId)
      .where("scope", "=", scope)
      .where("target_id", "in", ids.slice(i, i + 500).map(String))
      .execute();
}
