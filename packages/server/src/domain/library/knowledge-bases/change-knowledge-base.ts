import { isUnchanged } from "../../../db/changed-columns.ts";
import type { Tx } from "../../../db/database.ts";
import type { ChildOrder } from "../../../db/schema/tables/documents.ts";
import { startOrder } from "../order/place-item.ts";
import { type KnowledgeBase, lockKnowledgeBase, updateKnowledgeBase } from "./queries.ts";

interface KnowledgeBaseChange {
  readonly name?: string;
  readonly members_may_comment?: boolean;
  readonly child_order?: ChildOrder;
}

/** An update without an effect changes nothing. */
export async function changeKnowledgeBase(
  tx: Tx,
  workspaceId: string,
  id: number,
  { name, members_may_comment: mayComment, child_order: order }: KnowledgeBaseChange,
): Promise<KnowledgeBase> {
  const before = await lockKnowledgeBase(tx, workspaceId, id);
  const wanted = {
    ...(name !== undefined && { name: name.trim() }),
    ...(mayComment !== undefined && { members_may_comment: mayComment ? 1 : 0 }),
    ...(order !== undefined && { child_order: order }),
  };
  if (isUnchanged<KnowledgeBase>(before, wanted)) return before;
  if (order !== undefined && order !== before.child_order)
    await startOrder(tx, workspaceId, { knowledgeBaseId: id, folderId: null }, order);
  return updateKnowledgeBase(tx, workspaceId, id, wanted);
}
