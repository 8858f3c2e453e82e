import type { Reader } from "../../../db/database.ts";
import type { BodyRow } from "../../../db/schema/tables/bodies.ts";
import type { ConceptRelationRow, ConceptSourceRow } from "../../../db/schema/tables/concepts.ts";
import type { AttachmentRow, DocumentRow } from "../../../db/schema/tables/documents.ts";
import type { ManualRelationRow } from "../../../db/schema/tables/relations.ts";
import type { PlacedDocument } from "./layout.ts";

export const listPlacedDocuments = (
  db: Reader,
  workspaceId: string,
  knowledgeBaseId: number,
): Promise<PlacedDocument[]> =>
  db
    .selectFrom("documents")
    .select(["id", "title", "folder_id"])
    .where("workspace_id", "=", workspaceId)
    .where("knowledge_base_id", "=", knowledgeBaseId)
    .orderBy("id")
    .execute();

/** Documents of the knowledge base by id, including language versions. */
export const listDocumentPage = (
  db: Reader,
  workspaceId: string,
  knowledgeBaseId: number,
  after: string,
  limit: number,
): Promise<DocumentRow[]> =>
  db
    .selectFrom("documents")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("knowledge_base_id", "=", knowledgeBaseId)
    .where("id", ">", after)
    .orderBy("id")
    .limit(limit)
    .execute();

export async function listBodies(
  db: Reader,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, BodyRow>> {
  const rows = await db
    .selectFrom("bodies")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("document_id", "in", ids)
    .execute();
  return new Map(rows.map((row) => [row.document_id, row]));
}

export async function listAttachmentsOfAll(
  db: Reader,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, AttachmentRow[]>> {
  const rows = await db
    .selectFrom("attachments")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("document_id", "in", ids)
    .where("expires_at", "is", null)
    .orderBy("document_id")
    .orderBy("id")
    .execute();
  return Map.groupBy(rows, (row) => row.document_id);
}

/** Stated relations of the knowledge base's documents, ordered by document and id. */
export const listStatedRelations = (
  db: Reader,
  workspaceId: string,
  knowledgeBaseId: number,
  [afterDocument, afterId]: readonly [string, string],
  limit: number,
): Promise<ManualRelationRow[]> =>
  db
    .selectFrom("manual_relations as r")
    .innerJoin("documents as d", (join) =>
      join.onRef("d.workspace_id", "=", "r.workspace_id").onRef("d.id", "=", "r.document_id"),
    )
    .selectAll("r")
    .where("r.workspace_id", "=", workspaceId)
    .where("d.knowledge_base_id", "=", knowledgeBaseId)
    .where("r.document_id", ">=", afterDocument)
    .where((eb) => eb.or([eb("r.document_id", ">", afterDocument), eb("r.id", ">", afterId)]))
    .orderBy("r.document_id")
    .orderBy("r.id")
    .limit(limit)
    .execute();

/** Evidence of these concepts, ordered by concept, document and block. */
export const listConceptSources = (
  db: Reader,
  workspaceId: string,
  conceptIds: readonly string[],
  [afterConcept, afterDocument, afterBlock]: readonly [string, string, string],
  limit: number,
): Promise<ConceptSourceRow[]> =>
  db
    .selectFrom("concept_sources")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("concept_id", "in", conceptIds)
    .where("concept_id", ">=", afterConcept)
    .where((eb) =>
      eb.or([
        eb("concept_id", ">", afterConcept),
        eb("source_document_id", ">", afterDocument),
        eb.and([eb("source_document_id", "=", afterDocument), eb("source_block_id", ">", afterBlock)]),
      ]),
    )
    .orderBy("concept_id")
    .orderBy("source_document_id")
    .orderBy("source_block_id")
    .limit(limit)
    .execute();

export type InnerRelation = Omit<ConceptRelationRow, "workspace_id" | "created_by" | "created_at">;

/** Relations from these concepts to living concepts of the same knowledge base, ordered by concept and id. */
export const listInnerRelations = (
  db: Reader,
  workspaceId: string,
  knowledgeBaseId: number,
  conceptIds: readonly string[],
  [afterConcept, afterId]: readonly [string, string],
  limit: number,
): Promise<InnerRelation[]> =>
  db
    .selectFrom("concept_relations as r")
    .innerJoin("concepts as c", (join) =>
      join.onRef("c.workspace_id", "=", "r.workspace_id").onRef("c.id", "=", "r.target_concept_id"),
    )
    .select(["r.id", "r.predicate", "r.source_concept_id", "r.target_concept_id", "r.valid_from", "r.valid_to"])
    .where("r.workspace_id", "=", workspaceId)
    .where("c.knowledge_base_id", "=", knowledgeBaseId)
    .where("c.merged_into", "is", null)
    .where("r.source_concept_id", "in", conceptIds)
    .where("r.source_concept_id", ">=", afterConcept)
    .where((eb) => eb.or([eb("r.source_concept_id", ">", afterConcept), eb("r.id", ">", afterId)]))
    .orderBy("r.source_concept_id")
    .orderBy("r.id")
    .limit(limit)
    .execute();
