import assert from "node:assert/strict";
import { before, test } from "node:test";
import { code, h, id, idFor, li, p, table, td, text, tr, ul } from "@svc/document/testing/builders";
import { makeBody, readNodes, textsOf, traces } from "../../support/bodies.ts";
import { assertError, assertStatus, type Loose } from "../../support/client.ts";
import { makeDocument, markdown } from "../../support/fixtures.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

onEachDatabase("content as anchored Markdown", (world) => {
  let ada: Person;
  before(async () => {
    ada = await world.person();
  });
  const put = (document: Loose, body: unknown, ifMatch = "*", query = "") =>
    ada.client.put(`/documents/${document.id}/content${query}`, body, { ifMatch });
  const read = (document: Loose, query = "", headers: Record<string, string> = {}) =>
    ada.client.get(`/documents/${document.id}/content${query}`, { headers });

  test("BODY13 anchored Markdown: each top-level block has its anchor, a heading its slug too", async () => {
    const document = await makeBody(ada.client, [id(1, h(1, "My Title")), id(2, p("Text")), id(3, h(2, "My title"))]);
    const { text: anchored } = await read(document, "?format=markdown&annotate=anchors");
    assert.match(anchored, new RegExp(`^<!--@block=${idFor(1)} #my-title-->\n# My Title\n`));
    assert.match(anchored, new RegExp(`\n<!--@block=${idFor(2)}-->\nText\n`));
    assert.match(anchored, new RegExp(`<!--@block=${idFor(3)} #my-title-1-->`));
    assertError(await read(document, "?annotate=anchors"), "invalid_request");
    assertError(await read(document, "?format=html&annotate=anchors"), "invalid_request");
  });

  test("BODY14 writing back what was read changes nothing, also what Markdown cannot say", async () => {
    const coloured = p(text("red", { type: "textStyle", attrs: { color: "#ff0000" } }));
    const odd = { ...p("odd"), attrs: { mine: [1] } };
    const halfPair = { ...p("\ud83d"), attrs: { mine: 1 } };
    const nodes = [
      halfPair,
      h(1, "T"),
      coloured,
      odd,
      ul(li(p("a")), li(p("b"), ul(li(p("c"))))),
      code("<!--@block=x-->\nx"),
      table(tr(td(p("1")))),
    ];
    const document = await makeBody(ada.client, nodes);
    const { text: anchored } = await read(document, "?format=markdown&annotate=anchors");
    const before = await traces(ada.client, document.id);
    const reply = assertStatus(await put(document, markdown(anchored), document.version), 200);
    assert.deepEqual(reply.data, { version: document.version, changed_block_ids: [] });
    assert.deepEqual(await traces(ada.client, document.id), before);
  });

  test("BODY15 a kept anchor keeps the id, a missing one gives a new id, a double or foreign one is 422", async () => {
    const document = await makeBody(ada.client, [
      id(1, p("one")),
      id(2, ul(id(3, li(id(4, p("a")))), id(5, li(id(6, p("b")))))),
    ]);
    const { text: anchored } = await read(document, "?format=markdown&annotate=anchors");
    const changed = `New first\n\n${anchored.replace("one", "uno").replace("- b", "- changed b")}\nNew last\n`;
    assertStatus(await put(document, markdown(changed), document.version), 200);
    const { nodes } = await readNodes(ada.client, document.id);
    assert.deepEqual(await textsOf(ada.client, document.id), ["New first", "uno", "a\nchanged b", "New last"]);
    assert.deepEqual(
      nodes.slice(1, 3).map((node) => node.attrs.id),
      [idFor(1), idFor(2)],
    );
    assert.deepEqual(
      nodes[2].content.map((item: Loose) => item.attrs.id),
      [idFor(3), idFor(5)],
    );
    const moved = `<!--@block=${idFor(1)}-->\nuno\n\n  <!--@block=${idFor(2)}-->\n1. changed b\n2. a\n`;
    assertStatus(await put(document, markdown(moved)), 200);
    const [, list] = (await readNodes(ada.client, document.id)).nodes;
    assert.deepEqual(
      [list.attrs.id, ...list.content.flatMap((item: Loose) => [item.attrs.id, item.content[0].attrs.id])],
      [2, 5, 6, 3, 4].map(idFor),
    );
    assertError(await put(document, markdown(`${anchored}\n${anchored}`)), "duplicate_anchor");
    assertError(await put(document, markdown(`<!--@block=${idFor(99)}-->\nx`)), "unknown_anchor");
  });

  test("BODY24 long Markdown, which another thread parses, is written and refused like any other", async () => {
    const text = Array.from({ length: 1500 }, (_, i) =>
      i % 9 ? `Line ${i} ${"word ".repeat(20)}` : `## Part ${i}`,
    ).join("\n\n");
    const document = await makeDocument(ada.client, { text });
    assert.equal(document.block_count, 1500);
    const { text: anchored } = await read(document, "?format=markdown&annotate=anchors");
    assert.deepEqual((await put(document, markdown(anchored), document.version)).data.changed_block_ids, []);
    const reply = assertStatus(
      await put(document, markdown(anchored.replace("Line 700", "Changed")), document.version),
      200,
    );
    assert.equal(reply.data.changed_block_ids.length, 1);
    assertError(await put(document, markdown(anchored), document.version), "version_conflict");
    assertError(await put(document, markdown(`${anchored}\n${anchored}`)), "duplicate_anchor");
    assertError(await ada.client.put(`/documents/${document.id}/content`, markdown(anchored)), "precondition_required");
    const writes = ["one", "two", "three"].map((word) => put(document, markdown(`${word}\n\n${anchored}`)));
    for (const written of await Promise.all(writes)) assertStatus(written, 200);
    assert.equal((await textsOf(ada.client, document.id)).length, 1501);
  });
});
