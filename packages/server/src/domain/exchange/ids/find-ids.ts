import type { Reader } from "../../../db/database.ts";
import { payloadOf, TRANSLATION_JOB } from "../../knowledge/localization/jobs/translation-job.ts";

export const idKinds = ["comment", "suggestion", "relation", "translation_job"] as const;
type IdKind = (typeof idKinds)[number];

/** Two matches are already ambiguous; a longer list would not help. */
const MAX_IDS = 10;

type Find = (db: Reader, workspaceId: string, ending: string) => Promise<string[]>;

/** Finds ids in a table whose rows are visible with their document. */
const inTable =
  (table: "comments" | "deleted_comments" | "suggestions" | "manual_relations"): Find =>
  async (db, workspaceId, ending) => {
    const rows = await db
      .selectFrom(table)
      .select("id")
      .where("workspace_id", "=", workspaceId)
      .where("id", "like", `%${ending}`)
      .orderBy("id")
      .limit(MAX_IDS)
      .execute();
    return rows.map(({ id }) => id);
  };

/** Includes deleted comments, which can be restored, and the empty rows of deleted comments that have replies. */
const findComments: Find = async (db, workspaceId, ending) => {
  const there = await inTable("comments")(db, workspaceId, ending);
  const deleted = await inTable("deleted_comments")(db, workspaceId, ending);
  return [...new Set([...there, ...deleted])].slice(0, MAX_IDS);
};

/** Jobs belong to no knowledge base; matches those whose document the reader sees. */
const findTranslationJobs: Find = async (db, workspaceId, ending) => {
  const rows = await db
    .selectFrom("jobs")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("kind", "=", TRANSLATION_JOB)
    .where("id", "like", `%${ending}`)
    .orderBy("id")
    .limit(MAX_IDS)
    .execute();
  const jobs = rows.map((row) => ({ id: row.id, target: payloadOf(row).targetId }));
  if (jobs.length === 0) return [];
  const targets = jobs.map(({ target }) => target);
  const documents = await db
    .selectFrom("documents")
    .select("id")
    .where("workspace_id", "=", workspaceId)
    .where("id", "in", targets)
    .execute();
  const seen = new Set(documents.map(({ id }) => id));
  return jobs.filter(({ target }) => seen.has(target)).map(({ id }) => id);
};

const finders: Readonly<Record<IdKind, Find>> = {
  comment: findComments,
  suggestion: inTable("suggestions"),
  relation: inTable("manual_relations"),
  translation_job: findTranslationJobs,
};

/** Returns the visible ids of a kind that have this ending. */
export const findIds = (db: Reader, workspaceId: string, kind: IdKind, ending: string): Promise<string[]> =>
  finders[kind](db, workspaceId, ending);
