import { sql } from "kysely";
import type { Reader } from "../db/database.ts";
import type { EventRow } from "../db/schema/tables/events.ts";
import { batchesOf } from "../db/statement/batches.ts";

/**
 * The knowledge base of an event's document, from its `data`. Quotes within its texts are escaped, so no title can look
 * like the member.
 */
export const baseOfEvent = (data: string): number => Number(/"knowledge_base_id":(\d+)/.exec(data)?.[1] ?? 0);

export type StoredEvent = Pick<
  EventRow,
  "id" | "type" | "document_set_id" | "locale" | "user_id" | "created_at" | "data"
>;

/** The two reads that every stream needs. */
export interface EventReads {
  /** Up to `limit` events after the id, in order. */
  readonly after: (workspaceId: string, id: number, limit: number) => Promise<StoredEvent[]>;
  /** Id of the newest event; 0 if there never was one. */
  readonly newest: (workspaceId: string) => Promise<number>;
  /** The knowledge bases that contain these documents now, or from which they were deleted. */
  readonly knowledgeBasesOf: (
    workspaceId: string,
    documentIds: readonly string[],
  ) => Promise<ReadonlyMap<string, number>>;
}

export const eventReads = (db: Reader): EventReads => ({
  after: (workspaceId, id, limit) =>
    db
      .selectFrom("events")
      .select(["id", "type", "document_set_id", "locale", "user_id", "created_at", "data"])
      .where("workspace_id", "=", workspaceId)
      .where("id", ">", id)
      .orderBy("id")
      .limit(limit)
      .execute(),
  newest: async (workspaceId) => (await newestOf(db, [workspaceId]))[0]?.last_event_id ?? 0,
  knowledgeBasesOf: (workspaceId, documentIds) => knowledgeBasesOf(db, workspaceId, documentIds),
});

async function knowledgeBasesOf(
  db: Reader,
  workspaceId: string,
  documentIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const knowledgeBases = new Map<string, number>();
  for (const some of batchesOf(documentIds)) {
    for (const row of await deletionsOf(db, workspaceId, some))
      knowledgeBases.set(row.document_id, baseOfEvent(row.data));
    const there = await db
      .selectFrom("documents")
      .select(["id", "knowledge_base_id"])
      .where("workspace_id", "=", workspaceId)
      .where("id", "in", some)
      .execute();
    for (const row of there) knowledgeBases.set(row.id, row.knowledge_base_id);
  }
  return knowledgeBases;
}

/**
 * The deletion events of these documents, alone or with their surroundings, the last one last. Such an event is stored
 * for as long as any earlier event of the document. Both databases find it by a partial index, so the type must be
 * written in the statement.
 */
const deletionsOf = (db: Reader, workspaceId: string, documentIds: readonly string[]) =>
  db
    .selectFrom("events")
    .select(["document_id", "data"])
    .where("workspace_id", "=", workspaceId)
    .where("document_id", "in", documentIds)
    .where("type", "=", sql.lit("document.deleted"))
    .orderBy("id")
    .execute();

/** The newest ids of many workspaces, by one query. */
export const newestOf = (db: Reader, workspaceIds: readonly string[]) =>
  db
    .selectFrom("workspace_counters")
    .select(["workspace_id", "last_event_id"])
    .where("workspace_id", "in", workspaceIds)
    .execute();

/** The tokens that are still valid, with their expiry. */
export const liveTokens = (db: Reader, tokenIds: readonly string[]) =>
  db
    .selectFrom("tokens as t")
    .innerJoin("memberships as m", (join) =>
      join.onRef("m.workspace_id", "=", "t.workspace_id").onRef("m.user_id", "=", "t.user_id"),
    )
    .innerJoin("users as u", "u.id", "t.user_id")
    .innerJoin("workspaces as w", "w.id", "t.workspace_id")
    .select(["t.id", "t.workspace_id", "t.expires_at", "t.user_id", "m.role", "w.rights_version"])
    .select("t.knowledge_base_ids")
    .where("t.id", "in", tokenIds)
    .where("u.disabled_at", "is", null)
    .where("t.revoked_at", "is", null)
    .execute();

/** The same for sessions: one row for each workspace of the person. */
export const liveSessions = (db: Reader, sessionIds: readonly string[]) =>
  db
    .selectFrom("sessions as s")
    .innerJoin("memberships as m", "m.user_id", "s.user_id")
    .innerJoin("users as u", "u.id", "s.user_id")
    .innerJoin("workspaces as w", "w.id", "m.workspace_id")
    .select(["s.id", "m.workspace_id", "s.expires_at", "s.user_id", "m.role", "w.rights_version"])
    .select((eb) => eb.val(null).as("knowledge_base_ids"))
    .where("s.id", "in", sessionIds)
    .where("u.disabled_at", "is", null)
    .execute();

export const oldestSince = (db: Reader, workspaceId: string, since: number): Promise<{ id: number } | undefined> =>
  db
    .selectFrom("events")
    .select("id")
    .where("workspace_id", "=", workspaceId)
    .where("created_at", ">=", since)
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
