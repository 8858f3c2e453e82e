import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe } from "node:test";
import { type App, makeApp } from "@svc/server/app/make-app";
import { readConfig } from "@svc/server/config";
import type { Access, Role } from "@svc/server/db/schema/tables/accounts";
import { createUser } from "@svc/server/domain/identity/accounts/create-user";
import { createToken } from "@svc/server/domain/identity/tokens/create-token";
import type { Route } from "@svc/server/http/route";
import { Client } from "./client.ts";
import { Front } from "./front.ts";
import { checkLeft } from "./parents.ts";
import { makeDatabase } from "./postgres.ts";
import { SECOND_SERVER, type ServerProcess, startServer, TEST_SERVER } from "./process.ts";
import { copyDatabaseTemplate, copySqliteTemplate } from "./template-store.ts";

export const databases = ["sqlite", "postgres"] as const;
type DatabaseKind = (typeof databases)[number];

type Settings = Record<string, string>;

/** Tests of faults: the store that they leave is looked through before it is removed. */
const IS_FAULT_TEST = /\/faults\/[^/]+$/.test(process.argv[1] ?? "");

/** A machine that stands still for a while is no reason to refuse a request that a test made. */
const PATIENCE_MS = "60000";

/** An empty store of one kind, as settings that name it; with the schema in it, or without anything. */
export async function makeStore(
  kind: DatabaseKind,
  { hasSchema = false } = {},
): Promise<{ settings: Settings; remove(used?: Settings): Promise<void> }> {
  const dataDir = mkdtempSync(join(tmpdir(), "svc-test-"));
  const database = kind === "postgres" ? await (hasSchema ? copyDatabaseTemplate() : makeDatabase()) : undefined;
  if (hasSchema && !database) copySqliteTemplate(dataDir);
  const settings: Settings = {
    SVC_DATA_DIR: dataDir,
    SVC_DATABASE_WAIT_MS: PATIENCE_MS,
    ...(database && { SVC_DATABASE_URL: database.url }),
  };
  return {
    settings,
    remove: async (used = settings) => {
      try {
        if (IS_FAULT_TEST) await checkLeft(used);
      } finally {
        await database?.drop();
        rmSync(dataDir, { recursive: true, force: true });
      }
    },
  };
}

/** With 2, every request of a test goes to the other of two server processes than the one before it. */
const PROCESSES = Number(process.env.SVC_TEST_PROCESSES ?? 1);

/** A running server on an empty store, and people to call it. */
export class World {
  readonly kind: DatabaseKind;
  readonly #settings: Settings;
  #store: Awaited<ReturnType<typeof makeStore>> | undefined;
  #app: App | undefined;
  #others: ServerProcess[] = [];
  #front: Front | undefined;
  url = "";
  /** Address of the server in this process, without a proxy. */
  directUrl = "";

  readonly #routes: readonly Route[] | undefined;

  constructor(kind: DatabaseKind, settings: Settings, routes?: readonly Route[]) {
    this.kind = kind;
    this.#settings = settings;
    this.#routes = routes;
  }

  get app(): App {
    if (!this.#app) throw new Error("The server is not running.");
    return this.#app;
  }

  /** Settings for another process on the same store. */
  get settings(): Settings {
    return {
      ...this.#store?.settings,
      SVC_LOG_LEVEL: "silent",
      SVC_PORT: "0",
      SVC_RATE_LIMIT: "1000000",
      ...this.#settings,
    };
  }

  async start(): Promise<void> {
    this.#store ??= await makeStore(this.kind, { hasSchema: true });
    this.#app = await makeApp(readConfig(this.settings), this.#routes);
    this.directUrl = await this.#app.server.listen({ host: "127.0.0.1", port: 0 });
    this.url = this.directUrl;
    if (PROCESSES > 1) await this.#startOthers();
  }

  async restart(): Promise<void> {
    await this.#close();
    await this.start();
  }

  async stop(): Promise<void> {
    await this.#close();
    // A test may have named another store than the one that was made for it.
    await this.#store?.remove(this.settings);
  }

  async #startOthers(): Promise<void> {
    const program = this.#routes ? TEST_SERVER : SECOND_SERVER;
    this.#others = await Promise.all(Array.from({ length: PROCESSES - 1 }, () => startServer(this.settings, program)));
    this.#front = await Front.start([this.url, ...this.#others.map(({ url }) => url)]);
    this.url = this.#front.url;
  }

  async #close(): Promise<void> {
    await this.#front?.close();
    await Promise.all([this.#app?.close(), ...this.#others.map((server) => server.stop())]);
    this.#others = [];
  }

  /** A user with a workspace of their own (or in a given one) and a token. */
  async person(options: PersonOptions = {}): Promise<Person> {
    const { database } = this.app.services;
    const email = `${randomBytes(6).toString("hex")}@example.com`;
    return database.transaction(async (tx) => {
      const user = await createUser(tx, {
        email,
        name: "Ada",
        passwordHash: "unused",
        workspace: options.workspace,
        role: options.role,
      });
      const token = await createToken(tx, {
        userId: user.userId,
        workspaceId: user.workspaceId,
        name: "test",
        access: options.access ?? "read_write",
        scopes: options.scopes,
        expiresAt: options.expiresAt,
        knowledgeBaseIds: options.knowledgeBaseIds,
      });
      return { ...user, ...token, client: new Client(this.url, token.token) };
    });
  }
}

interface PersonOptions {
  readonly workspace?: string;
  readonly role?: Role;
  readonly access?: Access;
  readonly scopes?: readonly string[];
  readonly expiresAt?: number;
  readonly knowledgeBaseIds?: readonly number[];
}

export interface Person {
  readonly client: Client;
  readonly userId: string;
  readonly email: string;
  readonly workspaceId: string;
  readonly token: string;
  readonly tokenId: string;
}

/** The same suite on SQLite and on PostgreSQL, each with a server and a store of its own. */
export function onEachDatabase(
  title: string,
  suite: (world: World) => void,
  settings: Settings = {},
  routes?: readonly Route[],
): void {
  for (const kind of databases) {
    describe(`${title} [${kind}]`, () => {
      const world = new World(kind, settings, routes);
      before(() => world.start());
      after(() => world.stop());
      suite(world);
    });
  }
}
