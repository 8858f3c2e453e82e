import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../../../..");

/** A program or test as `scripts/test.ts` has bundled it, which starts faster; without a bundle its source. */
export function fileOf(source: string): string {
  const bundled = join(process.env.SVC_TEST_BUNDLE ?? "/none", source.replace(/\.ts$/, ".mjs"));
  return existsSync(bundled) ? bundled : join(root, source);
}

export const MAIN = fileOf("packages/server/src/app/main.ts");
/** The program that `npm start` runs. */
export const NPM_START = join(root, "packages/server/src/app/start.ts");
/** A server with the test routes beside its own. */
export const TEST_SERVER = fileOf("packages/server/test/support/test-server.ts");
/** A server beside the one that a test runs itself. */
export const SECOND_SERVER = fileOf("packages/server/test/support/second-server.ts");
/** One that kills itself at a statement. */
export const DYING_SERVER = fileOf("packages/server/test/support/dying-server.ts");
export const SVC = fileOf("packages/cli/src/svc.ts");

/** Only the settings given count, whatever the shell of the test run has; compiled code is shared. */
const environment = (settings: Record<string, string>): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  ...settings,
});

export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program of ours to its end. */
export async function runProgram(
  file: string,
  args: readonly string[],
  settings: Record<string, string>,
  stdin = "",
): Promise<Finished> {
  const child = spawn(process.execPath, [file, ...args], { env: environment(settings) });
  const output = capture(child);
  child.stdin?.end(stdin);
  const [code, signal] = await once(child, "close");
  return { code, signal, ...output.text() };
}

/** The svc command with `--json`; fails when it does. */
export async function svc(settings: Record<string, string>, ...args: string[]) {
  const done = await runProgram(SVC, [...args, "--json"], settings);
  if (done.code !== 0) throw new Error(`svc ${args.join(" ")}: ${done.stderr}`);
  return JSON.parse(done.stdout);
}

function capture(child: ChildProcess) {
  const text = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name]?.on("data", (chunk) => {
      text[name] += chunk;
    });
  return { text: () => ({ ...text }) };
}

/** A server in a process of its own. */
export class ServerProcess implements AsyncDisposable {
  readonly child: ChildProcess;
  readonly url: string;
  readonly #output: ReturnType<typeof capture>;

  constructor(child: ChildProcess, url: string, output: ReturnType<typeof capture>) {
    this.child = child;
    this.url = url;
    this.#output = output;
  }

  get stdout(): string {
    return this.#output.text().stdout;
  }

  get stderr(): string {
    return this.#output.text().stderr;
  }

  /** Sends the signal and waits for the end. */
  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<Finished> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const closed = once(this.child, "close");
      this.child.kill(signal);
      await closed;
    }
    return { code: this.child.exitCode, signal: this.child.signalCode, ...this.#output.text() };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}

/** Starts a server and waits until it says where it serves. */
export async function startServer(settings: Record<string, string>, file = MAIN): Promise<ServerProcess> {
  const env = environment({ SVC_PORT: "0", ...settings, SVC_LOG_LEVEL: "info" });
  const child = spawn(process.execPath, [file], { env });
  const output = capture(child);
  const url = await new Promise<string>((found, failed) => {
    child.stdout?.on("data", () => {
      const address = /"address":"([^"]+)"/.exec(output.text().stdout)?.[1];
      if (address) found(address);
    });
    child.once("close", (code) => failed(new Error(`The server ended with ${code}: ${output.text().stderr}`)));
  });
  return new ServerProcess(child, url, output);
}
