import assert from "node:assert/strict";
import { once } from "node:events";
import { afterEach, before, test } from "node:test";
import { defined } from "@svc/document/defined";
import { idOf } from "@svc/document/schema/node";
import { p } from "@svc/document/testing/builders";
import { packFrame, unpackFrame } from "@svc/live/frames";
import { LiveState } from "@svc/live/live-state";
import type { LiveSession } from "@svc/live/session";
import { newBlockId } from "@svc/server/ids";
import { sweepLive } from "@svc/server/resources/live/start-live";
import * as Y from "yjs";
import { png } from "../support/attachments.ts";
import { makeBody, readNodes, textsOf, tiptap } from "../support/bodies.ts";
import { assertStatus, type Loose } from "../support/client.ts";
import { upload } from "../support/fixtures.ts";
import { fetchState, isSaved, openEditor, openSocket, type Seat, shownTexts, signIn } from "../support/live-editor.ts";
import { until } from "../support/until.ts";
import { Visitor } from "../support/visitor.ts";
import { onEachDatabase, type Person } from "../support/world.ts";

/** Puts text at the end of a block, as a person types it. */
function type(session: LiveSession, at: number, text: string): void {
  const block = defined(session.live.blocks[at]);
  session.live.patch({ ...block, content: [...(block.content ?? []), { type: "text", text }] });
}

const addBlock = (session: LiveSession, text: string) =>
  session.live.insert({ ...p(text), attrs: { id: newBlockId() } }, session.live.lastKey());

