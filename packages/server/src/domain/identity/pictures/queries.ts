import type { Reader, Tx } from "../../../db/database.ts";
import type { PictureRow } from "../../../db/schema/tables/accounts.ts";

/** The picture of a member of the workspace. */
export const findPicture = (db: Reader, workspaceId: string, userId: string) =>
  db
    .selectFrom("memberships as m")
    .innerJoin("pictures as p", "p.user_id", "m.user_id")
    .selectAll("p")
    .where("m.workspace_id", "=", workspaceId)
    .where("m.user_id", "=", userId)
    .executeTakeFirst();

export const upsertPicture = (tx: Tx, row: PictureRow) =>
  tx
    .insertInto("pictures")
    .values(row)
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet(row))
    .execute();

export const deletePicture = (tx: Tx, userId: string) =>
  tx.deleteFrom("pictures").where("user_id", "=", userId).execute();

/** The pictures of a workspace's members: hashes by user id. */
export async function listPictures(db: Reader, workspaceId: string): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom("memberships as m")
    .innerJoin("pictures as p", "p.user_id", "m.user_id")
    .select(["p.user_id", "p.sha256"])
    .where("m.workspace_id", "=", workspaceId)
    .execute();
  return new Map(rows.map(({ user_id, sha256 }) => [user_id, sha256]));
}

/** The address of a picture; it changes with the picture. */
export const pictureUrl = (userId: string, sha256: string): string =>
  `/api/v1/members/${userId}/picture?v=${sha256.slice(0, 16)}`;
