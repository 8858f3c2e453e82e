import type { Tx } from "../../../db/database.ts";
import { type Notifying, notify } from "../../../notify/notify.ts";
import { loadActor, operatorActor } from "./load-actor.ts";

interface Given {
  readonly workspaceId: string;
  /** The actor who granted the access. */
  readonly by: { readonly userId: string; readonly tokenId: string | null };
  readonly userIds: readonly string[];
}

/** Notifies people that they can now see a knowledge base. */
export async function notifyShared(
  app: Notifying,
  tx: Tx,
  { workspaceId, by, userIds, knowledgeBaseId }: Given & { readonly knowledgeBaseId: number },
): Promise<void> {
  if (userIds.length === 0) return;
  const actor = await loadActor(tx, { ...by, isAgent: false });
  await notify(app, tx, { workspaceId, knowledgeBaseId, actor, excerpt: "" }, [{ reason: "share", userIds }]);
}

/** Notifies people that they are now members of the workspace. */
export async function notifyNewMembers(app: Notifying, tx: Tx, { workspaceId, by, userIds }: Given): Promise<void> {
  const actor = await loadActor(tx, { ...by, isAgent: false });
  await notify(app, tx, { workspaceId, actor, excerpt: "" }, [{ reason: "invitation", userIds }]);
}

/** Same, for members that the operator adds on the command line. */
export const notifyMemberAddedByOperator = (
  app: Notifying,
  tx: Tx,
  workspaceId: string,
  userId: string,
): Promise<void> =>
  notify(app, tx, { workspaceId, actor: operatorActor, excerpt: "" }, [{ reason: "invitation", userIds: [userId] }]);
