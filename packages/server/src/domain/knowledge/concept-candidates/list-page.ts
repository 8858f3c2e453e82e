import type { Reader } from "../../../db/database.ts";
import type { ConceptCandidateRow } from "../../../db/schema/tables/concepts.ts";
import { type ListAnswer, list } from "../../../http/answer.ts";
import { rowsOfPage } from "../../../http/page.ts";
import type { Services } from "../../../services.ts";
import { getKnowledgeBase } from "../../library/knowledge-bases/queries.ts";
import { listCandidates } from "./queries.ts";
import { representCandidates } from "./represent.ts";

interface CandidateQuery {
  readonly knowledge_base_id?: number;
  readonly status?: ConceptCandidateRow["status"];
  readonly id_ends?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

/** One page of candidates; responds 404 for a knowledge base that the caller cannot see. */
export async function listPage(
  { secret }: Pick<Services, "secret">,
  db: Reader,
  workspaceId: string,
  query: CandidateQuery,
): Promise<ListAnswer<Awaited<ReturnType<typeof representCandidates>>[number]>> {
  if (query.knowledge_base_id !== undefined) await getKnowledgeBase(db, workspaceId, query.knowledge_base_id);
  const filter = { knowledgeBaseId: query.knowledge_base_id, status: query.status, idEnds: query.id_ends };
  const { shown, page } = await rowsOfPage(secret, ["concept-candidates", filter], query, {
    fetch: ([after = ""], size) => listCandidates(db, workspaceId, filter, String(after), size),
    keyOf: (row) => [row.id],
  });
  return list(await representCandidates(db, workspaceId, shown), page);
}
