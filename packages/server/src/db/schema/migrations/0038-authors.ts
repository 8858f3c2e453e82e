import { sql } from "kysely";
import type { Migration } from "../migration.ts";

/** Who changed a document last. Until it is changed again: who made its newest version, or else the document. */
export const authors: Migration = async (db) => {
  await db.schema.alterTable("documents").addColumn("updated_by", "text").execute();
  await sql`
    update documents set updated_by = coalesce(
      (select s.creator_id from snapshots s
        where s.workspace_id = documents.workspace_id and s.document_id = documents.id
        order by s.seq desc limit 1),
      created_by)`.execute(db);
};
