import { type Command, InvalidArgumentError } from "commander";

interface Options {
  readonly host?: string;
  readonly port?: number;
  readonly dataDir?: string;
}

function portNumber(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65535)) throw new InvalidArgumentError("Give a port from 0 to 65535; 0 takes a free one.");
  return port;
}

/** This process becomes the server: same process id, same streams. */
async function serve({ host, port, dataDir }: Options): Promise<void> {
  if (host !== undefined) process.env.SVC_HOST = host;
  if (port !== undefined) process.env.SVC_PORT = String(port);
  if (dataDir !== undefined) process.env.SVC_DATA_DIR = dataDir;
  process.argv.splice(2);
  await import("@svc/server/app/start");
}

export function define(command: Command): void {
  command
    .option("--host <address>", "address to listen on (SVC_HOST)")
    .option("--port <port>", "port to listen on (SVC_PORT)", portNumber)
    .option("--data-dir <folder>", "the store (SVC_DATA_DIR)")
    .addHelpText("after", "\nReads the SVC_ settings. Ends cleanly on Ctrl-C and on SIGTERM.")
    .action(serve);
}
