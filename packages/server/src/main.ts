import { makeApp } from "./app.ts";
import { readConfig, unknownSettings } from "./config.ts";
import { offerSetup } from "./operation/setup-link.ts";

const SHUTDOWN_LIMIT_MS = 10_000;

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const app = await makeApp(config);
  const { log } = app.services;
  for (const name of unknownSettings(process.env)) log.warn({ setting: name }, "this setting is not known");

  const stop = (signal: string) => {
    log.info({ signal }, "stopping");
    setTimeout(() => process.exit(1), SHUTDOWN_LIMIT_MS).unref();
    app.close().then(
      () => process.exit(0),
      (error) => {
        log.error({ err: error }, "stopping failed");
        process.exit(1);
      },
    );
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => stop(signal));

  const address = await app.server.listen({ host: config.host, port: config.port });
  log.info({ address }, "serving");
  await offerSetup(app.services, config.baseUrl ?? address);
}

main().catch((error: Error) => {
  process.stderr.write(`svc: ${error.message}\n`);
  process.exit(1);
});
