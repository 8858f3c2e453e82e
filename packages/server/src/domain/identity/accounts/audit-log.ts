import type { Reader } from "../../../db/database.ts";
import { getUserByEmail, getWorkspace } from "./create-user.ts";

export interface AuditFilter {
  /** By id or name. */
  readonly workspace?: string;
  readonly email?: string;
  readonly since?: number;
  readonly action?: string;
  readonly limit: number;
}

/** The newest matching entries, newest first. */
export async function listAudit(db: Reader, filter: AuditFilter) {
  let entries = db
    .selectFrom("audit_log as a")
    .leftJoin("users as u", "u.id", "a.user_id")
    .selectAll("a")
    .select("u.email");
  if (filter.workspace !== undefined)
    entries = entries.where("a.workspace_id", "=", (await getWorkspace(db, filter.workspace)).id);
  if (filter.email !== undefined)
    entries = entries.where("a.user_id", "=", (await getUserByEmail(db, filter.email)).id);
  if (filter.since !== undefined) entries = entries.where("a.created_at", ">=", filter.since);
  if (filter.action !== undefined) entries = entries.where("a.action", "=", filter.action);
  const rows = await entries.orderBy("a.id", "desc").limit(filter.limit).execute();
  return rows.map(({ agent, ...row }) => ({ ...row, agent: agent === 1 }));
}
