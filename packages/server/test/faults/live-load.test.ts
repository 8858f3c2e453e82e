import assert from "node:assert/strict";
import { once } from "node:events";
import { before, test } from "node:test";
import { defined } from "@svc/document/defined";
import { idOf } from "@svc/document/schema/node";
import { p } from "@svc/document/testing/builders";
import type { LiveSession } from "@svc/live/session";
import { sameBlocks } from "@svc/live/testing/plain";
import { newBlockId } from "@svc/server/ids";
import { makeBody, readNodes, tiptap } from "../support/bodies.ts";
import { assertStatus } from "../support/client.ts";
import { editorsIn, isSaved, openSocket, shownTexts, signIn, type } from "../support/live-editor.ts";
import { until } from "../support/until.ts";
import { onEachDatabase, type Person } from "../support/world.ts";

const SOCKETS = 500;
const MAX_OF_DOCUMENT = 50;
const MAX_OF_SESSION = 20;
const BLOCKS = Number(process.env.SVC_TEST_BLOCKS ?? 10_000);

onEachDatabase("live documents under load", (world) => {
  let ada: Person;
  before(async () => {
    ada = await world.person();
  });
  const { opened, openAt, open, seatOf } = editorsIn(world);

  test("LIVE5 LIVE10 500 editors of ten documents see what is typed in theirs; a document and a session take no more", async () => {
    const cookies: string[] = [];
    const people = [ada];
    while (people.length < 5) people.push(await world.person({ workspace: ada.workspaceId, role: "editor" }));
    for (let i = 0; i < SOCKETS / MAX_OF_SESSION; i++) cookies.push(await signIn(world, defined(people[i % 5])));
    const documents: { id: string; editors: LiveSession[] }[] = [];
    for (let d = 0; d < SOCKETS / MAX_OF_DOCUMENT; d++) {
      const { id } = await makeBody(ada.client, [p(`Document ${d}.`)]);
      const seats = cookies.flatMap((cookie) => {
        const seat = { url: world.directUrl, cookie, documentId: id };
        return [seat, seat];
      });
      const editors: LiveSession[] = [];
      for (let at = 0; at < seats.length; at += 10)
        editors.push(...(await Promise.all(seats.slice(at, at + 10).map((seat) => openAt(seat)))));
      documents.push({ id, editors });
    }
    assert.equal(world.app.services.live.sockets, SOCKETS);
    const fresh = await seatOf(ada, defined(documents[0]).id);
    const used = { ...fresh, cookie: defined(cookies[0]) };
    for (const [what, seat] of Object.entries({ document: fresh, session: used })) {
      const [code] = await once(openSocket(seat, `epoch=${documents[0]?.editors[0]?.epoch}&seq=0`), "close");
      assert.equal(code, 4429, what);
    }
    documents.forEach(({ editors }, d) => {
      type(defined(editors[d]), 0, ` typed in ${d}`);
    });
    for (const [d, { id, editors }] of documents.entries()) {
      const text = `Document ${d}. typed in ${d}`;
      await until("every editor shows it", () => editors.every((editor) => shownTexts(editor)[0] === text));
      await until(
        "the body has it",
        async () => (await ada.client.get(`/documents/${id}/blocks`)).data[0].text === text,
      );
    }
    for (const session of opened) session.close();
    await until("every socket is closed", () => world.app.services.live.sockets === 0);
  });

  test("LIVE10 readers take no seat from writers, and one person does not take all", async () => {
    const { id } = await makeBody(ada.client, [p("One.")]);
    const first = await open(ada, id);
    const codes: number[] = [];
    const sockets: ReturnType<typeof openSocket>[] = [];
    const openMany = async (role: "viewer" | "editor", sessions: number) => {
      const person = await world.person({ workspace: ada.workspaceId, role });
      for (let i = 0; i < sessions; i++) {
        const seat = { url: world.directUrl, cookie: await signIn(world, person), documentId: id };
        for (let n = 0; n < 15; n++) {
          const socket = openSocket(seat, `epoch=${first.epoch}&seq=0`);
          socket.on("error", () => undefined);
          sockets.push(socket);
          await Promise.race([
            once(socket, "message"),
            once(socket, "close").then(([code]) => void codes.push(Number(code))),
          ]);
        }
      }
    };
    try {
      for (let i = 0; i < 3; i++) await openMany("viewer", 2);
      assert.deepEqual(
        codes,
        Array.from({ length: 40 }, () => 4429),
        "20 of a person, and 50 of all",
      );
      await openMany("editor", 2);
      assert.equal(codes.length, 50);
      const owner = await open(ada, id);
      type(owner, 0, " More.");
      await until("the writer's words arrive", () => shownTexts(first)[0] === "One. More.");
    } finally {
      for (const socket of sockets) socket.terminate();
    }
  });

  test("LIVE10 a reader who takes nothing is cut off, and nobody else waits", async () => {
    const { id } = await makeBody(ada.client, [p("One.")]);
    const bob = await world.person({ workspace: ada.workspaceId, role: "editor" });
    const [writer, other] = [await open(ada, id), await open(ada, id)];
    const slow = openSocket(await seatOf(bob, id), `epoch=${writer.epoch}&seq=0`);
    await once(slow, "message");
    const isThere = async () =>
      (await ada.client.get(`/documents/${id}/live`)).data.editors.some(
        ({ user }: { user: { id: string } }) => user.id === bob.userId,
      );
    await until("the reader is there", isThere);
    slow.pause();
    // The system's buffer for a connection fills up before the server's own limit applies.
    for (let i = 0; i < 200 && (i % 5 > 0 || (await isThere())); i++) {
      const block = { ...p("x".repeat(200_000)), attrs: { id: newBlockId() } };
      writer.live.insert(block, writer.live.lastKey());
      await until("it is stored", () => writer.isStored);
      writer.live.remove(block.attrs.id);
    }
    assert.equal(await isThere(), false);
    type(writer, 0, " Two.");
    await until("the other one sees it", () => shownTexts(other)[0] === "One. Two.");
    await isSaved(writer);
    slow.terminate();
  });

  test("LIVE5 LIVE7 a document of 10,000 blocks: a key and a program's edit are small updates, and all copies are the body", async () => {
    const nodes = Array.from({ length: BLOCKS }, (_, i) => p(`Block ${i}.`));
    const { id } = await makeBody(ada.client, nodes);
    const [a, b] = [await open(ada, id), await open(ada, id)];
    type(a, -1, " Typed.");
    await until("the other one sees it", () => shownTexts(b).at(-1) === `Block ${BLOCKS - 1}. Typed.`);
    await isSaved(a);
    const read = await readNodes(ada.client, id);
    const blocks = read.nodes;
    const middle = BLOCKS >> 1;
    const changed = blocks.map((block, i) => (i === middle ? { ...p("By a program."), attrs: block.attrs } : block));
    assertStatus(await ada.client.put(`/documents/${id}/content`, tiptap(...changed), { ifMatch: "*" }), 200);
    const edited = () => b.live.node(idOf(defined(blocks[middle])))?.content?.[0]?.text;
    await until("editors see what the program wrote", () => edited() === "By a program.");
    await until("the body and all copies are equal", async () => {
      const now = (await readNodes(ada.client, id)).nodes;
      return sameBlocks(a.live.blocks, now) && sameBlocks(b.live.blocks, now);
    });
    const rows = await world.app.services.database.read
      .selectFrom("live_updates")
      .select("payload")
      .where("document_id", "=", id)
      .execute();
    assert.ok(rows.length >= 2);
    for (const { payload } of rows) assert.ok(payload.length < 1000, `an update has ${payload.length} bytes`);
  });
});
