import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { readConfig } from "@svc/server/config";
import { connect } from "@svc/server/db/connect";
import type { Database } from "@svc/server/db/database";
import { createUser } from "@svc/server/domain/identity/accounts/create-user";
import { startSession } from "@svc/server/domain/identity/sessions/start-session";
import { createToken } from "@svc/server/domain/identity/tokens/create-token";
import { revokeToken } from "@svc/server/domain/identity/tokens/queries";
import { sql } from "kysely";
import { freePort } from "../../packages/server/test/support/postgres.ts";
import { type Running, type Settings, SVC_SERVER, startServer } from "../harness/processes.ts";
import { type DatabaseKind, makeStore, type Store } from "../harness/store.ts";

/**
 * Every limit is set low, so that an hour shows whether it is kept: rows beyond it go within about ten
 * minutes. Caches fill up early, so that memory shows other effects.
 */
const BOUNDS: Settings = {
  SVC_CACHE_BYTES: String(32 * 1024 * 1024),
  SVC_MAX_EVENTS: "5000",
  SVC_MAX_AUDIT_ROWS: "5000",
  SVC_MAX_TRASH_DOCUMENTS: "200",
  SVC_WEBHOOK_PRIVATE_ADDRESSES: "127.0.0.0/8",
  SVC_WEBHOOK_RETRY_MS: "200",
};

/** Two processes of the service on one store, at addresses that stay when a process is started again. */
export class SoakSite {
  readonly kind: DatabaseKind;
  readonly database: Database;
  /** Token of an owner. */
  readonly token: string;
  /** Token of a person who is mentioned. */
  readonly mentioned: { readonly id: string; readonly token: string };
  /** A session of the first one in a browser. */
  readonly cookie: string;
  readonly #store: Store;
  readonly #settings: readonly [Settings, Settings];
  readonly #owner: { readonly userId: string; readonly workspaceId: string };
  readonly processes: [Running, Running];
  readonly restarts: [number, number] = [0, 0];
  readonly #down = new WeakSet<Running>();

  private constructor(
    store: Store,
    settings: readonly [Settings, Settings],
    processes: [Running, Running],
    database: Database,
    people: Awaited<ReturnType<typeof makePeople>>,
  ) {
    this.kind = store.kind;
    this.#store = store;
    this.#settings = settings;
    this.processes = processes;
    this.database = database;
    this.token = people.token;
    this.mentioned = people.mentioned;
    this.cookie = people.cookie;
    this.#owner = people.owner;
  }

  static async start(kind: DatabaseKind): Promise<SoakSite> {
    const store = await makeStore(kind);
    const settingsAt = async (): Promise<Settings> => ({
      ...store.settings,
      ...BOUNDS,
      SVC_PORT: String(await freePort()),
    });
    const settings = [await settingsAt(), await settingsAt()] as const;
    const processes: [Running, Running] = [
      await startServer(SVC_SERVER, settings[0]),
      await startServer(SVC_SERVER, settings[1]),
    ];
    const database = await connect(readConfig(store.settings), { warn: () => undefined });
    return new SoakSite(store, settings, processes, database, await makePeople(database));
  }

  address(process: 0 | 1): string {
    return this.processes[process].address;
  }

  /** Processes that ended although nobody killed them. */
  get ended(): (0 | 1)[] {
    return ([0, 1] as const).filter((which) => {
      const one = this.processes[which];
      return !this.#down.has(one) && !existsSync(`/proc/${one.pid}`);
    });
  }

  /** Ends a process as a crash does, and starts it again at its address. */
  async killAndRestart(which: 0 | 1): Promise<void> {
    const old = this.processes[which];
    this.#down.add(old);
    if (existsSync(`/proc/${old.pid}`)) process.kill(old.pid, "SIGKILL");
    await old.stop();
    for (let tries = 0; ; tries++)
      try {
        this.processes[which] = await startServer(SVC_SERVER, this.#settings[which]);
        this.restarts[which]++;
        return;
      } catch (error) {
        if (tries === 20) throw error;
        await sleep(200);
      }
  }

  /** Forgets what was logged: nobody reads it, and it is in memory. */
  clearLogs(): void {
    for (const one of this.processes) if (!this.#down.has(one) && existsSync(`/proc/${one.pid}`)) one.clearLog();
  }

  /** Cuts every connection to PostgreSQL but the one that says so; how many those were. */
  async cutConnections(): Promise<number> {
    const { rows } = await this.database.transaction((tx) =>
      sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`.execute(tx),
    );
    return rows.length;
  }

  /** A token that is good at first; `revoke` ends it. */
  async shortToken(): Promise<{ readonly token: string; revoke(): Promise<void> }> {
    const made = await this.database.transaction((tx) =>
      createToken(tx, { ...this.#owner, name: "short", access: "read_write" }),
    );
    return {
      token: made.token,
      revoke: async () => void (await this.database.transaction((tx) => revokeToken(tx, made.tokenId, Date.now()))),
    };
  }

  async close(): Promise<void> {
    await this.database.close();
    await Promise.all(this.processes.map((one) => one.stop()));
    await this.#store.remove();
  }
}

function makePeople(database: Database) {
  return database.transaction(async (tx) => {
    const found = await tx.selectFrom("memberships").select(["user_id", "workspace_id"]).executeTakeFirstOrThrow();
    const owner = { userId: found.user_id, workspaceId: found.workspace_id };
    const token = await createToken(tx, { ...owner, name: "agents", access: "read_write" });
    const eve = { email: "eve@example.com", name: "Eve", passwordHash: "unused", workspace: owner.workspaceId };
    const { userId } = await createUser(tx, { ...eve, role: "editor" });
    const hers = await createToken(tx, { ...owner, userId, name: "inbox", access: "read_write" });
    const place = { userAgent: "bench", address: "127.0.0.1", maxDays: 1 };
    const { secret } = await startSession(tx, { id: owner.userId, name: "Ada" }, place, owner.workspaceId);
    return {
      owner,
      token: token.token,
      mentioned: { id: userId, token: hers.token },
      cookie: `svc_session=${secret}`,
    };
  });
}
