import assert from "node:assert/strict";
import { before, test } from "node:test";
import { assertError, assertStatus, type Loose } from "../../support/client.ts";
import { makeDocument, makeKnowledgeBase } from "../../support/fixtures.ts";
import { find } from "../../support/search.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

onEachDatabase("pages of a search", (world) => {
  let ada: Person;
  before(async () => {
    ada = await world.person();
  });

  test("SRCH8 topk pages neither overlap nor skip, whatever is written between them", async () => {
    const { client } = await world.person();
    const base = await makeKnowledgeBase(client);
    const body = Array.from({ length: 60 }, (_, i) => `otter ${"filler ".repeat(i % 7)}n${i}`).join("\n\n");
    const made = await makeDocument(client, { knowledge_base_id: base.id, text: body });
    const all = (await find(client, "otter", "&limit=100")).data.map((hit: Loose) => hit.block_id);
    const seen: string[] = [];
    for (let next = ""; ; ) {
      const { data, page } = await find(client, "otter", `&limit=7${next}`);
      seen.push(...data.filter((hit: Loose) => hit.document_id === made.id).map((hit: Loose) => hit.block_id));
      if (!page.has_more) break;
      next = `&cursor=${encodeURIComponent(page.next_cursor)}`;
      await makeDocument(client, { knowledge_base_id: base.id, text: "otter otter otter\n\nother" });
    }
    assert.deepEqual(seen, all);
  });

  test("SRCH9 an exhaustive walk returns an unchanged block once and every other in its last version", async () => {
    const { client } = await world.person();
    const base = await makeKnowledgeBase(client);
    const makeText = (d: number) => Array.from({ length: 10 }, (_, i) => `marmot d${d} b${i}`).join("\n\n");
    const documents: Loose[] = [];
    for (let d = 0; d < 4; d++)
      documents.push(await makeDocument(client, { knowledge_base_id: base.id, text: makeText(d) }));
    const blocksOf = async (id: string) => (await client.get(`/documents/${id}/blocks`)).data;
    const first = await blocksOf(documents[0].id);
    const seen = new Map<string, string[]>();
    for (let next = "", page = 0; ; page++) {
      const reply = await find(client, "marmot", `&mode=exhaustive&limit=6${next}`);
      for (const hit of reply.data)
        seen.set(hit.block_id, [...(seen.get(hit.block_id) ?? []), hit.context.match + hit.context.after]);
      if (!reply.page.has_more) break;
      next = `&cursor=${encodeURIComponent(reply.page.next_cursor)}`;
      if (page === 2)
        await client.patch(`/documents/${documents[0].id}/blocks/${first[0].id}`, {
          content: [{ type: "text", text: "marmot edited" }],
        });
      if (page === 3) await client.delete(`/documents/${documents[3].id}`);
      if (page === 4) await makeDocument(client, { knowledge_base_id: base.id, text: "marmot late" });
      if (page === 1) await client.patch(`/documents/${documents[1].id}`, { title: "Moved" });
    }
    assert.deepEqual(seen.get(first[0].id), ["marmot d0 b0", "marmot edited"]);
    const now = (await find(client, "marmot", "&mode=exhaustive&limit=100")).data;
    assert.equal(now.length, 31);
    for (const hit of now) assert.equal(seen.get(hit.block_id)?.at(-1), hit.context.match + hit.context.after);
    for (const [id, versions] of seen) if (id !== first[0].id) assert.equal(versions.length, 1);
  });

  test("SRCH10 a cursor belongs to its query, filter and mode", async () => {
    await makeDocument(ada.client, { text: "badger one\n\nbadger two\n\nbadger three" });
    const { page } = await find(ada.client, "badger", "&limit=1");
    const cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
    await find(ada.client, "BADGER", `&limit=2${cursor}`);
    for (const path of [
      `/search/v2?q=badge${cursor}`,
      `/search/v2?q=badger&mode=exhaustive${cursor}`,
      `/search/v2?q=badger&locale=all${cursor}`,
    ])
      assertError(await ada.client.get(path), "cursor_mismatch");
    assertError(await ada.client.get("/search/v2?q=badger&cursor=nonsense"), "invalid_cursor");
    assertError(await (await world.person()).client.get(`/search/v2?q=badger${cursor}`), "cursor_mismatch");
    const other = (await ada.client.get("/documents?limit=1")).body.page.next_cursor;
    assertError(await ada.client.get(`/search/v2?q=badger&cursor=${encodeURIComponent(other)}`), "invalid_cursor");
  });

  test("SRCH10 a cursor belongs to the search that gave it, the first generation's or the second's", async () => {
    const { client } = await world.person();
    await makeDocument(client, { text: "otter one\n\notter two\n\notter three" });
    const routes = ["/search", "/search/v2"];
    for (const from of routes) {
      const { next_cursor } = assertStatus(await client.get(`${from}?q=otter&limit=1`), 200).body.page;
      for (const to of routes) {
        const reply = await client.get(`${to}?q=otter&cursor=${encodeURIComponent(next_cursor)}`);
        if (to === from) assertStatus(reply, 200);
        else assertError(reply, "cursor_mismatch");
      }
    }
  });
});
