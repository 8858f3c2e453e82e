import type { Reader } from "../../../db/database.ts";
import type { DocumentKey } from "../../../db/document-key.ts";

/** Snapshots from this `seq` on, oldest first, with the author of the change that followed each. */
export const listKept = (db: Reader, key: DocumentKey, firstSeq: number) =>
  db
    .selectFrom("snapshots as s")
    .leftJoin("users as u", "u.id", "s.creator_id")
    .select(["s.seq", "s.created_at", "s.creator_id", "u.name as creator_name"])
    .where("s.workspace_id", "=", key.workspaceId)
    .where("s.document_id", "=", key.documentId)
    .where("s.seq", ">=", firstSeq)
    .orderBy("s.seq")
    .execute();

export type KeptSnapshot = Awaited<ReturnType<typeof listKept>>[number];

/** Whether the body was written since a time, in any way, as far as events are kept. */
export const wasWritten = async (db: Reader, key: DocumentKey, since: number): Promise<boolean> =>
  (await db
    .selectFrom("events")
    .select("id")
    .where("workspace_id", "=", key.workspaceId)
    .where("document_id", "=", key.documentId)
    .where("type", "=", "document.content.updated")
    .where("created_at", ">=", since)
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** A document in the trash, with the time and actor of the deletion. */
export interface DeletedRow {
  readonly trash_id: string;
  readonly position: number;
  readonly deleted_at: number;
  readonly deleted_by: string;
  readonly packed: Uint8Array;
}

/** Documents deleted since that are still in the trash, latest first. `after` is a page key. */
export function listDeleted(
  db: Reader,
  workspaceId: string,
  { since, knowledgeBaseId }: { readonly since: number; readonly knowledgeBaseId: number | undefined },
  [time, id]: readonly (string | number)[],
  limit: number,
): Promise<DeletedRow[]> {
  const [, trashId, position] = /^(trash_\w+)\/(\d+)$/.exec(String(id)) ?? [];
  return db
    .selectFrom("trash as t")
    .innerJoin("trash_items as i", (join) =>
      join.onRef("i.workspace_id", "=", "t.workspace_id").onRef("i.trash_id", "=", "t.id"),
    )
    .select(["t.id as trash_id", "i.position", "t.deleted_at", "t.deleted_by", "i.packed"])
    .where("t.workspace_id", "=", workspaceId)
    .where("t.deleted_at", ">=", since)
    .where("t.expires_at", ">", Date.now())
    .where("i.position", ">", 0)
    .$if(knowledgeBaseId !== undefined, (rows) => rows.where("t.knowledge_base_id", "=", knowledgeBaseId ?? 0))
    .$if(time !== undefined, (rows) =>
      rows.where((eb) =>
        eb.or([
          eb("t.deleted_at", "<", Number(time)),
          ...(trashId === undefined
            ? []
            : [
                eb.and([eb("t.deleted_at", "=", Number(time)), eb("t.id", "<", trashId)]),
                eb.and([eb("t.id", "=", trashId), eb("i.position", "<", Number(position))]),
              ]),
        ]),
      ),
    )
    .orderBy("t.deleted_at", "desc")
    .orderBy("t.id", "desc")
    .orderBy("i.position", "desc")
    .limit(limit)
    .execute();
}

/** The folders deleted with a trash entry, packed. */
export const listDeletedFolders = async (db: Reader, workspaceId: string, trashId: string): Promise<Uint8Array[]> =>
  (
    await db
      .selectFrom("trash_items")
      .select("packed")
      .where("workspace_id", "=", workspaceId)
      .where("trash_id", "=", trashId)
      .where("position", "=", 0)
      .execute()
  ).map(({ packed }) => packed);

export const namesOf = async (db: Reader, ids: readonly string[]): Promise<ReadonlyMap<string, string>> =>
  new Map(
    (
      await db
        .selectFrom("users")
        .select(["id", "name"])
        .where("id", "in", [...new Set(ids)])
        .execute()
    ).map(({ id, name }) => [id, name]),
  );
