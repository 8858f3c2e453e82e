import type { Static } from "typebox";
import { NEVER } from "../../../background/due.ts";
import type { Tx } from "../../../db/database.ts";
import type { WebhookRow } from "../../../db/schema/tables/events.ts";
import { newestOf } from "../../../events/queries.ts";
import type { Caller } from "../../../http/callers/caller.ts";
import { newId } from "../../../ids.ts";
import { newNonce } from "../../../ports/webhooks/signature.ts";
import { quotaExceeded } from "../../../quota-error.ts";
import type { Services } from "../../../services.ts";
import { getKnowledgeBase } from "../../library/knowledge-bases/queries.ts";
import { countWebhooks } from "../../library/quotas/count-webhooks.ts";
import { sharedEventTypes } from "../events/schema.ts";
import { insertWebhook, lockWorkspace } from "./queries.ts";
import type { NewWebhook } from "./schema.ts";
import { unharmed } from "./state.ts";

/** Creates a webhook that receives events from now on. */
export async function createWebhook(
  { config }: Pick<Services, "config">,
  tx: Tx,
  { workspaceId, userId }: Caller,
  body: Static<typeof NewWebhook>,
): Promise<WebhookRow> {
  const { knowledge_base_id = null } = body;
  if (knowledge_base_id !== null) await getKnowledgeBase(tx, workspaceId, knowledge_base_id);
  await lockWorkspace(tx, workspaceId);
  const used = await countWebhooks(tx, workspaceId);
  if (used >= config.maxWebhooks) throw quotaExceeded("webhooks", config.maxWebhooks, used);
  const [newest] = await newestOf(tx, [workspaceId]);
  const now = Date.now();
  const row: WebhookRow = {
    workspace_id: workspaceId,
    id: newId("hook"),
    url: body.url,
    description: body.description ?? "",
    event_types: JSON.stringify(body.event_types ?? sharedEventTypes),
    knowledge_base_id,
    enabled: body.enabled === false ? 0 : 1,
    format: body.format ?? "standard",
    disabled_reason: null,
    secret_nonce: newNonce(),
    old_secret_nonce: null,
    old_secret_expires_at: 0,
    last_event_id: newest?.last_event_id ?? 0,
    ...unharmed,
    next_at: NEVER,
    served_at: 0,
    revision: 1,
    deleted: 0,
    created_by: userId,
    created_at: now,
    updated_at: now,
  };
  await insertWebhook(tx, row);
  return row;
}
