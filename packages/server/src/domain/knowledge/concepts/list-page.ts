import type { Static } from "typebox";
import type { Reader } from "../../../db/database.ts";
import { type ListAnswer, list } from "../../../http/answer.ts";
import { rowsOfPage } from "../../../http/page.ts";
import type { Services } from "../../../services.ts";
import { titleKey } from "../../library/documents/title-key.ts";
import { getKnowledgeBase } from "../../library/knowledge-bases/queries.ts";
import { listConcepts } from "./queries.ts";
import { representConcepts } from "./represent.ts";
import type { ConceptQuery } from "./schema.ts";

/** One page of concepts; responds 404 for a knowledge base that the caller cannot see. */
export async function listPage(
  app: Pick<Services, "secret">,
  db: Reader,
  workspaceId: string,
  query: Static<typeof ConceptQuery>,
): Promise<ListAnswer<Awaited<ReturnType<typeof representConcepts>>[number]>> {
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
