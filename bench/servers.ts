import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
export const BARE = join(root, "bench/bare.ts");
export const SVC_SERVER = join(root, "packages/server/src/main.ts");
const SVC_COMMAND = join(root, "packages/cli/src/svc.ts");

export interface Running {
  readonly child: ChildProcess;
  readonly address: string;
  stop(): Promise<void>;
}

/** Starts a server of the bench, and tells its address once it has printed it. */
export async function start(file: string, settings: Record<string, string> = {}): Promise<Running> {
  const env = { PATH: process.env.PATH, SVC_PORT: "0", ...settings };
  const child = spawn(process.execPath, [file], { env, stdio: ["ignore", "pipe", "inherit"] });
  const address = await new Promise<string>((found, failed) => {
    let text = "";
    child.stdout.on("data", (chunk) => {
      if (text.length > 4096) return;
      text += chunk;
      const match = /"address":"([^"]+)"/.exec(text);
      if (match?.[1]) found(match[1]);
    });
    child.once("exit", (code) => failed(new Error(`${file} ended with ${code}.`)));
  });
  const stop = async () => {
    const ended = new Promise((done) => child.once("exit", done));
    child.kill("SIGTERM");
    await ended;
  };
  return { child, address, stop };
}

/** An empty directory for a store, and how to remove it. */
export function makeDataDir() {
  const directory = mkdtempSync(join(tmpdir(), "svc-bench-"));
  return { directory, remove: () => rmSync(directory, { recursive: true, force: true }) };
}

/** Runs `svc … --json` on the store. */
export async function svc(settings: Record<string, string>, ...args: string[]): Promise<Record<string, unknown>> {
  const child = spawn(process.execPath, [SVC_COMMAND, ...args, "--json"], {
    env: { PATH: process.env.PATH, ...settings },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  for await (const chunk of child.stdout) text += chunk;
  return JSON.parse(text);
}

export const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

/** Processor time that a process has used so far, in milliseconds; 0 where the system does not tell. */
export function cpuMs(pid: number | undefined): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return 0;
  }
}
