import assert from "node:assert/strict";
import { before, test } from "node:test";
import { defined } from "@svc/document/defined";
import { assertError, type Loose } from "../../support/client.ts";
import { makeDocument, makeFolder, makeKnowledgeBase } from "../../support/fixtures.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

const ids = (reply: { data: Loose }): string[] => reply.data.map((item: Loose) => item.id);

onEachDatabase("lists of documents", (world) => {
  let ada: Person;
  before(async () => {
    ada = await world.person();
  });

  test("DOC7 the list goes by id; sort=updated_at has the newest change first", async () => {
    const { client } = await world.person();
    const { id: knowledge_base_id } = await makeKnowledgeBase(client);
    const made: string[] = [];
    for (let i = 0; i < 5; i++) made.push((await makeDocument(client, { knowledge_base_id, title: `T${i}` })).id);
    await client.patch(`/documents/${made[1]}`, { title: "changed" });
    const walk = async (query: string) => {
      const seen: string[] = [];
      for (let cursor = ""; ; ) {
        const reply = await client.get(`/documents?limit=2&${query}${cursor && `&cursor=${cursor}`}`);
        seen.push(...ids(reply));
        if (!reply.body.page.has_more) return seen;
        cursor = reply.body.page.next_cursor;
      }
    };
    assert.deepEqual(await walk(""), [...made].sort());
    assert.deepEqual(await walk("sort=id"), [...made].sort());
    const byAge = await walk("sort=updated_at");
    assert.equal(byAge[0], made[1]);
    const times = new Map<string, number>(
      (await client.get("/documents")).data.map((row: Loose) => [row.id, row.updated_at]),
    );
    const ages = byAge.map((id) => defined(times.get(id)));
    assert.deepEqual(
      ages,
      [...ages].sort((a, b) => b - a),
    );
    assert.deepEqual([...byAge].sort(), [...made].sort());
    assertError(await client.get("/documents?sort=title"), "invalid_request");
  });

  test("DOC8 a cursor goes with its query: another sort or filter is 400, another limit is fine", async () => {
    const { client } = await world.person();
    const { id: knowledge_base_id } = await makeKnowledgeBase(client);
    for (let i = 0; i < 3; i++) await makeDocument(client, { knowledge_base_id });
    const cursorOf = async (query: string) => (await client.get(`/documents?limit=1${query}`)).body.page.next_cursor;
    const byId = await cursorOf("");
    const byAge = await cursorOf("&sort=updated_at");
    for (const query of [
      "sort=updated_at",
      "q=T",
      `knowledge_base_id=${knowledge_base_id}`,
      "updated_since=0",
      "include_variants=true",
    ])
      assertError(await client.get(`/documents?cursor=${byId}&${query}`), "cursor_mismatch");
    assertError(await client.get(`/documents?cursor=${byAge}`), "cursor_mismatch");
    assertError(await client.get(`/knowledge-bases?cursor=${byId}`), "cursor_mismatch");
    for (const cursor of ["x", "a.b", `${byId}x`, byId.slice(1), "x".repeat(5000)])
      assertError(await client.get(`/documents?cursor=${cursor}`), "invalid_cursor");
    assert.equal((await client.get(`/documents?limit=100&cursor=${byId}`)).data.length, 2);
    assert.equal((await client.get(`/documents?limit=2&sort=updated_at&cursor=${byAge}`)).data.length, 2);
  });

  test("DOC9 updated_since takes ISO 8601 and milliseconds, and includes its boundary", async () => {
    const { client } = await world.person();
    const { id: knowledge_base_id } = await makeKnowledgeBase(client);
    const old = await makeDocument(client, { knowledge_base_id });
    await new Promise((resolve) => setTimeout(resolve, 5));
    const late = await makeDocument(client, { knowledge_base_id });
    const since = async (value: string, more = "") =>
      ids(await client.get(`/documents?updated_since=${encodeURIComponent(value)}${more}`));
    const iso = new Date(late.updated_at).toISOString();
    const shifted = `${new Date(late.updated_at + 2 * 3600_000).toISOString().slice(0, -1)}+02:00`;
    for (const value of [String(late.updated_at), iso, iso.slice(0, -1), shifted, iso.replace("T", " ")])
      assert.deepEqual(await since(value), [late.id], value);
    assert.deepEqual(await since(String(late.updated_at + 1)), []);
    assert.deepEqual(await since(String(old.updated_at), "&sort=updated_at"), [late.id, old.id]);
    assert.deepEqual(await since("1970-01-01"), [old.id, late.id].sort());
    for (const value of ["yesterday", "2026-13-01", "2026-02-30", "-5", "1e3", "2026-01-01T25:00:00Z", ""])
      assertError(await client.get(`/documents?updated_since=${encodeURIComponent(value)}`), "invalid_request");
  });

  test("DOC10 q finds titles whatever their case, accents and width, and takes every character as it is", async () => {
    const { client } = await world.person();
    const { id: knowledge_base_id } = await makeKnowledgeBase(client);
    for (const title of ["Crème Brûlée", "100% sure_thing", "ＦＵＬＬ width", "Straße", "東京案内"])
      await makeDocument(client, { knowledge_base_id, title });
    const find = async (q: string) =>
      (await client.get(`/documents?q=${encodeURIComponent(q)}`)).data.map((row: Loose) => row.title);
    assert.deepEqual(await find("creme brulee"), ["Crème Brûlée"]);
    assert.deepEqual(await find("BRU\u0302LE\u0301E"), ["Crème Brûlée"]);
    assert.deepEqual(await find("full"), ["ＦＵＬＬ width"]);
    assert.deepEqual(await find("STRASSE"), ["Straße"]);
    assert.deepEqual(await find("東京"), ["東京案内"]);
    assert.deepEqual(await find("%"), ["100% sure_thing"]);
    assert.deepEqual(await find("e_t"), ["100% sure_thing"]);
    assert.deepEqual(await find("\\"), []);
    for (const q of ["", "a%00b"]) assertError(await client.get(`/documents?q=${q}`), "invalid_request");
  });

  test("DOC11 filters: a knowledge base, a folder's own documents; what cannot be seen is 404", async () => {
    const { client } = await world.person();
    const base = await makeKnowledgeBase(client);
    const other = await makeKnowledgeBase(client);
    const folder = await makeFolder(client, { knowledge_base_id: base.id });
    const low = await makeFolder(client, { knowledge_base_id: base.id, parent_id: folder.id });
    const own = await makeDocument(client, { knowledge_base_id: base.id, folder_id: folder.id });
    const deep = await makeDocument(client, { knowledge_base_id: base.id, folder_id: low.id });
    await makeDocument(client, { knowledge_base_id: other.id });
    assert.deepEqual(ids(await client.get(`/documents?folder_id=${folder.id}`)), [own.id]);
    assert.deepEqual(ids(await client.get(`/documents?knowledge_base_id=${base.id}`)), [own.id, deep.id].sort());
    assert.deepEqual(ids(await client.get(`/documents?knowledge_base_id=${other.id}&folder_id=${folder.id}`)), []);
    assertError(await ada.client.get(`/documents?folder_id=${folder.id}`), "not_found");
    assertError(await ada.client.get(`/documents?knowledge_base_id=${base.id}`), "not_found");
    assertError(await client.get("/documents?folder_id=x"), "invalid_request");
  });

  test("DOC12 target language versions are listed only when asked for", async () => {
    const { client, workspaceId } = await world.person();
    const { id: knowledge_base_id } = await makeKnowledgeBase(client);
    const [plain, source, target] = await Promise.all([1, 2, 3].map(() => makeDocument(client, { knowledge_base_id })));
    const mark = (id: string, variant_role: "source" | "target", locale: string) =>
      world.app.services.database.transaction((tx) =>
        tx
          .updateTable("documents")
          .set({ variant_role, locale })
          .where("workspace_id", "=", workspaceId)
          .where("id", "=", id)
          .execute(),
      );
    await mark(source.id, "source", "en");
    await mark(target.id, "target", "de-CH");
    const all = [plain.id, source.id, target.id].sort();
    assert.deepEqual(ids(await client.get("/documents")), [plain.id, source.id].sort());
    assert.deepEqual(ids(await client.get("/documents?include_variants=true")), all);
    assert.deepEqual(ids(await client.get("/documents?locale=DE-ch")), [target.id]);
    assertError(await client.get("/documents?locale=no_such_tag_at_all"), "invalid_locale");
    const { data } = await client.get(`/knowledge-bases/${knowledge_base_id}/tree`);
    assert.equal(data.children.length, 2);
  });
});
