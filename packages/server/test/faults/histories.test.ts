import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { defined } from "@svc/document/defined";
import { p, id as withId } from "@svc/document/testing/builders";
import { makeBody } from "../support/bodies.ts";
import { assertStatus, Client, type Loose } from "../support/client.ts";
import { makeKnowledgeBase } from "../support/fixtures.ts";
import { blocksOf, HistoryClient } from "../support/history/client.ts";
import { DocumentModel, type DocumentState, type Operation } from "../support/history/document-model.ts";
import { eventProblems, keyProblems } from "../support/history/exactly-once.ts";
import { findOrder } from "../support/history/find-order.ts";
import { now, Recorder } from "../support/history/recorder.ts";
import { type ServerProcess, startServer } from "../support/process.ts";
import { fromEnvironment, seeded } from "../support/random.ts";
import { UnreliableProxy } from "../support/unreliable-proxy.ts";
import { databases, type Person, World } from "../support/world.ts";

/** `SVC_TEST_ROUNDS=50 SVC_TEST_SEED=1000` runs more histories than the suite does, and others. */
const ROUNDS = fromEnvironment("SVC_TEST_ROUNDS", 1);
const SEED = fromEnvironment("SVC_TEST_SEED", 1);
const CLIENTS = 5;
const STEPS = 25;
const FAILING_PERCENT = 35;

for (const kind of databases)
  for (const processes of [1, 2])
    describe(`histories [${kind}, ${processes} ${processes === 1 ? "process" : "processes"}]`, () => {
      const world = new World(kind, {});
      let servers: ServerProcess[] = [];
      let ada: Person;
      before(async () => {
        await world.start();
        ada = await world.person();
        servers = await Promise.all(Array.from({ length: processes }, () => startServer(world.settings)));
      });
      after(async () => {
        await Promise.all(servers.map((server) => server.stop("SIGKILL")));
        await world.stop();
      });

      for (let seed = SEED; seed < SEED + ROUNDS; seed++)
        test(`one sequential order explains all that clients saw over failing connections (seed ${seed})`, () =>
          runHistory(servers, ada, seed));
    });

async function runHistory(servers: readonly ServerProcess[], ada: Person, seed: number): Promise<void> {
  const direct = new Client(defined(servers[0]).url, ada.token);
  const knowledgeBaseId = (await makeKnowledgeBase(direct, `Round ${seed}`)).id;
  const documents: Loose[] = [];
  for (let n = 0; n < 2; n++)
    documents.push(await makeBody(direct, [withId(99, p("start"))], { knowledge_base_id: knowledgeBaseId }));
  const from = (await direct.get("/changes")).body.resume_from;
  const proxy = await UnreliableProxy.start(
    servers.map(({ url }) => url),
    seeded(seed),
    FAILING_PERCENT,
  );
  const recorder = new Recorder();
  const clients = Array.from({ length: CLIENTS }, (_, number) => {
    const ids = documents.map(({ id }) => id);
    const shared = { url: proxy.url, token: ada.token, recorder, documents: ids, knowledgeBaseId };
    return new HistoryClient({ ...shared, name: `${seed}.${number}`, number, random: seeded(seed * 100 + number) });
  });
  await Promise.all(clients.map((client) => client.run(STEPS))).finally(() => proxy.stop());
  assert.ok(proxy.met.size > 3, "several things went wrong");
  assert.deepEqual(keyProblems(recorder.keyed), []);
  const events = await eventsAfter(direct, from);
  for (const document of documents) {
    const history = [...(recorder.operations.get(document.id) ?? []), await lastRead(direct, document.id)];
    checkOrder(seed, history, {
      blocks: [{ id: String(defined(withId(99, p()).attrs).id), text: "start" }],
      version: document.version,
    });
    checkEvents(
      history,
      events.filter((event) => event.document_id === document.id),
    );
  }
  await checkCreations(direct, knowledgeBaseId, recorder, documents.length);
}

function checkOrder(seed: number, history: readonly Operation[], initial: DocumentState): void {
  const verdict = findOrder(history, new DocumentModel(initial, history));
  if (verdict.explained) return;
  const { order, state, stuck } = verdict;
  const lines = (operations: readonly Operation[]) => operations.map((one) => `\n  ${JSON.stringify(one)}`).join("");
  assert.fail(
    `No order explains the history of seed ${seed}.\nIt goes as far as${lines(order)}\nto ${JSON.stringify(state)}\nand not on with${lines(stuck)}\nAll of it:${lines(history)}`,
  );
}

function checkEvents(history: readonly Operation[], events: readonly Loose[]): void {
  const writes = history.filter(
    ({ request, answer }) => request.kind === "write" && (!answer || answer.kind === "written"),
  );
  const effects = writes.map(({ invoked, completed, answer }) => ({
    invoked,
    completed,
    version: answer?.kind === "written" ? answer.version : undefined,
  }));
  const versions = events.map((event) => event.document.version);
  assert.deepEqual(eventProblems(effects, versions), []);
}

async function checkCreations(client: Client, base: number, recorder: Recorder, others: number): Promise<void> {
  const { data } = assertStatus(await client.get(`/documents?knowledge_base_id=${base}&limit=100`), 200);
  for (const { title, id } of recorder.creations) {
    const made = data.filter((document: Loose) => document.title === title);
    assert.ok(made.length <= 1, `${title} was made ${made.length} times`);
    if (id !== undefined) assert.equal(made[0]?.id, id, `${title} was acknowledged`);
  }
  assert.ok(data.length <= recorder.creations.length + others);
}

async function lastRead(client: Client, id: string): Promise<Operation> {
  const invoked = now();
  const { data } = assertStatus(await client.get(`/documents/${id}/content`), 200);
  const answer = { kind: "content" as const, version: data.version, blocks: blocksOf(data.document.content) };
  return { client: "last", invoked, completed: now(), request: { kind: "read" }, answer };
}

async function eventsAfter(client: Client, from: number): Promise<Loose[]> {
  const events: Loose[] = [];
  for (let after = from; ; ) {
    const { body } = assertStatus(await client.get(`/changes?after=${after}&limit=1000`), 200);
    events.push(...body.data);
    if (!body.page.has_more) return events;
    after = body.resume_from;
  }
}
