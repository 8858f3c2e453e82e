import { defined } from "@svc/document/defined";
import type { Reader } from "../../../db/database.ts";
import { listKnowledgeBases } from "../../../domain/library/knowledge-bases/queries.ts";

const MAX_KNOWLEDGE_BASES = 1000;

/** The knowledge bases of one page: more than a workspace may have, unless its operator allows it. */
export const listBases = (db: Reader, workspaceId: string) =>
  listKnowledgeBases(db, workspaceId, 0, MAX_KNOWLEDGE_BASES);

const MAX_FOLDERS = 500;

/** All folders of a knowledge base by name, for a select. */
export const listFolderNames = (db: Reader, workspaceId: string, knowledgeBaseId: number) =>
  db
    .selectFrom("folders")
    .select(["id", "name"])
    .where("workspace_id", "=", workspaceId)
    .where("knowledge_base_id", "=", knowledgeBaseId)
    .orderBy("name")
    .limit(MAX_FOLDERS)
    .execute();

export interface AuditFilter {
  readonly userId?: string | undefined;
  readonly action?: string | undefined;
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  readonly agents?: boolean | undefined;
  readonly before?: number | undefined;
}

/** The audit entries of a workspace, newest first. */
export function listAuditRows(db: Reader, workspaceId: string, filter: AuditFilter, limit: number) {
  let rows = db
    .selectFrom("audit_log as a")
    .leftJoin("users as u", "u.id", "a.user_id")
    .leftJoin("tokens as t", "t.id", "a.token_id")
    .select(["a.id", "a.created_at", "a.action", "a.path", "a.status", "a.client_name", "a.client_version", "a.agent"])
    .select(["a.summary", "a.created_id", "u.name as user_name", "t.name as token_name"])
    .where("a.workspace_id", "=", workspaceId);
  if (filter.userId !== undefined) rows = rows.where("a.user_id", "=", filter.userId);
  if (filter.action !== undefined) rows = rows.where("a.action", "=", filter.action);
  if (filter.since !== undefined) rows = rows.where("a.created_at", ">=", filter.since);
  if (filter.until !== undefined) rows = rows.where("a.created_at", "<", filter.until);
  if (filter.agents) rows = rows.where("a.agent", "=", 1);
  if (filter.before !== undefined) rows = rows.where("a.id", "<", filter.before);
  return rows.orderBy("a.id", "desc").limit(limit).execute();
}

const LOOKED_AT = 5000;

/** The successful actions of agents since a moment, newest first, among the latest entries. */
export const listAgentRows = (db: Reader, workspaceId: string, since: number) =>
  db
    .selectFrom((eb) =>
      eb
        .selectFrom("audit_log")
        .select(["id", "created_at", "action", "path", "created_id", "client_name", "token_id", "agent", "status"])
        .where("workspace_id", "=", workspaceId)
        .orderBy("id", "desc")
        .limit(LOOKED_AT)
        .as("a"),
    )
    .leftJoin("tokens as t", "t.id", "a.token_id")
    .select(["a.id", "a.created_at", "a.action", "a.path", "a.created_id", "a.client_name", "t.name as token_name"])
    .where("a.agent", "=", 1)
    .where("a.status", "<", 400)
    .where("a.created_at", ">=", since)
    .orderBy("a.id", "desc")
    .limit(200)
    .execute();

/** The concept candidates that wait, up to a number. */
export const listFirstCandidates = (db: Reader, workspaceId: string, limit: number) =>
  db
    .selectFrom("concept_candidates")
    .select("id")
    .where("workspace_id", "=", workspaceId)
    .where("status", "=", "pending")
    .limit(limit)
    .execute();

/** The names of those who changed documents last, by document. */
export async function lastAuthorsOf(db: Reader, workspaceId: string, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, string>();
  const rows = await db
    .selectFrom("documents as d")
    .innerJoin("users as u", "u.id", "d.updated_by")
    .select(["d.id", "u.name"])
    .where("d.workspace_id", "=", workspaceId)
    .where("d.id", "in", ids)
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** The actions among the latest entries, for a filter. */
export async function listRecentActions(db: Reader, workspaceId: string): Promise<string[]> {
  const rows = await db
    .selectFrom((eb) =>
      eb
        .selectFrom("audit_log")
        .select("action")
        .where("workspace_id", "=", workspaceId)
        .orderBy("id", "desc")
        .limit(LOOKED_AT)
        .as("latest"),
    )
    .select("action")
    .distinct()
    .orderBy("action")
    .execute();
  return rows.map(({ action }) => action);
}

/** The most recently changed document sets with translations. */
export async function listTranslatedSets(db: Reader, workspaceId: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom("documents")
    .select((eb) => ["document_set_id", eb.fn.max("updated_at").as("changed_at")])
    .where("workspace_id", "=", workspaceId)
    .where("document_set_id", "is not", null)
    .where("variant_role", "=", "target")
    .groupBy("document_set_id")
    .orderBy("changed_at", "desc")
    .limit(limit)
    .execute();
  return rows.map(({ document_set_id }) => defined(document_set_id));
}
