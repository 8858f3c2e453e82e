import type { Reader, Tx } from "../../../db/database.ts";
import type { PersonalDocumentRow, VisitRow } from "../../../db/schema/tables/personal.ts";

type Column = "viewed_at" | "favourite_at";
type Key = Pick<PersonalDocumentRow, "workspace_id" | "user_id">;

/** Limit of recently opened documents per person and workspace. */
const MAX_VIEWED = 100;

/** A person's documents with this time set, latest first; excludes those in the trash. */
export const listPersonal = (db: Reader, { workspace_id, user_id }: Key, column: Column, limit: number) =>
  db
    .selectFrom("personal_documents as p")
    .innerJoin("documents as d", (join) =>
      join.onRef("d.workspace_id", "=", "p.workspace_id").onRef("d.id", "=", "p.document_id"),
    )
    .select(["d.id as document_id", "d.title", "d.document_type", "d.knowledge_base_id", "d.folder_id"])
    .select(`p.${column} as at`)
    .where("p.workspace_id", "=", workspace_id)
    .where("p.user_id", "=", user_id)
    .where(`p.${column}`, "is not", null)
    .orderBy(`p.${column}`, "desc")
    .orderBy("d.id")
    .limit(limit)
    .execute();

export async function setTime(tx: Tx, key: Key, documentId: string, column: Column, at: number): Promise<void> {
  const row = { ...key, document_id: documentId, viewed_at: null, favourite_at: null, [column]: at };
  await tx
    .insertInto("personal_documents")
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(["workspace_id", "user_id", "document_id"]).doUpdateSet({ [column]: at }),
    )
    .execute();
}

const ofPerson = (tx: Tx, { workspace_id, user_id }: Key) =>
  tx.deleteFrom("personal_documents").where("workspace_id", "=", workspace_id).where("user_id", "=", user_id);

export async function clearFavourite(tx: Tx, key: Key, documentId: string): Promise<void> {
  await tx
    .updateTable("personal_documents")
    .set({ favourite_at: null })
    .where("workspace_id", "=", key.workspace_id)
    .where("user_id", "=", key.user_id)
    .where("document_id", "=", documentId)
    .execute();
  await ofPerson(tx, key).where("favourite_at", "is", null).where("viewed_at", "is", null).execute();
}

/** Deletes the oldest views beyond the limit. */
export async function forgetOldViews(tx: Tx, key: Key): Promise<void> {
  const oldest = await tx
    .selectFrom("personal_documents")
    .select("viewed_at")
    .where("workspace_id", "=", key.workspace_id)
    .where("user_id", "=", key.user_id)
    .where("viewed_at", "is not", null)
    .orderBy("viewed_at", "desc")
    .offset(MAX_VIEWED)
    .limit(1)
    .executeTakeFirst();
  if (oldest?.viewed_at)
    await ofPerson(tx, key).where("favourite_at", "is", null).where("viewed_at", "<=", oldest.viewed_at).execute();
}

export const findVisit = async (db: Reader, key: Key, name: string): Promise<number | undefined> =>
  (
    await db
      .selectFrom("visits")
      .select("at")
      .where("workspace_id", "=", key.workspace_id)
      .where("user_id", "=", key.user_id)
      .where("name", "=", name)
      .executeTakeFirst()
  )?.at;

export const recordVisit = (tx: Tx, row: VisitRow) =>
  tx
    .insertInto("visits")
    .values(row)
    .onConflict((conflict) => conflict.columns(["workspace_id", "user_id", "name"]).doUpdateSet({ at: row.at }))
    .execute();
