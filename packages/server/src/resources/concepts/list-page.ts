import type { Static } from "typebox";
import type { Reader } from "../../db/database.ts";
import { type Answer, list } from "../../http/answer.ts";
import { rowsOfPage } from "../../http/page.ts";
import type { Services } from "../../services.ts";
import { titleKey } from "../documents/title-key.ts";
import { getKnowledgeBase } from "../knowledge-bases/queries.ts";
import { listConcepts } from "./queries.ts";
import { representConcepts } from "./represent.ts";
import type { ConceptQuery } from "./schema.ts";

/** One page of concepts; a knowledge base that the caller cannot see is 404. */
export async function listPage(
  app: Services,
  db: Reader,
  workspaceId: string,
  query: Static<typeof ConceptQuery>,
): Promise<Answer> {
  if (query.knowledge_base_id !== undefined) await getKnowledgeBase(db, workspaceId, query.knowledge_base_id);
  const filter = {
    knowledgeBaseId: query.knowledge_base_id,
    namesKey: query.q && titleKey(query.q.trim()),
    idEnds: query.id_ends,
  };
  const { shown, page } = await rowsOfPage(app.secret, ["concepts", filter], query, {
    fetch: ([after = ""], size) => listConcepts(db, workspaceId, filter, String(after), size),
    keyOf: (row) => [row.id],
  });
  return list(await representConcepts(db, workspaceId, shown), page, { complete: !page.has_more });
}
