import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { defined } from "@svc/document/defined";

const PROGRAM = new URL("./measured-server.ts", import.meta.url).pathname;

/** A server in a process of its own that can be asked what it holds. */
export class MeasuredProcess {
  readonly url: string;
  readonly #child: ChildProcess;

  private constructor(url: string, child: ChildProcess) {
    this.url = url;
    this.#child = child;
  }

  static async start(settings: Record<string, string>): Promise<MeasuredProcess> {
    const env = { PATH: process.env.PATH, ...settings };
    const child = fork(PROGRAM, { env, execArgv: ["--expose-gc"], stdio: ["ignore", "ignore", "inherit", "ipc"] });
    const [{ address }] = (await once(child, "message")) as [{ address: string }];
    return new MeasuredProcess(address, child);
  }

  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Bytes in use after garbage collection. */
  async held(): Promise<number> {
    return defined((await this.#ask("memory")).held);
  }

  async openConnections(): Promise<number> {
    return defined((await this.#ask("connections")).open);
  }

  async #ask(question: string): Promise<{ held?: number; open?: number }> {
    const answer = once(this.#child, "message");
    this.#child.send(question);
    return (await answer)[0];
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, "exit");
    this.#child.disconnect();
    await ended;
  }
}
