import { type Expression, type ExpressionBuilder, expressionBuilder, type SqlBool } from "kysely";
import type { Reader } from "../../../db/database.ts";
import type { DocumentRow } from "../../../db/schema/tables/documents.ts";
import type { Tables } from "../../../db/schema/tables.ts";
import { parseLocale } from "../../../domain/library/documents/parse-locale.ts";
import { getDocument } from "../../../domain/library/documents/queries.ts";
import { parseUpdatedSince } from "../../../domain/library/documents/updated-since.ts";
import { getFolder } from "../../../domain/library/folders/queries.ts";
import { listSubtree } from "../../../domain/library/folders/subtree.ts";
import { getKnowledgeBase } from "../../../domain/library/knowledge-bases/queries.ts";
import { propertyFiltersOf } from "../../../domain/library/properties/filters.ts";
import { hasProperty, numbersWith, type PropertyFilter, valueKey } from "../../../domain/library/properties/queries.ts";
import type { DocumentFacts } from "../cache/document-facts.ts";
import type { SearchInput } from "../schema.ts";

/** The filter of a search request. */
type Filter = {
  readonly knowledgeBaseId: number | undefined;
  readonly folderId: number | undefined;
  readonly documentId: string | undefined;
  readonly documentType: DocumentRow["document_type"] | undefined;
  readonly updatedSince: number | undefined;
  /** Undefined: ordinary and source-language documents. */
  readonly locale: string | undefined;
  /** Id of the person who created or last changed it. */
  readonly author: string | undefined;
  readonly properties: readonly PropertyFilter[];
};

export const filterOf = (input: Omit<SearchInput, "q">): Filter => ({
  knowledgeBaseId: input.knowledge_base_id,
  folderId: input.folder_id,
  documentId: input.document_id,
  documentType: input.document_type,
  updatedSince: input.updated_since === undefined ? undefined : parseUpdatedSince(input.updated_since),
  locale: input.locale === undefined || input.locale === "all" ? input.locale : parseLocale(input.locale),
  author: input.author,
  properties: [...propertyFiltersOf(input), ...(input.tag === undefined ? [] : [["tags", input.tag] as const])],
});

type Documents = Tables & { d: DocumentRow };
/** `number` is the document's number in the index. */
type Test = (facts: DocumentFacts, number: number) => boolean;
export type Condition = (eb: ExpressionBuilder<Documents, "d">) => Expression<SqlBool>;

/** All conditions at once, in a query that calls the rows of documents `d`. */
export function fulfilling(conditions: readonly Condition[]): Expression<SqlBool> {
  const documents = expressionBuilder<Documents, "d">();
  return documents.and(conditions.map((condition) => condition(documents)));
}

/** A filter, after checking that the caller may see everything that it names. */
export type Conditions = {
  /** Conditions on rows of documents, called `d`. */
  readonly sql: readonly Condition[];
  readonly accepts: Test;
  /** Equal for conditions that accept the same. */
  readonly name: string;
  /** The only condition is that translations do not count. */
  readonly skipsTargetsOnly: boolean;
  /** There are no conditions. */
  readonly isEmpty: boolean;
};

