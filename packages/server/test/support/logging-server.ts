import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { freePort } from "./postgres.ts";
import { MAIN } from "./process.ts";
import { until } from "./until.ts";
import { makeStore } from "./world.ts";

/** A server whose log goes to a file or device instead of to the test. */
export class LoggingServer implements AsyncDisposable {
  readonly url: string;
  readonly #child: ChildProcess;
  readonly #remove: () => Promise<unknown>;

  private constructor(url: string, child: ChildProcess, remove: () => Promise<unknown>) {
    this.url = url;
    this.#child = child;
    this.#remove = remove;
  }

  static async start(file: string): Promise<LoggingServer> {
    const store = await makeStore("sqlite");
    const port = await freePort();
    const log = openSync(file, "a");
    const env = { PATH: process.env.PATH, ...store.settings, SVC_PORT: String(port), SVC_LOG_LEVEL: "info" };
    const child = spawn(process.execPath, [MAIN], { env, stdio: ["ignore", log, "inherit"] });
    closeSync(log);
    const server = new LoggingServer(`http://127.0.0.1:${port}`, child, () => store.remove());
    try {
      await until("it serves", async () => {
        if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}.`);
        return (await fetch(`${server.url}/healthz`).catch(() => undefined))?.status === 200;
      });
    } catch (error) {
      await server[Symbol.asyncDispose]();
      throw error;
    }
    return server;
  }

  /** Writes of the log that failed so far; every question is another line of the log. */
  async lostLines(): Promise<number> {
    const text = await (await fetch(`${this.url}/metrics`)).text();
    return Number(/^svc_log_write_errors_total (\d+)$/m.exec(text)?.[1]);
  }

  /** Stops the server; gives its exit code. */
  async stop(): Promise<number | null> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const closed = once(this.#child, "close");
      this.#child.kill("SIGTERM");
      await closed;
    }
    return this.#child.exitCode;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await this.#remove();
  }
}
