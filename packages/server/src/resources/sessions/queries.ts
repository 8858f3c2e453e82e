import type { Reader, Tx } from "../../db/database.ts";
import type { SessionRow } from "../../db/schema/tables/accounts.ts";

export const insertSession = (tx: Tx, session: SessionRow) => tx.insertInto("sessions").values(session).execute();

/** The session with its person, as long as it lasts. */
export const findSession = (db: Reader, tokenHash: string, now: number) =>
  db
    .selectFrom("sessions as s")
    .innerJoin("users as u", "u.id", "s.user_id")
    .select(["s.id", "s.user_id", "s.workspace_id", "s.last_seen_at", "u.name", "u.email"])
    .where("s.token_hash", "=", tokenHash)
    .where("u.disabled_at", "is", null)
    .where("s.expires_at", ">", now)
    .executeTakeFirst();

/** A person's sessions, the latest seen first. */
export const listSessions = (db: Reader, userId: string, now: number) =>
  db
    .selectFrom("sessions")
    .select(["id", "user_agent", "created_at", "last_seen_at", "expires_at"])
    .where("user_id", "=", userId)
    .where("expires_at", ">", now)
    .orderBy("last_seen_at", "desc")
    .orderBy("id")
    .execute();

export const deleteSession = (tx: Tx, userId: string, id: string) =>
  tx
    .deleteFrom("sessions")
    .where("user_id", "=", userId)
    .where("id", "=", id)
    .returning("user_agent")
    .executeTakeFirst();

export const deleteSessionsOf = (tx: Tx, userId: string) =>
  tx.deleteFrom("sessions").where("user_id", "=", userId).returning("id").execute();

export const deleteOtherSessions = (tx: Tx, userId: string, keptId: string) =>
  tx.deleteFrom("sessions").where("user_id", "=", userId).where("id", "!=", keptId).execute();

export const updateLastSeen = (tx: Tx, id: string, now: number) =>
  tx.updateTable("sessions").set({ last_seen_at: now }).where("id", "=", id).execute();

export const updateSessionWorkspace = (tx: Tx, id: string, workspaceId: string) =>
  tx.updateTable("sessions").set({ workspace_id: workspaceId }).where("id", "=", id).execute();
