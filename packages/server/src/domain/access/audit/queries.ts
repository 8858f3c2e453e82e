import type { Reader } from "../../../db/database.ts";

export interface EntryFilter {
  readonly workspaceId: string;
  readonly userId?: string | undefined;
  readonly tokenId?: string | undefined;
  readonly action?: string | undefined;
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  readonly agent?: boolean | undefined;
}

/** Entries of a workspace after an id, ordered by id; with `desc`, from the newest on. */
export async function listEntries(
  db: Reader,
  filter: EntryFilter,
  order: "asc" | "desc",
  beyond: number | undefined,
  limit: number,
) {
  let rows = db
    .selectFrom("audit_log as a")
    .leftJoin("users as u", "u.id", "a.user_id")
    .selectAll("a")
    .select("u.email")
    .where("a.workspace_id", "=", filter.workspaceId);
  if (filter.userId !== undefined) rows = rows.where("a.user_id", "=", filter.userId);
  if (filter.tokenId !== undefined) rows = rows.where("a.token_id", "=", filter.tokenId);
  if (filter.action !== undefined) rows = rows.where("a.action", "=", filter.action);
  if (filter.since !== undefined) rows = rows.where("a.created_at", ">=", filter.since);
  if (filter.until !== undefined) rows = rows.where("a.created_at", "<", filter.until);
  if (filter.agent) rows = rows.where("a.agent", "=", 1);
  if (beyond !== undefined) rows = rows.where("a.id", order === "asc" ? ">" : "<", beyond);
  return rows.orderBy("a.id", order).limit(limit).execute();
}
export type EntryRow = Awaited<ReturnType<typeof listEntries>>[number];

/** Whether a person is a member of the workspace or has acted in it. */
export async function isKnownPerson(db: Reader, workspaceId: string, userId: string): Promise<boolean> {
  const member = await db
    .selectFrom("memberships")
    .select("user_id")
    .where("workspace_id", "=", workspaceId)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return member !== undefined || hasEntry(db, workspaceId, "user_id", userId);
}

/** Whether a token is, or was, one of the workspace. */
export async function isKnownToken(db: Reader, workspaceId: string, tokenId: string): Promise<boolean> {
  const token = await db
    .selectFrom("tokens")
    .select("id")
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", tokenId)
    .executeTakeFirst();
  return token !== undefined || hasEntry(db, workspaceId, "token_id", tokenId);
}

async function hasEntry(db: Reader, workspaceId: string, column: "user_id" | "token_id", id: string): Promise<boolean> {
  const entry = await db
    .selectFrom("audit_log")
    .select("id")
    .where("workspace_id", "=", workspaceId)
    .where(column, "=", id)
    .limit(1)
    .executeTakeFirst();
  return entry !== undefined;
}
