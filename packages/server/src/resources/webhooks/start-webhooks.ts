import { every } from "../../events/every.ts";
import type { Services } from "../../services.ts";
import { WebhookDispatcher } from "./dispatcher.ts";
import { removeOld } from "./remove-old.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const PERIOD_MS = { least: 250, most: 60_000 };

/** Sends what there is to send, and clears the log of deliveries. */
export function startWebhooks(app: Services): () => Promise<void> {
  const dispatcher = new WebhookDispatcher(app);
  dispatcher.start();
  let stopped = false;
  const keptMs = app.config.webhookLogDays * DAY_MS;
  const period = Math.min(PERIOD_MS.most, Math.max(PERIOD_MS.least, keptMs / 20));
  const stopRemoval = every(
    period,
    () => removeOld(app.database, Date.now() - keptMs, () => stopped),
    (error) => {
      if (!stopped) app.log.warn({ err: error }, "old webhook deliveries could not be removed");
    },
  );
  return async () => {
    stopped = true;
    stopRemoval();
    await dispatcher.close();
  };
}
