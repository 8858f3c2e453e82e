import type { DocumentKey } from "../../bodies/store.ts";
import type { Reader } from "../../db/database.ts";

/** Snapshots that are kept from this `seq` on, the oldest first, with who made the change that each precedes. */
export const listKept = (db: Reader, key: DocumentKey, firstSeq: number) =>
  db
    .selectFrom("snapshots as s")
    .leftJoin("users as u", "u.id", "s.creator_id")
    .select(["s.seq", "s.created_at", "s.creator_id", "u.name as creator_name"])
    .where("s.workspace_id", "=", key.workspaceId)
    .where("s.document_id", "=", key.documentId)
    .where("s.seq", ">=", firstSeq)
    .orderBy("s.seq")
    .execute();

export type KeptSnapshot = Awaited<ReturnType<typeof listKept>>[number];

/** Whether the body was written since a time, by whatever way; as far as events are kept. */
export const wasWritten = async (db: Reader, key: DocumentKey, since: number): Promise<boolean> =>
  (await db
    .selectFrom("events")
    .select("id")
    .where("workspace_id", "=", key.workspaceId)
    .where("document_id", "=", key.documentId)
    .where("type", "=", "document.content.updated")
    .where("created_at", ">=", since)
    .limit(1)
    .executeTakeFirst()) !== undefined;
