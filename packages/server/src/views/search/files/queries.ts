import type { Reader, Tx } from "../../../db/database.ts";
import type { AttachmentRow } from "../../../db/schema/tables/documents.ts";
import type { FileTextPageRow, FileTextRow } from "../../../db/schema/tables/file-texts.ts";
import { batchesOf } from "../../../db/statement/batches.ts";
import type { TextPage } from "../../../file-text/file-text.ts";

/** Attachments whose text has not been read or indexed yet, oldest first. */
export const listUnread = (db: Reader, except: readonly string[], limit: number): Promise<AttachmentRow[]> =>
  db
    .selectFrom("attachments")
    .selectAll()
    .where("text_status", "is", null)
    .where("expires_at", "is", null)
    .$if(except.length > 0, (query) => query.where("id", "not in", except))
    .orderBy("id")
    .limit(limit)
    .execute();

export const findUnread = (db: Reader, { workspace_id, id }: AttachmentRow): Promise<AttachmentRow | undefined> =>
  db
    .selectFrom("attachments")
    .selectAll()
    .where("workspace_id", "=", workspace_id)
    .where("id", "=", id)
    .where("text_status", "is", null)
    .where("expires_at", "is", null)
    .executeTakeFirst();

export const setTextStatus = (
  tx: Tx,
  { workspace_id, id }: Pick<AttachmentRow, "workspace_id" | "id">,
  text_status: NonNullable<AttachmentRow["text_status"]>,
) =>
  tx
    .updateTable("attachments")
    .set({ text_status })
    .where("workspace_id", "=", workspace_id)
    .where("id", "=", id)
    .execute();

type Content = Pick<AttachmentRow, "workspace_id" | "sha256">;

export const findFileText = (db: Reader, { workspace_id, sha256 }: Content): Promise<FileTextRow | undefined> =>
  db
    .selectFrom("file_texts")
    .selectAll()
    .where("workspace_id", "=", workspace_id)
    .where("sha256", "=", sha256)
    .executeTakeFirst();

export const listPages = (
  db: Reader,
  { workspace_id, sha256 }: Content,
  from: number,
  limit: number,
): Promise<FileTextPageRow[]> =>
  db
    .selectFrom("file_text_pages")
    .selectAll()
    .where("workspace_id", "=", workspace_id)
    .where("sha256", "=", sha256)
    .where("page", ">=", from)
    .orderBy("page")
    .limit(limit)
    .execute();

/** Counts an attempt to read a file, before it begins. Returns the number of attempts. */
export async function countAttempt(tx: Tx, { workspace_id, sha256 }: Content): Promise<number> {
  const row = await tx
    .insertInto("file_texts")
    .values({ workspace_id, sha256, attempts: 1, status: null, reason: null, pages: 0, truncated: 0 })
    .onConflict((conflict) =>
      conflict.columns(["workspace_id", "sha256"]).doUpdateSet((eb) => ({
        attempts: eb("file_texts.attempts", "+", 1),
      })),
    )
    .returning("attempts")
    .executeTakeFirstOrThrow();
  return row.attempts;
}

type Outcome = Pick<FileTextRow, "status" | "reason" | "pages" | "truncated">;

export const endReading = (tx: Tx, { workspace_id, sha256 }: Content, outcome: Outcome) =>
  tx
    .updateTable("file_texts")
    .set(outcome)
    .where("workspace_id", "=", workspace_id)
    .where("sha256", "=", sha256)
    .execute();

export async function replacePages(
  tx: Tx,
  { workspace_id, sha256 }: Content,
  pages: readonly TextPage[],
): Promise<void> {
  await deletePages(tx, { workspace_id, sha256 });
  const rows = pages.map(({ label, text }, i) => ({ workspace_id, sha256, page: i + 1, label, text }));
  for (const some of batchesOf(rows, 100)) await tx.insertInto("file_text_pages").values(some).execute();
}

const deletePages = (tx: Tx, { workspace_id, sha256 }: Content) =>
  tx.deleteFrom("file_text_pages").where("workspace_id", "=", workspace_id).where("sha256", "=", sha256).execute();

/** Deletes the text of a file that no attachment has any more, in the trash or outside. */
export async function deleteUnused(tx: Tx, content: Content): Promise<void> {
  const { workspace_id, sha256 } = content;
  const other = await tx
    .selectFrom("attachments")
    .select("id")
    .where("workspace_id", "=", workspace_id)
    .where("sha256", "=", sha256)
    .limit(1)
    .executeTakeFirst();
  if (other) return;
  await deletePages(tx, content);
  await tx.deleteFrom("file_texts").where("workspace_id", "=", workspace_id).where("sha256", "=", sha256).execute();
}