onEachDatabase(
  "live documents",
  (world) => {
    let ada: Person;
    let bob: Person;
    before(async () => {
      ada = await world.person();
      bob = await world.person({ workspace: ada.workspaceId, role: "editor" });
    });
    const seatOf = async (person: Person, documentId: string): Promise<Seat> => ({
      url: world.directUrl,
      cookie: await signIn(world, person),
      documentId,
    });
    const opened: LiveSession[] = [];
    const open = async (person: Person, documentId: string, options = {}) => {
      const session = await openEditor(await seatOf(person, documentId), options);
      opened.push(session);
      return session;
    };
    afterEach(() => {
      for (const session of opened.splice(0)) session.close();
    });

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
        const session = await openEditor(seat, {
          onState: (live) => {
            states.push(live);
            if (states.length === 1)
              live.patch({ ...defined(live.blocks[0]), content: [{ type: "text", text: "Early." }] });
          },
          openSocket: (query) => openSocket(seat, spoil(query)) as never,
        });
        opened.push(session);
        type(session, 1, " Later.");
        await isSaved(session);
        assert.deepEqual(await textsOf(ada.client, id), ["Early.", "Two. Later."]);
        assert.deepEqual(shownTexts(session), ["Early.", "Two. Later."]);
      }
    });

    test("LIVE26 a viewer's state comes without a client id, and another tab's is not taken without its proof", async () => {
      const { id } = await makeBody(ada.client, [p("One.")]);
      const eve = await world.person({ workspace: ada.workspaceId, role: "viewer" });
      const headerOf = async (person: Person): Promise<Loose> =>
        unpackFrame(await fetchState(await seatOf(person, id)))?.header;
      assert.equal((await headerOf(eve)).client, undefined);
      const [first, second] = [await headerOf(ada), await headerOf(ada)];
      assert.notEqual(first.client, second.client);
      const seat = await seatOf(bob, id);
      const query = new URLSearchParams({ epoch: first.epoch, seq: "0", client: first.client, resume: first.resume });
      const socket = openSocket(seat, query.toString());
      const [hello] = await once(socket, "message");
      socket.terminate();
      assert.notEqual(JSON.parse(String(hello)).client, first.client);
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
      a.close();
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
      a.close();
    });

    test("LIVE8 GET /live tells who edits where and what is not saved; live=true brings it in", async () => {
      const { id, version } = await makeBody(ada.client, [p("One.")]);
      const idle = assertStatus(await ada.client.get(`/documents/${id}/live`), 200).data;
      assert.deepEqual(idle, { editors: [], unsaved_since: null, folded_version: version });
      const a = await open(bob, id);
      a.place = { block_id: idOf(defined(a.live.blocks[0])), anchor: 1, head: 1 };
      a.tellPlace(a.place);
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

    test("LIVE9 rights are checked at the door: no session, another origin, another workspace, a viewer's update", async () => {
      const { id } = await makeBody(ada.client, [p("One.")]);
      const seat = await seatOf(ada, id);
      const statusOf = async (of: Seat, headers: Record<string, string> = {}) => {
        const [error] = await once(openSocket(of, "", headers), "error");
        return /\d{3}/.exec(String(error))?.[0];
      };
      assert.equal(await statusOf({ ...seat, cookie: "" }), "401");
      assert.equal(await statusOf(seat, { origin: "https://elsewhere.example" }), "403");
      const stranger = await world.person();
      await assert.rejects(open(stranger, id));
      const viewer = await world.person({ workspace: ada.workspaceId, role: "viewer" });
      const v = await open(viewer, id);
      assert.deepEqual([v.mayWrite, v.status.kind], [false, "watching"]);
      const a = await open(ada, id);
      type(a, 0, " seen");
      await until("the viewer watches", () => shownTexts(v).join() === "One. seen");
      v.close();
      a.close();
    });

    test("LIVE9 rights that are taken away while somebody types end their socket, and nothing more is stored", async () => {
      const { id } = await makeBody(ada.client, [p("One.")]);
      const carol = await world.person({ workspace: ada.workspaceId, role: "editor" });
      const dave = await world.person({ workspace: ada.workspaceId, role: "editor" });
      const [c, d] = [await open(carol, id), await open(dave, id)];
      const { database } = world.app.services;
      await database.transaction((tx) =>
        tx.updateTable("memberships").set({ role: "viewer" }).where("user_id", "=", carol.userId).execute(),
      );
      await database.transaction((tx) => tx.deleteFrom("sessions").where("user_id", "=", dave.userId).execute());
      type(c, 0, " not allowed");
      type(d, 0, " not signed in");
      await until("both are told", () => c.status.kind === "refused" && d.status.kind === "refused");
      assert.match(JSON.stringify([c.status, d.status]), /no longer edit.*signed out/);
      assert.deepEqual(await textsOf(ada.client, id), ["One."]);
      assert.equal(c.isStored, false);
    });

    test("LIVE10 a hostile client closes its own socket and nothing else", async () => {
      const { id } = await makeBody(ada.client, [p("One.")]);
      const a = await open(ada, id);
      const seat = await seatOf(bob, id);
      const forged = new Y.Doc();
      forged.clientID = 1;
      forged.getMap("blocks").set("x", "y");
      const other = new Y.Doc();
      other.getMap("other").set("x", 1);
      const attacks: (string | Uint8Array)[] = [
        new Uint8Array([1, 2, 3]),
        "{",
        packFrame({ n: 1 }, new Uint8Array([255, 255, 255])),
        packFrame({ n: 1 }, Y.encodeStateAsUpdate(forged)),
        packFrame({ n: 1 }, Y.encodeStateAsUpdate(other)),
        packFrame({ n: "x" }, Y.encodeStateAsUpdate(forged)),
        packFrame({ n: 1 }, new Uint8Array([1, 1, 9, 0, 0, 255, 255, 255, 255, 15, 0])),
        packFrame({ n: 1 }, new Uint8Array([0, 1, 1, 1, 200, 1, 5])),
      ];
      for (const attack of attacks) {
        const socket = openSocket(seat, `epoch=${a.epoch}&seq=0`);
        await once(socket, "message");
        socket.send(attack);
        const [code] = await once(socket, "close");
        assert.equal(code, 4400);
      }
      type(a, 0, " Still here.");
      await isSaved(a);
      assert.equal(a.status.kind, "saved");
      assert.deepEqual(await textsOf(ada.client, id), ["One. Still here."]);
      a.close();
    });

    test("LIVE11 blocks that cannot stand, ids that are there twice and keys that are none are mended by the fold", async () => {
      const { id } = await makeBody(ada.client, [p("One."), p("Two.")]);
      const a = await open(ada, id);
      const [one] = a.live.blocks;
      const list = (nested: string) => ({
        type: "bulletList",
        attrs: { id: newBlockId() },
        content: [{ type: "listItem", attrs: { id: nested }, content: [{ type: "paragraph", attrs: { id: "bad" } }] }],
      });
      a.live.insert({ type: "listItem", attrs: { id: newBlockId() }, content: [p("x")] }, "Zz");
      a.live.insert({ ...p("kept"), attrs: { id: "not an id" } }, "Zzz");
      a.live.insert(list(idOf(defined(one))), "Zzzz");
      await isSaved(a);
      await until("the editor has the mended state", () => a.live.blocks.length === 4);
      const { nodes } = await readNodes(ada.client, id);
      assert.deepEqual(nodes, JSON.parse(JSON.stringify(a.live.blocks)));
      assert.deepEqual(nodes.map(({ type }) => type).sort(), ["bulletList", "paragraph", "paragraph", "paragraph"]);
      a.close();
    });

    test("LIVE12 a tab that was offline sends what it has; after the live state was made anew it is merged, nothing doubled", async () => {
      const { id } = await makeBody(ada.client, [p("One."), p("Two."), p("Three.")]);
      const a = await open(ada, id);
      type(a, 0, " saved");
      await isSaved(a);
      a.disconnect();
      type(a, 0, " offline");
      await isSaved(a);
      assert.deepEqual(await textsOf(ada.client, id), ["One. saved offline", "Two.", "Three."]);
      a.close();
      type(a, 1, " late");
      type(a, 2, " gone");
      const journal = a.toJournal();
      const [, , third] = (await readNodes(ada.client, id)).nodes;
      assertStatus(await ada.client.delete(`/documents/${id}/blocks/${defined(third).attrs.id}`), 200);
      await until(
        "nobody is there",
        async () => (await ada.client.get(`/documents/${id}/live`)).data.editors.length === 0,
      );
      await world.app.services.live.reconcile({ workspaceId: ada.workspaceId, documentId: id });
      await sweepLive(world.app.services, Date.now() + 2 * 24 * 60 * 60 * 1000);
      const back = await open(ada, id, { journal });
      assert.notEqual(back.epoch, journal.epoch);
      await isSaved(back);
      assert.deepEqual(await textsOf(ada.client, id), ["One. saved offline", "Two. late", "Three. gone"]);
      back.close();
    });

    test("LIVE13 a deleted document closes its editors; a restored one can be edited again", async () => {
      const { id } = await makeBody(ada.client, [p("One.")]);
      const a = await open(ada, id);
      assertStatus(await ada.client.delete(`/documents/${id}`), 200);
      await until("the editor is told", () => a.status.kind === "refused");
      assert.match(JSON.stringify(a.status), /deleted/);
      await assert.rejects(open(ada, id));
    });

    test("LIVE14 a body that grows too long is not saved, the editor is told why, and shortening saves it", async () => {
      const { id } = await makeBody(ada.client, [p("One.")]);
      const a = await open(ada, id);
      type(a, 0, "x".repeat(1100));
      await until("the editor is told", () => a.status.kind === "refused");
      assert.deepEqual(await textsOf(ada.client, id), ["One."]);
      a.live.patch({ ...defined(a.live.blocks[0]), content: [{ type: "text", text: "short" }] });
      await isSaved(a);
      await until("it is fine again", () => a.status.kind === "saved");
      assert.deepEqual(await textsOf(ada.client, id), ["short"]);
      a.close();
    });

    test("LIVE15 opening writes nothing to the body; the first edit of a session keeps the state before it for the browser", async () => {
      const { id, version } = await makeBody(ada.client, [p("One.")]);
      const a = await open(ada, id);
      const points = () =>
        world.app.services.database.read
          .selectFrom("restore_points")
          .selectAll()
          .where("document_id", "=", id)
          .execute();
      assert.equal((await readNodes(ada.client, id)).version, version);
      assert.equal((await points()).length, 0);
      type(a, 0, " x");
      await isSaved(a);
      type(a, 0, " y");
      await isSaved(a);
      assert.deepEqual(
        (await points()).map((point) => point.version),
        [version],
      );
      a.close();
    });

    test("LIVE15 the browser shows what is kept, keeps a state on demand and goes back to it; the API's versions know nothing of it", async () => {
      const { id } = await makeBody(ada.client, [p("Before.")]);
      const a = await open(ada, id);
      type(a, 0, " Typed.");
      await isSaved(a);
      const visitor = new Visitor(world.directUrl);
      visitor.keep(await signIn(world, ada));
      const page = async () => (await visitor.fetch(`/documents/${id}/versions`)).text();
      assert.match(await page(), /Before editing/);
      type(a, 0, " Kept.");
      await until("it is stored", () => a.isStored);
      const kept = await visitor.submit(`/documents/${id}/versions`, `/documents/${id}/kept`, {});
      assert.equal(kept.headers.get("location"), `/documents/${id}/versions`);
      type(a, 0, " Later.");
      await isSaved(a);
      assert.equal((await ada.client.get(`/documents/${id}/versions`)).data.length, 0);
      const [point] = [...(await page()).matchAll(/kept\/(\w+)"/g)].map(([, found]) => found);
      const address = `/documents/${id}/kept/${point}`;
      assert.match(await (await visitor.fetch(address)).text(), /Before\. Typed\. Kept\./);
      const back = await visitor.submit(address, `${address}/restore`, { version: "*" });
      assert.equal(back.headers.get("location"), `/documents/${id}`);
      assert.deepEqual(await textsOf(ada.client, id), ["Before. Typed. Kept."]);
      await until("the editor follows", () => shownTexts(a).join() === "Before. Typed. Kept.");
      assert.equal((await ada.client.get(`/documents/${id}/versions`)).data.length, 1);
      const stranger = await world.person();
      const other = new Visitor(world.directUrl);
      other.keep(await signIn(world, stranger));
      assert.equal((await other.fetch(address)).status, 404);
      a.close();
    });

    test("LIVE21 a file of another document is taken out of what was typed, the editors are told, and the rest is saved", async () => {
      const { id } = await makeBody(ada.client, [p("One."), p("Two.")]);
      const other = await makeBody(ada.client, [p("Other.")]);
      const { id: foreign } = await upload(ada.client, other.id, png, "a.png");
      const told: string[] = [];
      const a = await open(ada, id, { onNotice: (message: string) => told.push(message) });
      const image = () => ({ type: "image", attrs: { id: newBlockId(), attachmentId: foreign } });
      a.live.insert(image(), a.live.lastKey());
      const [first] = a.live.blocks;
      a.live.insert(
        { type: "blockquote", attrs: { id: newBlockId() }, content: [p("Quoted."), image()] },
        a.live.lastKey(),
      );
      type(a, 0, " Typed.");
      await isSaved(a);
      await until("the editor is told", () => told.length > 0);
      assert.match(defined(told[0]), /another document/);
      const { nodes } = await readNodes(ada.client, id);
      assert.deepEqual(
        nodes.map(({ type }) => type),
        ["paragraph", "paragraph", "blockquote"],
      );
      assert.equal(defined(nodes[0]).attrs.id, idOf(defined(first)));
      await until("the editor has what the body has", () => a.live.blocks.length === 3);
      assert.deepEqual(JSON.parse(JSON.stringify(a.live.blocks)), nodes);
      a.close();
    });

    test("LIVE22 a store that was put back under an open tab begins a new live state, and the tab's own edits are merged", async () => {
      const { id } = await makeBody(ada.client, [p("One."), p("Two.")]);
      const a = await open(ada, id);
      type(a, 0, " first");
      await isSaved(a);
      const { database } = world.app.services;
      const tables = ["live_documents", "live_updates"] as const;
      const rows = await Promise.all(
        tables.map((table) => database.read.selectFrom(table).selectAll().where("document_id", "=", id).execute()),
      );
      type(a, 0, " second");
      await isSaved(a);
      const epoch = a.epoch;
      // As a restored dump leaves it: an earlier live state under the same epoch.
      await database.transaction(async (tx) => {
        for (const [at, table] of tables.entries()) {
          await tx.deleteFrom(table).where("document_id", "=", id).execute();
          await tx
            .insertInto(table)
            .values(rows[at] as never)
            .execute();
        }
      });
      a.disconnect();
      type(a, 1, " mine");
      await until("the tab has another live state", () => a.epoch !== epoch);
      await isSaved(a);
      assert.equal((await textsOf(ada.client, id))[1], "Two. mine");
      await until("both are equal", async () => shownTexts(a).join() === (await textsOf(ada.client, id)).join());
      a.close();
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
      a.close();
    });

    test("LIVE16 the rows are folded into the state, and rows that are in it go", async () => {
      const { id } = await makeBody(ada.client, [p("One.")]);
      const { database } = world.app.services;
      const a = await open(ada, id);
      const live = () =>
        database.read.selectFrom("live_documents").selectAll().where("document_id", "=", id).executeTakeFirstOrThrow();
      await database.transaction((tx) =>
        tx
          .updateTable("live_documents")
          .set({ bytes_since: 1024 * 1024 })
          .where("document_id", "=", id)
          .execute(),
      );
      type(a, 0, " x");
      await isSaved(a);
      const { state, state_seq, folded_seq, bytes_since } = await live();
      assert.deepEqual([state_seq, bytes_since], [folded_seq, 0]);
      const texts = LiveState.fromUpdates([state]).blocks.map(({ content }) =>
        content?.map(({ text }) => text).join(""),
      );
      assert.deepEqual(texts, ["One. x"]);
      await sweepLive(world.app.services, Date.now() + 60 * 60 * 1000);
      const rows = await database.read.selectFrom("live_updates").select("seq").where("document_id", "=", id).execute();
      assert.deepEqual(rows, []);
      type(a, 0, " y");
      await isSaved(a);
      assert.deepEqual(await textsOf(ada.client, id), ["One. x y"]);
      a.close();
    });
  },
  { SVC_MAX_DOCUMENT_CHARACTERS: "1000" },
);
