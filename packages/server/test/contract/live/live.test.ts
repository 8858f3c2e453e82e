import assert from "node:assert/strict";
import { before, test } from "node:test";
import { defined } from "@svc/document/defined";
import { idOf } from "@svc/document/schema/node";
import { p } from "@svc/document/testing/builders";
import { unpackFrame } from "@svc/live/frames";
import type { LiveState } from "@svc/live/live-state";
import { newBlockId } from "@svc/server/ids";
import { makeBody, readNodes, textsOf, tiptap } from "../../support/bodies.ts";
import { assertStatus, type Loose } from "../../support/client.ts";
import {
  addBlock,
  editorsIn,
  fetchState,
  goOffline,
  isSaved,
  openSocket,
  shownTexts,
  type,
} from "../../support/live-editor.ts";
import { until } from "../../support/until.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

onEachDatabase(
  "live documents",
  (world) => {
    let ada: Person;
    let bob: Person;
    before(async () => {
      ada = await world.person();
      bob = await world.person({ workspace: ada.workspaceId, role: "editor" });
    });
    const { open, openAt, seatOf } = editorsIn(world);

    test("LIVE5 what one person types is durable, seen by the others, and soon in the body, search and events", async () => {
      const { id } = await makeBody(ada.client, [p("One."), p("Two.")]);
      const [a, b] = [await open(ada, id), await open(bob, id)];
      type(a, 0, " zebrafish");
      addBlock(b, "Three.");
      await isSaved(a);
      await isSaved(b);
      await until("both show the same", () => shownTexts(a).join() === shownTexts(b).join());
      assert.deepEqual(await textsOf(ada.client, id), ["One. zebrafish", "Two.", "Three."]);
      assert.deepEqual(shownTexts(a), ["One. zebrafish", "Two.", "Three."]);
      const found = assertStatus(await ada.client.get("/search/v2?q=zebrafish"), 200);
      assert.equal(found.data[0].document_id, id);
      const events = await world.app.services.database.read
        .selectFrom("events")
        .select("data")
        .where("document_id", "=", id)
        .where("type", "=", "document.content.updated")
        .execute();
      const actors = events.map(({ data }) => data).join();
      assert.match(actors, /browser/);
      for (const session of [a, b]) session.close();
    });

    test("LIVE25 fifty editors who open a document at the same moment find one live state", async () => {
      const { id } = await makeBody(ada.client, [p("One.")]);
      const seat = await seatOf(ada, id);
      const states = await Promise.all(Array.from({ length: 50 }, () => fetchState(seat)));
      const headers = states.map((state): Loose => unpackFrame(state)?.header);
      assert.equal(new Set(headers.map(({ epoch }) => epoch)).size, 1);
      assert.match(defined(headers[0]).epoch, /^\w{26}$/);
      assert.equal(new Set(headers.map(({ client }) => client)).size, 50);
    });

    test("LIVE26 what is typed before the socket is open is stored once it is, also when the proof of its client id is not taken", async () => {
      for (const spoil of [
        (query: string) => query,
        (query: string) => query.replace(/resume=[^&]*/, "resume=wrong"),
      ]) {
        const { id } = await makeBody(ada.client, [p("One."), p("Two.")]);
        const seat = await seatOf(ada, id);
        const states: LiveState[] = [];
        const session = await openAt(seat, {
          onState: (live) => {
            states.push(live);
            if (states.length === 1)
              live.patch({ ...defined(live.blocks[0]), content: [{ type: "text", text: "Early." }] });
          },
          openSocket: (query) => openSocket(seat, spoil(query)) as never,
        });
        type(session, 1, " Later.");
        await isSaved(session);
        assert.deepEqual(await textsOf(ada.client, id), ["Early.", "Two. Later."]);
        assert.deepEqual(shownTexts(session), ["Early.", "Two. Later."]);
      }
    });

    test("LIVE6 any number of live edits leaves GET /versions as it is; an API write then keeps the state before it", async () => {
      const { id } = await makeBody(ada.client, [p("One.")]);
      assertStatus(await ada.client.put(`/documents/${id}/content`, tiptap(p("Two.")), { ifMatch: "*" }), 200);
      const versions = async (): Promise<Loose[]> => (await ada.client.get(`/documents/${id}/versions`)).data;
      const before = await versions();
      const a = await open(ada, id);
      for (let i = 0; i < 5; i++) {
        type(a, 0, ` ${i}`);
        await isSaved(a);
        await ada.client.get(`/documents/${id}/content?live=true`);
      }
      assert.deepEqual(await versions(), before);
      const typed = await readNodes(ada.client, id);
      assertStatus(await ada.client.put(`/documents/${id}/content`, tiptap(p("Agent.")), { ifMatch: "*" }), 200);
      const [newest, ...rest] = await versions();
      assert.deepEqual([defined(newest).version, rest], [typed.version, before]);
      const old = assertStatus(await ada.client.get(`/documents/${id}/versions/${defined(newest).seq}`), 200);
      assert.deepEqual(old.data.document.content, typed.nodes);
      assertStatus(
        await ada.client.post(`/documents/${id}/versions/${defined(newest).seq}/rollback`, {}, { ifMatch: "*" }),
        200,
      );
      await until("the editor shows the rollback", () => shownTexts(a).join() === "Two. 0 1 2 3 4");
    });

    test("LIVE7 an API write shows in open editors, together with what is being typed", async () => {
      const { id } = await makeBody(ada.client, [p("One."), p("Two.")]);
      const a = await open(ada, id);
      const [first] = (await readNodes(ada.client, id)).nodes;
      type(a, 0, " typed");
      const node = { ...first, content: [{ type: "text", text: "API One." }] };
      assertStatus(await ada.client.patch(`/documents/${id}/blocks/${defined(first).attrs.id}`, { node }), 200);
      assertStatus(
        await ada.client.post(`/documents/${id}/blocks`, { position: { document_end: true }, nodes: [p("Three.")] }),
        201,
      );
      await isSaved(a);
      await until("the editor has all", () => shownTexts(a).join() === "API One. typed,Two.,Three.");
      await until(
        "the body has all",
        async () => (await textsOf(ada.client, id)).join() === "API One. typed,Two.,Three.",
      );
    });

    test("LIVE17 what a program wrote into a line goes along when somebody joins the line without having seen it", async () => {
      const { id } = await makeBody(ada.client, [p("Start"), p("Middle words"), p("End")]);
      const seat = { ...(await seatOf(ada, id)) };
      const [away, there] = [await openAt(seat), await open(bob, id)];
      goOffline(away, seat);
      const [first, second] = away.live.blocks;
      away.live.patch({ ...defined(first), content: [{ type: "text", text: "StartMiddle words" }] });
      away.live.remove(idOf(defined(second)));
      const path = `/documents/${id}/blocks/${idOf(defined(second))}`;
      assertStatus(await ada.client.patch(path, { node: p("Middle words of a program") }), 200);
      await until("the editor has it", () => shownTexts(there)[1] === "Middle words of a program");
      seat.url = world.directUrl;
      const all = "StartMiddle words of a program,End";
      await until("the body has both", async () => (await textsOf(ada.client, id)).join() === all);
      for (const session of [away, there]) await until("the editor has both", () => shownTexts(session).join() === all);
    });

    test("LIVE8 GET /live tells who edits where and what is not saved; live=true brings it in", async () => {
      const { id, version } = await makeBody(ada.client, [p("One.")]);
      const idle = assertStatus(await ada.client.get(`/documents/${id}/live`), 200).data;
      assert.deepEqual(idle, { editors: [], unsaved_since: null, folded_version: version });
      const a = await open(bob, id);
      a.place = { block_id: idOf(defined(a.live.blocks[0])), anchor: 1, head: 1 };
      a.sendCaret(a.place);
      await until("the editor is named with the place", async () => {
        const { data } = await ada.client.get(`/documents/${id}/live`);
        return data.editors[0]?.user.id === bob.userId && data.editors[0].block_id === defined(a.place).block_id;
      });
      type(a, 0, " More.");
      await until("it is stored", () => a.isStored);
      const { data } = assertStatus(await ada.client.get(`/documents/${id}/content?live=true`), 200);
      assert.equal(data.document.content[0].content.map(({ text }: Loose) => text).join(""), "One. More.");
      a.close();
      await until(
        "nobody is left",
        async () => (await ada.client.get(`/documents/${id}/live`)).data.editors.length === 0,
      );
      assertStatus(await ada.client.get(`/documents/${newBlockId()}/live`), 404);
    });

    test("LIVE23 the operator sees sockets, documents, updates and folds", async () => {
      const { id } = await makeBody(ada.client, [p("One.")]);
      const a = await open(ada, id);
      type(a, 0, " x");
      await isSaved(a);
      const text = await (await fetch(`${world.directUrl}/metrics`)).text();
      const figure = (name: string) => Number(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, "m").exec(text)?.[1]);
      for (const name of ["sockets", "documents", "states", "updates_total", "folds_total", "fold_seconds_total"])
        assert.ok(figure(`svc_live_${name}`) > 0, `${name}: ${figure(`svc_live_${name}`)}`);
      assert.ok(figure("svc_live_unsaved_seconds") >= 0);
    });
  },
  { SVC_MAX_DOCUMENT_CHARACTERS: "1000" },
);
