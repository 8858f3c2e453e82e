import type { Lease } from "../../../background/lease.ts";
import type { Config } from "../../../config.ts";
import type { Tx } from "../../../db/database.ts";
import type { WebhookDeliveryRow, WebhookRow } from "../../../db/schema/tables/events.ts";
import { retryAfterMs } from "../../../ports/retry.ts";
import type { Attempt } from "../../../ports/webhooks/sender.ts";
import type { Services } from "../../../services.ts";
import { DAY_MS } from "../../../time.ts";
import { endWaits, updateDelivery } from "./delivery-queries.ts";
import { updateHeld } from "./lease.ts";
import { backoffMs, FAILING_AFTER, isFailing, LONGEST_WAIT_MS, unharmed } from "./state.ts";

const isManual = ({ kind }: WebhookDeliveryRow): boolean => kind === "test" || kind === "redelivery";

/** Records the result of an attempt. Returns undefined, and writes nothing, if the webhook was deleted. */
export function recordAttempt(
  { database, config, log }: Pick<Services, "database" | "config" | "log">,
  lease: Lease,
  held: WebhookRow,
  delivery: WebhookDeliveryRow,
  attempt: Attempt,
): Promise<WebhookRow | undefined> {
  const now = Date.now();
  return database.transaction(async (tx) => {
    const row = await updateHeld(tx, lease, held);
    if (!row) return undefined;
    await updateDelivery(tx, delivery, deliveryAfter(delivery, attempt, config, now));
    const changes = await webhookAfter(tx, row, delivery, attempt, config, now);
    if (changes.enabled === 0)
      log.warn(
        { workspace_id: row.workspace_id, webhook_id: row.id, reason: changes.disabled_reason },
        "webhook disabled",
      );
    return changes === UNCHANGED ? row : updateHeld(tx, lease, row, changes);
  });
}

function deliveryAfter(
  delivery: WebhookDeliveryRow,
  attempt: Attempt,
  config: Config,
  now: number,
): Partial<WebhookDeliveryRow> {
  const { error } = attempt;
  const attempts = delivery.attempts + 1;
  const first = delivery.first_attempt_at ?? now;
  const isOver = isManual(delivery) || now - first >= config.webhookGiveUpDays * DAY_MS;
  const isEnded = !error || isOver;
  return {
    status: isEnded ? (error ? "failed" : "succeeded") : "pending",
    attempts,
    first_attempt_at: first,
    last_attempt_at: now,
    next_attempt_at: isEnded ? null : now + waitMs(attempts, attempt, config, now),
    response_status: attempt.responseStatus ?? null,
    response_body: attempt.responseBody ?? null,
    error: error ? JSON.stringify(error) : null,
    duration_ms: attempt.durationMs,
    finished_at: isEnded ? now : null,
  };
}

/** At least as long as the receiver asks for, up to a limit. */
const waitMs = (failures: number, { retryAfter }: Attempt, config: Config, now: number): number => {
  const asked = retryAfterMs(retryAfter ?? null, now) ?? 0;
  return Math.max(backoffMs(failures, config.webhookRetryMs), Math.min(LONGEST_WAIT_MS, asked));
};

const UNCHANGED: Partial<WebhookRow> = {};

async function webhookAfter(
  tx: Tx,
  row: WebhookRow,
  delivery: WebhookDeliveryRow,
  attempt: Attempt,
  config: Config,
  now: number,
): Promise<Partial<WebhookRow>> {
  if (!attempt.error) {
    if (isFailing(row)) await endWaits(tx, row, { next_attempt_at: now });
    return row.failures === 0 ? UNCHANGED : unharmed;
  }
  if (isManual(delivery) || row.enabled === 0) return UNCHANGED;
  const failures = row.failures + 1;
  const since = row.failing_since ?? now;
  return {
    failures,
    failing_since: since,
    ...(isFailing({ failures }) && { retry_at: now + waitMs(failures - FAILING_AFTER + 1, attempt, config, now) }),
    ...disabled(attempt, now - since >= config.webhookDisableDays * DAY_MS, now),
  };
}

function disabled({ error }: Attempt, isTooLong: boolean, now: number): Partial<WebhookRow> {
  if (!error || (error.code !== "gone" && !isTooLong)) return {};
  const code = error.code === "gone" ? "gone" : "failing";
  return { enabled: 0, disabled_reason: JSON.stringify({ code, message: error.message, at: now }) };
}
