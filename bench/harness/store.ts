import { randomBytes } from "node:crypto";
import { settings as known } from "@svc/server/config";
import pg from "pg";
import { type RunningPostgres, startPostgres } from "../../packages/server/test/support/postgres.ts";
import { makeDirectory, ours, runCommandOf, type Settings } from "./processes.ts";

export type DatabaseKind = "sqlite" | "postgres";

/** An empty store with one account, and how to reach it. */
export interface Store {
  readonly kind: DatabaseKind;
  /** Settings for starting a server on this store. */
  readonly settings: Settings;
  readonly directory: string;
  /** The headers of a caller who may do everything. */
  readonly headers: Readonly<Record<string, string>>;
  /** Another database for the bare server: on the same PostgreSQL, or the same disk. */
  readonly bare: Settings;
  /**
   * Counts the rows, as PostgreSQL does by itself within a minute of a bulk load. Until then it plans for empty tables,
   * and what is measured is how those plans happen to fit.
   */
  analyze(): Promise<void>;
  remove(): Promise<void>;
}

/** Nothing that counts requests, streams or documents may end a measurement; all checks are still made. */
const generous: Settings = {
  SVC_RATE_LIMIT: "1000000000",
  SVC_SSE_MAX_CONNECTIONS_PER_TOKEN: "1000000",
  SVC_MAX_DOCUMENTS: "100000000",
  SVC_MAX_FOLDERS: "100000000",
  SVC_MAX_KNOWLEDGE_BASES: "1000000",
  SVC_MAX_STORAGE_BYTES: "1000000000000",
  SVC_LOG_LEVEL: "info",
};

export async function makeStore(kind: DatabaseKind, programs = ours): Promise<Store> {
  const directory = makeDirectory();
  const [main, bare] = kind === "postgres" ? [await makeDatabase(), await makeDatabase()] : [];
  const settings: Settings = {
    ...generous,
    SVC_DATA_DIR: directory.path,
    ...(main && { SVC_DATABASE_URL: main.url }),
  };
  const email = "ada@example.com";
  const svc = (...args: string[]) => runCommandOf(programs, settings, args);
  await svc("users", "create", "--email", email, "--name", "Ada", "--password", "correct horse battery");
  const { token } = await svc("tokens", "create", "--email", email, "--access", "read_write");
  return {
    kind,
    settings,
    directory: directory.path,
    headers: { authorization: `Bearer ${token}`, "user-agent": "bench/1.0 (Bench)" },
    bare: { BENCH_DATA: directory.path, ...(bare && { BENCH_DATABASE_URL: bare.url }) },
    analyze: async () => {
      for (const database of [main, bare]) await database?.analyze();
    },
    remove: async () => {
      await main?.drop();
      await bare?.drop();
      directory.remove();
    },
  };
}

/** Whether the server knows `SVC_WORKERS`. */
export const knowsWorkers = Object.values(known).some((setting) => setting.name === "SVC_WORKERS");

let postgres: Promise<RunningPostgres> | undefined;

/** One PostgreSQL for the whole run; it flushes every commit to disk. */
async function postgresUrl(): Promise<string> {
  postgres ??= startPostgres({ durable: true });
  return (await postgres).url;
}

export async function stopPostgres(): Promise<void> {
  await (await postgres)?.stop();
  postgres = undefined;
}

interface MadeDatabase {
  readonly url: string;
  analyze(): Promise<void>;
  drop(): Promise<void>;
}

async function makeDatabase(): Promise<MadeDatabase> {
  const server = await postgresUrl();
  const name = `bench_${randomBytes(8).toString("hex")}`;
  const { href } = Object.assign(new URL(server), { pathname: `/${name}` });
  await runStatement(server, `create database ${name}`);
  return {
    url: href,
    analyze: () => runStatement(href, "analyze"),
    drop: () => runStatement(server, `drop database if exists ${name} with (force)`),
  };
}

async function runStatement(connectionString: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}
