import { firstKept } from "../../bodies/snapshots.ts";
import { type DocumentKey, getBodyState, seqOf } from "../../bodies/store.ts";
import type { Reader } from "../../db/database.ts";

/** Snapshots, newest first, with the name of whoever made the change that they precede. */
export async function listSnapshots(db: Reader, key: DocumentKey, retention: number, before: number, limit: number) {
  const state = await getBodyState(db, key);
  return db
    .selectFrom("snapshots as s")
    .leftJoin("users as u", "u.id", "s.creator_id")
    .select(["s.seq", "s.version", "s.created_at", "s.creator_id", "u.name as creator_name", "s.byte_size", "s.reason"])
    .where("s.workspace_id", "=", key.workspaceId)
    .where("s.document_id", "=", key.documentId)
    .where("s.seq", ">=", firstKept(seqOf(state), retention))
    .where("s.seq", "<", before)
    .orderBy("s.seq", "desc")
    .limit(limit)
    .execute();
}

export type ListedSnapshot = Awaited<ReturnType<typeof listSnapshots>>[number];
