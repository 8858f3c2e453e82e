import assert from "node:assert/strict";
import { before, test } from "node:test";
import { h, id, idFor, li, p, ul } from "@svc/document/testing/builders";
import { makeBody, textsOf, traces } from "../../support/bodies.ts";
import { assertError, assertStatus, type Loose } from "../../support/client.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

onEachDatabase("batches", (world) => {
  let ada: Person;
  before(async () => {
    ada = await world.person();
  });
  const make = () =>
    makeBody(ada.client, [id(1, h(1, "One")), id(2, p("two")), id(3, ul(id(4, li(id(5, p("three"))))))]);
  const send = (document: Loose, operations: Loose[], fields: Loose = { base_version: document.version }, query = "") =>
    ada.client.post(`/documents/${document.id}/batch${query}`, { operations, ...fields });
  const end = { document_end: true };

  test("BLK13 operations see what the earlier ones did, and make one version and one snapshot", async () => {
    const document = await make();
    const reply = assertStatus(
      await send(document, [
        { op: "insert", position: { after_heading: "one" }, nodes: [id(6, p("six")), id(7, p("seven"))] },
        { op: "replace", block_id: idFor(6), node: p("SIX") },
        { op: "delete", block_id: idFor(2) },
        { op: "insert", position: { before_block_id: idFor(7) }, nodes: [p("between")] },
        { op: "delete", block_id: idFor(5) },
      ]),
      200,
    );
    assert.deepEqual(await textsOf(ada.client, document.id), ["One", "SIX", "between", "seven"]);
    assert.equal(reply.data.results.length, 5);
    assert.deepEqual(reply.data.results[0], { op: "insert", block_ids: [idFor(6), idFor(7)] });
    assert.deepEqual(
      reply.data.blocks.map((block: Loose) => block.text),
      ["SIX", "seven", "between"],
    );
    assert.equal(reply.etag, reply.data.version);
    const { versions } = await traces(ada.client, document.id);
    assert.deepEqual(
      versions.map((row: Loose) => [row.seq, row.version, row.reason]),
      [[1, document.version, "batch"]],
    );
  });

  test("BLK19 a batch tells by operation which heading after_heading took, as the earlier operations left it", async () => {
    const document = await make();
    const heading = { type: "heading", attrs: { id: idFor(8), level: 2 }, content: [{ type: "text", text: "Second" }] };
    const operations = [
      { op: "insert", position: end, nodes: [heading] },
      { op: "insert", position: { after_heading: "econ" }, nodes: [p("x")] },
      { op: "move", block_id: idFor(2), position: { after_heading: "on" } },
    ];
    const { data } = assertStatus(await send(document, operations), 200);
    assert.deepEqual(data.positions, [
      null,
      { block_id: idFor(8), text: "Second" },
      { block_id: idFor(1), text: "One" },
    ]);
  });

  test("BLK14 a failing operation names its index, and nothing is written", async () => {
    const document = await make();
    const before = await traces(ada.client, document.id);
    const good = { op: "delete", block_id: idFor(2) };
    const bad: [Loose, Loose][] = [
      [{ op: "delete", block_id: idFor(2) }, "block_not_found"],
      [{ op: "insert", position: { after_heading: "none" }, nodes: [p("x")] }, "heading_not_found"],
      [{ op: "replace", block_id: idFor(1), node: { type: "nothing" } }, "invalid_document"],
      [{ op: "insert", position: end, nodes: [id(1, p("x"))] }, "duplicate_block_id"],
      [{ op: "explode", block_id: idFor(1) }, "invalid_request"],
      [{ op: "delete", block_id: idFor(1), extra: 1 }, "invalid_request"],
      [{ op: "insert", position: end }, "invalid_request"],
      [{ op: "insert", position: end, nodes: [] }, "invalid_request"],
      [{ op: "insert", position: end, nodes: [{}] }, "invalid_document"],
      [{ op: "replace", block_id: idFor(1) }, "invalid_request"],
      [{ op: "delete", block_id: "" }, "invalid_request"],
    ];
    for (const [operation, code] of bad)
      assert.equal(
        assertError(await send(document, [good, operation]), code).operation_index,
        1,
        JSON.stringify(operation),
      );
    assert.deepEqual(await traces(ada.client, document.id), before);
  });

  test("BLK15 a batch needs base_version or If-Match: 404, then 428, then 409", async () => {
    const document = await make();
    const operations = [{ op: "delete", block_id: idFor(2) }];
    const path = `/documents/${document.id}/batch`;
    assertError(await ada.client.post("/documents/doc_none/batch", { operations }), "not_found");
    assert.equal(assertError(await send(document, operations, {}), "precondition_required").field, "base_version");
    assertError(await send(document, [{ op: "delete", block_id: idFor(9) }], {}), "precondition_required");
    const details = assertError(await send(document, operations, { base_version: "sha256:0" }), "version_conflict");
    assert.deepEqual([details.current_version, details.expected_version], [document.version, "sha256:0"]);
    assertError(
      await ada.client.post(path, { operations, base_version: document.version }, { ifMatch: "sha256:0" }),
      "version_conflict",
    );
    assertError(
      await ada.client.post(path, { operations, base_version: "sha256:0" }, { ifMatch: document.version }),
      "version_conflict",
    );
    assertStatus(await ada.client.post(path, { operations }, { ifMatch: document.version }), 200);
    assertStatus(await send(document, [{ op: "insert", position: end, nodes: [p("x")] }], { base_version: "*" }), 200);
  });

  test("BLK32 what can be told without the body is told first: 400, then 428, 409 and 422", async () => {
    const document = await make();
    const stale = { base_version: "sha256:0" };
    const gone = { op: "delete", block_id: idFor(9) };
    const malformed: Record<string, unknown>[] = [
      { op: "paint", block_id: idFor(2) },
      { op: "delete" },
      { op: "delete", block_id: idFor(2), at: 1 },
      { op: "insert", position: {}, nodes: [p("x")] },
      { op: "replace_text", old: "", new: "x" },
      { op: "edit_markdown", old: "a", new: "b", occurrence: 0 },
    ];
    for (const operation of malformed)
      for (const base of [stale, {}, { base_version: document.version }])
        assert.equal(
          assertError(await send(document, [gone, operation], base), "invalid_request").operation_index,
          1,
          JSON.stringify(operation),
        );
    const path = `/documents/${document.id}`;
    const old = { ifMatch: "sha256:0" };
    const insertion = { position: {}, nodes: [p("x")] };
    assertError(await ada.client.post(`${path}/blocks`, insertion, old), "invalid_request");
    assertError(await ada.client.patch(`${path}/blocks/${idFor(2)}`, {}, old), "invalid_request");
    const operations = [{ op: "paint" }];
    assertError(await ada.client.post(`${path}/suggestions`, { operations, ...stale }), "invalid_request");
  });

  test("BLK16 one to a hundred operations", async () => {
    const document = await make();
    const operation = { op: "insert", position: end, nodes: [p("x")] };
    for (const operations of [[], Array(101).fill(operation), "x", undefined])
      assertError(await send(document, operations as never), "invalid_request");
    assertStatus(await send(document, Array(100).fill(operation)), 200);
    assert.equal((await textsOf(ada.client, document.id)).length, 103);
  });

  test("BLK17 move, set_attrs and replace_text", async () => {
    const document = await make();
    const reply = assertStatus(
      await send(document, [
        { op: "move", block_id: idFor(2), position: { document_start: true } },
        { op: "move", block_id: idFor(1), position: { parent_block_id: idFor(4) } },
        { op: "set_attrs", block_id: idFor(2), attrs: { colour: "red" } },
        { op: "replace_text", old: "t", new: "T" },
        { op: "replace_text", block_id: idFor(5), old: "hre", new: "HRE", expected_count: 1 },
      ]),
      200,
    );
    assert.deepEqual(await textsOf(ada.client, document.id), ["Two", "THREe\nOne"]);
    assert.equal(reply.data.results[3].count, 2);
    assert.deepEqual((await ada.client.get(`/documents/${document.id}/blocks/${idFor(2)}`)).data.node.attrs, {
      colour: "red",
      id: idFor(2),
    });
  });

  test("BLK18 a batch that comes to nothing leaves no trace; dry_run neither", async () => {
    const document = await make();
    const before = await traces(ada.client, document.id);
    const nothing = await send(document, [
      { op: "insert", position: end, nodes: [id(9, p("x"))] },
      { op: "delete", block_id: idFor(9) },
    ]);
    assert.deepEqual(
      [nothing.data.version, nothing.data.changed_block_ids, nothing.data.blocks],
      [document.version, [], []],
    );
    const tried = await send(
      document,
      [{ op: "delete", block_id: idFor(2) }],
      { base_version: document.version },
      "?dry_run=true",
    );
    assert.deepEqual(tried.data.changed_block_ids, [idFor(2)]);
    assert.deepEqual(await traces(ada.client, document.id), before);
  });

  test("BLK20 edit_markdown replaces a stretch of the Markdown, and what it does not touch keeps its ids", async () => {
    const document = await make();
    const { data } = assertStatus(
      await send(document, [{ op: "edit_markdown", old: "- three", new: "- **3**\n- four", section: "## one" }]),
      200,
    );
    assert.deepEqual(data.results, [{ op: "edit_markdown", count: 1 }]);
    const blocks = assertStatus(await ada.client.get(`/documents/${document.id}/blocks?recursive=true`), 200).data;
    assert.deepEqual(
      blocks.slice(0, 5).map((block: Loose) => block.id),
      [1, 2, 3, 4, 5].map(idFor),
    );
    assert.deepEqual(await textsOf(ada.client, document.id), ["One", "two", "3\nfour"]);
    const { versions } = await traces(ada.client, document.id);
    assert.equal(versions.length, 1);
  });

  test("BLK21 a text that is not there, or there more than once, is told with its places", async () => {
    const document = await make();
    const edit = (fields: Loose) => send(document, [{ op: "edit_markdown", new: "x", ...fields }]);
    const none = assertError(await edit({ old: "number two" }), "text_not_found");
    assert.equal(none.operation_index, 0);
    assert.equal(none.nearest[0].block_id, idFor(2));
    const several = assertError(await edit({ old: "e" }), "text_ambiguous");
    assert.deepEqual(
      several.places.map((place: Loose) => [place.occurrence, place.block_id]),
      [1, 2, 3].map((occurrence) => [occurrence, idFor(occurrence === 1 ? 1 : 3)]),
    );
    assertError(await edit({ old: "e", occurrence: 0 }), "invalid_request");
    assertError(await edit({ old: "e", section: "none" }), "heading_not_found");
    assertError(await edit({ old: "" }), "invalid_request");
    assertStatus(await edit({ old: "e", occurrence: "all" }), 200);
    assert.deepEqual(await textsOf(ada.client, document.id), ["Onx", "two", "thrxx"]);
  });

  test("BLK22 a list that is put into or beside a list of its kind becomes part of it", async () => {
    const document = await make();
    const list = ul(li(p("four")));
    const first = assertStatus(
      await send(document, [{ op: "insert", position: { parent_block_id: idFor(3) }, nodes: [list] }]),
      200,
    );
    const operations = [{ op: "append_markdown", markdown: "- five", section: "One" }];
    const { data } = assertStatus(await send(document, operations, { base_version: first.data.version }), 200);
    assert.deepEqual(await textsOf(ada.client, document.id), ["One", "two", "three\nfour\nfive"]);
    assert.deepEqual(
      data.blocks.map((block: Loose) => [block.type, block.text, block.parent_id]),
      [["listItem", "five", idFor(3)]],
    );
  });

  test("BLK23 a batch on an older version is merged where asked for, unless both sides changed a block", async () => {
    const document = await make();
    const edit = (old: string, to: string, query = "") =>
      send(document, [{ op: "edit_markdown", old, new: to }], { base_version: document.version }, query);
    assertStatus(await edit("two", "zwei"), 200);
    assertError(await edit("three", "drei"), "version_conflict");
    assertStatus(await edit("three", "drei", "?on_conflict=merge"), 200);
    assert.deepEqual(await textsOf(ada.client, document.id), ["One", "zwei", "drei"]);
    const { conflicts } = assertError(await edit("two", "deux", "?on_conflict=merge"), "version_conflict");
    assert.deepEqual(conflicts, [{ block_id: idFor(2), base: "two", theirs: "zwei", mine: "deux" }]);
    assert.deepEqual(await textsOf(ada.client, document.id), ["One", "zwei", "drei"]);
  });
});
