import assert from "node:assert/strict";
import { before, test } from "node:test";
import { defined } from "@svc/document/defined";
import { idOf } from "@svc/document/schema/node";
import { p } from "@svc/document/testing/builders";
import { LiveState } from "@svc/live/live-state";
import { sweepLive } from "@svc/server/domain/live/start-live";
import { newBlockId } from "@svc/server/ids";
import { png } from "../../support/attachments.ts";
import { makeBody, readNodes, textsOf } from "../../support/bodies.ts";
import { assertStatus, type Loose } from "../../support/client.ts";
import { upload } from "../../support/fixtures.ts";
import { editorsIn, isSaved, shownTexts, signIn, type } from "../../support/live-editor.ts";
import { until, Watch } from "../../support/until.ts";
import { Visitor } from "../../support/visitor.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

onEachDatabase(
  "live states",
  (world) => {
    let ada: Person;
    before(async () => {
      ada = await world.person();
    });
    const { open } = editorsIn(world);

    test("LIVE5 who types and leaves at once finds it on the page; nobody has to look for it to be in the body", async () => {
      const { id } = await makeBody(ada.client, [p("One.")]);
      const visitor = new Visitor(world.directUrl);
      visitor.keep(await signIn(world, ada));
      const first = await open(ada, id);
      type(first, 0, " Two.");
      await until("it is stored", () => first.isStored);
      first.close();
      assert.match(await (await visitor.fetch(`/documents/${id}`)).text(), /One\. Two\./);
      const second = await open(ada, id);
      using watch = new Watch();
      type(second, 0, " Three.");
      second.flush();
      await until("it is stored", () => second.isStored);
      second.close();
      await until("it is in the body", async () => (await textsOf(ada.client, id))[0] === "One. Two. Three.");
      assert.ok(watch.ms < 4000, `after ${watch.ms} ms`);
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
    });

    test("LIVE15 opening a document writes nothing; what one types shows in its history", async () => {
      const { id, version } = await makeBody(ada.client, [p("One.")]);
      const a = await open(ada, id);
      const history = async (): Promise<Loose[]> => (await ada.client.get(`/documents/${id}/history`)).data;
      assert.equal((await readNodes(ada.client, id)).version, version);
      assert.equal((await history()).length, 1);
      type(a, 0, " x");
      await isSaved(a);
      type(a, 0, " y");
      await isSaved(a);
      assert.deepEqual(
        (await history()).map(({ kind }) => kind),
        ["session", "write"],
      );
    });

    test("HIST12 the browser lists versions, compares, names and restores them, and a restore can be undone", async () => {
      const { id } = await makeBody(ada.client, [p("Before.")]);
      const a = await open(ada, id);
      type(a, 0, " Typed.");
      await isSaved(a);
      const visitor = new Visitor(world.directUrl);
      visitor.keep(await signIn(world, ada));
      const page = async (path = "/versions") => (await visitor.fetch(`/documents/${id}${path}`)).text();
      const [, first] = [...(await page()).matchAll(/history\/(state_\w+)"/g)].map(([, found]) => found);
      const [session] = (await ada.client.get(`/documents/${id}/history`)).data;
      assert.match(await page(`/history/${session.id}`), /Before\. ?<ins>\s*Typed\./);
      assert.match(await page(`/history/${first}/text`), /<p[^>]*>Before\.<\/p>/);
      const listed = `/documents/${id}/versions`;
      const named = await visitor.submit(listed, `/documents/${id}/history/${session.id}/name`, { name: "Good" });
      assert.equal(named.headers.get("location"), listed);
      assert.match(await page(), /Good/);
      const back = await visitor.submit(listed, `/documents/${id}/history/${first}/restore`, {});
      assert.deepEqual(await textsOf(ada.client, id), ["Before."]);
      const shown = defined(back.headers.get("location"));
      assert.match(await page(shown.replace(`/documents/${id}`, "")), /Version restored/);
      const undo = defined(new URL(shown, world.directUrl).searchParams.get("undo"));
      await visitor.submit(shown, `/documents/${id}/history/${undo}/restore`, {});
      assert.deepEqual(await textsOf(ada.client, id), ["Before. Typed."]);
      await until("the editor follows", () => shownTexts(a).join() === "Before. Typed.");
      const stranger = await world.person();
      const other = new Visitor(world.directUrl);
      other.keep(await signIn(world, stranger));
      assert.equal((await other.fetch(`/documents/${id}/history/${first}`)).status, 404);
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
    });
  },
  { SVC_MAX_DOCUMENT_CHARACTERS: "1000" },
);
