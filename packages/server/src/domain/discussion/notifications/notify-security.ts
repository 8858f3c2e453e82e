import type { Tx } from "../../../db/database.ts";
import { type Notifying, notify } from "../../../notify/notify.ts";
import { loadActor, operatorActor } from "./load-actor.ts";

interface Alert {
  readonly workspaceId: string;
  readonly userId: string;
  /** The event, as in the audit log. */
  readonly words: string;
  /** True if it was done on the server's command line. */
  readonly isOperators?: boolean;
}

/** Notifies a person of an action on their account, even if they seem to have done it themselves. */
export async function notifySecurityEvent(app: Notifying, tx: Tx, alert: Alert): Promise<void> {
  const { workspaceId, userId, words, isOperators = false } = alert;
  const actor = isOperators ? operatorActor : await loadActor(tx, { userId, tokenId: null, isAgent: false });
  await notify(app, tx, { workspaceId, actor, excerpt: `${words}.` }, [{ reason: "security", userIds: [userId] }]);
}
