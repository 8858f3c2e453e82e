import { hash } from "node:crypto";
import { sql } from "kysely";
import type { Reader, Tx } from "../../../db/database.ts";
import type { ConceptRow } from "../../../db/schema/tables/concepts.ts";
import { batchesOf } from "../../../db/statement/batches.ts";
import { notFound } from "../../../errors.ts";
import { likePattern } from "../../library/documents/title-key.ts";

export const conceptVersion = ({ id, revision }: Pick<ConceptRow, "id" | "revision">): string =>
  `sha256:${hash("sha256", `${id} ${revision}`, "hex")}`;

const inWorkspace = (db: Reader, workspaceId: string) =>
  db.selectFrom("concepts").selectAll().where("workspace_id", "=", workspaceId);

const findConcept = (db: Reader, workspaceId: string, id: string): Promise<ConceptRow | undefined> =>
  inWorkspace(db, workspaceId).where("id", "=", id).executeTakeFirst();

export async function getConcept(db: Reader, workspaceId: string, id: string): Promise<ConceptRow> {
  const row = await findConcept(db, workspaceId, id);
  if (!row) throw notFound("concept", id);
  return row;
}

/** Resolves a merged id to the surviving concept; not found if that is hidden. */
export async function getLiveConcept(db: Reader, workspaceId: string, id: string): Promise<ConceptRow> {
  const row = await getConcept(db, workspaceId, id);
  const live = row.merged_into === null ? row : await findConcept(db, workspaceId, row.merged_into);
  if (!live) throw notFound("concept", id);
  return live;
}

export async function listConceptsById(db: Reader, workspaceId: string, ids: readonly string[]): Promise<ConceptRow[]> {
  const found: ConceptRow[] = [];
  for (const some of batchesOf(ids))
    found.push(...(await inWorkspace(db, workspaceId).where("id", "in", some).execute()));
  return found;
}

/** Locks the concept until the end of the transaction, so that its changes are serialized. */
export async function lockConcept(tx: Tx, workspaceId: string, id: string): Promise<ConceptRow> {
  const row = await tx.lock("concept", workspaceId, id);
  if (!row) throw notFound("concept", id);
  return row;
}

/** Serializes changes of a workspace's concept graph, so that two changes cannot close a cycle together. */
export const lockGraph = (tx: Tx, workspaceId: string) => tx.lock("workspace", workspaceId, workspaceId);

interface ConceptFilter {
  readonly knowledgeBaseId?: number | undefined;
  readonly namesKey?: string | undefined;
  readonly idEnds?: string | undefined;
}

export function listConcepts(
  db: Reader,
  workspaceId: string,
  filter: ConceptFilter,
  after: string,
  limit: number,
): Promise<ConceptRow[]> {
  let rows = inWorkspace(db, workspaceId).where("merged_into", "is", null).where("id", ">", after);
  if (filter.knowledgeBaseId !== undefined) rows = rows.where("knowledge_base_id", "=", filter.knowledgeBaseId);
  if (filter.namesKey !== undefined)
    rows = rows.where(sql<boolean>`names_key like ${likePattern(filter.namesKey)} escape '\\'`);
  if (filter.idEnds !== undefined) rows = rows.where("id", "like", `%${filter.idEnds}`);
  return rows.orderBy("id").limit(limit).execute();
}

export const insertConcept = (tx: Tx, row: ConceptRow) => tx.insertInto("concepts").values(row).execute();

/** Updates a concept and gives it a new version. */
export const updateConcept = (
  tx: Tx,
  row: Pick<ConceptRow, "workspace_id" | "id">,
  changes: Partial<ConceptRow> = {},
): Promise<ConceptRow> =>
  tx
    .updateTable("concepts")
    .set((eb) => ({ ...changes, revision: eb("revision", "+", 1), updated_at: Date.now() }))
    .where("workspace_id", "=", row.workspace_id)
    .where("id", "=", row.id)
    .returningAll()
    .executeTakeFirstOrThrow();

export const redirectMerged = (tx: Tx, workspaceId: string, from: string, to: string) =>
  tx
    .updateTable("concepts")
    .set({ merged_into: to })
    .where("workspace_id", "=", workspaceId)
    .where("merged_into", "=", from)
    .execute();

