import assert from "node:assert/strict";
import { before, test } from "node:test";
import { defined } from "@svc/document/defined";
import { plainText } from "@svc/document/read/text";
import { validateBody } from "@svc/document/schema/validate";
import { p } from "@svc/document/testing/builders";
import type { LiveSession } from "@svc/live/session";
import { sameBlocks } from "@svc/live/testing/plain";
import { makeRandom } from "@svc/live/testing/random";
import { editLive } from "@svc/live/testing/random-edit";
import { newBlockId } from "@svc/server/ids";
import { makeBody, readNodes } from "../support/bodies.ts";
import { assertStatus } from "../support/client.ts";
import { goOffline, isSaved, openEditor, signIn } from "../support/live-editor.ts";
import { DYING_SERVER, type ServerProcess, startServer } from "../support/process.ts";
import { until } from "../support/until.ts";
import { onEachDatabase, type Person, type World } from "../support/world.ts";

const SEED = Number(process.env.SVC_TEST_SEED ?? 11);
/** At how many statements a process dies here; 200 are all there are, and take some minutes. */
const DEATHS = Number(process.env.SVC_TEST_STATEMENTS ?? 3);
/** Histories that run beside each other: most of their time they wait for a lease to end. */
const AT_ONCE = 4;
/** An append and a fold with their commits are fewer statements than this. */
const MAX_STATEMENTS = 200;

/** A process that will die at its n-th statement, armed once its editor is saved. */
class Doomed {
  readonly server: ServerProcess;
  constructor(server: ServerProcess) {
    this.server = server;
  }

  static start = async (world: World, at: number) =>
    new Doomed(await startServer({ ...world.settings, SVC_TEST_DIE_AT: String(at) }, DYING_SERVER));

  get isDead(): boolean {
    return this.server.child.exitCode !== null || this.server.child.signalCode !== null;
  }

  get diedAt(): string | undefined {
    return /"died_at":"(.*)"/.exec(this.server.stdout)?.[1];
  }

  async arm(): Promise<void> {
    this.server.child.kill("SIGUSR2");
    await until("the process is armed", () => this.server.stdout.includes('"armed"'));
  }
}

onEachDatabase("live documents over processes that die at a statement", (world) => {
  let ada: Person;
  let cookie: string;
  before(async () => {
    ada = await world.person();
    cookie = await signIn(world, ada);
  });

  /** One history, in which a process that appends and folds dies at its n-th statement, and another at some statement. */
  async function runHistory(at: number): Promise<string | undefined> {
    const random = makeRandom(SEED + at);
    const words: string[] = [];
    const word = () => `w${words.push("") - 1}w`;
    const { id } = await makeBody(ada.client, [p(`${word()} `), p(`${word()} `), p(`${word()} `)]);
    const doomed = await Promise.all([Doomed.start(world, at), Doomed.start(world, 1 + random.below(12))]);
    const seats = [...doomed.map(({ server }) => server.url), world.directUrl].map((url) => ({
      url,
      cookie,
      documentId: id,
    }));
    const editors: LiveSession[] = [];
    for (const seat of seats) editors.push(await openEditor(seat));
    const edit = (which: number, times: number) => {
      const { live } = defined(editors[which]);
      for (let i = 0; i < times; i++) editLive(live, { random, newId: newBlockId, word, deletes: false });
    };
    // The first process folds, and keeps the lease of it; the third editor is away meanwhile.
    edit(0, 1);
    await isSaved(defined(editors[0]));
    goOffline(defined(editors[2]), defined(seats[2]));
    edit(2, 2);
    for (const one of doomed) await one.arm();
    edit(0, 3);
    edit(1, 2);
    const nodes = [p(`${word()} `)];
    assertStatus(await ada.client.post(`/documents/${id}/blocks`, { position: { document_end: true }, nodes }), 201);
    await until("the process is dead, or has folded", () => defined(doomed[0]).isDead || defined(editors[0]).isSaved);
    const diedAt = doomed[0].diedAt;
    for (const { server } of doomed) await server.stop("SIGKILL");
    for (const seat of seats) Object.assign(seat, { url: world.directUrl });
    for (const editor of editors) await isSaved(editor);
    await assertOneBody(id, editors, words.length);
    for (const editor of editors) editor.close();
    return diedAt;
  }

  /** All copies are the body, which is well formed and has every word once. */
  async function assertOneBody(id: string, editors: readonly LiveSession[], words: number): Promise<void> {
    await until("all copies are the body", async () => {
      const { nodes } = await readNodes(ada.client, id);
      return editors.every(({ live }) => sameBlocks(live.blocks, nodes));
    });
    const { nodes } = await readNodes(ada.client, id);
    validateBody({ type: "doc", content: nodes }, { maxCharacters: 1e9 });
    const text = nodes.map((node) => plainText(node)).join("\n");
    for (let i = 0; i < words; i++) assert.equal(text.split(`w${i}w`).length - 1, 1, `w${i}w`);
  }

  test("LIVE4 two processes die at statements of append and fold: nothing is lost, nothing doubled, all copies are the body", async (t) => {
    const random = makeRandom(SEED);
    const positions =
      DEATHS >= MAX_STATEMENTS
        ? Array.from({ length: MAX_STATEMENTS }, (_, i) => i + 1)
        : Array.from({ length: DEATHS }, (_, i) => 1 + Math.floor(((i + random.below(100) / 100) * 40) / DEATHS));
    const died: string[] = [];
    let isOver = false;
    const work = async () => {
      for (let at = positions.shift(); at !== undefined && !isOver; at = positions.shift()) {
        const diedAt = await runHistory(at);
        if (diedAt === undefined) isOver = DEATHS >= MAX_STATEMENTS;
        else died.push(`${at}: ${diedAt}`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    t.diagnostic(`died at ${died.length} statements`);
    if (process.env.SVC_TEST_STATEMENTS) for (const one of died) t.diagnostic(one);
    assert.ok(died.length > 0);
  });
});
