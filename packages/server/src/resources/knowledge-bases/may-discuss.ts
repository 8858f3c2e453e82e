import type { Reader } from "../../db/database.ts";
import { apiError } from "../../errors.ts";
import type { Caller } from "../../http/caller.ts";
import { roleIn } from "../../rights/rights.ts";
import { getKnowledgeBase } from "./queries.ts";

/** 403 for a viewer whose knowledge base does not let its viewers comment and suggest. */
export async function checkMayDiscuss(db: Reader, caller: Caller, knowledgeBaseId: number): Promise<void> {
  const role = roleIn(caller, knowledgeBaseId);
  if (role !== "viewer") return;
  const { members_may_comment } = await getKnowledgeBase(db, caller.workspaceId, knowledgeBaseId);
  if (members_may_comment !== 1) throw apiError("insufficient_role", { role });
}