/** Redirects these ids to a concept. */
export async function redirectSome(tx: Tx, workspaceId: string, ids: readonly string[], to: string): Promise<void> {
  for (const some of batchesOf(ids))
    await tx
      .updateTable("concepts")
      .set({ merged_into: to })
      .where("workspace_id", "=", workspaceId)
      .where("id", "in", some)
      .execute();
}

export const listMergedInto = async (db: Reader, workspaceId: string, id: string): Promise<string[]> => {
  const rows = await db
    .selectFrom("concepts")
    .select("id")
    .where("workspace_id", "=", workspaceId)
    .where("merged_into", "=", id)
    .execute();
  return rows.map((row) => row.id);
};

/** Concepts with the document, or one of its blocks, as evidence; ordered by name. */
export const listConceptsOfDocument = (db: Reader, workspaceId: string, documentId: string, limit: number) =>
  db
    .selectFrom("concepts")
    .select(["id", "name"])
    .where("workspace_id", "=", workspaceId)
    .where("merged_into", "is", null)
    .where("id", "in", (eb) =>
      eb
        .selectFrom("concept_sources")
        .select("concept_id")
        .where("workspace_id", "=", workspaceId)
        .where("source_document_id", "=", documentId),
    )
    .orderBy("name")
    .limit(limit)
    .execute();

export const insertHistory = (
  tx: Tx,
  entry: { workspace_id: string; concept_id: string; action: string; user_id: string; details: unknown },
) =>
  tx
    .insertInto("concept_history")
    .values({ ...entry, details: JSON.stringify(entry.details), created_at: Date.now() })
    .execute();

export const listHistory = (
  db: Reader,
  workspaceId: string,
  conceptIds: readonly string[],
  before: number,
  limit: number,
) =>
  db
    .selectFrom("concept_history")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("concept_id", "in", conceptIds)
    .where("id", "<", before)
    .orderBy("id", "desc")
    .limit(limit)
    .execute();

/** Deletes everything about the concepts of a deleted knowledge base. */
export async function deleteConceptsOf(tx: Tx, workspaceId: string, knowledgeBaseId: number): Promise<void> {
  const mine = tx
    .selectFrom("concepts")
    .select("id")
    .where("workspace_id", "=", workspaceId)
    .where("knowledge_base_id", "=", knowledgeBaseId);
  // The knowledge base is locked, so no concepts are added meanwhile.
  const ids = (await mine.execute()).map((row) => row.id);
  await tx.lockAll("concept", workspaceId, ids, "delete");
  await tx
    .deleteFrom("concept_sources")
    .where("workspace_id", "=", workspaceId)
    .where("concept_id", "in", mine)
    .execute();
  await tx
    .deleteFrom("concept_history")
    .where("workspace_id", "=", workspaceId)
    .where("concept_id", "in", mine)
    .execute();
  const lost = tx
    .selectFrom("concept_relations")
    .where("workspace_id", "=", workspaceId)
    .where((eb) => eb.or([eb("source_concept_id", "in", mine), eb("target_concept_id", "in", mine)]));
  // Concepts of other knowledge bases lose relations, so they get a new version.
  await tx
    .updateTable("concepts")
    .set((eb) => ({ revision: eb("revision", "+", 1), updated_at: Date.now() }))
    .where("workspace_id", "=", workspaceId)
    .where("knowledge_base_id", "<>", knowledgeBaseId)
    .where((eb) =>
      eb.or([eb("id", "in", lost.select("source_concept_id")), eb("id", "in", lost.select("target_concept_id"))]),
    )
    .execute();
  await tx
    .deleteFrom("concept_relations")
    .where("workspace_id", "=", workspaceId)
    .where((eb) => eb.or([eb("source_concept_id", "in", mine), eb("target_concept_id", "in", mine)]))
    .execute();
  for (const table of ["concept_candidates", "concepts"] as const)
    await tx
      .deleteFrom(table)
      .where("workspace_id", "=", workspaceId)
      .where("knowledge_base_id", "=", knowledgeBaseId)
      .execute();
}
