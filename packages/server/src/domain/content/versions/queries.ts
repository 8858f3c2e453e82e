import { seqOf } from "../../../bodies/body.ts";
import { getBodyState } from "../../../bodies/load-body.ts";
import { firstKept } from "../../../bodies/snapshots.ts";
import type { Reader } from "../../../db/database.ts";
import type { DocumentKey } from "../../../db/document-key.ts";

/** Snapshots, newest first, with the name of the author of the change that followed each. */
export async function listSnapshots(db: Reader, key: DocumentKey, retention: number, before: number, limit: number) {
  const state = await getBodyState(db, key);
  return db
    .selectFrom("snapshots as s")
    .leftJoin("users as u", "u.id", "s.creator_id")
    .select([
      "s.seq",
      "s.version",
      "s.created_at",
      "s.creator_id",
      "u.name as creator_name",
      "s.byte_size",
      "s.reason",
      "s.suggested_by",
      "s.client",
    ])
    .where("s.workspace_id", "=", key.workspaceId)
    .where("s.document_id", "=", key.documentId)
    .where("s.seq", ">=", firstKept(seqOf(state), retention))
    .where("s.seq", "<", before)
    .orderBy("s.seq", "desc")
    .limit(limit)
    .execute();
}

/** The newest snapshot of this version. */
export async function findSeqOf(
  db: Reader,
  key: DocumentKey,
  version: string,
  retention: number,
): Promise<number | undefined> {
  const { revision } = await getBodyState(db, key);
  const row = await db
    .selectFrom("snapshots")
    .select("seq")
    .where("workspace_id", "=", key.workspaceId)
    .where("document_id", "=", key.documentId)
    .where("version", "=", version)
    .where("seq", ">=", firstKept(revision, retention))
    .orderBy("seq", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.seq;
}

export type ListedSnapshot = Awaited<ReturnType<typeof listSnapshots>>[number];
