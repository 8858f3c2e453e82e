import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { CommandError } from "../../command-error.ts";
import { EXIT } from "../../exit-codes.ts";

const MAIN = fileURLToPath(new URL("../../../../server/src/app/main.ts", import.meta.url));
/** Settings of the shell that count: all others belong to another server. */
const KEPT = ["SVC_HOST", "SVC_PORT", "SVC_BASE_URL", "SVC_TRUST_PROXY"];
const ADDRESS = /"address":"([^"]+)"/;

type Settings = Readonly<Record<string, string>>;

function settingsFor(folder: string): Settings {
  const kept = KEPT.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []));
  return { SVC_PORT: "0", ...Object.fromEntries(kept), SVC_DATA_DIR: folder, SVC_LOG_LEVEL: "info" };
}

function environmentOf(settings: Settings): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith("SVC_"));
  return { ...Object.fromEntries(others), ...settings };
}

/** A server on a store of its own that is removed when it ends. */
export class TemporaryServer {
  readonly settings: Settings;
  /** The address at which this machine reaches the server, once it serves. */
  readonly address: Promise<string>;
  /** The exit code of this command: 0 after `stop`. */
  readonly ended: Promise<number>;
  readonly #child: ChildProcess;
  #isStopping = false;

  constructor() {
    const folder = mkdtempSync(join(tmpdir(), "svc-demo-"));
    this.settings = settingsFor(folder);
    // A group of its own: Ctrl-C reaches this process alone, which then ends the server and removes the folder.
    const options = { env: environmentOf(this.settings), detached: process.platform !== "win32" };
    const child = spawn(process.execPath, [MAIN], { ...options, stdio: ["ignore", "pipe", "pipe"] });
    const remove = () => rmSync(folder, { recursive: true, force: true });
    process.once("exit", () => {
      child.kill("SIGKILL");
      remove();
    });
    this.#child = child;
    this.address = addressOf(child);
    this.ended = new Promise((resolve) => {
      child.once("close", () => {
        remove();
        resolve(this.#isStopping ? EXIT.ok : EXIT.failure);
      });
    });
  }

  get isStopping(): boolean {
    return this.#isStopping;
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#child.kill("SIGTERM");
    await this.ended;
  }
}

/** Waits until the server says where it serves. */
function addressOf(child: ChildProcess): Promise<string> {
  let [output, errors] = ["", ""];
  return new Promise((resolve, reject) => {
    child.stderr?.on("data", (text) => {
      errors += text;
    });
    child.stdout?.on("data", (text) => {
      if (ADDRESS.test(output)) return;
      output += text;
      const address = ADDRESS.exec(output)?.[1];
      if (address) resolve(address.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:"));
    });
    child.once("close", () => {
      const reason = stripVTControlCharacters(errors)
        .trim()
        .replace(/^svc: /, "");
      reject(new CommandError(EXIT.failure, reason || "The server of the demo ended before it served."));
    });
  });
}
