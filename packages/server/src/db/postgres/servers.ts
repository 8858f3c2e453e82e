import pg from "pg";
import { parseDatabaseUrl } from "../../settings/database-url.ts";

/** Less than the pool allows for a new connection, search included. */
const PROBE_MS = 3000;

const readOnly = (): Error => Object.assign(new Error("The server takes no writes."), { code: "25006" });

/** Fails unless the connection's server takes writes. */
async function mustTakeWrites(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: string }>("show transaction_read_only");
  if (rows[0]?.transaction_read_only !== "off") throw readOnly();
}

async function takesWrites(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: PROBE_MS, query_timeout: PROBE_MS });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await mustTakeWrites(client);
    return url;
  } finally {
    client.end().catch(() => undefined);
  }
}

/** Finds the one server that accepts writes, and remembers it until a connection to it fails or ends. */
class WritableServer {
  readonly #urls: readonly string[];
  #found: Promise<string> | undefined;

  constructor(urls: readonly string[]) {
    this.#urls = urls;
  }

  /** Asks all servers at the same time, so that a slow one delays nothing. */
  find(): Promise<string> {
    this.#found ??= Promise.any(this.#urls.map(takesWrites)).catch((error: AggregateError) => {
      this.#found = undefined;
      throw error.errors[0];
    });
    return this.#found;
  }

  forget(): void {
    this.#found = undefined;
  }
}

/**
 * The driver's options for an address. If it names several servers, each new connection goes to the one that accepts
 * writes.
 */
export function connectionOptions(address: string): {
  readonly connectionString: string;
  readonly Client: typeof pg.Client;
} {
  const servers = parseDatabaseUrl(address);
  if (!servers) throw new Error("The address of PostgreSQL is not valid.");
  const connectionString = servers.urls[0];
  if (!servers.mustWrite) return { connectionString, Client: pg.Client };
  const writable = new WritableServer(servers.urls);

  class WritableClient extends pg.Client {
    override connect(): Promise<pg.Client>;
    override connect(callback: ((error: Error) => void) | ((error: null, client: pg.Client) => void)): void;
    override connect(callback?: (error: never, client: pg.Client) => void): Promise<pg.Client> | undefined {
      const connected = this.#connect();
      if (!callback) return connected;
      const callBack = callback as (error: unknown, client?: pg.Client) => void;
      connected.then(
        () => callBack(null, this),
        (error) => callBack(error),
      );
      return undefined;
    }

    async #connect(): Promise<pg.Client> {
      const { host, port } = new pg.Client({ connectionString: await writable.find() });
      Object.assign(this, { host, port });
      this.once("end", () => writable.forget());
      // The pool listens only after the server was found to accept writes: an earlier loss would end the process.
      this.on("error", () => undefined);
      try {
        await super.connect();
        await mustTakeWrites(this);
        return this;
      } catch (error) {
        writable.forget();
        this.end().catch(() => undefined);
        throw error;
      }
    }
  }
  return { connectionString, Client: WritableClient };
}
