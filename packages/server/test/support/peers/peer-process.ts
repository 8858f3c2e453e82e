import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { defined } from "@svc/document/defined";
import { portOf } from "@svc/server/http/port-of";

/** An outside program that runs for the length of a test file. */
interface PeerProcess {
  /** The last few KiB it wrote, for the message when it does not come up. */
  output(): string;
  hasExited(): boolean;
  stop(): Promise<void>;
}

const setpriv = "/usr/bin/setpriv";

/** The peer dies with us even when we are killed (Linux), and with our ordinary exit everywhere. */
export function startPeer(command: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): PeerProcess {
  const wrapped = existsSync(setpriv) ? [setpriv, "--pdeathsig", "KILL", "--", command, ...args] : [command, ...args];
  const child = spawn(defined(wrapped[0]), wrapped.slice(1), { stdio: ["ignore", "pipe", "pipe"], env });
  let tail = "";
  const keep = (chunk: Buffer) => {
    tail = (tail + chunk.toString()).slice(-4096);
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  child.on("error", (error) => keep(Buffer.from(String(error))));
  const killNow = () => child.kill("SIGKILL");
  process.once("exit", killNow);
  return {
    output: () => tail,
    hasExited: () => child.exitCode !== null || child.signalCode !== null || child.pid === undefined,
    async stop() {
      process.off("exit", killNow);
      await stopChild(child);
    },
  };
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  child.kill("SIGTERM");
  const forced = setTimeout(() => child.kill("SIGKILL"), 2000);
  await exited;
  clearTimeout(forced);
}

/** Polls until `isReady` answers true; throws with the peer's own words when it exits or takes too long. */
export async function untilReady(
  name: string,
  peer: PeerProcess,
  isReady: () => Promise<boolean>,
  timeoutMs = 240_000,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (Date.now() < deadline) {
    if (peer.hasExited()) throw new Error(`${name} ended at its start: ${peer.output()}`);
    if (await isReady().catch(() => false)) return;
    await delay(50);
  }
  throw new Error(`${name} was not ready in ${timeoutMs} ms: ${peer.output()}`);
}

/** Ports nobody listens on at this moment. All are held until all are known, so they differ. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      return server;
    }),
  );
  const ports = servers.map((server) => portOf(server));
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
