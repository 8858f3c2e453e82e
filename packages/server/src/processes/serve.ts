import cluster from "node:cluster";
import { makeApp } from "../app.ts";
import type { Config } from "../config.ts";
import { giveBackMemory } from "../operation/give-back-memory.ts";
import { boundHeapGrowth } from "../operation/heap-growth.ts";
import { offerSetup } from "../operation/setup-link.ts";
import { SAME_SIGNAL_MS, SHUTDOWN_LIMIT_MS } from "./messages.ts";
import { warnOfSettings } from "./warn-of-settings.ts";
import { WorkerLink } from "./worker-link.ts";

/** Serves in this process alone. */
export async function serveAlone(config: Config): Promise<void> {
  boundHeapGrowth();
  const app = await makeApp(config);
  const { log } = app.services;
  warnOfSettings(log, config);
  giveBackMemory();
  const stop = stopper(app);
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => stop(signal));
  const address = await app.server.listen({ host: config.host, port: config.port });
  log.info({ address }, "serving");
  await offerSetup(app.services, config.baseUrl ?? address);
}

/** Serves as one of several processes under a supervisor. */
export async function serveAsWorker(config: Config, number: number): Promise<void> {
  const link = new WorkerLink(number);
  boundHeapGrowth();
  const app = await makeApp(config, undefined, link);
  giveBackMemory();
  const stop = stopper(app);
  // The supervisor passes its own signals on, and a terminal or service manager may send them to all processes.
  process.on("SIGTERM", () => stop("SIGTERM"));
  process.on("SIGINT", () => undefined);
  if (cluster.worker) {
    // Node would end a worker without a supervisor at once, in the middle of its requests.
    cluster.worker.exitedAfterDisconnect = true;
    cluster.worker.once("disconnect", () => stop("the supervisor is gone"));
  }
  const address = await app.server.listen({ host: config.host, port: config.port });
  link.serving(address, (shown) => {
    offerSetup(app.services, config.baseUrl ?? shown).catch((error) =>
      app.services.log.error({ err: error }, "the set-up link could not be made"),
    );
  });
}

/** Ends the process cleanly; at once if it is asked for again later. */
function stopper({ close, services: { log } }: Awaited<ReturnType<typeof makeApp>>): (why: string) => void {
  let since: number | undefined;
  return (why) => {
    if (since !== undefined && performance.now() - since > SAME_SIGNAL_MS) process.exit(1);
    if (since !== undefined) return;
    since = performance.now();
    log.info({ signal: why }, "stopping");
    setTimeout(() => process.exit(1), SHUTDOWN_LIMIT_MS).unref();
    close().then(
      () => process.exit(0),
      (error) => {
        log.error({ err: error }, "stopping failed");
        process.exit(1);
      },
    );
  };
}
