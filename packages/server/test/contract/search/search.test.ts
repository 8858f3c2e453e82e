import assert from "node:assert/strict";
import { before, test } from "node:test";
import { defined } from "@svc/document/defined";
import { assertError, assertStatus, type Loose } from "../../support/client.ts";
import { makeDocument, makeFolder, makeKnowledgeBase, markdown } from "../../support/fixtures.ts";
import { find } from "../../support/search.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

onEachDatabase("search", (world) => {
  let ada: Person;
  before(async () => {
    ada = await world.person();
  });

  test("SRCH1 a body hit has every field, and a title hit is told apart", async () => {
    const { client } = await world.person();
    const base = await makeKnowledgeBase(client, "Zoo");
    const folder = await makeFolder(client, { name: "Big", knowledge_base_id: base.id });
    const text = "# Cats\n\n## Wild\n\nThe quick lynx jumps.\n\n## Tame\n\nA lynx, a lynx.\n";
    const made = await makeDocument(client, {
      title: "About lynx",
      knowledge_base_id: base.id,
      folder_id: folder.id,
      text,
    });
    const { data, hits, projection, page } = await find(client, "lynx");
    assert.deepEqual(hits, { total: 3, all_words: 3, documents: 1, content: 2, title: 1 });
    assert.deepEqual(projection, { complete: true, stale_count: 0, stale_document_ids: [] });
    assert.deepEqual(page, { cursor: null, next_cursor: null, has_more: false });
    const title = data.find((hit: Loose) => hit.matched_in === "title");
    assert.deepEqual([title.block_id, title.heading_path, title.context.match], [null, [], "lynx"]);
    const hit = data.find((hit: Loose) => hit.context.before === "The quick ");
    const blocks = (await client.get(`/documents/${made.id}/blocks`)).data;
    const { score, explanation, ...rest } = hit;
    assert.deepEqual(rest, {
      document_id: made.id,
      title: "About lynx",
      knowledge_base_id: base.id,
      folder_id: folder.id,
      document_type: "document",
      block_id: blocks.find((block: Loose) => block.text.startsWith("The quick")).id,
      document_uri: `svc://doc/${made.id}`,
      path_text: "Zoo / Big / About lynx",
      heading_path: ["Cats", "Wild"],
      matched_in: "content",
      context: { before: "The quick ", match: "lynx", after: " jumps." },
      missing: [],
      source_version: made.version,
      indexed_version: made.version,
      freshness: "current",
      updated_at: made.updated_at,
    });
    assert.equal(explanation.n, 6);
    for (const one of data) {
      const sum = one.explanation.terms.reduce((total: number, term: Loose) => total + term.contribution, 0);
      assert.ok(Math.abs(sum - one.score) < 1e-9);
    }
    assert.ok(score > 0);
  });

  test("SRCH2 changed and deleted text is gone with the write's answer", async () => {
    const made = await makeDocument(ada.client, { title: "Plain", text: "Ephemeral one.\n\nSteady two.\n" });
    assert.equal((await find(ada.client, "ephemeral")).hits.total, 1);
    await ada.client.put(`/documents/${made.id}/content`, markdown("Lasting one.\n\nSteady two.\n"), { ifMatch: "*" });
    assert.equal((await find(ada.client, "ephemeral")).hits.total, 0);
    const [hit] = (await find(ada.client, "lasting")).data;
    assert.notEqual(hit.source_version, made.version);
    assert.equal((await find(ada.client, "steady")).data[0].source_version, hit.source_version);
    await ada.client.patch(`/documents/${made.id}`, { title: "Renamed thing" });
    assert.deepEqual(
      [(await find(ada.client, "plain")).hits.total, (await find(ada.client, "renamed")).hits.title],
      [0, 1],
    );
    await ada.client.delete(`/documents/${made.id}`);
    assert.equal((await find(ada.client, "lasting")).hits.total, 0);
    assert.equal((await find(ada.client, "renamed")).hits.total, 0);
    const [trash] = (await ada.client.get("/trash")).data;
    assertStatus(await ada.client.post(`/trash/${trash.id}/restore`), 200);
    assert.deepEqual(
      [(await find(ada.client, "lasting")).hits.total, (await find(ada.client, "renamed")).hits.title],
      [1, 1],
    );
  });

  test("SRCH1 SRCH2 a search that is asked again tells of everything as it is now", async () => {
    const { client } = await world.person();
    const [base, other] = [await makeKnowledgeBase(client, "Zoo"), await makeKnowledgeBase(client, "Farm")];
    const folder = await makeFolder(client, { name: "Big", knowledge_base_id: base.id });
    const place = { knowledge_base_id: base.id, folder_id: folder.id };
    const made = await makeDocument(client, { ...place, title: "One", text: "# Cats\n\nA heron stands.\n" });
    await makeDocument(client, { ...place, title: "Two", text: "No heron stands.\n" });
    const look = async (more = "") => {
      const { data, hits } = await find(client, "heron stands", `&mode=exhaustive${more}`);
      return [hits.total, hits.documents, ...data.map((hit: Loose) => hit.path_text)];
    };
    const inBase = `&knowledge_base_id=${base.id}`;
    const both = [2, 2, "Zoo / Big / One", "Zoo / Big / Two"];
    for (const more of ["", inBase, "", inBase]) assert.deepEqual(await look(more), both);
    await client.patch(`/knowledge-bases/${base.id}`, { name: "Park" });
    assert.deepEqual(await look(), [2, 2, "Park / Big / One", "Park / Big / Two"]);
    await client.patch(`/folders/${folder.id}`, { name: "Small" });
    assert.deepEqual(await look(), [2, 2, "Park / Small / One", "Park / Small / Two"]);
    const above = await makeFolder(client, { name: "Above", knowledge_base_id: base.id });
    await client.patch(`/folders/${folder.id}`, { parent_id: above.id });
    assert.deepEqual(await look(), [2, 2, "Park / Above / Small / One", "Park / Above / Small / Two"]);
    await client.patch(`/folders/${folder.id}`, { parent_id: null });
    for (const more of ["", inBase]) assert.equal((await look(more))[2], "Park / Small / One");
    for (const typed of ["heron", "Heron", "heron"]) {
      const [{ explanation }] = (await find(client, typed)).data;
      assert.equal(explanation.terms[0].term, typed);
    }
    await client.patch(`/documents/${made.id}`, { title: "Three" });
    assert.deepEqual(await look(), [2, 2, "Park / Small / Three", "Park / Small / Two"]);
    const [before] = (await find(client, "heron stands", "&mode=exhaustive")).data;
    await client.patch(`/documents/${made.id}`, { knowledge_base_id: other.id, folder_id: null });
    assert.deepEqual(await look(), [2, 2, "Farm / Three", "Park / Small / Two"]);
    assert.deepEqual(await look(inBase), [1, 1, "Park / Small / Two"]);
    const [after] = (await find(client, "heron stands", "&mode=exhaustive")).data;
    assert.deepEqual([after.knowledge_base_id, after.folder_id], [other.id, null]);
    assert.ok(after.updated_at > before.updated_at);
    const heading = (await client.get(`/documents/${made.id}/blocks`)).data[0];
    await client.patch(`/documents/${made.id}/blocks/${heading.id}`, { content: [{ type: "text", text: "Birds" }] });
    const [moved] = (await find(client, "heron stands", "&mode=exhaustive")).data;
    assert.deepEqual(moved.heading_path, ["Birds"]);
    assert.notEqual(moved.source_version, after.source_version);
    await client.delete(`/documents/${made.id}`);
    assert.deepEqual(await look(), [1, 1, "Park / Small / Two"]);
  });

  test("SRCH3 an exact title, or a document's id, comes first", async () => {
    const { client } = await world.person();
    const base = await makeKnowledgeBase(client);
    await makeDocument(client, { title: "Alpha alpha alpha beta", knowledge_base_id: base.id, text: "x" });
    const exact = await makeDocument(client, {
      title: "Älpha   is not a common title at all whatsoever",
      knowledge_base_id: base.id,
      text: "alpha alpha",
    });
    const { data } = await find(client, "alpha   IS not a common title at all whatsoever");
    assert.deepEqual([data[0].document_id, data[0].matched_in], [exact.id, "title"]);
    const byId = await find(client, exact.id);
    assert.deepEqual([byId.data[0].document_id, byId.data[0].block_id, byId.hits.total], [exact.id, null, 1]);
    assert.equal((await find(client, exact.id, "&mode=exhaustive")).data[0].document_id, exact.id);
    assert.equal((await find(ada.client, exact.id)).hits.total, 0);
  });

  test("SRCH6 a summary is given when asked for: the stored one, or the first paragraph", async () => {
    const { client } = await world.person();
    const made = await makeDocument(client, { text: "# Head\n\nThe first paragraph.\n\nSecond unicorn.\n" });
    assert.equal((await find(client, "unicorn")).data[0].summary, undefined);
    const summary = async () => (await find(client, "unicorn", "&include_summary=true")).data[0].summary;
    assert.deepEqual(await summary(), {
      text: "The first paragraph.",
      generator: "deterministic",
      freshness: "current",
    });
    const path = `/documents/${made.id}/summary`;
    const { etag } = await client.get(path);
    assertStatus(
      await client.put(path, { text: "Mine.", base_source_version: made.version }, { ifMatch: defined(etag) }),
      200,
    );
    assert.deepEqual(await summary(), { text: "Mine.", generator: "manual", freshness: "current" });
    await client.put(`/documents/${made.id}/content`, markdown("A unicorn.\n"), { ifMatch: "*" });
    assert.deepEqual(await summary(), { text: "Mine.", generator: "manual", freshness: "stale" });
  });

  test("SRCH7 the finest block is found once, with the headings as they are now", async () => {
    const { client } = await world.person();
    const text =
      "# Top\n\n- item pelican\n  - deeper pelican\n\n| a | b |\n| - | - |\n| pelican cell | y |\n\n> quoted pelican\n";
    const made = await makeDocument(client, { text });
    const { data, hits } = await find(client, "pelican", "&mode=exhaustive");
    assert.deepEqual([hits.total, hits.documents], [4, 1]);
    assert.equal(new Set(data.map((hit: Loose) => hit.block_id)).size, 4);
    for (const hit of data) {
      const block = (await client.get(`/documents/${made.id}/blocks/${hit.block_id}`)).data;
      assert.equal(block.text, hit.context.before + hit.context.match + hit.context.after);
      assert.deepEqual(hit.heading_path, ["Top"]);
    }
    const heading = (await client.get(`/documents/${made.id}/blocks`)).data[0];
    await client.patch(`/documents/${made.id}/blocks/${heading.id}`, { content: [{ type: "text", text: "New top" }] });
    assert.deepEqual((await find(client, "pelican")).data[0].heading_path, ["New top"]);
  });

  test("SRCH14 the compatibility search gives block ids and excerpts", async () => {
    const { client } = await world.person();
    const made = await makeDocument(client, { title: "Ibex", text: "The ibex climbs.\n\nNothing." });
    const { data } = assertStatus(await client.get("/search?q=ibex"), 200);
    const [block] = (await client.get(`/documents/${made.id}/blocks`)).data;
    assert.deepEqual(
      data.find((hit: Loose) => hit.block_id !== null),
      { document_id: made.id, block_id: block.id, excerpt: "The ibex climbs." },
    );
    assert.deepEqual(
      data.find((hit: Loose) => hit.block_id === null),
      { document_id: made.id, block_id: null, excerpt: "Ibex" },
    );
    assertError(await client.get("/search?q="), "invalid_request");
  });

  test("SRCH15 workspaces know nothing of each other: hits, counts, statistics", async () => {
    const [one, two] = [await world.person(), await world.person()];
    const base = await makeKnowledgeBase(one.client);
    await makeDocument(one.client, { title: "T", knowledge_base_id: base.id, text: "secret word\n\nother" });
    const before = await find(one.client, "word");
    for (let i = 0; i < 3; i++) await makeDocument(two.client, { text: "secret word word\n\nword" });
    assert.deepEqual(await find(two.client, "secret").then(({ hits }) => hits.total), 3);
    const { data, hits } = await find(one.client, "word");
    assert.deepEqual([data, hits], [before.data, before.hits]);
    assert.deepEqual([data[0].explanation.n, data[0].explanation.terms[0].df], [3, 1]);
    assertError(await two.client.get(`/search/v2?q=word&knowledge_base_id=${base.id}`), "not_found");
  });
});
