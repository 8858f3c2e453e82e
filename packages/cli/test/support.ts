import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { assertStatus, type Loose } from "../../server/test/support/client.ts";
import { type Finished, SVC } from "../../server/test/support/process.ts";
import { type Person, World } from "../../server/test/support/world.ts";

interface RunOptions {
  readonly stdin?: string;
  readonly env?: Record<string, string>;
}

/** A person's terminal: the real command in a process of its own, with a home of its own. */
export class Terminal {
  readonly home = mkdtempSync(join(tmpdir(), "svc-home-"));
  readonly env: Record<string, string>;

  constructor(env: Record<string, string> = {}) {
    this.env = {
      HOME: this.home,
      XDG_CONFIG_HOME: join(this.home, "config"),
      XDG_STATE_HOME: join(this.home, "state"),
      ...env,
    };
  }

  start(
    args: readonly string[],
    { stdin, env }: RunOptions = {},
  ): { child: ChildProcess; finished: Promise<Finished> } {
    const child = spawn(process.execPath, [SVC, ...args], {
      cwd: this.home,
      env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...this.env, ...env },
    });
    const output = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const)
      child[name].setEncoding("utf8").on("data", (chunk: string) => {
        output[name] += chunk;
      });
    child.stdin.on("error", () => undefined).end(stdin ?? "");
    return { child, finished: once(child, "close").then(([code, signal]) => ({ code, signal, ...output })) };
  }

  run = (args: readonly string[], options?: RunOptions): Promise<Finished> => this.start(args, options).finished;

  /** The command's output for people. */
  async text(...args: string[]): Promise<string> {
    const done = await this.run(args);
    assert.equal(done.code, 0, done.stderr);
    return done.stdout;
  }

  /** The one JSON document that it prints for programs. */
  async json(...args: string[]): Promise<Loose> {
    const done = await this.run([...args, "--json"]);
    assert.equal(done.code, 0, `svc ${args.join(" ")}: ${done.stderr}`);
    assert.match(done.stdout, /^\{.*\}\n$/);
    return JSON.parse(done.stdout);
  }

  /** Fails with this exit code, prints no result, and tells why as JSON. */
  async refused(code: number, ...args: string[]): Promise<Loose> {
    const done = await this.run([...args, "--json"]);
    assert.equal(done.code, code, `svc ${args.join(" ")}: ${done.stdout}${done.stderr}`);
    assert.equal(done.stdout, "");
    const { error } = JSON.parse(done.stderr.trimEnd().split("\n").at(-1) ?? "");
    assert.equal(error.exit_code, code);
    return error;
  }

  /** A file in the home. */
  file(name: string, content: string, mode = 0o600): string {
    const path = join(this.home, name);
    writeFileSync(path, content);
    chmodSync(path, mode);
    return path;
  }

  /** An editor that is a shell script; `$1` is the file. */
  editor = (script: string): { env: Record<string, string> } => ({
    env: { EDITOR: this.file("editor.sh", `#!/bin/sh\n${script}\n`, 0o700) },
  });

  close = (): void => rmSync(this.home, { recursive: true, force: true });
}

/** One server for a file of tests, and somebody who is signed in to it through the environment. */
export function withTerminal(settings: Record<string, string> = {}) {
  const world = new World("sqlite", settings);
  const context = { world } as { world: World; person: Person; terminal: Terminal };
  before(async () => {
    await world.start();
    context.person = await world.person();
    context.terminal = new Terminal({ SVC_URL: world.url, SVC_TOKEN: context.person.token });
  });
  after(async () => {
    context.terminal.close();
    await world.stop();
  });
  return context;
}

/** A knowledge base with documents at its top, made without the command: for tests of other things. */
export async function shelf({ client }: Person, name: string, documents: Record<string, string> = {}): Promise<void> {
  const { id } = (await client.post("/knowledge-bases", { name })).data;
  for (const [title, content] of Object.entries(documents))
    assertStatus(
      await client.post("/documents", { title, knowledge_base_id: id, content: { format: "markdown", content } }),
      201,
    );
}

/** Waits for what is to be written there, such as by another process. */
export async function until<T>(look: () => T | undefined, what: string, ms = 30_000): Promise<T> {
  for (const deadline = Date.now() + ms; Date.now() < deadline; ) {
    const found = look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`Waited in vain for ${what}.`);
}
