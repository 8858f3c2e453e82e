import { sql } from "kysely";
import type { Reader } from "../../../db/database.ts";
import type { SummaryScope } from "../../../db/schema/tables/summaries.ts";
import { notFound } from "../../../errors.ts";
import type { Subject } from "../../../http/access.ts";

export type Id = string | number;

export const isId = (value: unknown): value is Id => typeof value === "string" || typeof value === "number";

/**
 * Finds the knowledge base of a subject with the caller's reader: null if it belongs to the workspace, undefined if the
 * caller does not see it.
 */
type FindKnowledgeBase = (db: Reader, workspaceId: string, id: Id) => Promise<number | null | undefined>;

const inTable =
  (table: "folders" | "documents" | "concepts" | "concept_candidates" | "trash" | "webhooks"): FindKnowledgeBase =>
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
  ): FindKnowledgeBase =>
  async (db, workspaceId, id) =>
    baseOfDocument(
      db,
      workspaceId,
      await db
        .selectFrom(table)
        .select("document_id")
        .where("workspace_id", "=", workspaceId)
        .where("id", "=", String(id))
        .executeTakeFirst(),
    );

const baseOfDocument = async (db: Reader, workspaceId: string, row: { readonly document_id: string } | undefined) =>
  row && inTable("documents")(db, workspaceId, row.document_id);

const findRelation: FindKnowledgeBase = async (db, workspaceId, id) =>
  (await ofDocument("manual_relations")(db, workspaceId, id)) ?? ofDocument("inline_relations")(db, workspaceId, id);

const findComment: FindKnowledgeBase = async (db, workspaceId, id) =>
  (await ofDocument("comments")(db, workspaceId, id)) ?? ofDocument("deleted_comments")(db, workspaceId, id);

const findKnowledgeBase: FindKnowledgeBase = async (db, workspaceId, id) =>
  (
    await db
      .selectFrom("knowledge_bases")
      .select("id")
      .where("workspace_id", "=", workspaceId)
      .where("id", "=", Number(id))
      .executeTakeFirst()
  )?.id;

/** A concept that was merged into a hidden one is not found either: a refusal would name the hidden one. */
const findConcept: FindKnowledgeBase = async (db, workspaceId, id) => {
  const row = await db
    .selectFrom("concepts")
    .select(["knowledge_base_id", "merged_into"])
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", String(id))
    .executeTakeFirst();
  const isThere = !row?.merged_into || (await inTable("concepts")(db, workspaceId, row.merged_into)) !== undefined;
  return isThere ? row?.knowledge_base_id : undefined;
};

/** The members of a job's payload that name its target. */
interface Payload {
  readonly sourceId?: string;
  readonly scope?: SummaryScope;
  readonly targetId?: Id;
}

const findJob: FindKnowledgeBase = async (db, workspaceId, id) => {
  const job = await db
    .selectFrom("jobs")
    .select(["payload", "result"])
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", String(id))
    .executeTakeFirst();
  if (!job) return undefined;
  const { sourceId, scope, targetId }: Payload = JSON.parse(job.payload);
  if (sourceId !== undefined) return baseOfTranslation(db, workspaceId, sourceId, String(targetId));
  if (scope && targetId !== undefined)
    return subjects[scope === "section" ? "document" : scope].find(db, workspaceId, targetId);
  const created: number | undefined = job.result === null ? undefined : JSON.parse(job.result).knowledge_base_id;
  return created === undefined ? null : findKnowledgeBase(db, workspaceId, created);
};

/** The knowledge base of the target, which the job changes, if the caller sees both documents. */
async function baseOfTranslation(db: Reader, workspaceId: string, sourceId: string, targetId: string) {
  const source = await inTable("documents")(db, workspaceId, sourceId);
  return source === undefined ? undefined : inTable("documents")(db, workspaceId, targetId);
}

interface Lookup {
  readonly find: FindKnowledgeBase;
  /** A restricted reader does not leave out its rows, so that the policy checks reads too. */
  readonly isCheckedOnRead?: true;
}

export const subjects: Readonly<Record<Subject, Lookup>> = {
  knowledge_base: { find: findKnowledgeBase },
  folder: { find: inTable("folders") },
  document: { find: inTable("documents") },
  comment: { find: findComment },
  suggestion: { find: ofDocument("suggestions") },
  relation: { find: findRelation },
  concept: { find: findConcept },
  concept_candidate: { find: inTable("concept_candidates") },
  attachment: { find: ofDocument("attachments") },
  trash: { find: inTable("trash") },
  document_set: { find: ofDocument("document_sets") },
  summary_job: { find: findJob, isCheckedOnRead: true },
  translation_job: { find: findJob, isCheckedOnRead: true },
  import_job: { find: findJob, isCheckedOnRead: true },
  webhook: { find: inTable("webhooks") },
};

/** Subjects by the part of an id before its underscore. */
export const subjectOfPrefix: Readonly<Record<string, Subject>> = {
  doc: "document",
  com: "comment",
  sug: "suggestion",
  rel: "relation",
  concept: "concept",
  cand: "concept_candidate",
  att: "attachment",
  dset: "document_set",
  sjob: "summary_job",
  tjob: "translation_job",
  ijob: "import_job",
  hook: "webhook",
};

/** The knowledge base of a subject, null for one of the workspace; 404 if this reader does not see the subject. */
export async function knowledgeBaseOf(
  db: Reader,
  workspaceId: string,
  subject: Subject,
  id: Id,
): Promise<number | null> {
  const found = await subjects[subject].find(db, workspaceId, id);
  if (found === undefined) throw notFound(subject, id);
  return found;
}
