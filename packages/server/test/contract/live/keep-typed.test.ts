import assert from "node:assert/strict";
import { before, test } from "node:test";
import { defined } from "@svc/document/defined";
import { idOf } from "@svc/document/schema/node";
import { li, p, ul } from "@svc/document/testing/builders";
import type { Node } from "@svc/document/types";
import { RECENT_MS } from "@svc/server/bodies/recent-states";
import { sweepLive } from "@svc/server/domain/live/start-live";
import { makeBody, readNodes, textsOf } from "../../support/bodies.ts";
import { assertError, assertStatus } from "../../support/client.ts";
import { editorsIn, isSaved, shownTexts, type } from "../../support/live-editor.ts";
import { startServer } from "../../support/process.ts";
import { until } from "../../support/until.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

const OPEN = "Our office is open from nine to five every day.";
const NEWER = "The Berlin office is open from nine to five, Monday to Friday.";

onEachDatabase("writes to blocks that somebody is typing in", (world) => {
  let ada: Person;
  before(async () => {
    ada = await world.person();
  });
  const { open, openAt, seatOf } = editorsIn(world);

  /** A page of one block in which a person has typed, each text in a fold of its own. */
  async function typedIn(nodes: readonly Node[], ...texts: readonly string[]) {
    const { id, version } = await makeBody(ada.client, nodes);
    const editor = await open(ada, id);
    for (const text of texts) {
      type(editor, 0, text);
      await isSaved(editor);
    }
    const block = defined((await readNodes(ada.client, id)).nodes[0]);
    return { id, version, editor, blockId: idOf(block), block };
  }
  const sent = (text: string) => ({ node: p(text) });

  test("LIVE30 a PATCH without If-Match keeps what somebody typed since its writer read the block", async () => {
    const { id, editor, blockId } = await typedIn([p(OPEN)], " Please ri", "ng the bell");
    type(editor, 0, " at the door.");
    const { data } = assertStatus(await ada.client.patch(`/documents/${id}/blocks/${blockId}`, sent(NEWER)), 200);
    assert.equal(data.merged, true);
    await isSaved(editor);
    const all = `${NEWER} Please ring the bell at the door.`;
    await until("the editor shows both", () => shownTexts(editor).join() === all);
    assert.deepEqual(await textsOf(ada.client, id), [all]);
  });

  test("LIVE30 a write that says the same as before, or that was made from the present text, is not merged", async () => {
    const { id, blockId } = await typedIn([p("One.")], " typed");
    const { data } = assertStatus(
      await ada.client.patch(`/documents/${id}/blocks/${blockId}`, sent("One. typed. New.")),
      200,
    );
    assert.equal(data.merged, undefined);
    assert.deepEqual(await textsOf(ada.client, id), ["One. typed. New."]);
  });

  test("LIVE31 a write that would remove or change typed words becomes a suggestion", async () => {
    const { id, blockId, block } = await typedIn([p(OPEN.replace("nine", "eight"))], " Pleese ring.");
    const path = `/documents/${id}/blocks/${blockId}`;
    const version = (await readNodes(ada.client, id)).version;
    const dry = assertStatus(await ada.client.delete(`${path}?dry_run=true`), 202).data;
    assert.equal(dry.suggestion_id, null);
    const { data } = assertStatus(await ada.client.patch(path, sent(`${OPEN} Please ring.`)), 202);
    assert.match(data.suggestion_id, /^sug_/);
    assert.deepEqual([data.version, data.changed_block_ids], [version, [blockId]]);
    const gone = assertStatus(await ada.client.delete(path), 202).data;
    assert.deepEqual((await readNodes(ada.client, id)).nodes, [block]);
    const suggestion = assertStatus(await ada.client.get(`/suggestions/${data.suggestion_id}`), 200).data;
    assert.equal(suggestion.changes[0].after.text, `${OPEN} Please ring.`);
    assert.match(suggestion.note, /typing/);
    const accept = `/suggestions/${data.suggestion_id}/accept`;
    assertStatus(await ada.client.post(accept, {}, { ifMatch: suggestion.version }), 200);
    assert.deepEqual(await textsOf(ada.client, id), [`${OPEN} Please ring.`]);
    assert.notEqual(gone.suggestion_id, data.suggestion_id);
  });

  test("LIVE31 with a version, or * for any, a write is made as it was sent", async () => {
    const { id, version, blockId } = await typedIn([p(OPEN)], " Please ring.");
    const path = `/documents/${id}/blocks/${blockId}`;
    assertError(await ada.client.patch(path, sent(NEWER), { ifMatch: version }), "version_conflict");
    const { data } = assertStatus(await ada.client.patch(path, sent(NEWER), { ifMatch: "*" }), 200);
    assert.equal(data.merged, undefined);
    assert.deepEqual(await textsOf(ada.client, id), [NEWER]);
    assertStatus(await ada.client.patch(path, sent("Again.")), 200);
    assert.deepEqual(await textsOf(ada.client, id), ["Again."]);
  });

  test("LIVE30 an item of a list is merged by itself, and one that somebody typed in is not deleted", async () => {
    const { id, blockId, editor } = await typedIn([ul(li(p("One.")), li(p("Two.")))]);
    const list = defined(editor.live.node(blockId));
    const [first, second] = (list.content ?? []).map((item) => defined(item.content?.[0]));
    const put = (paragraph: Node, text: string) => ({ ...paragraph, content: [{ type: "text", text }] });
    const items = list.content ?? [];
    editor.live.patch({
      ...list,
      content: [
        { ...defined(items[0]), content: [put(defined(first), "One. typed")] },
        { ...defined(items[1]), content: [put(defined(second), "Two. typed")] },
      ],
    });
    await isSaved(editor);
    const line = idOf(defined(first));
    assertStatus(await ada.client.patch(`/documents/${id}/blocks/${line}`, sent("First.")), 200);
    const item = idOf(defined(items[1]));
    assertStatus(await ada.client.delete(`/documents/${id}/blocks/${item}`), 202);
    await until("the editor shows all", () => JSON.stringify(editor.live.blocks).includes("First. typed"));
    assert.match(JSON.stringify((await readNodes(ada.client, id)).nodes), /First\. typed.*Two\. typed/);
  });

  test("LIVE30 the process that takes the write need not be the one that the person types at", async () => {
    const second = await startServer(world.settings);
    try {
      const { id } = await makeBody(ada.client, [p(OPEN)]);
      const editor = await openAt({ ...(await seatOf(ada, id)), url: second.url });
      type(editor, 0, " Please ring");
      await isSaved(editor);
      const blockId = idOf(defined((await readNodes(ada.client, id)).nodes[0]));
      type(editor, 0, " the bell.");
      assert.equal(
        assertStatus(await ada.client.patch(`/documents/${id}/blocks/${blockId}`, sent(NEWER)), 200).data.merged,
        true,
      );
      const all = `${NEWER} Please ring the bell.`;
      await until("the editor shows both", () => shownTexts(editor).join() === all);
      await isSaved(editor);
      await until("the body has both", async () => (await textsOf(ada.client, id)).join() === all);
    } finally {
      await second.stop();
    }
  });

  test("LIVE32 states of a minute ago are removed, and what was typed before may be removed by any write", async () => {
    const { id, blockId } = await typedIn([p(OPEN)], " Please ring.");
    const states = () =>
      world.app.services.database.read
        .selectFrom("recent_states")
        .select("block_id")
        .where("document_id", "=", id)
        .execute();
    assert.ok((await states()).length > 0);
    await sweepLive(world.app.services, Date.now() + RECENT_MS + 1000);
    assert.deepEqual(await states(), []);
    assertStatus(await ada.client.patch(`/documents/${id}/blocks/${blockId}`, sent(NEWER)), 200);
    assert.deepEqual(await textsOf(ada.client, id), [NEWER]);
  });
});
