import { hasCome } from "../../../background/due.ts";
import type { Lease } from "../../../background/lease.ts";
import type { WebhookDeliveryRow, WebhookRow } from "../../../db/schema/tables/events.ts";
import { signatureHeaders } from "../../../ports/webhooks/signature.ts";
import type { Services } from "../../../services.ts";
import { listManual, listWaiting } from "./delivery-queries.ts";
import { bodyIn } from "./formats/format-message.ts";
import { recordAttempt } from "./record-attempt.ts";
import { isFailing, MAX_WAIT_MS } from "./state.ts";
import { takeEvents } from "./take-events.ts";

/** After this time, other webhooks get their turn. */
const TURN_MS = 10_000;
const PICKED = 20;

const HEADERS = { "content-type": "application/json", "user-agent": "svc-webhooks/1", accept: "*/*" };

interface Turn {
  readonly lease: Lease;
  /** Aborted when no further delivery may start. */
  readonly ending: AbortSignal;
  /** Aborted when running deliveries must stop. */
  readonly cut: AbortSignal;
}

/** Sends the pending deliveries of a held webhook one by one. Returns its final state; undefined if it was deleted. */
export async function serve(app: Services, held: WebhookRow, turn: Turn): Promise<WebhookRow | undefined> {
  const over = performance.now() + TURN_MS;
  const goesOn = () => !turn.ending.aborted && performance.now() < over;
  let row: WebhookRow | undefined = held;
  while (row && goesOn()) {
    const picked = await pick(app, row);
    const before: WebhookRow = row;
    row = picked.length > 0 ? await sendAll(app, row, picked, turn, goesOn) : await takeMore(app, row, turn.lease);
    if (row === before) break;
  }
  return row;
}

const mayTry = (row: WebhookRow): boolean =>
  row.enabled === 1 && (!isFailing(row) || hasCome(row.retry_at, Date.now(), MAX_WAIT_MS));

/** Picks the due deliveries: manual ones first; only the oldest event if the receiver is failing. */
async function pick({ database }: Pick<Services, "database">, row: WebhookRow): Promise<WebhookDeliveryRow[]> {
  const manual = await listManual(database.read, row, PICKED);
  if (manual.length > 0) return manual;
  if (!mayTry(row)) return [];
  return isFailing(row)
    ? listWaiting(database.read, row, undefined, 1)
    : listWaiting(database.read, row, Date.now(), PICKED);
}

const takeMore = (app: Services, row: WebhookRow, lease: Lease): Promise<WebhookRow | undefined> =>
  mayTry(row) ? takeEvents(app, row, lease) : Promise.resolve(row);

/**
 * Stops when the webhook has changed since these were picked. A failed delivery does not end the loop: picked again, it
 * could be due before the others had their turn.
 */
async function sendAll(
  app: Services,
  held: WebhookRow,
  picked: readonly WebhookDeliveryRow[],
  turn: Turn,
  goesOn: () => boolean,
): Promise<WebhookRow | undefined> {
  let row: WebhookRow | undefined = held;
  for (const delivery of picked) {
    if (!goesOn()) break;
    row = await sendOne(app, row, delivery, turn);
    if (!row || row.revision !== held.revision || row.enabled !== held.enabled) break;
    if (isFailing(row) !== isFailing(held)) break;
  }
  return row;
}

async function sendOne(
  app: Services,
  row: WebhookRow,
  delivery: WebhookDeliveryRow,
  { lease, cut }: Turn,
): Promise<WebhookRow | undefined> {
  const { message_id: id, payload } = delivery;
  const body = bodyIn(row.format ?? "standard", payload, app.config.baseUrl?.replace(/\/+$/, ""));
  const headers = { ...HEADERS, ...signatureHeaders(app.secret, row, { id, body }, Date.now()) };
  const attempt = await app.webhooks.send({ url: row.url, headers, body }, cut);
  return recordAttempt(app, lease, row, delivery, attempt);
}
