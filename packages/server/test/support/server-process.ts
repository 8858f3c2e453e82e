import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";

const MAIN = new URL("../../src/main.ts", import.meta.url).pathname;

/** A server in a process of its own, to be killed. */
export class ServerProcess {
  readonly url: string;
  readonly #child: ChildProcess;

  private constructor(url: string, child: ChildProcess) {
    this.url = url;
    this.#child = child;
  }

  /** Starts it, and waits until it listens. */
  static async start(settings: Record<string, string>): Promise<ServerProcess> {
    const env = { PATH: process.env.PATH ?? "", ...settings, SVC_LOG_LEVEL: "info", SVC_PORT: "0" };
    const child = spawn(process.execPath, [MAIN], { env, stdio: ["ignore", "pipe", "inherit"] });
    const lines = createInterface({ input: child.stdout! });
    const url = await new Promise<string>((resolve, reject) => {
      child.once("exit", (code) => reject(new Error(`The server ended with ${code}.`)));
      lines.on("line", (line) => {
        const address = /"address":"([^"]+)"/.exec(line)?.[1];
        if (address) resolve(address);
      });
    });
    return new ServerProcess(url, child);
  }

  /** Ends it in the middle of whatever it does. */
  async kill(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once("exit", resolve));
    this.#child.kill("SIGKILL");
    await ended;
  }
}
