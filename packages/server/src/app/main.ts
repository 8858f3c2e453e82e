import cluster from "node:cluster";
import { enableCompileCache } from "node:module";
import { resolve } from "node:path";
import { type Config, readConfig } from "../config.ts";
import { WORKER_NUMBER } from "./processes/messages.ts";

// Stores compiled code beside the packages: the next start takes half the time and less memory. If that directory is
// not writable, nothing is stored.
const { directory } = enableCompileCache(resolve(import.meta.dirname, "../../../../node_modules/.cache/svc"));
// Threads read the cache from here: the import thread then starts in one second instead of two.
if (directory !== undefined) process.env.NODE_COMPILE_CACHE = directory;

/** Builds browser scripts that are missing or older than their sources. The server works without them. */
async function buildIslands(): Promise<void> {
  const { ensureIslands } = await import("@svc/web/build");
  await ensureIslands().catch(({ message }: Error) =>
    process.stderr.write(`svc: the editor's scripts could not be built (${message})\n`),
  );
}

let config: Config | undefined;

async function main(): Promise<void> {
  config = readConfig(process.env);
  if (cluster.isPrimary) await buildIslands();
  if (cluster.isPrimary && config.workers > 1) {
    // Imports nothing of the server, so that the supervisor stays small.
    const { supervise } = await import("./processes/supervisor.ts");
    return supervise(config);
  }
  const { serveAlone, serveAsWorker } = await import("./processes/serve.ts");
  return cluster.isWorker ? serveAsWorker(config, Number(process.env[WORKER_NUMBER])) : serveAlone(config);
}

main().catch(async (error: Error) => {
  const { startError } = await import("./processes/start-error.ts");
  process.stderr.write(`svc: ${startError(error, config)}\n`);
  process.exit(1);
});
