import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { defined } from "@svc/document/defined";
import { messageOf } from "@svc/document/thrown";
import { type Absurd, absurd } from "../support/hostile/absurd.ts";
import { checkReply } from "../support/hostile/check-reply.ts";
import { checkWire } from "../support/hostile/check-wire.ts";
import { type Operation, operations } from "../support/hostile/description.ts";
import { type Exchanged, exchange } from "../support/hostile/exchange.ts";
import { MeasuredProcess } from "../support/hostile/measured-process.ts";
import { Scene } from "../support/hostile/scene.ts";
import { sendWire, toWire, type Wire } from "../support/hostile/send-call.ts";
import { spoiled } from "../support/hostile/spoil.ts";
import { roomySettings, translator } from "../support/hostile/translator.ts";
import { Valid } from "../support/hostile/valid.ts";
import { fromEnvironment, seeded } from "../support/random.ts";
import { databases, World } from "../support/world.ts";

/** `SVC_TEST_ROUNDS=20 SVC_TEST_SEED=7` sends twenty times as much, and other things. */
const ROUNDS = fromEnvironment("SVC_TEST_ROUNDS", 1);
const SEED = fromEnvironment("SVC_TEST_SEED", 20261115);
const MAX_TRIES = 6;
/** With the absurd ones more than ten thousand requests on each database. */
const SPOILED_PER_CALL = 48;
/** More exports at once than four are told to come later. */
const SPOILED_AT_ONCE = 4;
const ABSURD_PER_ROUND = 3000;
const ABSURD_AT_ONCE = 250;
/** Far more than any answer takes, however busy the machine is. */
const HANGS_AFTER_MS = 20_000;
/** For the same work twice more, some 2,600 requests: what leaks two kilobytes with each of them is found. */
const MAX_GROWTH_BYTES = 4 * 1024 * 1024;

const provider = await translator();
after(() => provider[Symbol.asyncDispose]());

