import assert from "node:assert/strict";
import { before, test } from "node:test";
import { assertError, assertStatus, type Loose } from "../../support/client.ts";
import { activate, makeDocument, makeFolder, makeKnowledgeBase, markdown } from "../../support/fixtures.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

const text =
  "# Guide\n\nHello **world**.\n\n- First\n- Second\n\n```js\nlet a = 1;\n```\n\n| A | 7 |\n| --- | --- |\n| b | 8 |\n";

onEachDatabase("language versions", (world) => {
  let ada: Person;
  before(async () => {
    ada = await world.person();
  });

  const targetOf = (set: Loose, locale = "es"): Loose =>
    set.variants.find((variant: Loose) => variant.locale === locale);
  const bodyOf = async (id: string): Promise<Loose> => (await ada.client.get(`/documents/${id}/content`)).data;
  const plain = (node: Loose): string => node.text ?? (node.content ?? []).map(plain).join("|");

  test("LOC1 activation makes a set: the document is its source, each language a document of its own", async () => {
    const set = await activate(ada.client, { document: { text, title: "Guide" }, target_locales: ["ES", "pt-br"] });
    assert.match(set.id, /^dset_/);
    assert.equal(set.uri, `svc://docset/${set.id}`);
    assert.deepEqual(
      set.variants.map((v: Loose) => [v.locale, v.variant_role, v.workflow_status]),
      [
        ["en", "source", "published"],
        ["es", "target", "draft"],
        ["pt-BR", "target", "draft"],
      ],
    );
    assert.equal(new Set(set.variants.map((v: Loose) => v.document_id)).size, 3);
    const source = (await ada.client.get(`/documents/${set.source_document_id}`)).data;
    assert.deepEqual(
      [
        source.document_set_id,
        source.document_set_uri,
        source.locale,
        source.variant_role,
        source.translation_freshness,
      ],
      [set.id, set.uri, "en", "source", "current"],
    );
    const target = (await ada.client.get(`/documents/${targetOf(set).document_id}`)).data;
    assert.deepEqual(
      [target.title, target.locale, target.translated_from_document_id, target.translated_from_version],
      ["Guide", "es", source.id, source.version],
    );
    assert.equal(target.translation_freshness, "missing");
    assert.deepEqual((await ada.client.get(`/document-sets/${set.id}`)).data, set);
  });

  test("LOC2 a document is activated once, a language is there once, and tags are checked", async () => {
    const { source_document_id: id } = await activate(ada.client);
    const path = `/documents/${id}/localization/activate`;
    assertError(await ada.client.post(path, { source_locale: "en", target_locales: ["fr"] }), "already_localized");
    const other = (await makeDocument(ada.client)).id;
    const call = (body: Loose) => ada.client.post(`/documents/${other}/localization/activate`, body);
    assertError(await call({ source_locale: "en", target_locales: ["es", "ES"] }), "locale_exists");
    assertError(await call({ source_locale: "en", target_locales: ["en"] }), "locale_exists");
    for (const source_locale of ["not a tag", "!"])
      assertError(await call({ source_locale, target_locales: [] }), "invalid_locale");
    assert.equal((await ada.client.get(`/documents/${other}`)).data.document_set_id, null);
  });

  test("LOC3 copy_structure leaves text empty, copies what has nothing to translate, and gives every block its own id", async () => {
    const set = await activate(ada.client, { document: { text } });
    const source = (await bodyOf(set.source_document_id)).document.content;
    const target = (await bodyOf(targetOf(set).document_id)).document.content;
    assert.deepEqual(
      target.map((node: Loose) => node.type),
      source.map((node: Loose) => node.type),
    );
    assert.deepEqual(target.map(plain), ["", "", "|", "let a = 1;", "|7||8"]);
    const ids = (blocks: Loose[]): string[] =>
      blocks.flatMap((b) => [...(b.attrs?.id ? [b.attrs.id] : []), ...ids(b.content ?? [])]);
    const own = new Set(ids(source));
    assert.ok(ids(target).every((id) => !own.has(id)));
    assert.equal(targetOf(set).units.total, 6);
  });

  test("LOC4 copy_content copies the text, which is no translation yet; empty makes no blocks", async () => {
    const set = await activate(ada.client, { document: { text }, create_mode: "copy_content" });
    const [source, target] = [await bodyOf(set.source_document_id), await bodyOf(targetOf(set).document_id)];
    assert.deepEqual(target.document.content.map(plain), source.document.content.map(plain));
    assert.deepEqual(targetOf(set).units.missing, 6);
    const reply = await ada.client.post(`/documents/${set.source_document_id}/localizations`, {
      locale: "fr",
      title: "Guide français",
      create_mode: "empty",
    });
    const added = assertStatus(reply, 201).data;
    assert.deepEqual([added.locale, added.title, added.units.missing], ["fr", "Guide français", 6]);
    assert.deepEqual((await bodyOf(added.document_id)).document.content, []);
    const again = await ada.client.post(`/documents/${added.document_id}/localizations`, { locale: "FR" });
    assertError(again, "locale_exists");
  });

  test("LOC5 lists hide targets unless asked, and tell their freshness", async () => {
    const { id: kb } = await makeKnowledgeBase(ada.client);
    const set = await activate(ada.client, { document: { knowledge_base_id: kb } });
    const list = async (query: string) => (await ada.client.get(`/documents?knowledge_base_id=${kb}${query}`)).data;
    const roles = (items: Loose[]) => items.map((d) => [d.locale, d.translation_freshness]).sort();
    assert.deepEqual(roles(await list("")), [["en", "current"]]);
    assert.deepEqual(roles(await list("&locale=es")), [["es", "missing"]]);
    assert.deepEqual(roles(await list("&include_variants=true")), [
      ["en", "current"],
      ["es", "missing"],
    ]);
    const tree = (await ada.client.get(`/knowledge-bases/${kb}/tree`)).data;
    assert.equal(tree.children.length, 1);
    assert.equal((await ada.client.get(`/knowledge-bases/${kb}`)).data.document_count, 2);
    assert.equal(set.variants.length, 2);
  });

  test("LOC6 a language resolves from the closest tag to the fallback language to the source, and says so", async () => {
    const set = await activate(ada.client, {
      document: { text: "English" },
      target_locales: ["zh-Hant", "de", "fr-CA"],
      fallback_locale: "de",
    });
    const id = set.source_document_id;
    const fill = async (locale: string, words: string) => {
      const { document_id } = targetOf(set, locale);
      assertStatus(await ada.client.put(`/documents/${document_id}/content`, markdown(words), { ifMatch: "*" }), 200);
    };
    await fill("zh-Hant", "中文");
    await fill("de", "Deutsch");
    await fill("fr-CA", "Québec");
    const cases: [string, string, string, boolean][] = [
      ["zh-Hant-TW", "zh-Hant", "中文", true],
      ["zh-hant", "zh-Hant", "中文", false],
      ["fr-CA", "fr-CA", "Québec", false],
      ["fr", "de", "Deutsch", true],
      ["ja", "de", "Deutsch", true],
      ["en", "en", "English", false],
      ["en-GB-u-ca-gregory", "en", "English", true],
    ];
    for (const [asked, resolved, words, fallback] of cases) {
      const { data } = await ada.client.get(`/documents/${id}/read?locale=${asked}&view=plain-text`);
      assert.deepEqual(
        [data.requested_locale, data.resolved_locale, data.items[0].content, data.fallback_used],
        [Intl.getCanonicalLocales(asked)[0], resolved, words, fallback],
      );
      const list = (await ada.client.get(`/documents/${id}/localizations?locale=${asked}`)).data;
      assert.deepEqual(
        [list.resolved_locale, list.resolved_document_id, list.fallback_used],
        [resolved, set.variants.find((v: Loose) => v.locale === resolved).document_id, fallback],
      );
    }
    const plainRead = (await ada.client.get(`/documents/${targetOf(set, "de").document_id}/read`)).data;
    assert.deepEqual(
      [plainRead.requested_locale, plainRead.resolved_locale, plainRead.fallback_used],
      [null, "de", false],
    );
    const single = (await makeDocument(ada.client)).id;
    const read = (await ada.client.get(`/documents/${single}/read?locale=fr`)).data;
    assert.deepEqual([read.requested_locale, read.resolved_locale, read.fallback_used], ["fr", null, true]);
    const alone = assertStatus(await ada.client.get(`/documents/${single}/localizations?locale=fr`), 200).data;
    const { source_document_id, resolved_document_id, variants, requested_locale, fallback_used, ...rest } = alone;
    assert.deepEqual([source_document_id, resolved_document_id, requested_locale], [single, single, "fr"]);
    assert.deepEqual([variants, fallback_used], [[], false]);
    for (const name of ["id", "uri", "source_locale", "fallback_locale", "resolved_locale", "created_at"])
      assert.equal(rest[name], null, name);
    assertError(await ada.client.get("/documents/doc_1/localizations"), "not_found");
    assertError(await ada.client.get(`/documents/${id}/read?locale=x_y`), "invalid_locale");
  });

  test("LOC7 title and workflow status of a version change; its document tells an event", async () => {
    const set = await activate(ada.client);
    const path = `/documents/${set.source_document_id}/localizations/ES`;
    const changed = assertStatus(await ada.client.patch(path, { title: "Guía", workflow_status: "in_review" }), 200);
    assert.deepEqual([changed.data.title, changed.data.workflow_status], ["Guía", "in_review"]);
    const document = (await ada.client.get(`/documents/${targetOf(set).document_id}`)).data;
    assert.deepEqual([document.title, document.workflow_status], ["Guía", "in_review"]);
    assertError(await ada.client.patch(path, { workflow_status: "done" }), "invalid_request");
    assertError(await ada.client.patch(path, {}), "invalid_request");
    assertError(await ada.client.patch(path.replace("ES", "fr"), { title: "x" }), "not_found");
    const events = await world.app.services.database.read
      .selectFrom("events")
      .select(["type", "document_set_id", "locale"])
      .where("workspace_id", "=", ada.workspaceId)
      .where("document_set_id", "=", set.id)
      .orderBy("id")
      .execute();
    assert.deepEqual(
      events.map((event) => [event.type, event.locale]),
      [
        ["document.metadata.updated", "en"],
        ["document.created", "es"],
        ["document.metadata.updated", "es"],
      ],
    );
  });

  test("LOC8 a source with targets cannot go and cannot be deactivated; without them it can", async () => {
    const set = await activate(ada.client);
    const source = `/documents/${set.source_document_id}`;
    assertError(await ada.client.delete(source), "localization_has_targets");
    assertError(await ada.client.post(`${source}/localization/deactivate`), "localization_has_targets");
    assertError(await ada.client.delete(`${source}/localizations/en`), "localization_has_targets");
    const gone = assertStatus(await ada.client.delete(`${source}/localizations/es`), 200).data;
    assert.deepEqual(gone, { id: targetOf(set).document_id, deleted: true });
    assertError(await ada.client.get(`/documents/${gone.id}`), "not_found");
    assertError(await ada.client.delete(`${source}/localizations/es`), "not_found");
    assert.equal((await ada.client.get(`/document-sets/${set.id}`)).data.variants.length, 1);
    const single = assertStatus(await ada.client.post(`${source}/localization/deactivate`), 200).data;
    assert.deepEqual([single.document_set_id, single.locale, single.variant_role], [null, null, null]);
    assertError(await ada.client.get(`/document-sets/${set.id}`), "not_found");
    assertError(await ada.client.post(`${source}/localization/deactivate`), "not_found");
    assertStatus(await ada.client.delete(source), 200);
  });

  test("LOC9 a folder takes source and targets along, but not a source alone", async () => {
    const folder = await makeFolder(ada.client);
    const where = { knowledge_base_id: folder.knowledge_base_id, folder_id: folder.id };
    const set = await activate(ada.client, { document: where });
    const target = `/documents/${targetOf(set).document_id}`;
    assert.equal((await ada.client.get(target)).data.folder_id, folder.id);
    await ada.client.patch(target, { folder_id: null });
    assertError(await ada.client.delete(`/folders/${folder.id}`), "localization_has_targets");
    await ada.client.patch(target, { folder_id: folder.id });
    assertStatus(await ada.client.delete(`/folders/${folder.id}`), 200);
    assertError(await ada.client.get(`/document-sets/${set.id}`), "not_found");
    const [entry] = (await ada.client.get("/trash")).data;
    assertStatus(await ada.client.post(`/trash/${entry.id}/restore`), 200);
    const back = (await ada.client.get(`/document-sets/${set.id}`)).data;
    assert.deepEqual(
      back.variants.map((v: Loose) => [v.locale, v.units.missing]),
      [
        ["en", 0],
        ["es", 2],
      ],
    );
  });

  test("LOC10 a target that comes back finds its set, or is a document of its own", async () => {
    const set = await activate(ada.client, { document: { text: "One\n\nTwo" } });
    const source = `/documents/${set.source_document_id}`;
    const { document_id } = targetOf(set);
    assertStatus(
      await ada.client.put(`/documents/${document_id}/content`, markdown("Uno\n\nDos"), { ifMatch: "*" }),
      200,
    );
    assertStatus(await ada.client.delete(`${source}/localizations/es`), 200);
    const block = (await ada.client.get(`${source}/blocks`)).data[1];
    const change = { content: [{ type: "text", text: "Two changed" }] };
    assertStatus(await ada.client.patch(`${source}/blocks/${block.id}`, change), 200);
    const [entry] = (await ada.client.get("/trash")).data;
    assertStatus(await ada.client.post(`/trash/${entry.id}/restore`), 200);
    const units = (await ada.client.get(`${source}/translation-units`)).data;
    assert.deepEqual(
      units.map((unit: Loose) => [unit.source_text, unit.target_text, unit.freshness]),
      [
        ["One", "Uno", "current"],
        ["Two changed", "Dos", "source_changed"],
      ],
    );
    assertStatus(await ada.client.delete(`${source}/localizations/es`), 200);
    assertStatus(await ada.client.post(`${source}/localizations`, { locale: "es" }), 201);
    const [again] = (await ada.client.get("/trash")).data;
    assertStatus(await ada.client.post(`/trash/${again.id}/restore`), 200);
    const document = (await ada.client.get(`/documents/${document_id}`)).data;
    assert.deepEqual([document.document_set_id, document.locale, document.variant_role], [null, null, null]);
  });

  test("LOC11 decisions about a set are on record, newest first, in pages", async () => {
    const set = await activate(ada.client, { target_locales: ["es", "fr"] });
    const path = `/documents/${set.source_document_id}`;
    await ada.client.patch(`${path}/localizations/fr`, { title: "Guide" });
    await ada.client.patch(`${path}/localizations/fr`, { title: "Guide" });
    await ada.client.delete(`${path}/localizations/fr`);
    const first = await ada.client.get(`${path}/localization-audit?limit=3`);
    const second = await ada.client.get(
      `/documents/${targetOf(set).document_id}/localization-audit?limit=3&cursor=${first.body.page.next_cursor}`,
    );
    assert.deepEqual(
      [...first.data, ...second.data].map((entry: Loose) => [entry.action, entry.locale]),
      [
        ["delete_version", "fr"],
        ["change_version", "fr"],
        ["add_version", "fr"],
        ["add_version", "es"],
        ["activate", "en"],
      ],
    );
    assert.equal(second.body.page.has_more, false);
    assert.deepEqual(first.data[1].before, { title: "Title", workflow_status: "draft" });
    assert.equal(first.data[0].actor.user_id, ada.userId);
  });
});