/** Throws 404 if the filter names something that the caller cannot see. */
export async function conditionsOf(db: Reader, workspaceId: string, filter: Filter): Promise<Conditions> {
  const { knowledgeBaseId, folderId, documentId, documentType, updatedSince, author, locale } = filter;
  const conditions: Condition[] = [];
  const tests: Test[] = [];
  const want = (condition: Condition, test: Test) => {
    conditions.push(condition);
    tests.push(test);
  };
  if (knowledgeBaseId !== undefined) {
    await getKnowledgeBase(db, workspaceId, knowledgeBaseId);
    want(
      (eb) => eb("d.knowledge_base_id", "=", knowledgeBaseId),
      (facts) => facts.knowledge_base_id === knowledgeBaseId,
    );
  }
  const ids = new Set<number | null>();
  let only: number | undefined;
  if (folderId !== undefined) {
    const folders = await listSubtree(db, await getFolder(db, workspaceId, folderId));
    for (const folder of folders) ids.add(folder.id);
    want(
      (eb) => eb("d.folder_id", "in", [...ids]),
      (facts) => ids.has(facts.folder_id),
    );
  }
  if (documentId !== undefined) {
    await getDocument(db, workspaceId, documentId);
    only = await numberOf(db, workspaceId, documentId);
    want(
      (eb) => eb("d.id", "=", documentId),
      (_facts, number) => number === only,
    );
  }
  if (documentType !== undefined)
    want(
      (eb) => eb("d.document_type", "=", documentType),
      (facts) => facts.document_type === documentType,
    );
  if (updatedSince !== undefined)
    want(
      (eb) => eb("d.updated_at", ">=", updatedSince),
      (facts) => facts.updated_at >= updatedSince,
    );
  for (const property of filter.properties) {
    const numbers = await numbersWith(db, workspaceId, property);
    const [name, value] = property;
    want(hasProperty(name, valueKey(value), "d"), (_facts, number) => numbers.has(number));
  }
  if (author !== undefined) {
    const numbers = await numbersBy(db, workspaceId, author);
    want(
      (eb) => eb.or([eb("d.created_by", "=", author), eb("d.updated_by", "=", author)]),
      (_facts, number) => numbers.has(number),
    );
  }
  if (locale === undefined && documentId === undefined) want(isNoTarget, (facts) => facts.variant_role !== "target");
  else if (locale !== undefined && locale !== "all")
    want(
      (eb) => eb("d.locale", "=", locale),
      (facts) => facts.locale === locale,
    );
  return {
    sql: conditions,
    accepts: (facts, number) => tests.every((test) => test(facts, number)),
    name: JSON.stringify([filter, [...ids], only]),
    skipsTargetsOnly: locale === undefined && documentId === undefined && tests.length === 1,
    isEmpty: tests.length === 0,
  };
}

/** Returns the document's number in the index. */
const numberOf = async (db: Reader, workspaceId: string, documentId: string): Promise<number | undefined> =>
  (
    await db
      .selectFrom("search_documents")
      .select("number")
      .where("workspace_id", "=", workspaceId)
      .where("document_id", "=", documentId)
      .executeTakeFirst()
  )?.number;

const isNoTarget: Condition = (eb) => eb.or([eb("d.variant_role", "is", null), eb("d.variant_role", "!=", "target")]);

/** Returns the index numbers of the documents that a person created or changed last. */
async function numbersBy(db: Reader, workspaceId: string, author: string): Promise<ReadonlySet<number>> {
  const rows = await db
    .selectFrom("documents as d")
    .innerJoin("search_documents as s", (join) =>
      join.onRef("s.workspace_id", "=", "d.workspace_id").onRef("s.document_id", "=", "d.id"),
    )
    .select("s.number")
    .where("d.workspace_id", "=", workspaceId)
    .where((eb) => eb.or([eb("d.created_by", "=", author), eb("d.updated_by", "=", author)]))
    .execute();
  return new Set(rows.map((row) => row.number));
}

const LISTED_STALE = 100;

/** Returns how complete the index is for the documents that the filter allows. */
export async function readProjection(
  db: Reader,
  workspaceId: string,
  { sql: conditions }: Conditions,
  epoch: number,
): Promise<{ complete: boolean; stale_count: number; stale_document_ids: string[] }> {
  const stale = db
    .selectFrom("documents as d")
    .innerJoin("search_documents as s", (join) =>
      join.onRef("s.workspace_id", "=", "d.workspace_id").onRef("s.document_id", "=", "d.id"),
    )
    .where("d.workspace_id", "=", workspaceId)
    .where("s.workspace_id", "=", workspaceId)
    .where("s.indexed_epoch", "<", epoch)
    .where(fulfilling(conditions));
  const rows = await stale.select("s.document_id").orderBy("s.document_id").limit(LISTED_STALE).execute();
  const count =
    rows.length < LISTED_STALE
      ? rows.length
      : (await stale.select((eb) => eb.fn.countAll<number>().as("count")).executeTakeFirstOrThrow()).count;
  return {
    complete: rows.length === 0,
    stale_count: Number(count),
    stale_document_ids: rows.map((row) => row.document_id),
  };
}
