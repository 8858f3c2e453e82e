import type { Reader, Tx } from "../../../db/database.ts";
import type { SuggestionRow } from "../../../db/schema/tables/discussion.ts";

export const insertSuggestion = (tx: Tx, row: SuggestionRow) => tx.insertInto("suggestions").values(row).execute();

export async function countOpen(db: Reader, workspaceId: string, documentId: string): Promise<number> {
  const { count } = await db
    .selectFrom("suggestions")
    .select((eb) => eb.fn.countAll().as("count"))
    .where("workspace_id", "=", workspaceId)
    .where("document_id", "=", documentId)
    .where("status", "=", "open")
    .executeTakeFirstOrThrow();
  return Number(count);
}
