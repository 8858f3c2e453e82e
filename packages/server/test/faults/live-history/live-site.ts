import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { defined } from "@svc/document/defined";
import { p } from "@svc/document/testing/builders";
import { makeRandom, type Random } from "@svc/live/testing/random";
import { readConfig } from "@svc/server/config";
import { connect } from "@svc/server/db/connect";
import type { Database } from "@svc/server/db/database";
import { createUser } from "@svc/server/domain/identity/accounts/create-user";
import { startSession } from "@svc/server/domain/identity/sessions/start-session";
import { createToken } from "@svc/server/domain/identity/tokens/create-token";
import { makeBody } from "../../support/bodies.ts";
import { Client } from "../../support/client.ts";
import { Network } from "../../support/network.ts";
import { checkParents } from "../../support/parents.ts";
import { type ServerProcess, startServer } from "../../support/process.ts";
import { until } from "../../support/until.ts";
import { Agent } from "./agent.ts";
import { checkCopies } from "./check-copies.ts";
import { Typist } from "./typist.ts";

type Settings = Record<string, string>;

const PROCESSES = 2;
const DOCUMENTS = 3;
const TYPISTS_EACH = 3;
const AGENTS = 2;
/** A fault of the network lasts so many milliseconds at most. */
const LONGEST_FAULT = 1500;

/** One process and the network before it. */
interface Place {
  server: ServerProcess;
  readonly network: Network;
}

/** People who type in several documents, and programs that write into them, at several processes that fail. */
export class LiveSite implements AsyncDisposable {
  readonly #settings: Settings;
  readonly #database: Database;
  readonly #places: readonly Place[];
  readonly #random: Random;
  readonly #documents: readonly string[];
  readonly #token: string;
  readonly #typists: readonly Typist[];
  readonly #agents: readonly Agent[];

  private constructor(
    settings: Settings,
    database: Database,
    places: readonly Place[],
    random: Random,
    documents: readonly string[],
    token: string,
    typists: readonly Typist[],
    agents: readonly Agent[],
  ) {
    this.#settings = settings;
    this.#database = database;
    this.#places = places;
    this.#random = random;
    this.#documents = documents;
    this.#token = token;
    this.#typists = typists;
    this.#agents = agents;
  }

  static async start(store: Settings, seed: number): Promise<LiveSite> {
    const settings = { SVC_RATE_LIMIT: "1000000", ...store };
    const places: Place[] = [];
    for (let i = 0; i < PROCESSES; i++) {
      const server = await startServer(settings);
      places.push({ server, network: await Network.start(server.url) });
    }
    const urls = places.map(({ network }) => network.url);
    const database = await connect(readConfig(settings), { warn: () => undefined });
    const { token, signIn } = await makeAda(database);
    const client = new Client(defined(places[0]).server.url, token);
    const documents: string[] = [];
    for (let i = 0; i < DOCUMENTS; i++) documents.push((await makeBody(client, [p(), p(), p()])).id);
    const random = makeRandom(seed);
    const typists: Typist[] = [];
    for (const documentId of documents)
      for (let i = 0; i < TYPISTS_EACH; i++) {
        const cookie = await signIn();
        const seats = urls.map((url) => ({ url, cookie, documentId }));
        const name = `t${typists.length}`;
        typists.push(new Typist({ name, seats, random: makeRandom(seed * 100 + typists.length) }));
      }
    const agents = Array.from(
      { length: AGENTS },
      (_, i) => new Agent({ name: `a${i}`, urls, token, documents, random: makeRandom(seed * 100 + 50 + i) }),
    );
    const site = new LiveSite(settings, database, places, random, documents, token, typists, agents);
    await Promise.all(typists.map((typist) => typist.start()));
    for (const agent of agents) agent.start();
    return site;
  }

  /** Goes on until so many more keys are stored, and programs have written something. */
  async more(keys: number): Promise<void> {
    const stored = () => this.#typists.reduce((sum, typist) => sum + typist.stored, 0);
    const written = () => this.#agents.reduce((sum, agent) => sum + agent.written, 0);
    const [before, writtenBefore] = [stored(), written()];
    await until("more is typed and written", () => stored() >= before + keys && written() > writtenBefore);
  }

  /** Kills a process, which comes back as a service manager brings it. */
  async kill(): Promise<void> {
    const place = this.#random.pick(this.#places);
    await place.server.stop("SIGKILL");
    await sleep(this.#random.below(LONGEST_FAULT));
    place.server = await startAgain(this.#settings);
    place.network.target = place.server.url;
  }

  /** The network before a process fails for a while, in one way or another. */
  async failNetwork(): Promise<void> {
    const { network } = this.#random.pick(this.#places);
    const kind = this.#random.below(3);
    if (kind === 0) network.cut();
    else network.swallow(kind === 1 ? "requests" : "answers");
    await sleep(this.#random.below(LONGEST_FAULT));
    network.mend();
  }

  /** Ends the history: everything typed is saved, and all copies of every document say what the model says. */
  async check(): Promise<void> {
    await Promise.all([...this.#typists, ...this.#agents].map((actor) => actor.finish()));
    for (const { server } of this.#places) assert.equal(server.child.exitCode, null, server.stderr);
    for (const { session } of this.#typists)
      await until("everything is saved", () => session.isSaved).catch((error) => {
        throw new Error(`${error.message} ${JSON.stringify([session.status, session.isStored])}`);
      });
    const authors = [...this.#typists, ...this.#agents].map(({ author }) => author);
    const urls = this.#places.map(({ server }) => server.url);
    for (const [i, documentId] of this.#documents.entries()) {
      const editors = this.#typists.slice(i * TYPISTS_EACH, (i + 1) * TYPISTS_EACH).map(({ session }) => session);
      const cookie = defined(this.#typists[i * TYPISTS_EACH]).cookie;
      const token = this.#token;
      await checkCopies({ documentId, editors, authors, urls, cookie, token, database: this.#database });
    }
    assert.ok(authors.every(({ words }) => words.length > 0));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const typist of this.#typists) typist.abandon();
    for (const agent of this.#agents) agent.abandon();
    for (const { network, server } of this.#places) {
      await network[Symbol.asyncDispose]();
      await server.stop();
    }
    await checkParents(this.#database).finally(() => this.#database.close());
  }
}

async function startAgain(settings: Settings): Promise<ServerProcess> {
  for (let tries = 0; ; tries++)
    try {
      return await startServer(settings);
    } catch (error) {
      if (tries === 20) throw error;
      await sleep(200);
    }
}

/** Somebody with a token, who signs in with one browser after the other. */
async function makeAda(database: Database) {
  const { userId: id, workspaceId } = await database.transaction((tx) =>
    createUser(tx, { email: "ada@example.com", name: "Ada", passwordHash: "unused" }),
  );
  const fields = { userId: id, workspaceId, name: "agents", access: "read_write" as const };
  const { token } = await database.transaction((tx) => createToken(tx, fields));
  const browser = { userAgent: "test", address: "127.0.0.1", maxDays: 1 };
  const signIn = async () => {
    const { secret } = await database.transaction((tx) => startSession(tx, { id, name: "Ada" }, browser, workspaceId));
    return `svc_session=${secret}`;
  };
  return { token, signIn };
}
