import assert from "node:assert/strict";
import { before, test } from "node:test";
import { h, id, idFor, li, p, quote, ul } from "@svc/document/testing/builders";
import { makeBody } from "../../support/bodies.ts";
import { assertError, assertStatus, type Loose } from "../../support/client.ts";
import { markdown } from "../../support/fixtures.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

onEachDatabase("outline and read", (world) => {
  let ada: Person;
  before(async () => {
    ada = await world.person();
  });
  const sections = () =>
    makeBody(ada.client, [
      id(1, p("before")),
      id(2, h(1, "One")),
      id(3, p("a")),
      id(4, h(2, "One")),
      id(5, h(3, "Deep")),
      id(6, p("b")),
      id(7, h(1, "Two")),
      id(8, quote(id(9, h(1, "Nested")))),
    ]);
  const read = (document: Loose, query = "") => ada.client.get(`/documents/${document.id}/read${query}`);
  const blocksOf = (reply: Loose): string[] => reply.data.items.map((item: Loose) => item.block_id);

  test("READ1 the outline is a tree of sections with unique slugs and their ranges", async () => {
    const document = await sections();
    const reply = assertStatus(await ada.client.get(`/documents/${document.id}/outline`), 200);
    assert.equal(reply.etag, document.version);
    assert.equal(reply.data.version, document.version);
    const flat = (items: Loose[]): Loose[] => items.flatMap(({ children, ...item }) => [item, ...flat(children)]);
    assert.deepEqual(
      flat(reply.data.items).map((item) => [
        item.block_id,
        item.level,
        item.slug,
        item.position,
        item.range.end_block_id,
        item.range.block_count,
      ]),
      [
        [idFor(2), 1, "one", 1, idFor(6), 5],
        [idFor(4), 2, "one-1", 3, idFor(6), 3],
        [idFor(5), 3, "deep", 4, idFor(6), 2],
        [idFor(7), 1, "two", 6, idFor(8), 2],
      ],
    );
    assert.equal(reply.data.items[0].range.start_block_id, idFor(2));
    assert.equal(reply.data.items[0].children[0].children[0].text, "Deep");
    assertStatus(
      await ada.client.get(`/documents/${document.id}/outline`, {
        headers: { "if-none-match": `"${document.version}"` },
      }),
      304,
    );
    const empty = await makeBody(ada.client, [id(1, h(2, "Alone"))]);
    const [item] = (await ada.client.get(`/documents/${empty.id}/outline`)).data.items;
    assert.deepEqual(item.range, { start_block_id: idFor(1), end_block_id: idFor(1), block_count: 1 });
  });

  test("READ2 a reading gives whole blocks under the budget with their heading path", async () => {
    const document = await sections();
    const { data } = assertStatus(await read(document), 200);
    assert.deepEqual(blocksOf({ data }), [1, 2, 3, 4, 5, 6, 7, 8].map(idFor));
    assert.deepEqual([data.next_cursor, data.budget_exceeded, data.version], [null, false, document.version]);
    assert.deepEqual(data.items[5].heading_path, ["One", "One", "Deep"]);
    assert.deepEqual(data.items[0].heading_path, []);
    assert.equal(
      data.used_tokens,
      data.items.reduce((sum: number, item: Loose) => sum + item.tokens, 0),
    );
    assert.deepEqual([data.requested_locale, data.resolved_locale, data.fallback_used], [null, null, false]);
  });

  test("READ3 walking by cursor gives every block once, in order", async () => {
    const document = await makeBody(
      ada.client,
      Array.from({ length: 40 }, (_, i) => id(i + 1, p(`word `.repeat(i + 1)))),
    );
    const seen: string[] = [];
    for (let query = "?max_tokens=60"; ; ) {
      const reply = assertStatus(await read(document, query), 200);
      seen.push(...blocksOf(reply));
      assert.ok(reply.data.used_tokens <= 60 || reply.data.items.length === 1);
      if (reply.data.next_cursor === null) break;
      query = `?max_tokens=60&cursor=${reply.data.next_cursor}`;
    }
    assert.deepEqual(
      seen,
      Array.from({ length: 40 }, (_, i) => idFor(i + 1)),
    );
  });

  test("READ4 a cursor is stale after a change, and belongs to its document and view", async () => {
    const document = await sections();
    const other = await sections();
    const { next_cursor: cursor } = (await read(document, "?max_tokens=1")).data;
    assertError(await read(other, `?cursor=${cursor}`), "cursor_mismatch");
    assertError(await read(document, `?cursor=${cursor}&view=plain-text`), "cursor_mismatch");
    assertError(await read(document, "?cursor=x"), "invalid_cursor");
    assertStatus(await read(document, `?cursor=${cursor}&max_tokens=5`), 200);
    await ada.client.put(`/documents/${document.id}/content`, markdown("new"), { ifMatch: "*" });
    assertError(await read(document, `?cursor=${cursor}`), "read_cursor_stale");
  });

  test("READ5 a block larger than the budget still comes, and says so", async () => {
    const document = await makeBody(ada.client, [id(1, p("many words ".repeat(50))), id(2, p("few"))]);
    const { data } = await read(document, "?max_tokens=5");
    assert.deepEqual([blocksOf({ data }), data.budget_exceeded], [[idFor(1)], true]);
    assert.ok(data.used_tokens > 5);
    const rest = await read(document, `?max_tokens=5&cursor=${data.next_cursor}`);
    assert.deepEqual([blocksOf(rest), rest.data.budget_exceeded, rest.data.next_cursor], [[idFor(2)], false, null]);
    for (const value of ["0", "200001", "x"])
      assertError(await read(document, `?max_tokens=${value}`), "invalid_request");
  });

  test("READ6 around grows to both sides from a block, nested ones too", async () => {
    const nodes = Array.from({ length: 9 }, (_, i) => id(i + 1, p("word word word")));
    const document = await makeBody(ada.client, [...nodes, id(10, ul(id(11, li(id(12, p("x")))))), id(13, p("y"))]);
    const budget = 3 * (await read(document)).data.items[0].tokens;
    const { data } = await read(document, `?around=${idFor(5)}&max_tokens=${budget}`);
    assert.deepEqual(blocksOf({ data }), [4, 5, 6].map(idFor));
    const next = await read(document, `?around=${idFor(5)}&max_tokens=${budget}&cursor=${data.next_cursor}`);
    assert.deepEqual(blocksOf(next), [7, 8, 9].map(idFor));
    assert.deepEqual(blocksOf(await read(document, `?around=${idFor(12)}&max_tokens=1`)), [idFor(10)]);
    assertError(await read(document, `?around=${idFor(99)}`), "not_found");
  });

  test("READ7 section reads the blocks of one heading", async () => {
    const document = await sections();
    assert.deepEqual(blocksOf(await read(document, `?section=${idFor(4)}`)), [4, 5, 6].map(idFor));
    assert.deepEqual(blocksOf(await read(document, `?section=${idFor(4)}&around=${idFor(6)}&max_tokens=1`)), [
      idFor(6),
    ]);
    const { data } = await read(document, `?section=${idFor(2)}&max_tokens=1`);
    assert.deepEqual(
      blocksOf(await read(document, `?section=${idFor(2)}&cursor=${data.next_cursor}`)),
      [3, 4, 5, 6].map(idFor),
    );
    assertError(await read(document, `?cursor=${data.next_cursor}`), "cursor_mismatch");
    assertError(await read(document, `?section=${idFor(3)}`), "invalid_request");
    assertError(await read(document, `?section=${idFor(99)}`), "not_found");
    assertError(await read(document, `?section=${idFor(4)}&around=${idFor(8)}`), "invalid_request");
  });

  test("READ8 the four views", async () => {
    const document = await makeBody(ada.client, [id(1, h(2, "Head")), id(2, ul(id(3, li(id(4, p("a"))))))]);
    const contents = async (view: string) =>
      (await read(document, `?view=${view}`)).data.items.map((item: Loose) => item.content);
    assert.deepEqual(await contents("markdown"), ["## Head", "- a"]);
    assert.deepEqual(await contents("plain-text"), ["Head", "a"]);
    assert.deepEqual(await contents("outline"), ["## Head"]);
    const nodes = (await ada.client.get(`/documents/${document.id}/content`)).data.document.content;
    assert.deepEqual(await contents("tiptap-json"), nodes);
    assertError(await read(document, "?view=pdf"), "invalid_request");
  });

  test("READ9 an empty body reads as nothing, and a locale is checked", async () => {
    const document = await makeBody(ada.client, []);
    const { data } = await read(document, "?locale=DE-ch");
    assert.deepEqual([data.items, data.next_cursor, data.used_tokens], [[], null, 0]);
    assert.deepEqual([data.requested_locale, data.resolved_locale, data.fallback_used], ["de-CH", null, true]);
    assertError(await read(document, "?locale=x_y"), "invalid_locale");
    assertError(await read(document, `?around=${idFor(1)}`), "not_found");
  });
});
