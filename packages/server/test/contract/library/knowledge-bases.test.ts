import assert from "node:assert/strict";
import { StatementSync } from "node:sqlite";
import { before, mock, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { anyTable } from "@svc/server/db/any-table";
import { assertError, assertStatus, Client, type Loose } from "../../support/client.ts";
import { makeDocument, makeFolder, makeKnowledgeBase } from "../../support/fixtures.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

const names = (items: Loose[]): string[] => items.map((item) => item.name ?? item.title);

/** How many statements of SQLite that match are run meanwhile. */
async function countStatements(match: RegExp, work: () => Promise<unknown>): Promise<number> {
  const all = mock.method(StatementSync.prototype, "all");
  try {
    await work();
    return all.mock.calls.filter((call) => match.test((call.this as StatementSync).sourceSQL)).length;
  } finally {
    all.mock.restore();
  }
}

onEachDatabase("knowledge bases", (world) => {
  let ada: Person;
  before(async () => {
    ada = await world.person();
  });

  test("KB1 a new one has an id, a confirm_id, its trimmed name, no contents and its times", async () => {
    const { data } = assertStatus(await ada.client.post("/knowledge-bases", { name: "  Handbook \t" }), 201);
    assert.equal(data.name, "Handbook");
    assert.match(data.confirm_id, /^kb_[0-9A-HJKMNP-TV-Z]{26}$/);
    assert.deepEqual([data.document_count, data.folder_count], [0, 0]);
    assert.equal(data.created_at, data.updated_at);
    assert.deepEqual((await ada.client.get(`/knowledge-bases/${data.id}`)).data, data);
  });

  test("KB2 names count code points after trimming, and hold no control character or half a character", async () => {
    const create = (name: unknown) => ada.client.post("/knowledge-bases", { name });
    assertStatus(await create("😀".repeat(500)), 201);
    assertStatus(await create(` ${"a".repeat(500)} `), 201);
    for (const name of ["", "   ", "😀".repeat(501), "a\u0000b", "a\nb", "a\u0085b", "a\u2028b", "\ud800", 5, null])
      assertError(await create(name), "invalid_request");
    assertError(await ada.client.post("/knowledge-bases", { name: "a", extra: 1 }), "invalid_request");
  });

  test("KB3 the list goes by id in pages, and another limit keeps the cursor good", async () => {
    const { client } = await world.person();
    const made: number[] = [];
    for (let i = 0; i < 5; i++) made.push((await makeKnowledgeBase(client, `Base ${i}`)).id);
    const first = await client.get("/knowledge-bases?limit=2");
    assert.deepEqual([first.body.page.cursor, first.body.page.has_more], [null, true]);
    const rest = await client.get(`/knowledge-bases?limit=100&cursor=${first.body.page.next_cursor}`);
    assert.deepEqual([rest.body.page.next_cursor, rest.body.page.has_more], [null, false]);
    assert.deepEqual(
      [...first.data, ...rest.data].map((item) => item.id),
      made,
    );
    for (const limit of ["0", "101", "x"])
      assertError(await client.get(`/knowledge-bases?limit=${limit}`), "invalid_request");
    assertError(await client.get("/knowledge-bases?cursor=nonsense"), "invalid_cursor");
  });

  test("KB4 a rename changes name and updated_at; the same name changes nothing", async () => {
    const made = await makeKnowledgeBase(ada.client);
    const path = `/knowledge-bases/${made.id}`;
    assert.deepEqual((await ada.client.patch(path, { name: " Handbook " })).data, made);
    const { data } = await ada.client.patch(path, { name: "Guide" });
    assert.equal(data.name, "Guide");
    assert.ok(data.updated_at >= made.updated_at);
    assert.equal(data.confirm_id, made.confirm_id);
  });

  test("KB5 deleting asks for its own confirm_id and takes everything with it, for good", async () => {
    const { client } = await world.person();
    const base = await makeKnowledgeBase(client);
    const other = await makeKnowledgeBase(client, "Other");
    const folder = await makeFolder(client, { knowledge_base_id: base.id });
    const document = await makeDocument(client, { knowledge_base_id: base.id, folder_id: folder.id });
    await client.delete(`/documents/${(await makeDocument(client, { knowledge_base_id: base.id })).id}`);
    const remove = (confirm_id: string) => client.delete(`/knowledge-bases/${base.id}`, { confirm_id });
    assertError(await remove(other.confirm_id), "confirmation_mismatch");
    assertError(await client.delete(`/knowledge-bases/${base.id}`, {}), "invalid_request");
    assertError(await client.delete(`/knowledge-bases/${base.id}`), "invalid_request");
    assertStatus(await client.get(`/documents/${document.id}`), 200);
    assert.deepEqual((await remove(base.confirm_id)).data, { id: base.id, deleted: true });
    for (const path of [`/knowledge-bases/${base.id}`, `/folders/${folder.id}`, `/documents/${document.id}`])
      assertError(await client.get(path), "not_found");
    assertError(await client.get(`/documents/${document.id}/content`), "not_found");
    assert.deepEqual((await client.get("/trash")).data, []);
    const { data: quota } = await client.get("/me/quota");
    assert.deepEqual([quota.knowledge_bases.used, quota.folders.used, quota.documents.used], [1, 0, 0]);
  });

  test("KB6 the tree holds all folders and documents, folders first, in natural order", async () => {
    const { client } = await world.person();
    const { id: knowledge_base_id } = await makeKnowledgeBase(client);
    const folder = (name: string, parent_id: number | null = null) =>
      makeFolder(client, { knowledge_base_id, name, parent_id });
    const document = (title: string, folder_id: number | null = null) =>
      makeDocument(client, { knowledge_base_id, title, folder_id });
    const ten = await folder("Part 10");
    const two = await folder("part 2");
    await folder("Été");
    await folder("zeta", two.id);
    const inner = await document("Inner", two.id);
    for (const title of ["b", "Item 9", "a", "item 10", "Ä"]) await document(title);
    const { data } = await client.get(`/knowledge-bases/${knowledge_base_id}/tree`);
    assert.equal(data.knowledge_base.document_count, 6);
    assert.equal(data.knowledge_base.folder_count, 4);
    assert.deepEqual(names(data.children), ["Été", "part 2", "Part 10", "a", "Ä", "b", "Item 9", "item 10"]);
    const [, part] = data.children;
    assert.deepEqual(names(part.children), ["zeta", "Inner"]);
    assert.deepEqual(part.children[1], {
      type: "document",
      id: inner.id,
      title: "Inner",
      document_type: "document",
      folder_id: two.id,
      updated_at: inner.updated_at,
    });
    assert.deepEqual(data.children[2], {
      type: "folder",
      id: ten.id,
      name: "Part 10",
      parent_id: null,
      index_document_id: null,
      children: [],
    });
  });

  // Counted where statements can be: the queries are the same on both.
  if (world.kind === "sqlite")
    test("KB6 the tree takes as many queries for many folders and documents as for none", async () => {
      const { client, token } = await world.person();
      const direct = new Client(world.directUrl, token);
      const [small, large] = [await makeKnowledgeBase(client), await makeKnowledgeBase(client)];
      let parent_id: number | undefined;
      for (let i = 0; i < 12; i++) {
        const folder = await makeFolder(client, { knowledge_base_id: large.id, ...(parent_id && { parent_id }) });
        parent_id = folder.id;
        await makeDocument(client, { knowledge_base_id: large.id, folder_id: folder.id });
      }
      const queriesFor = (id: number) =>
        countStatements(/from "(knowledge_bases|folders|documents)"/, async () =>
          assertStatus(await direct.get(`/knowledge-bases/${id}/tree`), 200),
        );
      assert.deepEqual([await queriesFor(small.id), await queriesFor(large.id)], [3, 3]);
    });

  test("KB7 the tree is given however deep its folders go", async () => {
    const { client } = await world.person();
    const { id: knowledge_base_id } = await makeKnowledgeBase(client);
    const depth = 5000;
    const now = Date.now();
    await world.app.services.database.transaction(async (tx) => {
      let parent_id: number | null = null;
      for (let i = 0; i < depth; i++) {
        const row: { id: number } = await tx
          .insertInto("folders")
          .values({
            workspace_id: (
              await tx
                .selectFrom("knowledge_bases")
                .selectAll()
                .where("id", "=", knowledge_base_id)
                .executeTakeFirstOrThrow()
            ).workspace_id,
            knowledge_base_id,
            parent_id,
            name: "deep",
            created_at: now,
            updated_at: now,
          })
          .returning("id")
          .executeTakeFirstOrThrow();
        parent_id = row.id;
      }
    });
    const response = await fetch(`${world.url}/api/v1/knowledge-bases/${knowledge_base_id}/tree`, {
      headers: { authorization: `Bearer ${client.token}` },
    });
    assert.equal(response.status, 200);
    assert.equal((await response.text()).split('"children":[').length - 2, depth);
  });
});

onEachDatabase("large deletions", (world) => {
  /** Tables that still hold rows about documents, folders or knowledge bases of a workspace; events tell of the past. */
  async function leftovers(workspaceId: string): Promise<string[]> {
    const { database } = world.app.services;
    const left: string[] = [];
    for (const { name, columns } of await database.tables()) {
      const has = (column: string) => columns.some((other) => other.name === column);
      const isAbout =
        ["document_id", "knowledge_base_id", "folder_id", "trash_id"].some(has) || name === "knowledge_bases";
      if (!isAbout || !has("workspace_id") || name === "events") continue;
      const rows = await database.read
        .selectFrom(anyTable(name))
        .selectAll()
        .where("workspace_id", "=", workspaceId)
        .execute();
      if (rows.length > 0) left.push(`${name}: ${rows.length}`);
    }
    return left;
  }

  async function fill(person: Person): Promise<{ base: Loose; folder: Loose; ids: string[] }> {
    const base = await makeKnowledgeBase(person.client);
    const folder = await makeFolder(person.client, { knowledge_base_id: base.id });
    const fields = { knowledge_base_id: base.id, folder_id: folder.id, text: "One\n\nTwo" };
    const made = await Promise.all(Array.from({ length: 130 }, () => makeDocument(person.client, fields)));
    return { base, folder, ids: made.map((document) => document.id).sort() };
  }

  test("KB9 a knowledge base goes in several steps and leaves nothing behind in any table", async () => {
    const person = await world.person();
    const { base, ids } = await fill(person);
    await person.client.patch(`/documents/${ids[0]}`, { title: "Changed" });
    await person.client.put(`/documents/${ids[1]}/content`, { format: "markdown", content: "New" }, { ifMatch: "*" });
    await person.client.delete(`/documents/${ids[2]}`);
    assertStatus(await person.client.delete(`/knowledge-bases/${base.id}`, { confirm_id: base.confirm_id }), 200);
    assert.deepEqual((await person.client.get("/documents")).data, []);
    const { data: quota } = await person.client.get("/me/quota");
    assert.deepEqual([quota.knowledge_bases.used, quota.folders.used, quota.documents.used], [0, 0, 0]);
    for (let tries = 0; (await leftovers(person.workspaceId)).length > 0 && tries < 2400; tries++) await sleep(50);
    assert.deepEqual(await leftovers(person.workspaceId), []);
  });

  test("TRASH9 a large folder goes and comes back in several steps, as one entry", async () => {
    const person = await world.person();
    const { base, folder, ids } = await fill(person);
    assertStatus(await person.client.delete(`/folders/${folder.id}`), 200);
    const { data: entries } = await person.client.get("/trash");
    assert.deepEqual(
      entries.map((entry: Loose) => [entry.kind, entry.document_count]),
      [["folder", ids.length]],
    );
    const { data } = assertStatus(await person.client.post(`/trash/${entries[0].id}/restore`), 200);
    assert.deepEqual([...data.document_ids].sort(), ids);
    assert.deepEqual(data.folder_ids, [folder.id]);
    const now = (await person.client.get(`/knowledge-bases/${base.id}`)).data;
    assert.deepEqual([now.document_count, now.folder_count], [ids.length, 1]);
    assert.equal((await person.client.get(`/folders/${folder.id}/children`)).data.length, ids.length);
    assert.equal((await person.client.get(`/documents/${ids[77]}/content?format=markdown`)).text, "One\n\nTwo");
    assert.deepEqual((await person.client.get("/trash")).data, []);
  });
});

onEachDatabase(
  "quota of knowledge bases",
  (world) => {
    test("KB8 one too many is 422 with the quota, and a deletion makes room", async () => {
      const { client } = await world.person();
      const base = await makeKnowledgeBase(client);
      const details = assertError(await client.post("/knowledge-bases", { name: "b" }), "quota_exceeded");
      assert.partialDeepStrictEqual(details, { quota: "knowledge_bases", limit: 1, used: 1 });
      await client.delete(`/knowledge-bases/${base.id}`, { confirm_id: base.confirm_id });
      await makeKnowledgeBase(client);
    });

    test("FOLD8 DOC15 folders and documents have quotas too", async () => {
      const { client } = await world.person();
      const { id: knowledge_base_id } = await makeKnowledgeBase(client);
      const folder = await makeFolder(client, { knowledge_base_id });
      const folderDetails = assertError(
        await client.post("/folders", { name: "b", knowledge_base_id }),
        "quota_exceeded",
      );
      assert.partialDeepStrictEqual(folderDetails, { quota: "folders", limit: 1, used: 1 });
      const document = await makeDocument(client, { knowledge_base_id, folder_id: folder.id });
      const create = { title: "b", knowledge_base_id };
      assert.partialDeepStrictEqual(assertError(await client.post("/documents", create), "quota_exceeded"), {
        quota: "documents",
        limit: 1,
        used: 1,
      });
      assert.equal((await client.get("/documents")).data.length, 1);
      await client.delete(`/documents/${document.id}`);
      await makeDocument(client, { knowledge_base_id });
      const [entry] = (await client.get("/trash")).data;
      assertError(await client.post(`/trash/${entry.id}/restore`), "quota_exceeded");
      assert.equal((await client.get("/trash")).data.length, 1);
    });
  },
  { SVC_MAX_KNOWLEDGE_BASES: "1", SVC_MAX_FOLDERS: "1", SVC_MAX_DOCUMENTS: "1" },
);
