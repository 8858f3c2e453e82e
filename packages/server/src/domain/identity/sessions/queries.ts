import type { Config } from "../../../config.ts";
import type { Reader, Tx } from "../../../db/database.ts";
import type { SessionRow } from "../../../db/schema/tables/accounts.ts";
import { DAY_MS } from "../../../time.ts";

export const insertSession = (tx: Tx, session: SessionRow) => tx.insertInto("sessions").values(session).execute();

/** SVC_SESSION_IDLE_DAYS and SVC_SESSION_MAX_DAYS; changes also apply to existing sessions. */
type SessionLife = Pick<Config, "sessionIdleDays" | "sessionMaxDays">;

/** Sessions that have not expired, neither by age nor by inactivity. */
const lasting = (db: Reader, { sessionIdleDays, sessionMaxDays }: SessionLife, now: number) =>
  db
    .selectFrom("sessions as s")
    .where("s.expires_at", ">", now)
    .where("s.created_at", ">", now - sessionMaxDays * DAY_MS)
    .where("s.last_seen_at", ">", now - sessionIdleDays * DAY_MS);

/** An active session with its person. */
export const findSession = (db: Reader, tokenHash: string, life: SessionLife, now: number) =>
  lasting(db, life, now)
    .innerJoin("users as u", "u.id", "s.user_id")
    .select(["s.id", "s.user_id", "s.workspace_id", "s.last_seen_at", "s.last_address", "s.proven_at"])
    .leftJoin("pictures as p", "p.user_id", "s.user_id")
    .select(["u.name", "u.email", "p.sha256 as picture"])
    .where("s.token_hash", "=", tokenHash)
    .where("u.disabled_at", "is", null)
    .executeTakeFirst();

/** A person's sessions, most recently used first. */
export const listSessions = (db: Reader, userId: string, life: SessionLife, now: number) =>
  lasting(db, life, now)
    .select(["s.id", "s.user_agent", "s.created_at", "s.last_seen_at", "s.last_address"])
    .where("s.user_id", "=", userId)
    .orderBy("s.last_seen_at", "desc")
    .orderBy("s.id")
    .execute();

export const isOpenSession = async (db: Reader, id: string): Promise<boolean> =>
  (await db.selectFrom("sessions").select("id").where("id", "=", id).executeTakeFirst()) !== undefined;

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

export const updateLastSeen = (tx: Tx, id: string, address: string | null, now: number) =>
  tx.updateTable("sessions").set({ last_seen_at: now, last_address: address }).where("id", "=", id).execute();

export const updateProvenAt = (tx: Tx, id: string, now: number) =>
  tx.updateTable("sessions").set({ proven_at: now }).where("id", "=", id).execute();

export const updateSessionWorkspace = (tx: Tx, id: string, workspaceId: string) =>
  tx.updateTable("sessions").set({ workspace_id: workspaceId }).where("id", "=", id).execute();
