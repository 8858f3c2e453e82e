import assert from "node:assert/strict";
import { before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { plainText } from "@svc/document/read/text";
import { validateBody } from "@svc/document/schema/validate";
import { p } from "@svc/document/testing/builders";
import { sameBlocks } from "@svc/live/testing/plain";
import { makeRandom } from "@svc/live/testing/random";
import { editLive } from "@svc/live/testing/random-edit";
import { newBlockId } from "@svc/server/ids";
import { makeBody, readNodes } from "../support/bodies.ts";
import { assertStatus } from "../support/client.ts";
import { isSaved, openEditor, signIn } from "../support/live-editor.ts";
import { SECOND_SERVER, startServer } from "../support/process.ts";
import { until } from "../support/until.ts";
import { onEachDatabase, type Person } from "../support/world.ts";

const SEED = Number(process.env.SVC_TEST_SEED ?? 11);
const ROUNDS = 3;

onEachDatabase("live documents over processes that die", (world) => {
  let ada: Person;
  before(async () => {
    ada = await world.person();
  });

  test("LIVE4 three editors on two processes and an API writer, while a process is killed again and again", async () => {
    const random = makeRandom(SEED);
    const words: string[] = [];
    const word = () => `w${words.push("") - 1}w`;
    const { id } = await makeBody(ada.client, [p(`${word()} `), p(`${word()} `), p(`${word()} `)]);
    const cookie = await signIn(world, ada);
    let other = await startServer(world.settings, SECOND_SERVER);
    const seats = [world.directUrl, other.url, other.url].map((url) => ({ url, cookie, documentId: id }));
    const editors = await Promise.all(seats.map((seat) => openEditor(seat)));
    const edit = () => editLive(random.pick(editors).live, { random, newId: newBlockId, word, deletes: false });
    const write = async () => {
      const nodes = [p(`${word()} `)];
      assertStatus(await ada.client.post(`/documents/${id}/blocks`, { position: { document_end: true }, nodes }), 201);
    };
    for (let round = 0; round < ROUNDS; round++) {
      for (let step = 0; step < 40; step++) {
        edit();
        if (random.chance(0.1)) await write();
        await sleep(random.below(40));
      }
      other.child.kill("SIGKILL");
      for (let step = 0; step < 10; step++) edit();
      other = await startServer(world.settings, SECOND_SERVER);
      for (const seat of seats.slice(1)) Object.assign(seat, { url: other.url });
    }
    for (const editor of editors) await isSaved(editor);
    await until("all copies are the body", async () => {
      const { nodes } = await readNodes(ada.client, id);
      return editors.every(({ live }) => sameBlocks(live.blocks, nodes));
    });
    const { nodes } = await readNodes(ada.client, id);
    validateBody({ type: "doc", content: nodes }, { maxCharacters: 1e9 });
    const all = nodes.map((node) => plainText(node)).join("\n");
    for (const index of words.keys()) assert.equal(all.split(`w${index}w`).length - 1, 1, `w${index}w`);
    for (const editor of editors) editor.close();
    await other.stop();
  });
});
