import assert from "node:assert/strict";
import { before, test } from "node:test";
import { assertStatus, type Loose } from "../../support/client.ts";
import { activate, makeDocument, markdown, upload } from "../../support/fixtures.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

onEachDatabase("language versions and the rest of the house", (world) => {
  let ada: Person;
  before(async () => {
    ada = await world.person();
  });

  test("LOC40 a link to svc://docset/… points to the set for as long as there is one", async () => {
    const set = await activate(ada.client);
    const { id } = await makeDocument(ada.client, { text: `See [the guide](${set.uri}).` });
    const relation = async () => (await ada.client.get(`/documents/${id}/relations`)).data[0];
    assert.deepEqual([(await relation()).target_uri, (await relation()).state], [set.uri, "ok"]);
    const source = `/documents/${set.source_document_id}`;
    assertStatus(await ada.client.delete(`${source}/localizations/es`), 200);
    assertStatus(await ada.client.post(`${source}/localization/deactivate`), 200);
    assert.equal((await relation()).state, "dangling_target_document");
  });

  test("LOC41 search finds sources by default, one language by its tag, and everything when asked", async () => {
    const { client } = ada;
    const set = await activate(client, { document: { text: "zebrafish" } });
    const target = set.variants[1].document_id;
    assertStatus(await client.put(`/documents/${target}/content`, markdown("zebrafish rayado"), { ifMatch: "*" }), 200);
    const found = async (query: string) =>
      (await client.get(`/search/v2?q=zebrafish${query}`)).data.map((hit: Loose) => hit.document_id).sort();
    assert.deepEqual(await found(""), [set.source_document_id]);
    assert.deepEqual(await found("&locale=es"), [target]);
    assert.deepEqual(await found("&locale=en"), [set.source_document_id]);
    assert.deepEqual(await found("&locale=all"), [set.source_document_id, target].sort());
  });

  test("LOC42 a version gets copies of the attachments that the source shows", async () => {
    const { client } = ada;
    const { id } = await makeDocument(client);
    const file = await upload(client, id);
    const document = {
      type: "doc",
      content: [
        { type: "paragraph", content: [{ type: "text", text: "Look" }] },
        { type: "image", attrs: { attachmentId: file.id } },
      ],
    };
    assertStatus(
      await client.put(`/documents/${id}/content`, { format: "tiptap-json", document }, { ifMatch: "*" }),
      200,
    );
    const activation = { source_locale: "en", target_locales: ["es"] };
    const set = assertStatus(await client.post(`/documents/${id}/localization/activate`, activation), 201).data;
    const target = set.variants[1].document_id;
    const blocks = (await client.get(`/documents/${target}/content`)).data.document.content;
    const { attachmentId } = blocks[1].attrs;
    assert.notEqual(attachmentId, file.id);
    const copy = (await client.get(`/documents/${target}/attachments`)).data;
    assert.deepEqual(
      copy.map((one: Loose) => [one.id, one.document_id, one.sha256]),
      [[attachmentId, target, file.sha256]],
    );
  });

  test("LOC43 a block that only found its unit under another id leaves no record", async () => {
    const { client } = ada;
    const set = await activate(client, { document: { text: "One\n\nTwo" } });
    const source = `/documents/${set.source_document_id}`;
    assertStatus(await client.put(`${source}/content`, markdown("One\n\nTwo"), { ifMatch: "*" }), 200);
    const actions = (await client.get(`${source}/localization-audit`)).data.map((record: Loose) => record.action);
    assert.deepEqual(actions, ["add_version", "activate"]);
  });

  test("writers of both sides at once leave every unit true to both", async () => {
    const { client } = ada;
    const names = Array.from({ length: 12 }, (_, i) => `Line ${i}`);
    const set = await activate(client, { document: { text: names.join("\n\n") }, target_locales: ["es", "fr"] });
    const [source, ...targets] = set.variants.map((variant: Loose) => `/documents/${variant.document_id}`);
    const write = async (path: string, words: string) => {
      const blocks = (await client.get(`${path}/blocks`)).data;
      const replies = blocks.map((block: Loose, i: number) =>
        client.patch(`${path}/blocks/${block.id}`, { content: [{ type: "text", text: `${words} ${i}` }] }),
      );
      for (const reply of await Promise.all(replies)) assertStatus(reply, 200);
    };
    await Promise.all([write(source, "Changed"), ...targets.map((path: string) => write(path, "Traducido"))]);
    const now = (await client.get(`/document-sets/${set.id}`)).data;
    for (const [index, variant] of now.variants.slice(1).entries()) {
      const units = (await client.get(`${targets[index]}/translation-units?limit=100`)).data;
      const count = (freshness: string) => units.filter((unit: Loose) => unit.freshness === freshness).length;
      assert.deepEqual(
        units.map((unit: Loose) => [unit.source_text, unit.target_text]),
        names.map((_, i) => [`Changed ${i}`, `Traducido ${i}`]),
      );
      assert.equal(count("current") + count("source_changed"), 12);
      assert.deepEqual(
        [variant.units.total, variant.units.current, variant.units.source_changed, variant.units.missing],
        [12, count("current"), count("source_changed"), 0],
      );
    }
    await write(source, "Line");
    const states = (await client.get(`${source}/translation-units?limit=100`)).data.map(
      (unit: Loose) => unit.freshness,
    );
    assert.ok(states.every((state: string) => state === "current" || state === "source_changed"));
  });
});
