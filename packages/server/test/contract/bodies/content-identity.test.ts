import assert from "node:assert/strict";
import { before, test } from "node:test";
import { defined } from "@svc/document/defined";
import { id, idFor, li, p, table, td, text, tr, ul } from "@svc/document/testing/builders";
import { blockIds, makeBody, readNodes, tiptap, traces } from "../../support/bodies.ts";
import { assertError, assertStatus, type Loose } from "../../support/client.ts";
import { makeDocument, markdown } from "../../support/fixtures.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

onEachDatabase("content: which block is which", (world) => {
  let ada: Person;
  before(async () => {
    ada = await world.person();
  });
  const put = (document: Loose, body: unknown, query = "") =>
    ada.client.put(`/documents/${document.id}/content${query}`, body, { ifMatch: "*" });

  test("BODY26 attributes that are null or the default are no change, whoever writes them", async () => {
    const link = { type: "link", attrs: { href: "https://a.example" } };
    const stored = [
      id(1, p("a", text("b", link))),
      id(2, table(id(3, tr(id(4, td(id(5, p("c")))))))),
      id(6, ul(id(7, li(id(8, p("d")))))),
    ];
    const document = await makeBody(ada.client, stored);
    const left = await traces(ada.client, document.id);
    const fullLink = {
      type: "link",
      attrs: { ...link.attrs, target: "_blank", rel: "noopener noreferrer nofollow", class: null },
    };
    const written = [
      { ...id(1, p("a", text("b", fullLink))), attrs: { id: idFor(1), textAlign: null } },
      id(
        2,
        table(id(3, tr({ ...td(id(5, p("c"))), attrs: { id: idFor(4), colspan: 1, rowspan: 1, colwidth: null } }))),
      ),
      id(6, ul(id(7, li(id(8, p("d")))))),
    ];
    const reply = assertStatus(await put(document, tiptap(...written)), 200);
    assert.deepEqual(reply.data, { version: document.version, changed_block_ids: [] });
    const blocks = `/documents/${document.id}/blocks`;
    assert.equal(
      (await ada.client.patch(`${blocks}/${idFor(1)}`, { attrs: { textAlign: null } })).data.version,
      document.version,
    );
    assert.equal(
      (await ada.client.patch(`${blocks}/${idFor(1)}`, { node: written[0] })).data.version,
      document.version,
    );
    assert.deepEqual(await traces(ada.client, document.id), left);
  });

  test("BODY26 what is new is stored as sent, beside blocks that keep their stored form", async () => {
    const document = await makeBody(ada.client, [id(1, ul(id(2, li(id(3, p("a")))), id(4, li(id(5, p("b"))))))]);
    const [first, second] = [3, 5].map((n) => ({
      ...p(n === 3 ? "a" : "B"),
      attrs: { id: idFor(n), textAlign: null },
    }));
    await put(document, tiptap(id(1, ul(id(2, li(defined(first))), id(4, li(defined(second)))))));
    const { nodes } = await readNodes(ada.client, document.id);
    assert.deepEqual(
      nodes[0].content.map((item: Loose) => item.content[0].attrs),
      [{ id: idFor(3) }, { id: idFor(5), textAlign: null }],
    );
    const [cleared] = [{ ...p("a"), attrs: { id: idFor(9), textAlign: "left" } }];
    const aligned = await makeBody(ada.client, [cleared]);
    await put(aligned, tiptap({ ...p("a"), attrs: { id: idFor(9), textAlign: null } }));
    assert.equal((await readNodes(ada.client, aligned.id)).nodes[0].attrs.textAlign, null);
  });

  const old = "# Title\n\nOne stays as it is.\n\nTwo is edited in place.\n\n- a\n- b\n\nThe last one.\n";

  test("BODY27 with ids=match Markdown without anchors keeps the ids of what stays or is edited", async () => {
    const document = await makeDocument(ada.client, { text: old });
    const was = await blockIds(ada.client, document.id);
    const nested = (await readNodes(ada.client, document.id)).nodes[3].content[0].attrs.id;
    assert.equal((await put(document, markdown(old), "?ids=match")).data.version, document.version);
    const edited =
      "# Title\n\nA new one comes first.\n\nOne stays as it is.\n\nTwo was edited in place.\n\n- a\n- c\n\nThe last one.\n";
    assertStatus(await put(document, markdown(edited), "?ids=match"), 200);
    const is = await blockIds(ada.client, document.id);
    assert.deepEqual([is[0], ...is.slice(2)], was);
    assert.ok(!was.includes(defined(is[1])));
    assert.equal((await readNodes(ada.client, document.id)).nodes[4].content[0].attrs.id, nested);
  });

  test("BODY27 without ids=match every block without an anchor gets a new id", async () => {
    const document = await makeDocument(ada.client, { text: old });
    const was = await blockIds(ada.client, document.id);
    assert.notEqual((await put(document, markdown(old))).data.version, document.version);
    for (const one of await blockIds(ada.client, document.id)) assert.ok(!was.includes(one));
    assertError(await put(document, markdown(old), "?ids=guess"), "invalid_request");
  });

  test("BODY27 ids=match keeps what Markdown cannot say, and holds for long texts beside anchors", async () => {
    const red = text("red", { type: "textStyle", attrs: { color: "#ff0000" } });
    const many = Array.from({ length: 2500 }, (_, i) =>
      id(100 + i, p(`Paragraph ${i} of a text that is long enough to go aside.`)),
    );
    const document = await makeBody(ada.client, [id(1, p(red)), ...many]);
    const { text: content } = await ada.client.get(`/documents/${document.id}/content?format=markdown`);
    assert.equal((await put(document, markdown(content), "?ids=match")).data.version, document.version);
    const anchored = `<!--@block=${idFor(103)}-->\nMoved to the top.\n\n${content}`;
    assertStatus(await put(document, markdown(anchored), "?ids=match"), 200);
    const is = await blockIds(ada.client, document.id);
    assert.equal(is[0], idFor(103));
    assert.equal(new Set(is).size, is.length);
  });

  test("VER9 a difference knows blocks by their content too, and shows the changed words", async () => {
    const document = await makeDocument(ada.client, { text: old });
    assertStatus(await put(document, markdown(old.replace("is edited", "was edited"))), 200);
    const { data } = assertStatus(await ada.client.get(`/documents/${document.id}/versions/1/diff`), 200);
    assert.deepEqual(
      data.changes.map((change: Loose) => [change.change_type, change.old_position, change.new_position]),
      [["modified", 2, 2]],
    );
    const [change] = data.changes;
    assert.deepEqual(change.words, [
      { kind: "same", text: "Two " },
      { kind: "removed", text: "is" },
      { kind: "added", text: "was" },
      { kind: "same", text: " edited in place." },
    ]);
    assert.match(change.old_block_id, /^block_/);
    assert.notEqual(change.old_block_id, change.block_id);
  });

  test("BODY28 on_conflict=merge keeps what others wrote meanwhile; a block of both is 409 with both sides", async () => {
    const document = await makeDocument(ada.client, { text: "One.\n\nTwo.\n\nThree.\n" });
    const path = `/documents/${document.id}/content`;
    const write = (content: string, query: string, ifMatch: string) =>
      ada.client.put(`${path}?ids=match${query}`, markdown(content), { ifMatch });
    assertStatus(await write("One.\n\nZwei.\n\nThree.\n", "", document.version), 200);
    assertError(await write("One.\n\nTwo.\n\nDrei.\n", "", document.version), "version_conflict");
    const trial = await write("One.\n\nTwo.\n\nDrei.\n", "&on_conflict=merge&dry_run=true", document.version);
    assert.equal(assertStatus(trial, 200).data.changed_block_ids.length, 1);
    const merged = assertStatus(await write("One.\n\nTwo.\n\nDrei.\n", "&on_conflict=merge", document.version), 200);
    assert.equal((await ada.client.get(`${path}?format=markdown`)).text, "One.\n\nZwei.\n\nDrei.\n");
    const both = await write("One.\n\nDeux.\n\nThree.\n", "&on_conflict=merge", document.version);
    const { conflicts } = assertError(both, "version_conflict");
    assert.deepEqual([conflicts.length, conflicts[0].theirs, conflicts[0].mine], [1, "Zwei.", "Deux."]);
    assertError(await write("One.\n", "&on_conflict=merge", "sha256:unknown"), "version_conflict");
    assertError(await ada.client.put(`${path}?on_conflict=merge`, markdown("x")), "precondition_required");
    const plain = await write("One.\n\nZwei.\n\nTrois.\n", "&on_conflict=merge", merged.data.version);
    assertStatus(plain, 200);
    assert.equal((await ada.client.get(`${path}?format=markdown`)).text, "One.\n\nZwei.\n\nTrois.\n");
  });
});
