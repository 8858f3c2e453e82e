import { hash } from "node:crypto";
import type { Reader, Tx } from "../../../db/database.ts";
import type { SuggestionRow, SuggestionStatus } from "../../../db/schema/tables/discussion.ts";
import { notFound } from "../../../errors.ts";

export const suggestionVersion = ({ id, revision }: Pick<SuggestionRow, "id" | "revision">): string =>
  `sha256:${hash("sha256", `${id} ${revision}`, "hex")}`;

export async function getSuggestion(db: Reader, workspaceId: string, id: string): Promise<SuggestionRow> {
  const row = await db
    .selectFrom("suggestions as s")
    .innerJoin("documents as d", (join) =>
      join.onRef("d.workspace_id", "=", "s.workspace_id").onRef("d.id", "=", "s.document_id"),
    )
    .selectAll("s")
    .where("s.workspace_id", "=", workspaceId)
    .where("s.id", "=", id)
    .executeTakeFirst();
  if (!row) throw notFound("suggestion", id);
  return row;
}

/** Updates a suggestion and gives it a new version. The caller has locked its document. */
export const updateSuggestion = (tx: Tx, row: SuggestionRow, changes: Partial<SuggestionRow>): Promise<SuggestionRow> =>
  tx
    .updateTable("suggestions")
    .set((eb) => ({ ...changes, revision: eb("revision", "+", 1), updated_at: Date.now() }))
    .where("workspace_id", "=", row.workspace_id)
    .where("id", "=", row.id)
    .returningAll()
    .executeTakeFirstOrThrow();

export interface SuggestionFilter {
  readonly documentId?: string | undefined;
  readonly knowledgeBaseId?: number | undefined;
  readonly status?: SuggestionStatus | undefined;
  /** Id of a user or token. */
  readonly author?: string | undefined;
}

/** Oldest first; excludes those of deleted documents, whose rows stay until the sweep removes them. */
export const listSuggestions = (
  db: Reader,
  workspaceId: string,
  { documentId, knowledgeBaseId, status, author }: SuggestionFilter,
  after: string,
  limit: number,
): Promise<SuggestionRow[]> =>
  db
    .selectFrom("suggestions as s")
    .innerJoin("documents as d", (join) =>
      join.onRef("d.workspace_id", "=", "s.workspace_id").onRef("d.id", "=", "s.document_id"),
    )
    .selectAll("s")
    .where("s.workspace_id", "=", workspaceId)
    .where("s.id", ">", after)
    .$if(documentId !== undefined, (rows) => rows.where("s.document_id", "=", documentId ?? ""))
    .$if(status !== undefined, (rows) => rows.where("s.status", "=", status ?? "open"))
    .$if(author !== undefined, (rows) =>
      rows.where((eb) => eb.or([eb("s.author_id", "=", author ?? ""), eb("s.user_id", "=", author ?? "")])),
    )
    .$if(knowledgeBaseId !== undefined, (rows) => rows.where("d.knowledge_base_id", "=", knowledgeBaseId ?? 0))
    .orderBy("s.id")
    .limit(limit)
    .execute();