for (const kind of databases)
  describe(`hostile input [${kind}]`, () => {
    const world = new World(kind, roomySettings(provider));
    const random = seeded(SEED);
    let server: MeasuredProcess;
    let scene: Scene;
    let valid: Valid;
    before(async () => {
      await world.start();
      server = await MeasuredProcess.start(world.settings);
      scene = await Scene.make(world);
      valid = new Valid(scene, random);
    });
    after(async () => {
      await server.stop();
      await world.stop();
    });

    const tokenFor = ({ path }: Operation) => (path.startsWith("/auth/") ? undefined : scene.person.token);
    const send = async (operation: Operation, wire: Wire): Promise<number> => {
      const reply = await sendWire(server.url, tokenFor(operation), wire);
      checkReply(wire, reply);
      return reply.status;
    };
    const sendSpoiled = async (operation: Operation) => {
      const call = await valid.call(operation);
      const statuses: number[] = [];
      while (statuses.length < SPOILED_PER_CALL) {
        const wires = await Promise.all(Array.from({ length: SPOILED_AT_ONCE }, () => spoiled(random, call)));
        statuses.push(...(await Promise.all(wires.map((wire) => send(operation, wire)))));
      }
      return statuses;
    };
    const sendAbsurd = async (count: number): Promise<Set<number>> => {
      const seen = new Set<number>();
      const target = { token: scene.person.token, paths: await somePaths(scene) };
      for (let sent = 0; sent < count; sent += ABSURD_AT_ONCE) {
        const requests = Array.from({ length: ABSURD_AT_ONCE }, () => absurd(random, target));
        const patience = ({ isWhole }: Absurd) => ({ first: isWhole ? HANGS_AFTER_MS : undefined });
        const answers = await Promise.all(requests.map((one) => exchange(server.url, one.steps, patience(one))));
        for (const [index, answer] of answers.entries()) {
          checkAbsurd(defined(requests[index]), answer);
          for (const status of answer.statuses) seen.add(status);
        }
      }
      return seen;
    };

    test("every operation can be reached by a request made from the description, and answers as declared", async () => {
      const reached = new Map<string, string[]>();
      for (const operation of operations) {
        const statuses: number[] = [];
        while (!statuses.some((status) => status < 300) && statuses.length < MAX_TRIES)
          statuses.push(await send(operation, await toWire(await valid.call(operation))));
        reached.set(operation.name, [defined(statuses.at(-1)) < 300 ? "reached" : "never", ...statuses.map(String)]);
      }
      const never = [...reached].filter(([, [outcome]]) => outcome === "never");
      assert.deepEqual(never, [], "operations that no valid request reached");
    });

    test("HOST2 requests with something wrong are refused as declared: no failure, no hang", async () => {
      const seen = new Set<number>();
      for (let round = 0; round < ROUNDS; round++)
        for (const operation of operations) for (const status of await sendSpoiled(operation)) seen.add(status);
      for (const status of [200, 201, 400, 404, 415, 422]) assert.ok(seen.has(status), `some get ${status}`);
    });

    test("no malformed or oversized request is a 5xx or stops the server", async () => {
      const seen = await sendAbsurd(ABSURD_PER_ROUND * ROUNDS);
      for (const status of [200, 400, 401, 404, 405, 431]) assert.ok(seen.has(status), `some get ${status}`);
      assert.equal((await sendWire(server.url, scene.person.token, wireOf("/me"))).status, 200);
    });

    test("HOST3 senders that never finish hold nobody up, and all connections end", async () => {
      const { server: http } = world.app.server;
      assert.ok(http.headersTimeout > 0 && http.headersTimeout <= 60_000, "time for the headers of a request");
      assert.ok(http.requestTimeout > 0 && http.requestTimeout <= 300_000, "time for a whole request");
      const stuck = (text: string) => exchange(server.url, [text], { silence: 1500 });
      const begun = `POST /api/v1/knowledge-bases HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${scene.person.token}\r\n`;
      const waiting = Array.from({ length: 300 }, (_, index) =>
        stuck(index % 2 ? begun : `${begun}content-type: application/json\r\ncontent-length: 100\r\n\r\n{"name":`),
      );
      await sleep(300);
      for (let times = 0; times < 20; times++)
        assert.equal((await sendWire(server.url, scene.person.token, wireOf("/me"))).status, 200);
      await Promise.all(waiting);
      await fewConnections(server);
    });

    test("HOST4 an expectation that we do not know is ignored, not answered without a body", async () => {
      const reply = await sendWire(server.url, scene.person.token, {
        ...wireOf("/me"),
        headers: { expect: "wonders" },
      });
      checkReply(wireOf("/me"), reply);
      assert.equal(reply.status, 200);
    });

    test("HOST5 memory does not grow with what was refused", async () => {
      const some = operations.filter((_, index) => index % 7 === 0);
      const work = async () => {
        await sendAbsurd(ABSURD_PER_ROUND / 12);
        for (const operation of some) await sendSpoiled(operation);
      };
      await work();
      const before = await server.held();
      for (let round = 0; round < 2 * ROUNDS; round++) await work();
      const grown = (await server.held()) - before;
      assert.ok(grown < MAX_GROWTH_BYTES, `${grown} bytes more are held`);
    });
  });

function checkAbsurd(request: Absurd, { statuses, text, closed }: Exchanged): void {
  try {
    checkWire(text);
    assert.ok(statuses.length > 0 || closed || !request.isWhole, "neither an answer nor an end");
  } catch (error) {
    assert.fail(`${messageOf(error)}\n${text.slice(-600)}\nfor ${JSON.stringify(request).slice(0, 600)}`);
  }
}

const wireOf = (path: string): Wire => ({ method: "GET", target: `/api/v1${path}`, headers: {}, body: undefined });

const somePaths = async ({ base, document, folder, concept, attachment, set }: Scene): Promise<string[]> => [
  ...["/me", "/me/quota", "/knowledge-bases", "/documents", "/search/v2?q=one", "/search?q=one", "/trash", "/changes"],
  ...["", "/content", "/blocks", "/outline", "/read", "/versions", "/relations", "/summary", "/batch"].map(
    (part) => `/documents/${document.id}${part}`,
  ),
  ...["", "/tree", "/link-report", "/summary"].map((part) => `/knowledge-bases/${base.id}${part}`),
  ...[`/folders/${folder.id}`, `/concepts/${concept.id}`, `/attachments/${attachment.id}`, `/document-sets/${set.id}`],
];

/** The server keeps no connection of those that have gone. */
async function fewConnections(server: MeasuredProcess): Promise<void> {
  const deadline = Date.now() + 60_000;
  while ((await server.openConnections()) > 20) {
    assert.ok(Date.now() < deadline, `${await server.openConnections()} connections are still open`);
    await sleep(100);
  }
}
