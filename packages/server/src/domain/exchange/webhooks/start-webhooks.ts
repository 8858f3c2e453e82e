import { Loop } from "../../../background/loop.ts";
import type { Services } from "../../../services.ts";
import { DAY_MS } from "../../../time.ts";
import { WebhookDispatcher } from "./dispatcher.ts";
import { removeOld } from "./remove-old.ts";

const PERIOD_MS = { least: 250, most: 60_000 };

/** Starts sending deliveries and clearing the delivery log. */
export function startWebhooks(app: Services): () => Promise<void> {
  const dispatcher = new WebhookDispatcher(app);
  const keptMs = app.config.webhookLogDays * DAY_MS;
  const removal = new Loop({
    round: () => removeOld(app.database, Date.now() - keptMs),
    pauseMs: Math.min(PERIOD_MS.most, Math.max(PERIOD_MS.least, keptMs / 20)),
    failed: (error) => app.log.warn({ err: error }, "old webhook deliveries could not be removed"),
  });
  return async () => {
    await Promise.all([removal.stop(), dispatcher.close()]);
  };
}
