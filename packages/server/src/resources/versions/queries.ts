import type { Db } from "../../db/database.ts";

/** Snapshots, newest first, with the name of whoever made the change that they precede. */
export const listSnapshots = (db: Db, workspaceId: string, documentId: string, before: number, limit: number) =>
  db
    .selectFrom("snapshots as s")
    .leftJoin("users as u", "u.id", "s.creator_id")
    .select(["s.seq", "s.version", "s.created_at", "s.creator_id", "u.name as creator_name", "s.byte_size", "s.reason"])
    .where("s.workspace_id", "=", workspaceId)
    .where("s.document_id", "=", documentId)
    .where("s.seq", "<", before)
    .orderBy("s.seq", "desc")
    .limit(limit)
    .execute();

export type ListedSnapshot = Awaited<ReturnType<typeof listSnapshots>>[number];
