import assert from "node:assert/strict";
import { before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { readNodes } from "../../support/bodies.ts";
import { assertError, assertStatus, type Loose } from "../../support/client.ts";
import { makeDocument, makeFolder, makeKnowledgeBase, markdown, upload } from "../../support/fixtures.ts";
import { until } from "../../support/until.ts";
import { onEachDatabase, type Person, type World } from "../../support/world.ts";

/** Rows of every table that tell of this document. */
async function rowsOf(world: World, id: string): Promise<Record<string, number>> {
  const { read } = world.app.services.database;
  const counts: Record<string, number> = {};
  for (const table of ["bodies", "segments", "snapshots", "purges"] as const)
    counts[table] = (await read.selectFrom(table).select("document_id").where("document_id", "=", id).execute()).length;
  counts.documents = (await read.selectFrom("documents").select("id").where("id", "=", id).execute()).length;
  return counts;
}

const none = { bodies: 0, segments: 0, snapshots: 0, purges: 0, documents: 0 };

async function untilPurged(world: World, id: string): Promise<void> {
  await until("nothing is left of it", async () => isDeepStrictEqual(await rowsOf(world, id), none));
}

onEachDatabase("trash", (world) => {
  let ada: Person;
  let base: Loose;
  before(async () => {
    ada = await world.person();
    base = await makeKnowledgeBase(ada.client);
  });
  const entryOf = async (itemId: string | number) =>
    (await ada.client.get("/trash?limit=100")).data.find((entry: Loose) => entry.item_id === String(itemId));
  const restore = (entry: Loose) => ada.client.post(`/trash/${entry.id}/restore`);

  test("TRASH1 a deleted document is listed with what it was, and leaves every live table", async () => {
    const document = await makeDocument(ada.client, { knowledge_base_id: base.id, title: "Gone" });
    await ada.client.delete(`/documents/${document.id}`);
    const { id, deleted_at, expires_at, ...rest } = await entryOf(document.id);
    assert.match(id, /^trash_/);
    assert.equal(expires_at - deleted_at, 30 * 24 * 60 * 60 * 1000);
    assert.deepEqual(rest, {
      kind: "document",
      item_id: document.id,
      name: "Gone",
      knowledge_base_id: base.id,
      document_count: 1,
      ended_links: 0,
      deleted_by: ada.userId,
    });
    await untilPurged(world, document.id);
  });

  for (const when of ["at once", "after its stored parts were purged"])
    test(`TRASH2 a document restored ${when} has the same id, body, block ids and versions`, async () => {
      const folder = await makeFolder(ada.client, { knowledge_base_id: base.id });
      const document = await makeDocument(ada.client, { knowledge_base_id: base.id, folder_id: folder.id });
      await ada.client.put(`/documents/${document.id}/content`, markdown("Second\n\n- a\n- b"), { ifMatch: "*" });
      const before = await readNodes(ada.client, document.id);
      const versions = (await ada.client.get(`/documents/${document.id}/versions`)).data;
      const counted = (await ada.client.get(`/knowledge-bases/${base.id}`)).data.document_count;
      await ada.client.delete(`/documents/${document.id}`);
      if (when !== "at once") await untilPurged(world, document.id);
      const entry = await entryOf(document.id);
      const reply = assertStatus(await restore(entry), 200);
      assert.deepEqual(reply.data, {
        id: entry.id,
        restored: true,
        kind: "document",
        document_ids: [document.id],
        folder_ids: [],
        ended_links: 0,
      });
      assert.deepEqual(await readNodes(ada.client, document.id), before);
      assert.deepEqual((await ada.client.get(`/documents/${document.id}/versions`)).data, versions);
      const after = (await ada.client.get(`/documents/${document.id}`)).data;
      assert.deepEqual([after.folder_id, after.title, after.created_at], [folder.id, "Title", document.created_at]);
      assert.equal((await ada.client.get(`/knowledge-bases/${base.id}`)).data.document_count, counted);
      assert.equal(await entryOf(document.id), undefined);
      assertError(await restore(entry), "not_found");
      assertStatus(
        await ada.client.post(`/documents/${document.id}/versions/1/rollback`, undefined, { ifMatch: "*" }),
        200,
      );
      await sleep(1200);
      assert.deepEqual(
        (await readNodes(ada.client, document.id)).nodes.map((node) => node.type),
        ["heading", "paragraph"],
      );
    });

  test("TRASH3 a folder comes back with its whole subtree; at the top level if its parent is gone", async () => {
    const parent = await makeFolder(ada.client, { knowledge_base_id: base.id });
    const folder = await makeFolder(ada.client, { knowledge_base_id: base.id, parent_id: parent.id, name: "Middle" });
    const low = await makeFolder(ada.client, { knowledge_base_id: base.id, parent_id: folder.id });
    const documents = [
      await makeDocument(ada.client, { knowledge_base_id: base.id, folder_id: folder.id }),
      await makeDocument(ada.client, { knowledge_base_id: base.id, folder_id: low.id }),
    ];
    const counted = (await ada.client.get(`/knowledge-bases/${base.id}`)).data;
    await ada.client.delete(`/folders/${folder.id}`);
    await ada.client.delete(`/folders/${parent.id}`);
    const entry = await entryOf(folder.id);
    assert.deepEqual([entry.kind, entry.name, entry.document_count], ["folder", "Middle", 2]);
    const { data } = assertStatus(await restore(entry), 200);
    assert.deepEqual(data.folder_ids, [folder.id, low.id]);
    assert.deepEqual([...data.document_ids].sort(), documents.map((document) => document.id).sort());
    assert.equal((await ada.client.get(`/folders/${folder.id}`)).data.parent_id, null);
    assert.equal((await ada.client.get(`/folders/${low.id}`)).data.parent_id, folder.id);
    assert.equal((await ada.client.get(`/documents/${documents[1].id}`)).data.folder_id, low.id);
    const now = (await ada.client.get(`/knowledge-bases/${base.id}`)).data;
    assert.deepEqual([now.document_count, now.folder_count], [counted.document_count, counted.folder_count - 1]);
  });

  test("TRASH4 a document whose folder is gone or elsewhere comes back at the top level of its knowledge base", async () => {
    const other = await makeKnowledgeBase(ada.client);
    const folder = await makeFolder(ada.client, { knowledge_base_id: base.id });
    const document = await makeDocument(ada.client, { knowledge_base_id: base.id, folder_id: folder.id });
    await ada.client.delete(`/documents/${document.id}`);
    await ada.client.patch(`/folders/${folder.id}`, { knowledge_base_id: other.id });
    await restore(await entryOf(document.id));
    const { data } = await ada.client.get(`/documents/${document.id}`);
    assert.deepEqual([data.knowledge_base_id, data.folder_id], [base.id, null]);
  });

  test("TRASH5 only one of several restores gets the entry; strangers and narrow tokens get none", async () => {
    const document = await makeDocument(ada.client, { knowledge_base_id: base.id });
    await ada.client.delete(`/documents/${document.id}`);
    const entry = await entryOf(document.id);
    const stranger = await world.person();
    assertError(await stranger.client.post(`/trash/${entry.id}/restore`), "not_found");
    const replies = await Promise.all([1, 2, 3].map(() => restore(entry)));
    assert.deepEqual(replies.map((reply) => reply.status).sort(), [200, 404, 404]);
    const narrow = await world.person({
      scopes: ["documents:read", "documents:write", "knowledge-bases:read"],
      workspace: ada.workspaceId,
      role: "editor",
    });
    const folder = await makeFolder(ada.client, { knowledge_base_id: base.id });
    await ada.client.delete(`/folders/${folder.id}`);
    assertError(await narrow.client.post(`/trash/${(await entryOf(folder.id)).id}/restore`), "insufficient_scope");
    assertStatus(await restore(await entryOf(folder.id)), 200);
  });

  test("TRASH6 the list comes in pages, newest first", async () => {
    const { client } = await world.person();
    const { id: knowledge_base_id } = await makeKnowledgeBase(client);
    const gone: string[] = [];
    for (let i = 0; i < 3; i++) {
      const { id } = await makeDocument(client, { knowledge_base_id });
      await client.delete(`/documents/${id}`);
      gone.unshift(id);
    }
    const first = await client.get("/trash?limit=2");
    const rest = await client.get(`/trash?limit=2&cursor=${first.body.page.next_cursor}`);
    assert.deepEqual(
      [...first.data, ...rest.data].map((entry: Loose) => entry.item_id),
      gone,
    );
  });
});

onEachDatabase(
  "no trash",
  (world) => {
    test("TRASH7 with a retention of 0 days nothing is kept", async () => {
      const { client } = await world.person();
      const folder = await makeFolder(client);
      const document = await makeDocument(client, {
        knowledge_base_id: folder.knowledge_base_id,
        folder_id: folder.id,
      });
      await client.delete(`/folders/${folder.id}`);
      assert.deepEqual((await client.get("/trash")).data, []);
      await untilPurged(world, document.id);
    });
  },
  { SVC_TRASH_RETENTION_DAYS: "0" },
);

onEachDatabase(
  "short trash",
  (world) => {
    test("TRASH8 what has outlived the retention is gone from the list, cannot be restored, and is removed", async () => {
      const { client } = await world.person();
      const document = await makeDocument(client);
      await client.delete(`/documents/${document.id}`);
      const [entry] = (await client.get("/trash")).data;
      await until("its retention ends", async () => (await client.get("/trash")).data.length === 0);
      assertError(await client.post(`/trash/${entry.id}/restore`), "not_found");
      const { read } = world.app.services.database;
      const left = async () =>
        (await read.selectFrom("trash").select("id").execute()).length +
        (await read.selectFrom("trash_items").select("position").execute()).length;
      await until("it is removed", async () => (await left()) === 0);
    });
  },
  { SVC_TRASH_RETENTION_DAYS: String(5 / 86400) },
);

onEachDatabase(
  "trash without room",
  (world) => {
    /** A deleted folder with more documents than one step brings back, each with a file of ten bytes. */
    async function discardFolder({ client }: Person) {
      const folder = await makeFolder(client);
      const place = { knowledge_base_id: folder.knowledge_base_id, folder_id: folder.id };
      const withFile = async () => upload(client, (await makeDocument(client, place)).id, "ten bytes!");
      await Promise.all(Array.from({ length: 60 }, withFile));
      assertStatus(await client.delete(`/folders/${folder.id}`), 200);
      const [entry] = (await client.get("/trash")).data;
      return { entry, knowledge_base_id: folder.knowledge_base_id };
    }
    const used = async ({ client }: Person) => (await client.get("/me/quota")).data;

    test("TRASH10 a large folder whose files have no room is refused before anything comes back", async () => {
      const ada = await world.person();
      const { client } = ada;
      const { entry, knowledge_base_id } = await discardFolder(ada);
      const other = await makeDocument(client, { knowledge_base_id });
      const file = await upload(client, other.id, "x".repeat(500));
      const details = assertError(await client.post(`/trash/${entry.id}/restore`), "quota_exceeded");
      assert.partialDeepStrictEqual(details, { quota: "attachment_bytes", limit: 1000, used: 500 });
      assert.equal((await used(ada)).documents.used, 1);
      assert.deepEqual((await client.get("/trash")).data, [entry]);
      assertStatus(await client.delete(`/attachments/${file.id}`), 200);
      const { data } = assertStatus(await client.post(`/trash/${entry.id}/restore`), 200);
      assert.equal(data.document_ids.length, 60);
      assert.equal((await used(ada)).attachments.used_bytes, 600);
    });

    test("TRASH10 one whose documents have no room is refused without unpacking them", async () => {
      const ada = await world.person();
      const { client } = ada;
      const { entry, knowledge_base_id } = await discardFolder(ada);
      for (let i = 0; i < 6; i++) await makeDocument(client, { knowledge_base_id });
      await world.app.services.database.transaction((tx) =>
        tx
          .updateTable("trash_items")
          .set({ packed: Buffer.from("damaged") })
          .where("trash_id", "=", entry.id)
          .execute(),
      );
      const details = assertError(await client.post(`/trash/${entry.id}/restore`), "quota_exceeded");
      assert.partialDeepStrictEqual(details, { quota: "documents", limit: 65, used: 6 });
    });
  },
  { SVC_MAX_DOCUMENTS: "65", SVC_MAX_STORAGE_BYTES: "1000" },
);
