import { setTimeout as sleep } from "node:timers/promises";
import { defined } from "@svc/document/defined";
import { readConfig } from "@svc/server/config";
import { connect } from "@svc/server/db/connect";
import type { Database } from "@svc/server/db/database";
import { createUser } from "@svc/server/domain/identity/accounts/create-user";
import { createToken } from "@svc/server/domain/identity/tokens/create-token";
import { Client } from "../../support/client.ts";
import { makeKnowledgeBase } from "../../support/fixtures.ts";
import { checkParents } from "../../support/parents.ts";
import { freePort } from "../../support/postgres.ts";
import { type ServerProcess, startServer } from "../../support/process.ts";
import { type ProviderServer, providerServer } from "../../support/provider-server.ts";
import { checkAftermath } from "./check-store.ts";
import { MixedLoad, TOKENS } from "./mixed-load.ts";

type Settings = Record<string, string>;
type Person = { readonly workspaceId: string; readonly tokens: readonly string[]; readonly mentioned: string };

/** How often a fault strikes in one test; more for a longer search. */
export const rounds = (few: number): number => Number(process.env.SVC_TEST_FAULT_ROUNDS ?? few);
export const SEED = Number(process.env.SVC_TEST_SEED ?? 20261115);

/** A model that answers at once, for the jobs of the load. */
export const startModel = (): Promise<ProviderServer> =>
  providerServer(() => (response) => {
    const json = { choices: [{ message: { content: "Done." }, finish_reason: "stop" }] };
    setTimeout(() => response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(json)), 50);
  });

/** Settings of a server under mixed load. */
export const loadSettings = (model: ProviderServer): Settings => ({
  SVC_RATE_LIMIT: "1000000",
  SVC_EVENT_HEARTBEAT_MS: "1000",
  SVC_MODEL_URL: model.url,
  SVC_MODEL_NAME: "tiny",
});

/** A server process on a store of its own, at an address that stays, with a provider for its jobs, under mixed load. */
export class FaultSite implements AsyncDisposable {
  readonly settings: Settings;
  readonly url: string;
  /** A connection of the test's own, to look into the store. */
  readonly database: Database;
  readonly load: MixedLoad;
  /** The knowledge base that the load works in. */
  readonly base: number;
  readonly #provider: ProviderServer;
  readonly #who: Person;
  server: ServerProcess;

  private constructor(
    settings: Settings,
    url: string,
    database: Database,
    provider: ProviderServer,
    server: ServerProcess,
    who: Person,
    load: MixedLoad,
    base: number,
  ) {
    this.settings = settings;
    this.url = url;
    this.database = database;
    this.#provider = provider;
    this.server = server;
    this.#who = who;
    this.load = load;
    this.base = base;
  }

  static async start(store: Settings, seed = SEED): Promise<FaultSite> {
    const provider = await startModel();
    const settings = { SVC_PORT: String(await freePort()), ...loadSettings(provider), ...store };
    const server = await startServer(settings);
    const database = await connect(readConfig(settings), { warn: () => undefined });
    const who = await makePerson(database, TOKENS);
    const { id: base } = await makeKnowledgeBase(new Client(server.url, who.tokens[0]));
    const load = new MixedLoad({ url: () => server.url, ...who, base, seed });
    load.start();
    return new FaultSite(settings, server.url, database, provider, server, who, load, base);
  }

  /** Starts the server anew at the same address, as a service manager would. */
  async restart(): Promise<void> {
    for (let tries = 0; ; tries++)
      try {
        this.server = await startServer(this.settings);
        return;
      } catch (error) {
        if (tries === 20) throw error;
        await sleep(200);
      }
  }

  get token(): string {
    return defined(this.#who.tokens[0]);
  }

  check(): Promise<void> {
    const client = new Client(this.url, this.token);
    return checkAftermath({ ...this, client, ...this.#who });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.load.abandon();
    await this.server.stop("SIGTERM");
    await checkParents(this.database).finally(() => this.database.close());
    await this.#provider[Symbol.asyncDispose]();
  }
}

function makePerson(database: Database, tokenCount: number) {
  return database.transaction(async (tx) => {
    const user = await createUser(tx, { email: "ada@example.com", name: "Ada", passwordHash: "unused" });
    const { userId, workspaceId } = user;
    const tokens: string[] = [];
    for (let i = 0; i < tokenCount; i++)
      tokens.push((await createToken(tx, { userId, workspaceId, name: `${i}`, access: "read_write" })).token);
    const eve = { email: "eve@example.com", name: "Eve", passwordHash: "unused", workspace: workspaceId };
    const { userId: mentioned } = await createUser(tx, { ...eve, role: "viewer" });
    return { workspaceId, tokens, mentioned };
  });
}
