import assert from "node:assert/strict";
import { before, test } from "node:test";
import { defined } from "@svc/document/defined";
import { assertError, assertStatus, type Loose } from "../../support/client.ts";
import { activate, markdown } from "../../support/fixtures.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

onEachDatabase("translation units", (world) => {
  let ada: Person;
  before(async () => {
    ada = await world.person();
  });

  /** A set with its two paths, and short ways to look at it and to change it. */
  const setUp = async (text: string, fields: Loose = {}) => {
    const { client } = ada;
    const set = await activate(client, { document: { text }, ...fields });
    const source = `/documents/${set.source_document_id}`;
    const target = `/documents/${set.variants[1].document_id}`;
    const units = async (): Promise<Loose[]> => (await client.get(`${source}/translation-units?limit=100`)).data;
    const states = async () => (await units()).map((u) => [u.source_text, u.target_text, u.freshness]);
    const block = async (path: string, index: number) => (await client.get(`${path}/blocks`)).data[index];
    const write = async (path: string, index: number, words: string) =>
      assertStatus(
        await client.patch(`${path}/blocks/${(await block(path, index)).id}`, {
          content: words === "" ? [] : [{ type: "text", text: words }],
        }),
        200,
      );
    const put = async (path: string, text: string) =>
      assertStatus(await client.put(`${path}/content`, markdown(text), { ifMatch: "*" }), 200);
    const review = async (unit: Loose, review_status: string) =>
      client.patch(
        `${source}/translation-units/${unit.id}`,
        { review_status },
        { ifMatch: defined((await client.get(`${target}/content`)).etag) },
      );
    const freshness = async () => (await client.get(target)).data.translation_freshness;
    return { client, set, source, target, units, states, block, write, put, review, freshness };
  };

  test("LOC12 every text block that has words is a unit, in the order of the source; code is none", async () => {
    const { units } = await setUp(
      "# Title\n\nText\n\n- Item\n  - Inner\n\n> Quote\n\n```\ncode\n```\n\n`only code`\n\n42\n\n| Cell |\n| --- |\n| Other |\n\n![alt](https://example.com/a.png)\n",
    );
    const all = await units();
    assert.deepEqual(
      all.map((u) => u.source_text),
      ["Title", "Text", "Item", "Inner", "Quote", "Cell", "Other"],
    );
    for (const unit of all) {
      assert.deepEqual(
        [unit.freshness, unit.review_status, unit.origin, unit.candidate, unit.target_text],
        ["missing", "unreviewed", "none", null, ""],
      );
      assert.match(unit.id, /^tu_/);
      assert.match(unit.source_hash, /^[0-9a-f]{64}$/);
      assert.match(unit.target_block_id, /^block_/);
    }
  });

  test("LOC13 the first text by hand agrees with the source; then a changed source is source_changed, or conflict after an edit by hand", async () => {
    const { source, target, write, states, units, freshness } = await setUp("One\n\nTwo\n\nThree");
    await write(target, 0, "Uno");
    assert.deepEqual((await states())[0], ["One", "Uno", "current"]);
    assert.equal(defined((await units())[0]).origin, "manual");
    assert.equal(await freshness(), "missing");
    await write(target, 1, "Dos");
    await write(target, 2, "Tres");
    assert.equal(await freshness(), "current");
    await write(source, 0, "One!");
    assert.deepEqual(await states(), [
      ["One!", "Uno", "source_changed"],
      ["Two", "Dos", "current"],
      ["Three", "Tres", "current"],
    ]);
    assert.equal(await freshness(), "source_changed");
    await write(target, 0, "¡Uno!");
    assert.deepEqual((await states())[0], ["One!", "¡Uno!", "conflict"]);
    await write(target, 1, "Dos, otra vez");
    assert.deepEqual((await states())[1], ["Two", "Dos, otra vez", "current"]);
    await write(source, 1, "Two again");
    assert.deepEqual((await states())[1], ["Two again", "Dos, otra vez", "conflict"]);
    await write(source, 1, "Two");
    assert.equal(defined((await states())[1])[2], "current");
    await write(target, 2, "");
    assert.deepEqual((await states())[2], ["Three", "", "missing"]);
    assert.equal(await freshness(), "missing");
  });

  test("LOC14 translated_from_version is the newest source version that the whole target agreed with", async () => {
    const { client, source, target, write } = await setUp("One\n\nTwo");
    const from = async () => (await client.get(target)).data.translated_from_version;
    const version = async () => (await client.get(source)).data.version;
    const first = await version();
    assert.equal(await from(), first);
    await write(target, 0, "Uno");
    await write(source, 1, "Two!");
    assert.equal(await from(), first);
    await write(target, 1, "¡Dos!");
    assert.equal(await from(), await version());
    assert.notEqual(await from(), first);
  });

  test("LOC15 a review needs the target's version, is on record, settles a conflict, and lapses with a change", async () => {
    const { client, source, target, write, units, states, review } = await setUp("One\n\nTwo");
    await write(target, 0, "Uno");
    await write(source, 0, "One!");
    await write(target, 0, "¡Uno!");
    const [unit] = await units();
    const path = `${source}/translation-units/${defined(unit).id}`;
    assertError(await client.patch(path, { review_status: "current" }), "precondition_required");
    const stale = await client.patch(path, { review_status: "current" }, { ifMatch: "sha256:other" });
    assert.equal(assertError(stale, "version_conflict").current_version, (await client.get(target)).data.version);
    assertError(await client.patch(path, { review_status: "unreviewed" }, { ifMatch: "*" }), "invalid_request");
    assertError(await client.patch(`${source}/translation-units/tu_none`, { review_status: "current" }), "not_found");
    const done = assertStatus(await review(unit, "current"), 200);
    assert.deepEqual(
      [done.data.freshness, done.data.review_status, done.data.origin, done.etag],
      ["current", "current", "manual", (await client.get(target)).data.version],
    );
    const [record] = (await client.get(`${source}/localization-audit`)).data;
    assert.deepEqual(
      [record.action, record.unit_id, record.locale, record.before.freshness, record.after.freshness],
      ["review", defined(unit).id, "es", "conflict", "current"],
    );
    await write(source, 0, "One?");
    assert.deepEqual(
      (await units()).map((u) => [u.freshness, u.review_status]),
      [
        ["source_changed", "unreviewed"],
        ["missing", "unreviewed"],
      ],
    );
    assertStatus(await review((await units())[1], "ignored"), 200);
    await write(source, 1, "Two!");
    assert.equal(defined((await units())[1]).review_status, "ignored");
    const set = (await client.get(`${source}/localizations`)).data;
    const { total, source_changed, ignored, missing } = set.variants[1].units;
    assert.deepEqual(
      { total, source_changed, ignored, missing },
      { total: 2, source_changed: 1, ignored: 1, missing: 0 },
    );
    assert.equal(set.variants[1].translation_freshness, "source_changed");
    assert.equal(defined((await states())[1])[2], "missing");
  });

  test("LOC16 a source block moves and its unit with it; deleted it is orphaned, and restored by rollback it is as before", async () => {
    const { client, source, target, write, states, units, freshness } = await setUp("One\n\nTwo\n\nThree");
    for (const [index, words] of ["Uno", "Dos", "Tres"].entries()) await write(target, index, words);
    const before = await units();
    const text = (await client.get(`${source}/content?format=markdown&annotate=anchors`)).text;
    const parts = text.split(/(?=<!--@block)/);
    const moved = await client.put(`${source}/content`, markdown([parts[2], parts[0], parts[1]].join("")), {
      ifMatch: "*",
    });
    assertStatus(moved, 200);
    assert.deepEqual(await states(), [
      ["Three", "Tres", "current"],
      ["One", "Uno", "current"],
      ["Two", "Dos", "current"],
    ]);
    const { version } = (await client.get(source)).data;
    assertStatus(await client.delete(`${source}/blocks/${defined(before[1]).source_block_id}`), 200);
    const orphan = defined((await units()).at(-1));
    assert.deepEqual(
      [orphan.id, orphan.freshness, orphan.source_text, orphan.source_hash, orphan.target_text],
      [defined(before[1]).id, "orphaned", null, null, "Dos"],
    );
    assert.equal(await freshness(), "source_changed");
    const { seq } = (await client.get(`${source}/versions`)).data.find((v: Loose) => v.version === version);
    assertStatus(await client.post(`${source}/versions/${seq}/rollback`, undefined, { ifMatch: "*" }), 200);
    assert.deepEqual((await units()).map((u) => u.id).sort(), before.map((u) => u.id).sort());
    assert.equal(await freshness(), "current");
    assertStatus(await client.delete(`${source}/blocks/${defined(before[1]).source_block_id}`), 200);
    assertStatus(await client.delete(`${target}/blocks/${defined(before[1]).target_block_id}`), 200);
    assert.deepEqual(await states(), [
      ["Three", "Tres", "current"],
      ["One", "Uno", "current"],
    ]);
  });

  test("LOC17 a split block leaves its unit source_changed and a missing one beside it; merged, the rest is orphaned", async () => {
    const { client, source, target, write, states } = await setUp("One. Two.\n\nThree");
    await write(target, 0, "Uno. Dos.");
    await write(target, 1, "Tres");
    const { id } = (await client.get(`${source}/blocks`)).data[0];
    const line = (text: string) => ({ type: "paragraph", content: [{ type: "text", text }] });
    const batch = async (operations: Loose[]) => {
      const base_version = (await client.get(source)).data.version;
      assertStatus(await client.post(`${source}/batch`, { base_version, operations }), 200);
    };
    await batch([
      { op: "replace", block_id: id, node: line("One.") },
      { op: "insert", position: { after_block_id: id }, nodes: [line("Two.")] },
    ]);
    assert.deepEqual(await states(), [
      ["One.", "Uno. Dos.", "source_changed"],
      ["Two.", null, "missing"],
      ["Three", "Tres", "current"],
    ]);
    const blocks = (await client.get(`${source}/blocks`)).data;
    await batch([
      { op: "replace", block_id: id, node: line("One. Two.") },
      { op: "delete", block_id: blocks[1].id },
    ]);
    assert.deepEqual(await states(), [
      ["One. Two.", "Uno. Dos.", "current"],
      ["Three", "Tres", "current"],
    ]);
    await batch([
      { op: "replace", block_id: id, node: line("One. Two. Three") },
      { op: "delete", block_id: blocks[2].id },
    ]);
    assert.deepEqual(await states(), [
      ["One. Two. Three", "Uno. Dos.", "source_changed"],
      [null, "Tres", "orphaned"],
    ]);
  });

  test("LOC18 Markdown without anchors gives new ids on either side, and the units find their blocks again", async () => {
    const { source, target, put, states, units } = await setUp("# Head\n\nOne\n\n- a\n- b\n\nLast");
    await put(target, "# Cabeza\n\nUno\n\n- aa\n- bb\n\nÚltimo");
    const before = await units();
    assert.deepEqual(
      before.map((u) => [u.source_text, u.target_text, u.freshness, u.origin]),
      [
        ["Head", "Cabeza", "current", "manual"],
        ["One", "Uno", "current", "manual"],
        ["a", "aa", "current", "manual"],
        ["b", "bb", "current", "manual"],
        ["Last", "Último", "current", "manual"],
      ],
    );
    await put(source, "# Head\n\nOne, changed\n\n- a\n- b\n- c\n\nNew\n\nLast");
    assert.deepEqual(await states(), [
      ["Head", "Cabeza", "current"],
      ["One, changed", "Uno", "source_changed"],
      ["a", "aa", "current"],
      ["b", "bb", "current"],
      ["c", null, "missing"],
      ["New", null, "missing"],
      ["Last", "Último", "current"],
    ]);
    const ids = new Set(before.map((u) => u.id));
    assert.equal((await units()).filter((u) => ids.has(u.id)).length, 5);
  });

  test("LOC19 an empty target that is written by hand is linked by place and kind", async () => {
    const { put, target, states, source } = await setUp("# Head\n\nOne\n\nTwo", { create_mode: "empty" });
    await put(target, "# Cabeza\n\nUno");
    assert.deepEqual(await states(), [
      ["Head", "Cabeza", "current"],
      ["One", "Uno", "current"],
      ["Two", null, "missing"],
    ]);
    const blocks = (await ada.client.get(`${target}/blocks`)).data;
    const anchored = `<!--@block=${blocks[0].id}-->\n# Cabeza\n\n<!--@block=${blocks[1].id}-->\nUno\n\nDos\n\nNota`;
    await put(target, anchored);
    assert.deepEqual((await states())[2], ["Two", "Dos", "current"]);
    await put(source, "# Head\n\nOne\n\nTwo\n\nThree");
    assert.deepEqual((await states())[3], ["Three", null, "missing"]);
  });

  test("LOC20 copied text is missing until it is edited or confirmed", async () => {
    const { target, write, units, review } = await setUp("Brand\n\nText", { create_mode: "copy_content" });
    assert.deepEqual(
      (await units()).map((u) => [u.target_text, u.freshness, u.origin]),
      [
        ["Brand", "missing", "none"],
        ["Text", "missing", "none"],
      ],
    );
    await write(target, 1, "Texto");
    assertStatus(await review((await units())[0], "current"), 200);
    assert.deepEqual(
      (await units()).map((u) => [u.target_text, u.freshness, u.review_status]),
      [
        ["Brand", "current", "current"],
        ["Texto", "current", "unreviewed"],
      ],
    );
  });

  test("LOC21 units are listed in pages, by language and state; an unknown language is 404", async () => {
    const text = Array.from({ length: 230 }, (_, i) => `Line number ${i}`).join("\n\n");
    const { client, source, write, target } = await setUp(text, { target_locales: ["es", "fr"] });
    await write(target, 3, "Tres");
    const walk = async (query: string) => {
      const found: Loose[] = [];
      for (let cursor = ""; ; ) {
        const page = await client.get(`${source}/translation-units?limit=70${query}${cursor}`);
        found.push(...page.data);
        if (!page.body.page.has_more) return found;
        cursor = `&cursor=${page.body.page.next_cursor}`;
      }
    };
    const all = await walk("");
    assert.equal(all.length, 460);
    assert.equal(new Set(all.map((u) => u.id)).size, 460);
    assert.deepEqual(
      (await walk("&locale=FR")).map((u) => u.source_text),
      text.split("\n\n"),
    );
    assert.deepEqual(
      (await walk("&locale=es&freshness=current")).map((u) => u.target_text),
      ["Tres"],
    );
    assert.equal((await client.get(`${target}/translation-units?limit=100`)).data[0].locale, "es");
    assertError(await client.get(`${source}/translation-units?locale=de`), "not_found");
    assertError(await client.get(`${source}/translation-units?locale=en`), "not_found");
  });

  test("LOC22 a change of marks alone is a change of the source; one of the block's kind is not", async () => {
    const { client, source, target, write, states } = await setUp("One two\n\nThree");
    await write(target, 0, "Uno dos");
    await write(target, 1, "Tres");
    const blocks = (await client.get(`${source}/blocks`)).data;
    const bold = [
      { type: "text", text: "One ", marks: [{ type: "bold" }] },
      { type: "text", text: "two" },
    ];
    assertStatus(await client.patch(`${source}/blocks/${blocks[0].id}`, { content: bold }), 200);
    const heading = { type: "heading", attrs: { level: 2 }, content: blocks[1].node.content };
    assertStatus(await client.patch(`${source}/blocks/${blocks[1].id}`, { node: heading }), 200);
    assert.deepEqual(await states(), [
      ["One two", "Uno dos", "source_changed"],
      ["Three", "Tres", "current"],
    ]);
  });

  test("LOC45 a person's own text goes into the target, also where there is no block yet, and is current", async () => {
    const { client, source, target, states } = await setUp("One");
    const nodes = [{ type: "paragraph", content: [{ type: "text", text: "Two" }] }];
    assertStatus(await client.post(`${source}/blocks`, { position: { document_end: true }, nodes }), 201);
    for (const [at, target_text] of ["Uno", "**Dos**"].entries()) {
      const unit = (await client.get(`${target}/translation-units`)).data[at];
      const ifMatch = unit.target_version;
      const path = `${target}/translation-units/${unit.id}`;
      const done = assertStatus(await client.patch(path, { target_text }, { ifMatch }), 200).data;
      assert.deepEqual([done.origin, done.freshness, done.review_status], ["manual", "current", "current"]);
      assertError(await client.patch(path, { target_text }, { ifMatch }), "version_conflict");
    }
    assert.deepEqual(await states(), [
      ["One", "Uno", "current"],
      ["Two", "Dos", "current"],
    ]);
    assert.match((await client.get(`${target}/content?format=markdown`)).text, /\*\*Dos\*\*/);
  });

  test("LOC23 edits of both sides are on record with their texts", async () => {
    const { client, source, target, write } = await setUp("One");
    await write(target, 0, "Uno");
    await write(source, 0, "Two");
    const records = (await client.get(`${source}/localization-audit`)).data.slice(0, 2);
    assert.deepEqual(
      records.map((r: Loose) => [r.action, r.locale, r.before.freshness, r.after.freshness]),
      [
        ["edit_source", "es", "current", "source_changed"],
        ["edit_target", "es", "missing", "current"],
      ],
    );
    assert.deepEqual([records[0].before.source_text, records[0].after.source_text], ["One", "Two"]);
    assert.deepEqual([records[1].before.target_text, records[1].after.target_text], ["", "Uno"]);
  });
});
