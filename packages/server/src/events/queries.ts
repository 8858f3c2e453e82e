import type { Database, Db } from "../db/database.ts";
import type { EventRow } from "../db/tables.ts";

export type StoredEvent = Pick<EventRow, "id" | "type" | "document_set_id" | "locale" | "created_at" | "data">;

/** The two reads that every stream needs, prepared once. */
export interface EventReads {
  /** Up to `limit` events after the id, in order. */
  readonly after: (workspaceId: string, id: number, limit: number) => Promise<StoredEvent[]>;
  /** Id of the newest event; 0 when there never was one. */
  readonly newest: (workspaceId: string) => Promise<number>;
}

export function prepareReads(database: Database): EventReads {
  const after = database.statement<StoredEvent>(
    `select id, type, document_set_id, locale, created_at, data from events
     where workspace_id = ? and id > ? order by id limit ?`,
  );
  const counter = database.statement<{ last_event_id: number }>(
    "select last_event_id from workspace_counters where workspace_id = ?",
  );
  return { after, newest: async (workspaceId) => (await counter(workspaceId))[0]?.last_event_id ?? 0 };
}

/** The newest ids of many workspaces in one go. */
export const newestOf = (db: Db, workspaceIds: readonly string[]) =>
  db
    .selectFrom("workspace_counters")
    .select(["workspace_id", "last_event_id"])
    .where("workspace_id", "in", workspaceIds)
    .execute();

/** Those of the tokens that still open something, with the time they end. */
export const liveTokens = (db: Db, tokenIds: readonly string[]) =>
  db
    .selectFrom("tokens as t")
    .innerJoin("memberships as m", (join) =>
      join.onRef("m.workspace_id", "=", "t.workspace_id").onRef("m.user_id", "=", "t.user_id"),
    )
    .select(["t.id", "t.expires_at"])
    .where("t.id", "in", tokenIds)
    .where("t.revoked_at", "is", null)
    .execute();

export const oldestSince = (db: Db, workspaceId: string, since: number): Promise<{ id: number } | undefined> =>
  db
    .selectFrom("events")
    .select("id")
    .where("workspace_id", "=", workspaceId)
    .where("created_at", ">=", since)
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
