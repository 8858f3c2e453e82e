import cluster from "node:cluster";
import type { Config } from "../../config.ts";
import { firstAccountOf } from "../../operation/first-account.ts";
import { limitHeapGrowth } from "../../operation/heap-growth.ts";
import { offerSetup } from "../../operation/setup-link.ts";
import { makeApp } from "../make-app.ts";
import { SAME_SIGNAL_MS, SHUTDOWN_LIMIT_MS } from "./messages.ts";
import { warnOfSettings } from "./warn-of-settings.ts";
import { WorkerLink } from "./worker-link.ts";

/** Serves in this process alone. */
export async function serveAlone(config: Config): Promise<void> {
  limitHeapGrowth();
  firstAccountOf(config);
  const app = await makeApp(config);
  const { log } = app.services;
  warnOfSettings(log, config);
  const stop = stopper(app);
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => stop(signal));
  const address = await app.server.listen({ host: config.host, port: config.port });
  log.info({ address }, "serving");
  offerLink(app, config.baseUrl ?? address);
}

/** Serves as one of several processes under a supervisor. */
export async function serveAsWorker(config: Config, number: number): Promise<void> {
  const link = new WorkerLink(number);
  limitHeapGrowth();
  firstAccountOf(config);
  const app = await makeApp(config, undefined, link);
  const stop = stopper(app);
  // The supervisor forwards its signals, and a terminal or service manager may send them to all processes.
  process.on("SIGTERM", () => stop("SIGTERM"));
  process.on("SIGINT", () => undefined);
  if (cluster.worker) {
    // Node would end a worker without a supervisor at once, in the middle of its requests.
    cluster.worker.exitedAfterDisconnect = true;
    cluster.worker.once("disconnect", () => stop("the supervisor is gone"));
  }
  const address = await app.server.listen({ host: config.host, port: config.port });
  link.serving(address, (shown) => {
    offerLink(app, config.baseUrl ?? shown);
  });
}

/** Prints the set-up link of an empty store. A server that already serves must not end when its database cannot answer. */
function offerLink({ services }: Awaited<ReturnType<typeof makeApp>>, url: string): void {
  offerSetup(services, url).catch((error) => services.log.error({ err: error }, "the set-up link could not be made"));
}

/** Ends the process cleanly, or at once on a later second signal. */
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
