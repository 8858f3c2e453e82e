import { sql } from "kysely";
import { Type } from "typebox";
import type { Reader, Tx } from "../../../db/database.ts";
import type { WatchRow } from "../../../db/schema/tables/discussion.ts";
import { notFound } from "../../../errors.ts";
import type { Caller } from "../../../http/callers/caller.ts";
import { integerId } from "../../../http/schemas.ts";

/** Document ids are strings; ids of folders and knowledge bases are numbers. */
export const watchParams = {
  document: Type.Object({ id: Type.String() }),
  folder: Type.Object({ id: integerId() }),
  knowledge_base: Type.Object({ id: integerId() }),
} as const;

const tables = { document: "documents", folder: "folders", knowledge_base: "knowledge_bases" } as const;

/** Responds 404 for a subject that this caller cannot see. */
export async function watched(
  db: Reader,
  { workspaceId }: Caller,
  kind: WatchRow["kind"],
  id: string | number,
): Promise<void> {
  const row = await db
    .selectFrom(tables[kind])
    .select("id")
    .where("workspace_id", "=", workspaceId)
    .where(sql.ref("id"), "=", id)
    .executeTakeFirst();
  if (!row) throw notFound(kind, id);
}

/**
 * Same, and locks the subject until the end of the transaction, so that it cannot be deleted while a watch is added.
 */
export async function keepWatched(
  tx: Tx,
  { workspaceId }: Caller,
  kind: WatchRow["kind"],
  id: string | number,
): Promise<void> {
  if (!(await tx.lock(kind, workspaceId, id as never, "keep"))) throw notFound(kind, id);
}
