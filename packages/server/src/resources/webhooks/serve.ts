import { hasCome } from "../../background/due.ts";
import type { Lease } from "../../background/lease.ts";
import type { WebhookDeliveryRow, WebhookRow } from "../../db/schema/tables/events.ts";
import { signatureHeaders } from "../../ports/webhooks/signature.ts";
import type { Services } from "../../services.ts";
import { listManual, listWaiting } from "./delivery-queries.ts";
import { recordAttempt } from "./record-attempt.ts";
import { isFailing, MOST_WAIT_MS } from "./state.ts";
import { takeEvents } from "./take-events.ts";

/** Then others have their turn. */
const TURN_MS = 10_000;
const PICKED = 20;

const HEADERS = { "content-type": "application/json", "user-agent": "svc-webhooks/1", accept: "*/*" };

interface Turn {
  readonly lease: Lease;
  /** No further delivery is begun. */
  readonly ending: AbortSignal;
  /** What is under way is cut off. */
  readonly cut: AbortSignal;
}

/** Sends what a held webhook has to send, one after the other. Gives back how it left it; undefined when it was deleted. */
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
  row.enabled === 1 && (!isFailing(row) || hasCome(row.retry_at, Date.now(), MOST_WAIT_MS));

/** What is due: first what a person asked for; of a receiver in trouble only the oldest event. */
async function pick({ database }: Services, row: WebhookRow): Promise<WebhookDeliveryRow[]> {
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
 * Stops where the webhook is no longer as it was when these were picked. One that is refused does not end it: picked anew,
 * it could be due again before the others had their turn.
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
  const { message_id: id, payload: body } = delivery;
  const headers = { ...HEADERS, ...signatureHeaders(app.secret, row, { id, body }, Date.now()) };
  const attempt = await app.webhooks.send({ url: row.url, headers, body }, cut);
  return recordAttempt(app, lease, row, delivery, attempt);
}
