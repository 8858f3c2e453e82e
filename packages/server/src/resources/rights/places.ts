import { sql } from "kysely";
import type { Reader } from "../../db/database.ts";
import { notFound } from "../../errors.ts";

type Id = string | number;

/**
 * Finds the knowledge base that a thing is in, as the caller sees the store: null when it belongs to the workspace,
 * undefined when it is not there.
 */
type FindPlace = (db: Reader, workspaceId: string, id: Id) => Promise<number | null | undefined>;

const inTable =
  (table: "folders" | "documents" | "concepts" | "concept_candidates" | "trash" | "webhooks"): FindPlace =>
  async (db, workspaceId, id) =>
    (
      await db
        .selectFrom(table)
        .select("knowledge_base_id")
        .where("workspace_id", "=", workspaceId)
        .where(sql.ref("id"), "=", id)
        .executeTakeFirst()
    )?.knowledge_base_id;

const ofDocument =
  (
    table:
      | "comments"
      | "deleted_comments"
      | "suggestions"
      | "attachments"
      | "manual_relations"
      | "inline_relations"
      | "document_sets",
  ): FindPlace =>
  async (db, workspaceId, id) =>
    placeOfDocument(
      db,
      workspaceId,
      await db
        .selectFrom(table)
        .select("document_id")
        .where("workspace_id", "=", workspaceId)
        .where("id", "=", String(id))
        .executeTakeFirst(),
    );

const placeOfDocument = async (db: Reader, workspaceId: string, row: { readonly document_id: string } | undefined) =>
  row && inTable("documents")(db, workspaceId, row.document_id);

const findRelation: FindPlace = async (db, workspaceId, id) =>
  (await ofDocument("manual_relations")(db, workspaceId, id)) ?? ofDocument("inline_relations")(db, workspaceId, id);

const findComment: FindPlace = async (db, workspaceId, id) =>
  (await ofDocument("comments")(db, workspaceId, id)) ?? ofDocument("deleted_comments")(db, workspaceId, id);

const findBase: FindPlace = async (db, workspaceId, id) =>
  (
    await db
      .selectFrom("knowledge_bases")
      .select("id")
      .where("workspace_id", "=", workspaceId)
      .where("id", "=", Number(id))
      .executeTakeFirst()
  )?.id;

/** A concept that lives on in one that is hidden is not there either: a refusal would name that one. */
const findConcept: FindPlace = async (db, workspaceId, id) => {
  const row = await db
    .selectFrom("concepts")
    .select(["knowledge_base_id", "merged_into"])
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", String(id))
    .executeTakeFirst();
  const isThere = !row?.merged_into || (await inTable("concepts")(db, workspaceId, row.merged_into)) !== undefined;
  return isThere ? row?.knowledge_base_id : undefined;
};

/** What jobs of each kind say of what they work on. */
interface Payload {
  readonly sourceId?: string;
  readonly scope?: "document" | "folder" | "knowledge_base";
  readonly targetId?: Id;
}

const findJob: FindPlace = async (db, workspaceId, id) => {
  const job = await db
    .selectFrom("jobs")
    .select(["payload", "result"])
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", String(id))
    .executeTakeFirst();
  if (!job) return undefined;
  const { sourceId, scope, targetId }: Payload = JSON.parse(job.payload);
  if (sourceId !== undefined) return placeOfTranslation(db, workspaceId, sourceId, String(targetId));
  if (scope && targetId !== undefined) return kinds[scope].find(db, workspaceId, targetId);
  const made: number | undefined = job.result === null ? undefined : JSON.parse(job.result).knowledge_base_id;
  return made === undefined ? null : findBase(db, workspaceId, made);
};

/** Where the target is, which is changed, as far as both sides are shown. */
async function placeOfTranslation(db: Reader, workspaceId: string, sourceId: string, targetId: string) {
  const source = await inTable("documents")(db, workspaceId, sourceId);
  return source === undefined ? undefined : inTable("documents")(db, workspaceId, targetId);
}

interface Kind {
  /** As a refusal names it. */
  readonly resource: string;
  readonly find: FindPlace;
}

const kinds = {
  knowledge_base: { resource: "knowledge_base", find: findBase },
  folder: { resource: "folder", find: inTable("folders") },
  document: { resource: "document", find: inTable("documents") },
  comment: { resource: "comment", find: findComment },
  suggestion: { resource: "suggestion", find: ofDocument("suggestions") },
  relation: { resource: "relation", find: findRelation },
  concept: { resource: "concept", find: findConcept },
  concept_candidate: { resource: "concept_candidate", find: inTable("concept_candidates") },
  attachment: { resource: "attachment", find: ofDocument("attachments") },
  trash: { resource: "trash", find: inTable("trash") },
  document_set: { resource: "document_set", find: ofDocument("document_sets") },
  summary_job: { resource: "summary_job", find: findJob },
  translation_job: { resource: "translation_job", find: findJob },
  import_job: { resource: "import_job", find: findJob },
  webhook: { resource: "webhook", find: inTable("webhooks") },
} as const satisfies Record<string, Kind>;
type PlacedKind = keyof typeof kinds;

/** Kinds by the noun that stands before `{id}` in a path. */
export const kindOfNoun: Readonly<Record<string, PlacedKind>> = {
  "knowledge-bases": "knowledge_base",
  folders: "folder",
  documents: "document",
  favourites: "document",
  recent: "document",
  comments: "comment",
  suggestions: "suggestion",
  relations: "relation",
  concepts: "concept",
  "concept-candidates": "concept_candidate",
  attachments: "attachment",
  trash: "trash",
  "document-sets": "document_set",
  "summary-jobs": "summary_job",
  "translation-jobs": "translation_job",
  "import-jobs": "import_job",
  webhooks: "webhook",
};

/** Kinds by the field of a query or a body that names one. */
export const kindOfField: Readonly<Record<string, PlacedKind>> = {
  knowledge_base_id: "knowledge_base",
  folder_id: "folder",
  parent_id: "folder",
  document_id: "document",
  target_uri: "document",
  source_document_id: "document",
  target_document_id: "document",
  canonical_document_id: "document",
  concept_id: "concept",
  source_concept_id: "concept",
  target_concept_id: "concept",
  document_set_id: "document_set",
};

/** The knowledge base of a thing; 404 for one that is not there for this reader. */
export async function placeOf(db: Reader, workspaceId: string, kind: PlacedKind, id: Id): Promise<number | null> {
  const { resource, find } = kinds[kind];
  const place = await find(db, workspaceId, id);
  if (place === undefined) throw notFound(resource, id);
  return place;
}
