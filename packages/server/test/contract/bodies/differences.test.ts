import assert from "node:assert/strict";
import { before, test } from "node:test";
import { defined } from "@svc/document/defined";
import { assertError, assertStatus, type Loose } from "../../support/client.ts";
import { makeDocument, makeFolder, makeKnowledgeBase } from "../../support/fixtures.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

onEachDatabase("what changed since, and sections that move", (world) => {
  let ada: Person;
  before(async () => {
    ada = await world.person();
  });
  const put = async (id: string, content: string) =>
    assertStatus(
      await ada.client.put(`/documents/${id}/content?ids=match`, { format: "markdown", content }, { ifMatch: "*" }),
      200,
    ).data;
  const make = async (content: string, place: Loose = {}) => {
    const document = await makeDocument(ada.client, place);
    await put(document.id, content);
    return document;
  };
  const diff = async (query: string): Promise<Loose> =>
    assertStatus(await ada.client.get(`/changes/diff?${query}`), 200).body;
  const blocksOf = async (id: string): Promise<Loose[]> =>
    assertStatus(await ada.client.get(`/documents/${id}/blocks?format=markdown`), 200).data;
  /** A time between what was done and what will be. */
  const tick = async (): Promise<number> => {
    const start = Date.now();
    while (Date.now() <= start) await new Promise((resolve) => setImmediate(resolve));
    return Date.now();
  };

  test("CHG20 the difference since a time has old and new text by block, several writes as one", async () => {
    const page = await make("# Limits\n\nThe limit is 40 MB.\n\nStays.");
    await make("Another page.");
    const since = await tick();
    await put(page.id, "# Limits\n\nThe limit is 45 MB.\n\nStays.");
    await put(page.id, "# Limits\n\nThe limit is 50 MB.\n\nStays.\n\nNew.");
    const { data } = await diff(`since=${since}`);
    assert.equal(data.length, 1);
    const [{ changes, ...document }] = data;
    assert.deepEqual(
      [document.document_id, document.title, document.complete, document.actors.length],
      [page.id, page.title, true, 1],
    );
    assert.match(document.path_text, / \/ /);
    assert.deepEqual(
      changes.map(({ block_id: _, ...change }: Loose) => change),
      [
        {
          change_type: "modified",
          heading_path: ["Limits"],
          before: "The limit is 40 MB.",
          after: "The limit is 50 MB.",
        },
        { change_type: "added", heading_path: ["Limits"], before: null, after: "New." },
      ],
    );
    const iso = new Date(since).toISOString();
    assert.equal((await diff(`since=${iso}&document_id=${page.id}`)).data.length, 1);
    assert.deepEqual((await diff(`since=${await tick()}`)).data, []);
  });

  test("CHG20 a change that was taken back is none; a new document is all new; a title alone is no change", async () => {
    const page = await make("One.");
    const renamed = await make("Two.");
    const since = await tick();
    await put(page.id, "Other.");
    await put(page.id, "One.");
    await ada.client.patch(`/documents/${renamed.id}`, { title: "Renamed" });
    const added = await make("Three.");
    const { data } = await diff(`since=${since}`);
    assert.deepEqual(
      data.map((each: Loose) => [each.document_id, each.from_version, each.changes[0].change_type]),
      [[added.id, null, "added"]],
    );
  });

  test("CHG21 a folder means all below it; pages go on by a cursor", async () => {
    const top = await makeFolder(ada.client);
    const { data: inner } = await ada.client.post("/folders", {
      name: "Inner",
      knowledge_base_id: top.knowledge_base_id,
      parent_id: top.id,
    });
    const place = { knowledge_base_id: top.knowledge_base_id };
    const since = await tick();
    const inside = await make("a", { ...place, folder_id: inner.id });
    const above = await make("b", { ...place, folder_id: top.id });
    await make("c", place);
    const ids = (page: Loose) => page.data.map((each: Loose) => each.document_id);
    assert.deepEqual(ids(await diff(`since=${since}&folder_id=${top.id}`)), [above.id, inside.id]);
    const first = await diff(`since=${since}&folder_id=${top.id}&limit=1`);
    const second = await diff(`since=${since}&folder_id=${top.id}&limit=1&cursor=${first.page.next_cursor}`);
    assert.deepEqual([...ids(first), ...ids(second), second.page.next_cursor], [above.id, inside.id, null]);
    assert.equal((await diff(`since=${since}&knowledge_base_id=${top.knowledge_base_id}`)).data.length, 3);
  });

  test("CHG22 what is no longer kept is told as such", async () => {
    const page = await make("0");
    const since = await tick();
    for (let i = 1; i <= 21; i++) await put(page.id, `${i}`);
    const { data } = await diff(`since=${since}&document_id=${page.id}`);
    assert.deepEqual(
      [data[0].complete, data[0].from_version, data[0].changes[0].before, data[0].changes[0].after],
      [false, null, null, "21"],
    );
  });

  test("CHG23 a visit is a moment with a name; times and names are checked", async () => {
    assertError(await ada.client.get("/changes/diff?since=visit:agent"), "not_found");
    assert.equal(assertStatus(await ada.client.post("/me/visits", { name: "agent" }), 201).data.name, "agent");
    await tick();
    const page = await make("Visited.");
    const { data } = await diff("since=visit:agent");
    assert.deepEqual(
      data.map((each: Loose) => each.document_id),
      [page.id],
    );
    await tick();
    const { until } = (await ada.client.get("/changes/diff?since=visit:agent")).body;
    const kept = assertStatus(await ada.client.post("/me/visits", { name: "agent", at: until }), 201).data;
    assert.equal(kept.at, until, "what comes after the reading is not missed the next time");
    const later = { name: "agent", at: Date.now() + 60_000 };
    assert.ok(assertStatus(await ada.client.post("/me/visits", later), 201).data.at < later.at);
    await tick();
    assertStatus(await ada.client.post("/me/visits", { name: "agent" }), 201);
    assert.deepEqual((await diff("since=visit:agent")).data, []);
    assertError(await ada.client.post("/me/visits", { name: "a\0b" }), "invalid_request");
    for (const query of ["", "since=yesterday", "since=1&visit=agent"])
      assertError(await ada.client.get(`/changes/diff?${query}`), "invalid_request");
    assertError(await ada.client.get("/changes/diff?since=1&folder_id=999999"), "not_found");
  });

  test("CHG26 pages deleted since are listed with what they held then, also with their folder, and once restored no more", async () => {
    const base = await makeKnowledgeBase(ada.client);
    const folder = await makeFolder(ada.client, { knowledge_base_id: base.id });
    const inner = await makeFolder(ada.client, { knowledge_base_id: base.id, parent_id: folder.id });
    const top = { knowledge_base_id: base.id };
    const page = await make("# Head\n\nWas there.", top);
    const within = await make("Within.", { ...top, folder_id: inner.id });
    const changed = await make("Stays.", top);
    const since = await tick();
    await put(page.id, "# Head\n\nChanged before it went.");
    const brief = await make("Made and deleted since.", top);
    await put(changed.id, "Stays, changed.");
    for (const id of [page.id, brief.id]) assertStatus(await ada.client.delete(`/documents/${id}`), 200);
    const list = async (query: string) => (await diff(`since=${since}&${query}`)).data;
    const scope = `knowledge_base_id=${base.id}`;
    const [deleted, other, ...more] = await list(scope);
    assert.deepEqual([other.document_id, other.deleted_at, more.length], [changed.id, null, 0]);
    assert.deepEqual(
      [deleted.document_id, deleted.title, deleted.path_text, deleted.to_version, deleted.complete],
      [page.id, page.title, `${base.name} / ${page.title}`, null, true],
    );
    assert.ok(deleted.deleted_at >= since && deleted.from_version.startsWith("sha256:"));
    assert.deepEqual(
      deleted.changes.map(({ change_type, before: was, after }: Loose) => [change_type, was, after]),
      [
        ["removed", "# Head", null],
        ["removed", "Was there.", null],
      ],
    );
    assert.equal(deleted.actors[0].id, ada.userId);
    assertStatus(await ada.client.delete(`/folders/${inner.id}`), 200);
    const [gone, none] = await list(`folder_id=${folder.id}`);
    assert.deepEqual(
      [gone.document_id, gone.path_text, none],
      [within.id, `${base.name} / ${folder.name} / ${inner.name} / ${within.title}`, undefined],
    );
    const paged: string[] = [];
    for (let cursor = ""; ; ) {
      const { data, page: at } = await diff(`since=${since}&${scope}&limit=1${cursor}`);
      paged.push(...data.map((each: Loose) => each.document_id));
      if (at.next_cursor === null) break;
      cursor = `&cursor=${encodeURIComponent(at.next_cursor)}`;
    }
    assert.deepEqual(paged, [within.id, page.id, changed.id]);
    const stranger = await ada.client.put(
      `/knowledge-bases/${base.id}/access`,
      { default_role: "none", members: [], groups: [] },
      { ifMatch: "*" },
    );
    assertStatus(stranger, 200);
    const bob = await world.person({ workspace: ada.workspaceId, role: "editor" });
    const seen = assertStatus(await bob.client.get(`/changes/diff?since=${since}&limit=100`), 200).data;
    assert.ok(!seen.some((each: Loose) => [page.id, within.id].includes(each.document_id)));
    for (const { id } of (await ada.client.get("/trash")).data)
      assertStatus(await ada.client.post(`/trash/${id}/restore`), 200);
    assert.ok((await list(scope)).every((each: Loose) => each.deleted_at === null));
  });

  test("BLK30 a section moves to another document with its ids, and links to it follow", async () => {
    const source = await make("# A\n\na\n\n## Inner\n\nx\n\n# B\n\nb");
    const target = await make("# T\n\nt\n\n# U");
    const [a, text] = await blocksOf(source.id);
    const link = `[text](svc://doc/${source.id}#block=${defined(text).id})`;
    const linking = await make(`See ${link} and [b](svc://doc/${source.id}).`);
    const path = `/documents/${source.id}/sections/${defined(a).id}/move`;
    const body = { target_document_id: target.id, position: { after_heading: "T" } };
    const { data } = assertStatus(await ada.client.post(path, body), 200);
    assert.deepEqual(
      (await blocksOf(target.id)).map((block) => block.markdown),
      ["# T", "# A", "a", "## Inner", "x", "t", "# U"],
    );
    assert.deepEqual(
      (await blocksOf(source.id)).map((block) => block.markdown),
      ["# B", "b"],
    );
    assert.equal(defined((await blocksOf(target.id))[2]).id, defined(text).id);
    assert.equal(data.moved_block_ids.length, 4);
    assert.deepEqual(
      [data.source.document_id, data.target.document_id, data.relinked.map((each: Loose) => each.document_id)],
      [source.id, target.id, [linking.id]],
    );
    const [linked] = await blocksOf(linking.id);
    assert.equal(
      defined(linked).markdown,
      `See [text](svc://doc/${target.id}#block=${defined(text).id}) and [b](svc://doc/${source.id}).`,
    );
    assert.equal(defined(linked).id, data.relinked[0].block_id);
  });

  test("BLK30 a section moves between documents that have translations, whichever was made first", async () => {
    const place = { knowledge_base_id: (await makeKnowledgeBase(ada.client)).id };
    const [one, two] = [
      await makeDocument(ada.client, { ...place, text: "# A\n\nfirst\n\n# B\n\nsecond" }),
      await makeDocument(ada.client, { ...place, text: "# C\n\nthird" }),
    ];
    const languages = { source_locale: "en", target_locales: ["de"], create_mode: "copy_content" };
    const targets: string[] = [];
    for (const { id } of [two, one]) {
      const { data } = assertStatus(await ada.client.post(`/documents/${id}/localization/activate`, languages), 201);
      targets.unshift(data.variants[1].document_id);
    }
    const move = async (from: string, to: string) => {
      const [heading] = (await ada.client.get(`/documents/${from}/blocks`)).data;
      const wanted = { target_document_id: to };
      return assertStatus(await ada.client.post(`/documents/${from}/sections/${heading.id}/move`, wanted), 200);
    };
    const unitsOf = async (id: string) =>
      (await ada.client.get(`/documents/${id}/translation-units?locale=de`)).data
        .filter(({ freshness }: Loose) => freshness !== "orphaned")
        .map(({ source_text }: Loose) => source_text);
    await move(one.id, two.id);
    assert.deepEqual(await unitsOf(one.id), ["B", "second"]);
    assert.deepEqual(new Set(await unitsOf(two.id)), new Set(["C", "third", "A", "first"]));
    await move(two.id, one.id);
    for (const [from, to] of [targets, targets.toReversed(), [one.id, defined(targets[1])]])
      await move(defined(from), defined(to));
  });

  test("BLK31 comments of the section go along; within one document it is a move of blocks", async () => {
    const source = await make("# A\n\na\n\n# B\n\nb");
    const target = await make("t");
    const [a, text, b] = await blocksOf(source.id);
    const comment = { body: { format: "markdown", content: "Hm." }, anchor: { block_id: defined(text).id } };
    assertStatus(await ada.client.post(`/documents/${source.id}/comments`, comment), 201);
    const move = (id: string, block: string, fields: Loose, query = "") =>
      ada.client.post(`/documents/${id}/sections/${block}/move${query}`, fields);
    const within = { target_document_id: source.id, position: { document_end: true } };
    assertStatus(await move(source.id, defined(a).id, within), 200);
    assert.deepEqual(
      (await blocksOf(source.id)).map((block) => block.markdown),
      ["# B", "b", "# A", "a"],
    );
    const inside = { target_document_id: source.id, position: { after_block_id: defined(a).id } };
    assertError(await move(source.id, defined(a).id, inside), "invalid_request");
    assertStatus(await move(source.id, defined(a).id, { target_document_id: target.id }), 200);
    const threads = assertStatus(await ada.client.get(`/documents/${target.id}/comments`), 200).data;
    assert.deepEqual(
      threads.map((thread: Loose) => thread.anchor.state),
      ["ok"],
    );
    assertError(
      await move(source.id, defined(b).id, { target_document_id: target.id }, "?mode=suggest"),
      "invalid_request",
    );
    assertError(await move(source.id, defined(a).id, { target_document_id: target.id }), "not_found");
    assertError(await move(source.id, defined(b).id, { target_document_id: "doc_none" }), "not_found");
    const old = await ada.client.post(
      `/documents/${source.id}/sections/${defined(b).id}/move`,
      { target_document_id: target.id },
      { ifMatch: "sha256:old" },
    );
    assertError(old, "version_conflict");
  });
});
