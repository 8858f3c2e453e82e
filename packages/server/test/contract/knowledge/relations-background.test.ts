import assert from "node:assert/strict";
import { test } from "node:test";
import { requestRebuild } from "@svc/server/views/relations/rebuild-job";
import { assertStatus, Client, type Loose } from "../../support/client.ts";
import { makeDocument, makeKnowledgeBase, markdown } from "../../support/fixtures.ts";
import { until } from "../../support/until.ts";
import { onEachDatabase, type World } from "../../support/world.ts";

/** A document that another one links to, and what is lost of that: as a store of before relations has it. */
async function makeForgotten(world: World) {
  const { client, workspaceId } = await world.person();
  const target = await makeDocument(client, { text: "target" });
  const source = await makeDocument(client, { text: `[here](svc://doc/${target.id})` });
  await world.app.services.database.transaction(async (tx) => {
    await tx.deleteFrom("inline_relations").where("document_id", "=", source.id).execute();
    await tx.deleteFrom("relation_views").where("document_id", "=", source.id).execute();
  });
  return { client, workspaceId, target, source };
}

async function backlinks(client: Client, id: string): Promise<{ from: string[]; freshness: string }> {
  const { body } = assertStatus(await client.get(`/documents/${id}/relations?direction=incoming`), 200);
  return {
    from: body.data.map((one: Loose) => one.source_document_id),
    freshness: body.projection_freshness,
  };
}

const untilLinked = (client: Client, id: string, from: string): Promise<void> =>
  until("the link is back", async () => (await backlinks(client, id)).from.includes(from));

onEachDatabase("relations in the background", (world) => {
  test("REL3 a rebuild that was asked for brings lost links back", async () => {
    const { client, workspaceId, target, source } = await makeForgotten(world);
    assert.deepEqual((await backlinks(client, target.id)).from, []);
    await world.app.services.database.transaction((tx) => requestRebuild(tx, workspaceId));
    await untilLinked(client, target.id, source.id);
  });

  test("REL3 links of documents that were there before are read when the server starts, and are told of until then", async () => {
    const { client, target, source } = await makeForgotten(world);
    assert.deepEqual(await backlinks(client, target.id), { from: [], freshness: "stale" });
    await world.restart();
    const again = new Client(world.url, client.token);
    await untilLinked(again, target.id, source.id);
    assert.equal((await backlinks(again, target.id)).freshness, "current");
  });

  test("REL10 the ranking of linked documents follows every change at once, though it is kept between pages", async () => {
    const { client } = await world.person();
    const base = await makeKnowledgeBase(client);
    const make = (text: string) => makeDocument(client, { knowledge_base_id: base.id, text });
    const [one, two] = [await make("one"), await make("two")];
    const source = await make(`[link](svc://doc/${one.id})`);
    const ranked = async () => {
      const { data } = await client.get(`/knowledge-bases/${base.id}/link-report?report=most_linked`);
      return data.map((item: Loose) => [item.document_id, item.incoming_count]);
    };
    assert.deepEqual(await ranked(), [[one.id, 1]]);
    await client.put(`/documents/${source.id}/content`, markdown(`[link](svc://doc/${two.id})`), { ifMatch: "*" });
    assert.deepEqual(await ranked(), [[two.id, 1]]);
    const [block] = (await client.get(`/documents/${source.id}/blocks`)).data;
    const stated = {
      source_document_id: source.id,
      source_block_id: block.id,
      target_uri: two.uri,
      predicate: "supports",
    };
    const { id } = assertStatus(await client.post("/relations", stated), 201).data;
    assert.deepEqual(await ranked(), [[two.id, 2]]);
    assertStatus(await client.delete(`/relations/${id}`), 200);
    assert.deepEqual(await ranked(), [[two.id, 1]]);
    await client.delete(`/documents/${source.id}`);
    assert.deepEqual(await ranked(), []);
  });
});
