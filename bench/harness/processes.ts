import { spawn } from "node:child_process";
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { defined } from "@svc/document/defined";
import type { Target } from "./drive.ts";

/** Clean-up for the end of the run, however it ends: stops servers, removes directories. */
const steps: (() => void)[] = [];

function atEnd(step: () => void): () => void {
  if (steps.length === 0) {
    process.once("exit", undoAll);
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
  }
  steps.push(step);
  return () => {
    const index = steps.indexOf(step);
    if (index >= 0) steps.splice(index, 1);
  };
}

function undoAll(): void {
  for (const step of steps.reverse()) step();
}

const root = resolve(import.meta.dirname, "../..");

/** Arguments for Node to run a program: options, if it needs any, then its file. */
export type NodeArguments = readonly string[];

/** The programs of a checkout of svc: of this one, or of another commit. */
export interface Programs {
  readonly server: NodeArguments;
  readonly command: string;
}
export const programsIn = (folder: string): Programs => ({
  server: npmStartOf(folder),
  command: join(folder, "packages/cli/src/svc.ts"),
});

/** The arguments that `npm start` passes to Node there. */
function npmStartOf(folder: string): NodeArguments {
  const { scripts } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const words: string[] = scripts.start.split(" ").slice(1);
  return words.map((word) => (word.startsWith("--") ? word : join(folder, word)));
}

export const ours = programsIn(root);
export const SVC_SERVER = ours.server;
export const bareServer = (name: string): NodeArguments => [join(root, "bench/bare", `${name}.ts`)];

export type Settings = Readonly<Record<string, string>>;

export interface Running extends Target {
  /** Forgets what it has logged. */
  clearLog(): void;
  stop(): Promise<void>;
}

/** An empty directory, removed at the end of the run at the latest. */
export function makeDirectory(parent = tmpdir()): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(parent, "svc-bench-"));
  const removeNow = () => rmSync(path, { recursive: true, force: true });
  const forget = atEnd(removeNow);
  return {
    path,
    remove: () => {
      forget();
      removeNow();
    },
  };
}

/** Log lines go to memory: reading them would cost the sender, and a disk that is flushed beside a store's costs that. */
const logParent = () => (existsSync("/dev/shm") ? "/dev/shm" : tmpdir());

/** Starts a server in a process of its own; it prints its address when it listens. */
export async function startServer(
  program: NodeArguments,
  settings: Settings = {},
  nodeOptions: NodeArguments = [],
): Promise<Running> {
  const directory = makeDirectory(logParent());
  const log = join(directory.path, "log");
  const output = openSync(log, "a");
  const env = { PATH: process.env.PATH, SVC_PORT: "0", ...settings };
  const child = spawn(process.execPath, [...nodeOptions, ...program], { env, stdio: ["ignore", output, "inherit"] });
  closeSync(output);
  const ended = new Promise<number | null>((done) => child.once("exit", done));
  const forget = atEnd(() => void child.kill("SIGKILL"));
  const stop = async () => {
    child.kill("SIGTERM");
    const tooLong = setTimeout(() => child.kill("SIGKILL"), 15_000);
    await ended;
    clearTimeout(tooLong);
    forget();
    directory.remove();
  };
  for (;;) {
    const address = /"address":"([^"]+)"/.exec(readFileSync(log, "utf8"))?.[1];
    if (address) return { address, pid: defined(child.pid), stop, clearLog: () => truncateSync(log) };
    if (child.exitCode !== null)
      throw new Error(`${program.at(-1)} ended with ${child.exitCode}: ${readFileSync(log, "utf8")}`);
    await sleep(2);
  }
}

/** Runs `svc … --json` on the store that the settings name. */
export const runCommand = (settings: Settings, ...args: string[]): Promise<Record<string, unknown>> =>
  runCommandOf(ours, settings, args);

export async function runCommandOf(
  { command }: Programs,
  settings: Settings,
  args: readonly string[],
): Promise<Record<string, unknown>> {
  const child = spawn(process.execPath, [command, ...args, "--json"], {
    env: { PATH: process.env.PATH, ...settings },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  for await (const chunk of child.stdout) text += chunk;
  if (text === "") throw new Error(`svc ${args[0]} ${args[1]} said nothing.`);
  return JSON.parse(text);
}
