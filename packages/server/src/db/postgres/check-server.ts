import { defined } from "@svc/document/defined";
import type pg from "pg";
import { DatabaseUnavailable } from "../database.ts";
import { connectionOptions } from "./servers.ts";

/** A pooler that shares connections may return the same one a few times by chance. */
const LOOKS = 5;

/** A problem that waiting does not solve, in one sentence for the operator. */
class UnfitServer extends Error {}

const POOLER =
  "SVC_DATABASE_URL leads to a connection pooler that hands out transactions, and svc needs sessions: set pool_mode = session for its database there.";

const backendOf = async (client: pg.ClientBase): Promise<number> =>
  defined((await client.query<{ pid: number }>("select pg_backend_pid() as pid")).rows[0]).pid;

/** Encodings that can store every character that clients send. */
const HOLD_ALL = new Set(["UTF8", "SQL_ASCII"]);

/** In any other encoding, one missing character makes a write fail, long after the start. */
async function checkEncoding(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ server_encoding: string }>("show server_encoding");
  const { server_encoding: encoding } = defined(rows[0]);
  if (!HOLD_ALL.has(encoding))
    throw new UnfitServer(
      `SVC_DATABASE_URL leads to a database in ${encoding}, which does not have every character: create one with encoding 'UTF8' template template0.`,
    );
}

/**
 * Refuses a database that cannot store every text, and a pooler that runs a connection's next transaction in another
 * PostgreSQL session: prepared statements, settings and LISTEN would be lost there, sometimes silently.
 */
export async function checkServer(url: string, waitMs: number): Promise<void> {
  const { connectionString, Client } = connectionOptions(url);
  const options = { connectionString, connectionTimeoutMillis: waitMs, query_timeout: waitMs };
  const open: pg.Client[] = [];
  const connect = async () => {
    const client = new Client(options);
    open.push(client.on("error", () => undefined));
    await client.connect();
    return client;
  };
  try {
    const client = await connect();
    await checkEncoding(client);
    const backend = await backendOf(client);
    // PostgreSQL gives each connection its own number; a pooler makes one up.
    if (Reflect.get(client, "processID") === backend) return;
    if (await isShared(client, backend, await connect())) throw new UnfitServer(POOLER);
  } catch (error) {
    if (error instanceof UnfitServer) throw error;
    throw new DatabaseUnavailable(error);
  } finally {
    await Promise.allSettled(open.map((client) => client.end()));
  }
}

/** Whether the PostgreSQL session of a connection now serves another one, or the connection has a different session. */
async function isShared(client: pg.Client, backend: number, other: pg.Client): Promise<boolean> {
  for (let look = 0; look < LOOKS; look++) {
    await other.query("begin");
    if ((await backendOf(other)) === backend || (await backendOf(client)) !== backend) return true;
    await other.query("rollback");
  }
  return false;
}
