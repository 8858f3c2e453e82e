import type { Tx } from "../../db/database.ts";
import { doerOf, operatorDoer } from "./doer.ts";
import { notify, type Telling } from "./notify.ts";

interface Given {
  readonly workspaceId: string;
  /** Who gave it. */
  readonly by: { readonly userId: string; readonly tokenId: string | null };
  readonly userIds: readonly string[];
}

/** Tells people that they may now see a knowledge base. */
export async function tellShared(
  app: Telling,
  tx: Tx,
  { workspaceId, by, userIds, knowledgeBaseId }: Given & { readonly knowledgeBaseId: number },
): Promise<void> {
  if (userIds.length === 0) return;
  const doer = await doerOf(tx, { ...by, isAgent: false });
  await notify(app, tx, { workspaceId, knowledgeBaseId, doer, excerpt: "" }, [{ reason: "share", userIds }]);
}

/** Tells people that they belong to the workspace now. */
export async function tellLetIn(app: Telling, tx: Tx, { workspaceId, by, userIds }: Given): Promise<void> {
  const doer = await doerOf(tx, { ...by, isAgent: false });
  await notify(app, tx, { workspaceId, doer, excerpt: "" }, [{ reason: "invitation", userIds }]);
}

/** The same where the operator of the server lets somebody in, on the command line. */
export const tellLetInByOperator = (app: Telling, tx: Tx, workspaceId: string, userId: string): Promise<void> =>
  notify(app, tx, { workspaceId, doer: operatorDoer, excerpt: "" }, [{ reason: "invitation", userIds: [userId] }]);
