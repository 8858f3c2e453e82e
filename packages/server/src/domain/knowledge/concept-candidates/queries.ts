import { hash } from "node:crypto";
import type { Reader, Tx } from "../../../db/database.ts";
import type { ConceptCandidateRow } from "../../../db/schema/tables/concepts.ts";
import type { DocumentRow } from "../../../db/schema/tables/documents.ts";
import { notFound } from "../../../errors.ts";
import { listConceptsById } from "../concepts/queries.ts";

export const candidateVersion = ({ id, revision }: Pick<ConceptCandidateRow, "id" | "revision">): string =>
  `sha256:${hash("sha256", `${id} ${revision}`, "hex")}`;

/** A document as a candidate's source. */
type Source = Pick<DocumentRow, "version" | "knowledge_base_id">;

/** Whether the source still contains the extracted text and is still in the candidate's knowledge base. */
export const isCurrent = (candidate: ConceptCandidateRow, source: Source | undefined): boolean =>
  source?.version === candidate.source_version && source.knowledge_base_id === candidate.knowledge_base_id;

/** The existing sources of candidates, by id. */
export async function listSources(
  db: Reader,
  workspaceId: string,
  candidates: readonly ConceptCandidateRow[],
): Promise<Map<string, Source>> {
  const ids = new Set(candidates.map((row) => row.source_document_id));
  if (ids.size === 0) return new Map();
  const rows = await db
    .selectFrom("documents")
    .select(["id", "version", "knowledge_base_id"])
    .where("workspace_id", "=", workspaceId)
    .where("id", "in", [...ids])
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** The concepts that candidates were accepted as, if visible to the reader. */
export async function listShownConcepts(
  db: Reader,
  workspaceId: string,
  candidates: readonly ConceptCandidateRow[],
): Promise<Set<string>> {
  const ids = new Set(candidates.flatMap((row) => row.concept_id ?? []));
  const rows = await listConceptsById(db, workspaceId, [...ids]);
  return new Set(rows.map(({ id }) => id));
}

interface CandidateFilter {
  readonly knowledgeBaseId?: number | undefined;
  readonly status?: ConceptCandidateRow["status"] | undefined;
  readonly idEnds?: string | undefined;
}

export function listCandidates(
  db: Reader,
  workspaceId: string,
  filter: CandidateFilter,
  after: string,
  limit: number,
): Promise<ConceptCandidateRow[]> {
  let rows = db
    .selectFrom("concept_candidates")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("id", ">", after);
  if (filter.knowledgeBaseId !== undefined) rows = rows.where("knowledge_base_id", "=", filter.knowledgeBaseId);
  if (filter.status !== undefined) rows = rows.where("status", "=", filter.status);
  if (filter.idEnds !== undefined) rows = rows.where("id", "like", `%${filter.idEnds}`);
  return rows.orderBy("id").limit(limit).execute();
}

/** Locks the candidate until the end of the transaction, after its knowledge base, so that it is decided only once. */
export async function lockCandidate(tx: Tx, workspaceId: string, id: string): Promise<ConceptCandidateRow> {
  const found = await tx
    .selectFrom("concept_candidates")
    .select("knowledge_base_id")
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", id)
    .executeTakeFirst();
  if (found) await tx.lock("knowledge_base", workspaceId, found.knowledge_base_id, "keep");
  const row = await tx.lock("concept_candidate", workspaceId, id);
  if (!row) throw notFound("concept_candidate", id);
  return row;
}

export const updateCandidate = (
  tx: Tx,
  row: ConceptCandidateRow,
  changes: Partial<ConceptCandidateRow>,
): Promise<ConceptCandidateRow> =>
  tx
    .updateTable("concept_candidates")
    .set((eb) => ({ ...changes, revision: eb("revision", "+", 1), updated_at: Date.now() }))
    .where("workspace_id", "=", row.workspace_id)
    .where("id", "=", row.id)
    .returningAll()
    .executeTakeFirstOrThrow();

export const listByFingerprint = (
  tx: Tx,
  workspaceId: string,
  knowledgeBaseId: number,
  fingerprints: readonly string[],
): Promise<ConceptCandidateRow[]> =>
  tx
    .selectFrom("concept_candidates")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("knowledge_base_id", "=", knowledgeBaseId)
    .where("fingerprint", "in", fingerprints)
    .execute();

export const insertCandidates = (tx: Tx, rows: readonly ConceptCandidateRow[]) =>
  tx.insertInto("concept_candidates").values(rows).execute();

/** Case-folded names of a knowledge base's concepts, used to skip known names. */
export async function listKnownNames(tx: Tx, workspaceId: string, knowledgeBaseId: number): Promise<Set<string>> {
  const rows = await tx
    .selectFrom("concepts")
    .select("names_key")
    .where("workspace_id", "=", workspaceId)
    .where("knowledge_base_id", "=", knowledgeBaseId)
    .where("merged_into", "is", null)
    .execute();
  return new Set(rows.flatMap((row) => row.names_key.split("\n")));
}

export interface Mention {
  readonly name: string;
  readonly document_id: string;
  readonly block_id: string | null;
  readonly version: string;
}

interface Scope {
  readonly workspaceId: string;
  readonly knowledgeBaseId: number;
  readonly documentId?: string | undefined;
}

/** A page of document titles, ordered by document id. */
export async function listTitles(tx: Tx, scope: Scope, after: string, limit: number): Promise<Mention[]> {
  let rows = tx
    .selectFrom("documents")
    .select(["id", "title", "version"])
    .where("workspace_id", "=", scope.workspaceId)
    .where("knowledge_base_id", "=", scope.knowledgeBaseId)
    .where("id", ">", after);
  if (scope.documentId !== undefined) rows = rows.where("id", "=", scope.documentId);
  const found = await rows.orderBy("id").limit(limit).execute();
  return found.map((row) => ({ name: row.title, document_id: row.id, block_id: null, version: row.version }));
}

/** A page of explicit links' texts, ordered by link id. */
export async function listAnchorTexts(
  tx: Tx,
  scope: Scope,
  after: string,
  limit: number,
): Promise<(Mention & { readonly id: string })[]> {
  let rows = tx
    .selectFrom("inline_relations as r")
    .innerJoin("documents as d", (join) =>
      join.onRef("d.workspace_id", "=", "r.workspace_id").onRef("d.id", "=", "r.document_id"),
    )
    .select(["r.id", "r.anchor_text as name", "r.document_id", "r.source_block_id as block_id", "d.version"])
    .where("r.workspace_id", "=", scope.workspaceId)
    .where("d.knowledge_base_id", "=", scope.knowledgeBaseId)
    .where("r.id", ">", after);
  if (scope.documentId !== undefined) rows = rows.where("r.document_id", "=", scope.documentId);
  return rows.orderBy("r.id").limit(limit).execute();
}
