import type { Tx } from "../../db/database.ts";
import { doerOf, operatorDoer } from "./doer.ts";
import { notify, type Telling } from "./notify.ts";

interface Alert {
  readonly workspaceId: string;
  readonly userId: string;
  /** What happened, as the audit log says it. */
  readonly words: string;
  /** It was done on the command line of the server. */
  readonly isOperators?: boolean;
}

/** Tells a person what was done with their account, also where they seem to have done it themselves. */
export async function tellSecurity(app: Telling, tx: Tx, alert: Alert): Promise<void> {
  const { workspaceId, userId, words, isOperators = false } = alert;
  const doer = isOperators ? operatorDoer : await doerOf(tx, { userId, tokenId: null, isAgent: false });
  await notify(app, tx, { workspaceId, doer, excerpt: `${words}.` }, [{ reason: "security", userIds: [userId] }]);
}
