import { promisify } from "node:util";
import { zstdCompress, zstdDecompress } from "node:zlib";
import type { Node } from "@svc/document/types";
import { loadLocked, type StoredBody } from "../../bodies/body.ts";
import type { DocumentKey } from "../../bodies/store.ts";
import type { Reader, Tx } from "../../db/database.ts";
import type { RestorePointRow } from "../../db/schema/tables/live.ts";
import { notFound } from "../../errors.ts";
import type { Services } from "../../services.ts";
import { ulid } from "../../ulid.ts";

/** Kept of each kind per document, and for how long. */
const MOST = 20;
export const RESTORE_POINT_DAYS = 30;

/** Keeps a state of a body for the browser: those of editing sessions are no snapshots. */
export async function keepRestorePoint(
  tx: Tx,
  key: DocumentKey,
  body: StoredBody,
  userId: string,
  reason: RestorePointRow["reason"] = "session",
): Promise<void> {
  const packed = await promisify(zstdCompress)(JSON.stringify(body.blocks));
  await tx
    .insertInto("restore_points")
    .values({
      workspace_id: key.workspaceId,
      document_id: key.documentId,
      id: ulid(),
      version: body.version,
      packed,
      user_id: userId,
      reason,
      created_at: Date.now(),
    })
    .execute();
  const same = ofDocument(tx, key).where("r.reason", "=", reason);
  const old = await same.select("id").orderBy("id", "desc").offset(MOST).limit(MOST).execute();
  for (const { id } of old)
    await tx
      .deleteFrom("restore_points")
      .where("workspace_id", "=", key.workspaceId)
      .where("document_id", "=", key.documentId)
      .where("id", "=", id)
      .execute();
}

const ofDocument = (db: Reader, key: DocumentKey) =>
  db
    .selectFrom("restore_points as r")
    .where("r.workspace_id", "=", key.workspaceId)
    .where("r.document_id", "=", key.documentId);

/** Whether a session of this person began since then. */
export const hasRestorePoint = async (db: Reader, key: DocumentKey, userId: string, since: number): Promise<boolean> =>
  (await ofDocument(db, key)
    .select("r.id")
    .where("r.reason", "=", "session")
    .where("r.user_id", "=", userId)
    .where("r.created_at", ">=", since)
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** Newest first, with the name of whoever began to edit then. */
export const listRestorePoints = (db: Reader, key: DocumentKey) =>
  ofDocument(db, key)
    .leftJoin("users as u", "u.id", "r.user_id")
    .select(["r.id", "r.version", "r.reason", "r.created_at", "u.name as user_name"])
    .orderBy("r.id", "desc")
    .execute();

interface RestorePoint {
  readonly createdAt: number;
  readonly blocks: readonly Node[];
}

export async function readRestorePoint(db: Reader, key: DocumentKey, id: string): Promise<RestorePoint> {
  const row = await ofDocument(db, key).select(["r.packed", "r.created_at"]).where("r.id", "=", id).executeTakeFirst();
  if (!row) throw notFound("restore_point", id);
  const blocks: Node[] = JSON.parse((await promisify(zstdDecompress)(row.packed)).toString());
  return { createdAt: row.created_at, blocks };
}

/** Keeps the state of now, with what people are typing in it. */
export async function keepThisVersion({ database, live }: Services, key: DocumentKey, userId: string): Promise<void> {
  await live.bringIn(key);
  await database.transaction(async (tx) => keepRestorePoint(tx, key, await loadLocked(tx, key), userId, "kept"));
}
