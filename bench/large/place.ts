import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { OwnPostgres } from "../../packages/server/test/support/postgres.ts";
import { atEnd } from "../harness/clean-up.ts";
import { runCommand, type Settings } from "../harness/processes.ts";
import { type DatabaseKind, generous } from "../harness/store.ts";

type StoreName = "large" | "small";

/** One measurement of the load: so many documents are there after so long. */
export interface LoadPoint {
  readonly documents: number;
  readonly seconds: number;
  /** Milliseconds of processor for each document since the point before: of the service and of PostgreSQL. */
  readonly service: number;
  readonly database: number;
  /** Resident memory of the service. */
  readonly megabytes: number;
}

/** What is known of a store, in a file beside it: a later run measures it without loading. */
interface Known {
  readonly token: string;
  readonly archives: number;
  readonly documents: number;
  readonly points: readonly LoadPoint[];
}

/** A store in a folder that outlives the run. */
export interface LargeStore {
  readonly name: StoreName;
  readonly settings: Settings;
  readonly known: Known;
  /** Runs a statement; PostgreSQL only. */
  query(statement: string): Promise<Record<string, unknown>[]>;
  note(known: Partial<Known>): void;
}

/** The folder with both stores, and their PostgreSQL. */
export interface Place {
  readonly kind: DatabaseKind;
  readonly folder: string;
  readonly postgres: OwnPostgres | undefined;
  open(name: StoreName): Promise<LargeStore>;
  close(): Promise<void>;
}

/** As a small server of its own would be set up: a quarter of 8 GB for PostgreSQL. Every commit is flushed to disk. */
const POSTGRES_SETTINGS = ["shared_buffers=2GB", "max_wal_size=4GB", "checkpoint_timeout=15min", "wal_compression=on"];
const STATEMENTS = ["shared_preload_libraries=pg_stat_statements", "pg_stat_statements.max=5000"];

export async function openPlace(kind: DatabaseKind, folder: string): Promise<Place> {
  mkdirSync(folder, { recursive: true });
  // PostgreSQL may run as another user, and has to come through.
  chmodSync(folder, 0o755);
  const postgres = kind === "postgres" ? await startKept(join(folder, "postgres")) : undefined;
  return {
    kind,
    folder,
    postgres,
    open: (name) => openStore(folder, postgres, name),
    close: async () => postgres?.stop(),
  };
}

async function startKept(directory: string): Promise<OwnPostgres> {
  const settings = [...POSTGRES_SETTINGS, ...(process.env.STATEMENTS === "1" ? STATEMENTS : [])];
  const postgres = await OwnPostgres.start({ durable: true, directory, settings });
  // A fast stop, so that the next start need not recover.
  atEnd(() => {
    if (!postgres.hasEnded) process.kill(postgres.pid, "SIGINT");
  });
  return postgres;
}

async function openStore(folder: string, postgres: OwnPostgres | undefined, name: StoreName): Promise<LargeStore> {
  const directory = join(folder, name);
  mkdirSync(directory, { recursive: true });
  const url = postgres && Object.assign(new URL(postgres.url), { pathname: `/${name}` }).href;
  const settings: Settings = { ...generous, SVC_DATA_DIR: directory, ...(url && { SVC_DATABASE_URL: url }) };
  const file = join(folder, `${name}.json`);
  if (!existsSync(file)) {
    await postgres?.run(`create database ${name}`);
    writeFileSync(file, JSON.stringify({ token: await makeToken(settings), archives: 0, documents: 0, points: [] }));
  }
  const read = (): Known => JSON.parse(readFileSync(file, "utf8"));
  return {
    name,
    settings,
    get known() {
      return read();
    },
    note: (known) => writeFileSync(file, JSON.stringify({ ...read(), ...known })),
    query: async (statement) => {
      if (!url) throw new Error("Only PostgreSQL is asked.");
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      return (await client.query(statement).finally(() => client.end())).rows;
    },
  };
}

async function makeToken(settings: Settings): Promise<string> {
  const email = "ada@example.com";
  await runCommand(
    settings,
    ...["users", "create", "--email", email, "--name", "Ada", "--password", "correct horse battery"],
  );
  const { token } = await runCommand(settings, "tokens", "create", "--email", email, "--access", "read_write");
  return String(token);
}

export const headersOf = ({ known }: LargeStore): Readonly<Record<string, string>> => ({
  authorization: `Bearer ${known.token}`,
  "user-agent": "bench/1.0 (Bench)",
});
