import type { Static } from "typebox";
import type { Reader } from "../../../db/database.ts";
import type { Answer } from "../../../http/answer.ts";
import { writtenPageOf } from "../../../http/page.ts";
import type { Services } from "../../../services.ts";
import { getFolder } from "../folders/queries.ts";
import { getKnowledgeBase } from "../knowledge-bases/queries.ts";
import { propertyFiltersOf } from "../properties/filters.ts";
import { type DocumentFilter, listDocuments } from "./page-queries.ts";
import { parseLocale } from "./parse-locale.ts";
import { describeDocuments } from "./represent.ts";
import type { DocumentQuery } from "./schema.ts";
import { titleKey } from "./title-key.ts";
import { parseUpdatedSince } from "./updated-since.ts";

/** One page of documents; responds 404 if a filter names something that the caller cannot see. */
export async function listPage(
  app: Pick<Services, "secret">,
  db: Reader,
  workspaceId: string,
  query: Static<typeof DocumentQuery>,
): Promise<Answer> {
  const filter: DocumentFilter = {
    titleKey: query.q === undefined ? undefined : titleKey(query.q),
    idEnds: query.id_ends,
    knowledgeBaseId: query.knowledge_base_id,
    folderId: query.folder_id,
    updatedSince: query.updated_since === undefined ? undefined : parseUpdatedSince(query.updated_since),
    locale: query.locale === undefined ? undefined : parseLocale(query.locale),
    isTemplate: query.is_template,
    includeVariants: query.include_variants ?? false,
    properties: propertyFiltersOf(query),
  };
  const order = query.sort ?? "id";
  if (filter.knowledgeBaseId !== undefined) await getKnowledgeBase(db, workspaceId, filter.knowledgeBaseId);
  if (filter.folderId !== undefined) await getFolder(db, workspaceId, filter.folderId);
  return writtenPageOf(app.secret, ["documents", order, filter], query, {
    fetch: (after, size) => listDocuments(db, workspaceId, filter, order, after, size),
    keyOf: (row) => (order === "id" ? [row.id] : [row.updated_at, row.id]),
    write: (rows) => describeDocuments(db, rows),
  });
}
