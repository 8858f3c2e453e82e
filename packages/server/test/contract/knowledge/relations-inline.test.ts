import assert from "node:assert/strict";
import { before, test } from "node:test";
import { a, bold, doc, li, link, p, text, ul } from "@svc/document/testing/builders";
import type { Node } from "@svc/document/types";
import { assertError, assertStatus, type Client, type Loose } from "../../support/client.ts";
import { makeConcept, makeDocument, makeKnowledgeBase } from "../../support/fixtures.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

const tiptap = (...nodes: Node[]) => ({ format: "tiptap-json", document: doc(...nodes) });

const relationsOf = async (client: Client, id: string, query = ""): Promise<Loose[]> =>
  assertStatus(await client.get(`/documents/${id}/relations${query}`), 200).data;

const write = async (client: Client, id: string, ...nodes: Node[]) =>
  assertStatus(await client.put(`/documents/${id}/content`, tiptap(...nodes), { ifMatch: "*" }), 200).data;

const nodesOf = async (client: Client, id: string): Promise<Loose[]> =>
  (await client.get(`/documents/${id}/content`)).data.document.content;

onEachDatabase("inline relations", (world) => {
  let person: Person;
  let client: Client;
  let kb: number;
  const make = (...nodes: Node[]): Promise<Loose> =>
    makeDocument(client, { knowledge_base_id: kb, content: tiptap(...nodes) });

  before(async () => {
    person = await world.person();
    client = person.client;
    kb = (await makeKnowledgeBase(client)).id;
  });

  test("REL3 a link at creation is a relation with all its facts, seen from both ends", async () => {
    const target = await make(p("Target"));
    const source = await make(p("See ", a(target.uri, "the  target"), "."));
    const [block] = await nodesOf(client, source.id);
    const [relation, ...others] = await relationsOf(client, source.id);
    assert.deepEqual(others, []);
    const { id, created_at, ...rest } = relation;
    assert.match(id, /^rel_[0-9A-Z]{26}$/);
    assert.ok(Math.abs(Date.now() - created_at) < 60_000);
    assert.deepEqual(rest, {
      predicate: "refers_to",
      origin: "inline",
      direction: "outgoing",
      source_document_id: source.id,
      source_block_id: block.attrs.id,
      source_version: source.version,
      target_uri: target.uri,
      target_document_id: target.id,
      target_block_id: null,
      anchor_text: "the target",
      created_by: person.userId,
      state: "ok",
    });
    assert.deepEqual(await relationsOf(client, target.id), [{ ...relation, direction: "incoming" }]);
    assert.deepEqual(await relationsOf(client, target.id, "?direction=outgoing"), []);
    assert.deepEqual(await relationsOf(client, source.id, "?direction=incoming"), []);
  });

  test("REL3 a link broken up by marks is one relation, in a nested block too", async () => {
    const target = await make(p("Target"));
    const there = link(target.uri);
    const source = await make(ul(li(p(text("a ", there), text("bold", there, bold), text(" link", there)))));
    const [relation, ...others] = await relationsOf(client, source.id);
    assert.deepEqual(others, []);
    assert.equal(relation.anchor_text, "a bold link");
    const [list] = await nodesOf(client, source.id);
    assert.equal(relation.source_block_id, list.content[0].content[0].attrs.id);
  });

  test("REL3 REL4 an edit elsewhere keeps the relation, and its source version follows the body", async () => {
    const target = await make(p("Target"));
    const source = await make(p(a(target.uri, "link")), p("Other"));
    const [first] = await relationsOf(client, source.id);
    const [, other] = await nodesOf(client, source.id);
    const edited = await client.patch(`/documents/${source.id}/blocks/${other.attrs.id}`, {
      content: [text("Edited")],
    });
    const [second] = await relationsOf(client, source.id);
    assert.deepEqual(second, { ...first, source_version: edited.data.version });
    assert.notEqual(second.source_version, first.source_version);
  });

  test("REL3 a relation keeps its id while its text changes and its block moves, and goes with its link", async () => {
    const target = await make(p("Target"));
    const source = await make(p(a(target.uri, "link")), ul(li(p("item"))));
    const [first] = await relationsOf(client, source.id);
    const [block, list] = await nodesOf(client, source.id);
    const item = list.content[0].attrs.id;
    const at = `/documents/${source.id}/blocks/${block.attrs.id}`;
    await client.patch(at, { content: [text("now "), text("renamed", link(target.uri))] });
    assert.equal((await relationsOf(client, source.id))[0].anchor_text, "renamed");
    const operation = { op: "move", block_id: block.attrs.id, position: { parent_block_id: item } };
    const { version } = (await client.get(`/documents/${source.id}`)).data;
    const batch = { base_version: version, operations: [operation] };
    assertStatus(await client.post(`/documents/${source.id}/batch`, batch), 200);
    const [moved, ...others] = await relationsOf(client, source.id);
    assert.deepEqual(others, []);
    assert.equal(moved.id, first.id);
    assert.equal(moved.created_at, first.created_at);
    await client.patch(at, { content: [text("no link")] });
    assert.deepEqual(await relationsOf(client, source.id), []);
    assert.deepEqual(await relationsOf(client, target.id), []);
  });

  test("REL2 own addresses count, others do not", async () => {
    const target = await make(p("Target"));
    const [block] = await nodesOf(client, target.id);
    const hrefs = [
      `${world.url}/api/v1/documents/${target.id}`,
      `${world.url}/documents/${target.id}#block=${block.attrs.id}`,
      `/documents/${target.id}`,
      `https://elsewhere.example/documents/${target.id}`,
      "https://elsewhere.example/",
    ];
    const source = await make(...hrefs.map((href) => p(a(href, href))));
    const relations = await relationsOf(client, source.id);
    const withBlock = `${target.uri}#block=${block.attrs.id}`;
    assert.deepEqual(
      relations.map((relation) => relation.target_uri),
      [target.uri, withBlock, target.uri],
    );
    assert.deepEqual(
      relations.map((relation) => relation.state),
      ["ok", "ok", "ok"],
    );
    assert.equal((await relationsOf(client, target.id)).length, 3);
  });

  test("REL2 Markdown links and bare addresses count like any other", async () => {
    const target = await make(p("Target"));
    const text = `- see [**bold** text](${target.uri})\n- or <${world.url}/documents/${target.id}>\n`;
    const source = await makeDocument(client, { knowledge_base_id: kb, text });
    const anchors = (await relationsOf(client, source.id)).map((relation) => relation.anchor_text);
    assert.deepEqual(anchors, ["bold text", `${world.url}/documents/${target.id}`]);
  });

  test("REL7 the state of a target is what is there now", async () => {
    const target = await make(p("One"), p("Two"));
    const [one] = await nodesOf(client, target.id);
    const uri = `${target.uri}#block=${one.attrs.id}`;
    const source = await make(p(a(uri, "block")), p(a(target.uri, "document")), p(a("svc://doc/doc_nowhere", "none")));
    const states = async () => (await relationsOf(client, source.id)).map((relation) => relation.state);
    assert.deepEqual(await states(), ["ok", "ok", "dangling_target_document"]);
    await client.delete(`/documents/${target.id}/blocks/${one.attrs.id}`);
    assert.deepEqual(await states(), ["dangling_target_block", "ok", "dangling_target_document"]);
    const [snapshot] = (await client.get(`/documents/${target.id}/versions`)).data;
    await client.post(`/documents/${target.id}/versions/${snapshot.seq}/rollback`, undefined, { ifMatch: "*" });
    assert.deepEqual(await states(), ["ok", "ok", "dangling_target_document"]);
    await client.delete(`/documents/${target.id}`);
    assert.deepEqual(await states(), Array(3).fill("dangling_target_document"));
    const [entry] = (await client.get("/trash")).data;
    assertStatus(await client.post(`/trash/${entry.id}/restore`), 200);
    assert.deepEqual(await states(), ["ok", "ok", "dangling_target_document"]);
    assert.equal((await relationsOf(client, target.id)).length, 2);
  });

  test("REL7 document sets and concepts are targets without a document", async () => {
    const member = await make(p("In a set"));
    const concept = await makeConcept(client, { knowledge_base_id: kb });
    const set = { document_set_id: "dset_of_one" };
    await world.app.services.database.transaction((tx) =>
      tx.updateTable("documents").set(set).where("id", "=", member.id).execute(),
    );
    const uris = ["svc://docset/dset_none", "svc://concept/concept_none", "svc://docset/dset_of_one", concept.uri];
    const source = await make(...uris.map((uri) => p(a(uri, "link"))));
    const relations = await relationsOf(client, source.id);
    const dangling = "dangling_target_document";
    assert.deepEqual(
      relations.map(({ target_uri, target_document_id, state }) => [target_uri, target_document_id, state]),
      [
        [uris[0], null, dangling],
        [uris[1], null, dangling],
        [uris[2], null, "ok"],
        [uris[3], null, "ok"],
      ],
    );
    const theirs = await makeConcept((await world.person()).client);
    await write(client, source.id, p(a(theirs.uri, "theirs")));
    assert.equal((await relationsOf(client, source.id))[0].state, dangling);
  });

  test("REL7 REL8 nothing crosses workspaces", async () => {
    const stranger = await world.person();
    const theirs = await makeDocument(stranger.client);
    const gone = await makeDocument(stranger.client);
    await stranger.client.delete(`/documents/${gone.id}`);
    const source = await make(p(a(theirs.uri, "theirs")), p(a(gone.uri, "gone")));
    const states = (await relationsOf(client, source.id)).map((relation) => relation.state);
    assert.deepEqual(states, ["dangling_target_document", "dangling_target_document"]);
    assert.deepEqual(await relationsOf(stranger.client, theirs.id), []);
  });

  test("REL11 one relation is told by its id, of either origin, and not to strangers", async () => {
    const { client } = await world.person();
    const target = await makeDocument(client, { title: "Target" });
    const source = await makeDocument(client, { text: `See [it](${target.uri}).\n` });
    const [link] = (await client.get(`/documents/${source.id}/relations`)).data;
    assert.deepEqual((await client.get(`/relations/${link.id}`)).data, link);
    const { data: stated } = await client.post("/relations", {
      source_document_id: source.id,
      source_block_id: link.source_block_id,
      target_uri: target.uri,
      predicate: "supports",
    });
    assert.deepEqual((await client.get(`/relations/${stated.id}`)).data, stated);
    assertError(await (await world.person()).client.get(`/relations/${stated.id}`), "not_found");
  });

  test("REL8 a link to its own document is there from both sides, once in both", async () => {
    const self = await make(p("Self"));
    await write(client, self.id, p(a(self.uri, "me")));
    for (const [query, direction] of [
      ["", "outgoing"],
      ["?direction=outgoing", "outgoing"],
      ["?direction=incoming", "incoming"],
    ] as const) {
      const relations = await relationsOf(client, self.id, query);
      assert.deepEqual(
        relations.map((relation) => relation.direction),
        [direction],
      );
    }
  });

  test("REL9 a deleted source has no back-links, a restored one the same as before", async () => {
    const target = await make(p("Target"));
    const source = await make(p(a(target.uri, "link")));
    const before = await relationsOf(client, target.id);
    await client.delete(`/documents/${source.id}`);
    assert.deepEqual(await relationsOf(client, target.id), []);
    const [entry] = (await client.get("/trash")).data;
    assertStatus(await client.post(`/trash/${entry.id}/restore`), 200);
    assert.deepEqual(await relationsOf(client, target.id), before);
  });

  test("REL3 hostile text is stored as text", async () => {
    const target = await make(p("Target"));
    const nul = String.fromCharCode(0);
    const source = await make(p(a(target.uri, `a${nul}b \ud800 😀`)), p(a(target.uri, "x".repeat(5000))));
    const [first, second] = await relationsOf(client, source.id);
    assert.match(first.anchor_text, /^ab . 😀$/u);
    assert.equal(second.anchor_text.length, 1000);
    const [block] = await nodesOf(client, source.id);
    await client.patch(`/documents/${source.id}/blocks/${block.attrs.id}`, { attrs: { x: 1 } });
    assert.equal((await relationsOf(client, source.id))[0].id, first.id);
  });
});
