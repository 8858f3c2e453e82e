import { defined } from "@svc/document/defined";
import type pg from "pg";
import { DatabaseUnavailable } from "../database.ts";
import { connectionOptions } from "./servers.ts";

/** A pooler that shares connections may by chance hand out the same one a few times. */
const LOOKS = 5;

const SENTENCE =
  "SVC_DATABASE_URL leads to a connection pooler that hands out transactions, and svc needs sessions: set pool_mode = session for its database there.";

const backendOf = async (client: pg.ClientBase): Promise<number> =>
  defined((await client.query<{ pid: number }>("select pg_backend_pid() as pid")).rows[0]).pid;

/**
 * Refuses a pooler that gives a connection's next transaction to another session of PostgreSQL. Prepared statements,
 * settings and LISTEN would get lost there, some of them silently.
 */
export async function refuseSharedSessions(url: string, waitMs: number): Promise<void> {
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
    const backend = await backendOf(client);
    // PostgreSQL tells each connection its own number; a pooler makes one up.
    if ((client as unknown as { processID: number }).processID === backend) return;
    if (await isShared(client, backend, await connect())) throw new Error(SENTENCE);
  } catch (error) {
    if (error instanceof Error && error.message === SENTENCE) throw error;
    throw new DatabaseUnavailable(error);
  } finally {
    await Promise.allSettled(open.map((client) => client.end()));
  }
}

/** Whether a session of PostgreSQL that one connection was given before is now another's, or its own is another one. */
async function isShared(client: pg.Client, backend: number, other: pg.Client): Promise<boolean> {
  for (let look = 0; look < LOOKS; look++) {
    await other.query("begin");
    if ((await backendOf(other)) === backend || (await backendOf(client)) !== backend) return true;
    await other.query("rollback");
  }
  return false;
}
