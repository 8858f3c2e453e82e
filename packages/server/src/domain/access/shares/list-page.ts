import type { Reader } from "../../../db/database.ts";
import type { ListAnswer } from "../../../http/answer.ts";
import type { Caller } from "../../../http/callers/caller.ts";
import { pageOf } from "../../../http/page.ts";
import { requireAtLeast, requireRoleIn } from "../../../rights/rights.ts";
import type { Services } from "../../../services.ts";
import { getKnowledgeBase } from "../../library/knowledge-bases/queries.ts";
import { listShares } from "./queries.ts";
import { representListed } from "./schema.ts";

interface ShareQuery {
  readonly knowledge_base_id?: number;
  readonly limit?: number;
  readonly cursor?: string;
}

/** One page of public links, newest first, for the owners of the workspace or of the requested knowledge base. */
export async function listPage(
  { secret }: Pick<Services, "secret">,
  db: Reader,
  owner: Pick<Caller, "workspaceId" | "role" | "rights">,
  { knowledge_base_id: baseId, ...page }: ShareQuery,
  baseUrl: string,
): Promise<ListAnswer<ReturnType<typeof representListed>>> {
  const { workspaceId } = owner;
  if (baseId === undefined) requireAtLeast(owner.role, "owner");
  else {
    await getKnowledgeBase(db, workspaceId, baseId);
    requireRoleIn(owner, baseId, "owner");
  }
  return pageOf(secret, { list: "public-shares", baseId }, page, {
    fetch: (after, size) => listShares(db, workspaceId, baseId, after, size),
    keyOf: (row) => [row.created_at, row.nonce],
    represent: (row) => representListed(row, secret, baseUrl),
  });
}
