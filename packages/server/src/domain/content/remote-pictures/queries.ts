import type { Reader, Tx } from "../../../db/database.ts";
import type { RemotePictureRow } from "../../../db/schema/tables/remote-pictures.ts";

export const findRemotePicture = (db: Reader, addressHash: string): Promise<RemotePictureRow | undefined> =>
  db.selectFrom("remote_pictures").selectAll().where("address_hash", "=", addressHash).executeTakeFirst();

/** Claims the next attempt to fetch a picture: true for the first caller only, in any number of processes. */
export async function claimAttempt(
  tx: Tx,
  addressHash: string,
  known: RemotePictureRow | undefined,
  claim: { readonly now: number; readonly dueAt: number },
): Promise<boolean> {
  const taken = known
    ? await tx
        .updateTable("remote_pictures")
        .set({ due_at: claim.dueAt, failed: 0 })
        .where("address_hash", "=", addressHash)
        .where("due_at", "=", known.due_at)
        .returning("address_hash")
        .executeTakeFirst()
    : await tx
        .insertInto("remote_pictures")
        .values({
          address_hash: addressHash,
          content_type: null,
          blob_key: null,
          size: 0,
          failed: 0,
          due_at: claim.dueAt,
          used_at: claim.now,
        })
        .onConflict((conflict) => conflict.column("address_hash").doNothing())
        .returning("address_hash")
        .executeTakeFirst();
  return taken !== undefined;
}

/** False where the picture has been removed meanwhile. */
export async function updateRemotePicture(
  tx: Tx,
  addressHash: string,
  change: Partial<RemotePictureRow>,
): Promise<boolean> {
  const row = await tx
    .updateTable("remote_pictures")
    .set(change)
    .where("address_hash", "=", addressHash)
    .returning("address_hash")
    .executeTakeFirst();
  return row !== undefined;
}

/** The pictures that were not used for the longest time. */
export const listLeastUsed = (db: Reader, limit: number): Promise<RemotePictureRow[]> =>
  db.selectFrom("remote_pictures").selectAll().orderBy("used_at").limit(limit).execute();

export async function countRemotePictures(db: Reader): Promise<{ readonly count: number; readonly bytes: number }> {
  const { count, bytes } = await db
    .selectFrom("remote_pictures")
    .select((eb) => [eb.fn.countAll<number>().as("count"), eb.fn.sum<number>("size").as("bytes")])
    .executeTakeFirstOrThrow();
  return { count: Number(count), bytes: Number(bytes ?? 0) };
}

/** Removes rows that nobody used since they were read. */
export async function deleteUnused(tx: Tx, rows: readonly RemotePictureRow[]): Promise<RemotePictureRow[]> {
  const deleted: RemotePictureRow[] = [];
  for (const { address_hash, used_at } of rows)
    deleted.push(
      ...(await tx
        .deleteFrom("remote_pictures")
        .where("address_hash", "=", address_hash)
        .where("used_at", "=", used_at)
        .returningAll()
        .execute()),
    );
  return deleted;
}

/** Which of these blobs hold a picture. */
export async function findPictureKeys(db: Reader, keys: readonly string[]): Promise<Set<string>> {
  const rows = await db.selectFrom("remote_pictures").select("blob_key").where("blob_key", "in", keys).execute();
  return new Set(rows.flatMap(({ blob_key }) => blob_key ?? []));
}
