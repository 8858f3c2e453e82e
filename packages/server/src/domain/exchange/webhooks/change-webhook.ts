import type { Static } from "typebox";
import { changedColumns } from "../../../db/changed-columns.ts";
import type { Tx } from "../../../db/database.ts";
import type { WebhookRow } from "../../../db/schema/tables/events.ts";
import { checkExpected, type Expected } from "../../../http/preconditions.ts";
import { getKnowledgeBase } from "../../library/knowledge-bases/queries.ts";
import { endWaits } from "./delivery-queries.ts";
import { lockWebhook, updateWebhook, wakeWebhook, webhookVersion } from "./queries.ts";
import type { WebhookChange } from "./schema.ts";
import { unharmed } from "./state.ts";

type Change = Static<typeof WebhookChange>;

const columnsOf = ({ event_types, enabled, ...rest }: Change): Partial<WebhookRow> => ({
  ...rest,
  ...(event_types && { event_types: JSON.stringify(event_types) }),
  ...(enabled !== undefined && { enabled: enabled ? 1 : 0 }),
});

/** Updates a webhook. Enabling it or changing its address clears its failures. */
export async function changeWebhook(
  tx: Tx,
  workspaceId: string,
  id: string,
  change: Change,
  expected: Expected | undefined,
): Promise<WebhookRow> {
  const row = await lockWebhook(tx, workspaceId, id);
  checkExpected(expected, webhookVersion(row));
  const changes = changedColumns<WebhookRow>(row, columnsOf(change));
  if (typeof changes.knowledge_base_id === "number") await getKnowledgeBase(tx, workspaceId, changes.knowledge_base_id);
  if (Object.keys(changes).length === 0) return row;
  const isAnew = changes.enabled === 1 || changes.url !== undefined;
  const isOn = (changes.enabled ?? row.enabled) === 1;
  if (isAnew) {
    await endWaits(tx, row, { next_attempt_at: Date.now(), first_attempt_at: null });
    await wakeWebhook(tx, row);
  }
  return updateWebhook(tx, row, {
    ...changes,
    ...(isAnew && unharmed),
    ...((isOn || changes.enabled === 0) && { disabled_reason: null }),
  });
}
