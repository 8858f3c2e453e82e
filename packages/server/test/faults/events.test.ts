import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { defined } from "@svc/document/defined";
import { readConfig } from "@svc/server/config";
import { connect } from "@svc/server/db/connect";
import type { Database } from "@svc/server/db/database";
import { createUser } from "@svc/server/domain/identity/accounts/create-user";
import { createToken } from "@svc/server/domain/identity/tokens/create-token";
import { Client } from "../support/client.ts";
import { EventReader, type ReaderOptions } from "../support/event-reader.ts";
import { makeKnowledgeBase } from "../support/fixtures.ts";
import { type ServerProcess, startServer } from "../support/process.ts";
import { databases, makeStore } from "../support/world.ts";

const WRITERS = 8;
const READERS = 20;
const RESTARTS = ["SIGKILL", "SIGTERM", "SIGKILL", "SIGKILL"] as const;
/** After so long a writer believes that its server is gone. */
const PATIENCE_MS = 5000;

type Settings = Record<string, string>;

/** Two servers on one store; each is stopped or killed now and then and comes back. */
class Pair {
  readonly #settings: Settings;
  #servers: (ServerProcess | undefined)[] = [];

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  async start(): Promise<void> {
    this.#servers = await Promise.all([startServer(this.#settings), startServer(this.#settings)]);
  }

  /** Address of one that is up. */
  get url(): string {
    const up = this.#servers.filter((server) => server !== undefined);
    return defined(up[Math.floor(Math.random() * up.length)]).url;
  }

  async restart(index: number, signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    const server = this.#servers[index];
    this.#servers[index] = undefined;
    await server?.stop(signal);
    this.#servers[index] = await startServer(this.#settings);
  }

  async end(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server?.stop("SIGKILL")));
  }
}

interface Writing {
  readonly knowledgeBase: number;
  readonly isOver: () => boolean;
  /** Ids of the documents that were answered. */
  readonly acknowledged: string[];
}

/** Makes documents until told to stop. What was answered must be there; what failed may or may not be. */
async function writer(pair: Pair, token: string, { knowledgeBase, isOver, acknowledged }: Writing): Promise<void> {
  while (!isOver()) {
    const body = { title: randomBytes(4).toString("hex"), knowledge_base_id: knowledgeBase };
    const answer = new Client(pair.url, token).post("/documents", body).catch(() => undefined);
    const reply = await Promise.race([answer, sleep(PATIENCE_MS, undefined, { ref: false })]);
    if (reply?.status === 201) acknowledged.push(reply.data.id);
    else await sleep(30);
    await sleep(Math.random() * 40);
  }
}

/** Follows the events from the beginning, dropping and resuming, until it has the id that it is told at the end. */
async function reader(pair: Pair, token: string, lastId: () => number | undefined): Promise<number[]> {
  const seen: number[] = [];
  const isDone = () => (seen.at(-1) ?? 0) >= (lastId() ?? Number.POSITIVE_INFINITY);
  /** Since the last event. */
  let tries = 0;
  while (!isDone()) {
    if (tries++ > 300) throw new Error(`A reader came no further than ${seen.at(-1)} of ${lastId()}.`);
    let dropped = false;
    const onEvent: ReaderOptions["onEvent"] = (event, stream) => {
      assert.notEqual(event.type, "sync.required");
      if (event.id !== undefined && !dropped) {
        seen.push(event.id);
        tries = 0;
      }
      if (isDone()) stream.close();
    };
    const options = { lastEventId: seen.at(-1) ?? 0, onEvent };
    const stream = await EventReader.open(pair.url, token, options).catch(() => undefined);
    const keep = stream?.status === 200 ? Math.random() * 2000 : 0;
    await Promise.race([stream?.ended, sleep(keep)]);
    dropped = true;
    stream?.close();
    if (keep === 0) await sleep(100);
  }
  return seen;
}

async function makePeople(database: Database, count: number) {
  return database.transaction(async (tx) => {
    const user = await createUser(tx, {
      email: "ada@example.com",
      name: "Ada",
      passwordHash: "unused",
    });
    const tokens: string[] = [];
    for (let i = 0; i < count; i++) {
      const options = {
        userId: user.userId,
        workspaceId: user.workspaceId,
        name: `${i}`,
        access: "read_write" as const,
      };
      tokens.push((await createToken(tx, options)).token);
    }
    return { ...user, tokens };
  });
}

const committedIds = async (database: Database, workspaceId: string) =>
  database.read
    .selectFrom("events")
    .select(["id", "document_id"])
    .where("workspace_id", "=", workspaceId)
    .orderBy("id")
    .execute();

describe("readers under fire", () => {
  for (const kind of databases) {
    test(`EVT12 ${READERS} readers of two servers that are stopped and killed miss nothing and see nothing twice [${kind}]`, {
      timeout: 120_000,
    }, async () => {
      const store = await makeStore(kind);
      const settings = { ...store.settings, SVC_RATE_LIMIT: "1000000", SVC_EVENT_HEARTBEAT_MS: "500" };
      const database = await connect(readConfig(settings), { warn: () => undefined });
      const pair = new Pair(settings);
      try {
        const { workspaceId, tokens } = await makePeople(database, WRITERS + READERS);
        await pair.start();
        const { id } = await makeKnowledgeBase(new Client(pair.url, defined(tokens[0])));
        let over = false;
        let lastId: number | undefined;
        const acknowledged: string[] = [];
        const writing = { knowledgeBase: id, isOver: () => over && acknowledged.length > 100, acknowledged };
        const writers = tokens.slice(0, WRITERS).map((token) => writer(pair, token, writing));
        const readers = tokens.slice(WRITERS).map((token) => reader(pair, token, () => lastId));
        const failed = Promise.all(readers);
        failed.catch(() => undefined);
        for (const [turn, signal] of RESTARTS.entries()) {
          await sleep(1000);
          await pair.restart(turn % 2, signal);
        }
        over = true;
        await Promise.all(writers);
        const committed = await committedIds(database, workspaceId);
        lastId = committed.at(-1)?.id ?? 0;

        const ids = committed.map((event) => event.id);
        assert.deepEqual(
          ids,
          ids.map((_, i) => i + 1),
          "ids have no gaps",
        );
        const documents = new Set(committed.map((event) => event.document_id));
        for (const document of acknowledged) assert.ok(documents.has(document), "an acknowledged write has its event");
        for (const seen of await failed) assert.deepEqual(seen, ids);
      } finally {
        await pair.end();
        await database.close();
        await store.remove();
      }
    });
  }
});
