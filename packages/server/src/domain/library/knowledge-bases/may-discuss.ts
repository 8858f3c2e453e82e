import type { Reader } from "../../../db/database.ts";
import { apiError } from "../../../errors.ts";
import type { Caller } from "../../../http/callers/caller.ts";
import { roleIn } from "../../../rights/rights.ts";
import { getKnowledgeBase } from "./queries.ts";

type Talker = Pick<Caller, "workspaceId" | "role" | "rights">;

/** Whether somebody may comment and suggest in a knowledge base; for viewers, this depends on its setting. */
export async function mayDiscuss(db: Reader, talker: Talker, knowledgeBaseId: number): Promise<boolean> {
  if (roleIn(talker, knowledgeBaseId) !== "viewer") return true;
  return (await getKnowledgeBase(db, talker.workspaceId, knowledgeBaseId)).members_may_comment === 1;
}

/** Responds 403 if the caller may not. */
export async function checkMayDiscuss(db: Reader, caller: Caller, knowledgeBaseId: number): Promise<void> {
  if (await mayDiscuss(db, caller, knowledgeBaseId)) return;
  throw apiError("insufficient_role", { role: roleIn(caller, knowledgeBaseId) });
}
