import { type Expression, type ExpressionBuilder, type SqlBool, sql } from "kysely";
import type { Db } from "../../db/database.ts";
import type { DocumentRow, Tables } from "../../db/tables.ts";
import { parseLocale } from "../../resources/documents/parse-locale.ts";
import { parseUpdatedSince } from "../../resources/documents/updated-since.ts";
import { getFolder } from "../../resources/folders/queries.ts";
import { listSubtree } from "../../resources/folders/subtree.ts";
import { getKnowledgeBase } from "../../resources/knowledge-bases/queries.ts";
import { findIndexedDocuments, listHidden } from "./documents.ts";
import { prepare } from "./prepared.ts";
import type { SearchInput } from "./schema.ts";

/** Which documents count, as asked for. */
export type Filter = {
  readonly knowledgeBaseId: number | undefined;
  readonly folderId: number | undefined;
  readonly documentType: DocumentRow["document_type"] | undefined;
  readonly updatedSince: number | undefined;
  /** Undefined: ordinary and source-language documents. */
  readonly locale: string | undefined;
};

export const filterOf = (input: Omit<SearchInput, "q">): Filter => ({
  knowledgeBaseId: input.knowledge_base_id,
  folderId: input.folder_id,
  documentType: input.document_type,
  updatedSince: input.updated_since === undefined ? undefined : parseUpdatedSince(input.updated_since),
  locale: input.locale === undefined || input.locale === "all" ? input.locale : parseLocale(input.locale),
});

type Documents = Tables & { d: DocumentRow };
type Condition = (eb: ExpressionBuilder<Documents, "d">) => Expression<SqlBool>;

/** A filter on the rows of documents, called `d`. */
export type Conditions = {
  /** What the filter asks of a document beyond being no translation. */
  readonly wanted: readonly Condition[];
  /** Translations do not count. */
  readonly skipsTargets: boolean;
};

/** A filter that names something the caller cannot see is 404. */
export async function conditionsOf(db: Db, workspaceId: string, filter: Filter): Promise<Conditions> {
  const { knowledgeBaseId, folderId, documentType, updatedSince, locale } = filter;
  const wanted: Condition[] = [];
  if (knowledgeBaseId !== undefined) {
    await getKnowledgeBase(db, workspaceId, knowledgeBaseId);
    wanted.push((eb) => eb("d.knowledge_base_id", "=", knowledgeBaseId));
  }
  if (folderId !== undefined) {
    const folders = await listSubtree(db, await getFolder(db, workspaceId, folderId));
    const ids = folders.map((folder) => folder.id);
    wanted.push((eb) => eb("d.folder_id", "in", ids));
  }
  if (documentType !== undefined) wanted.push((eb) => eb("d.document_type", "=", documentType));
  if (updatedSince !== undefined) wanted.push((eb) => eb("d.updated_at", ">=", updatedSince));
  if (locale !== undefined && locale !== "all") wanted.push((eb) => eb("d.locale", "=", locale));
  return { wanted, skipsTargets: locale === undefined };
}

const isNoTarget: Condition = (eb) => eb.or([eb("d.variant_role", "is", null), eb("d.variant_role", "!=", "target")]);

/** Documents of a workspace as search numbers them. */
const numbered = (db: Db, workspaceId: string) =>
  db
    .selectFrom("documents as d")
    .innerJoin("search_documents as s", (join) =>
      join.onRef("s.workspace_id", "=", "d.workspace_id").onRef("s.document_id", "=", "d.id"),
    )
    .where("d.workspace_id", "=", workspaceId);

/** Written out, not as a parameter: so the databases know that the index of translations serves. */
const translations = prepare((db) =>
  db.selectFrom("documents").select("id").where("workspace_id", "=", "").where("variant_role", "=", sql.lit("target")),
);

async function listTargets(db: Db, workspaceId: string): Promise<{ number: number }[]> {
  const targets = await translations(db, workspaceId);
  return findIndexedDocuments(
    db,
    workspaceId,
    targets.map((row) => row.id),
  );
}

/** Tells of a document number whether its hits count; undefined if all do. */
export async function acceptedDocuments(
  db: Db,
  workspaceId: string,
  { wanted, skipsTargets }: Conditions,
): Promise<((document: number) => boolean) | undefined> {
  const rejected = new Set((await listHidden(db, workspaceId)).map((row) => row.number));
  if (wanted.length > 0) {
    const all = skipsTargets ? [...wanted, isNoTarget] : wanted;
    const rows = await numbered(db, workspaceId)
      .where((eb) => eb.and(all.map((condition) => condition(eb as never))))
      .select("s.number")
      .execute();
    const accepted = new Set(rows.map((row) => row.number));
    return (document) => accepted.has(document) && !rejected.has(document);
  }
  if (skipsTargets) {
    for (const { number } of await listTargets(db, workspaceId)) rejected.add(number);
  }
  return rejected.size === 0 ? undefined : (document) => !rejected.has(document);
}

const listedStale = 100;

/** How far the index holds what the filter allows. */
export async function readProjection(
  db: Db,
  workspaceId: string,
  { wanted, skipsTargets }: Conditions,
  epoch: number,
): Promise<{ complete: boolean; stale_count: number; stale_document_ids: string[] }> {
  const all = skipsTargets ? [...wanted, isNoTarget] : wanted;
  const stale = numbered(db, workspaceId)
    .where("s.workspace_id", "=", workspaceId)
    .where("s.indexed_epoch", "<", epoch)
    .where((eb) => eb.and(all.map((condition) => condition(eb as never))));
  const rows = await stale.select("s.document_id").orderBy("s.document_id").limit(listedStale).execute();
  const count =
    rows.length < listedStale
      ? rows.length
      : (await stale.select((eb) => eb.fn.countAll<number>().as("count")).executeTakeFirstOrThrow()).count;
  return {
    complete: rows.length === 0,
    stale_count: Number(count),
    stale_document_ids: rows.map((row) => row.document_id),
  };
}
