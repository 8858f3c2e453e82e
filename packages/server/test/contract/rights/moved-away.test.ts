import assert from "node:assert/strict";
import { before, test } from "node:test";
import { exportOf, unzipped } from "../../support/archives.ts";
import { assertError, assertStatus, type Loose } from "../../support/client.ts";
import { makeConcept, makeDocument, makeFolder, makeKnowledgeBase } from "../../support/fixtures.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

onEachDatabase("what was moved into a private knowledge base", (world) => {
  let owner: Person;
  let editor: Person;
  let hidden: Loose;
  before(async () => {
    owner = await world.person();
    editor = await world.person({ workspace: owner.workspaceId, role: "editor" });
    hidden = await makeKnowledgeBase(owner.client, "Hidden");
    const access = { default_role: "none", members: [], groups: [] };
    assertStatus(await owner.client.put(`/knowledge-bases/${hidden.id}/access`, access, { ifMatch: "*" }), 200);
  });

  const move = async (id: string, knowledge_base_id: number) =>
    assertStatus(await owner.client.patch(`/documents/${id}`, { knowledge_base_id, folder_id: null }), 200).data;

  /** A source with versions in these languages. */
  async function makeSource(place: Loose, target_locales: readonly string[]) {
    const source = await makeDocument(owner.client, { text: "A\n", ...place });
    const body = { source_locale: "en", target_locales, create_mode: "copy_content" };
    const { data } = assertStatus(await owner.client.post(`/documents/${source.id}/localization/activate`, body), 201);
    const idOf = (locale: string): string =>
      data.variants.find((variant: Loose) => variant.locale === locale).document_id;
    return { source, idOf };
  }

  test("RIGHT5 a source whose translation is hidden is not deleted, and the refusal names what is seen alone", async () => {
    const base = await makeKnowledgeBase(owner.client);
    const folder = await makeFolder(owner.client, { knowledge_base_id: base.id });
    const { source, idOf } = await makeSource({ knowledge_base_id: base.id, folder_id: folder.id }, ["de", "fr"]);
    const elsewhere = await makeKnowledgeBase(owner.client);
    await move(idOf("de"), hidden.id);
    await move(idOf("fr"), elsewhere.id);
    const { client } = editor;
    const refuse = async (...named: string[]) => {
      const confirm_id = base.confirm_id;
      for (const reply of [
        await client.delete(`/documents/${source.id}`),
        await client.delete(`/folders/${folder.id}`),
        await client.delete(`/knowledge-bases/${base.id}`, { confirm_id }),
      ]) {
        const { document_ids } = assertError(reply, "localization_has_targets");
        assert.ok(!reply.text.includes(idOf("de")), reply.text);
        assert.deepEqual(document_ids, named);
      }
      assertStatus(await client.get(`/documents/${source.id}`), 200);
    };
    await refuse(idOf("fr"));
    assertStatus(await client.delete(`/documents/${idOf("fr")}`), 200);
    await refuse();
    const told = assertError(await owner.client.delete(`/documents/${source.id}`), "localization_has_targets");
    assert.deepEqual(told.document_ids, [idOf("de")]);
  });

  test("RIGHT5 a candidate whose source is hidden is not there: in no list, and 404 to decide about", async () => {
    const base = await makeKnowledgeBase(owner.client);
    const { id } = await makeDocument(owner.client, { knowledge_base_id: base.id, title: "Plutonium" });
    await owner.client.post("/concept-candidates/extract", { knowledge_base_id: base.id });
    const list = async ({ client }: Person) =>
      assertStatus(await client.get(`/concept-candidates?knowledge_base_id=${base.id}`), 200).data;
    const [candidate] = await list(editor);
    assert.equal(candidate.source_document_id, id);
    await move(id, hidden.id);
    assert.deepEqual(await list(editor), []);
    const any = { ifMatch: "*" };
    for (const verb of ["accept", "reject", "reopen"])
      assertError(await editor.client.post(`/concept-candidates/${candidate.id}/${verb}`, undefined, any), "not_found");
    assert.deepEqual(
      (await list(owner)).map((row: Loose) => [row.status, row.freshness]),
      [["pending", "stale"]],
    );
  });

  test("RIGHT5 a candidate that became a name of a hidden concept does not tell which one", async () => {
    const base = await makeKnowledgeBase(owner.client);
    await makeDocument(owner.client, { knowledge_base_id: base.id, title: "Polonium" });
    await owner.client.post("/concept-candidates/extract", { knowledge_base_id: base.id });
    const concept = await makeConcept(owner.client, { knowledge_base_id: hidden.id });
    const list = async ({ client }: Person) =>
      assertStatus(await client.get(`/concept-candidates?knowledge_base_id=${base.id}`), 200).data;
    const [{ id }] = await list(owner);
    const any = { ifMatch: "*" };
    const path = `/concept-candidates/${id}`;
    assertStatus(await owner.client.post(`${path}/accept`, { concept_id: concept.id }, any), 200);
    const told = async (person: Person) => {
      const [row] = await list(person);
      const details = assertError(await person.client.post(`${path}/reopen`, undefined, any), "candidate_decided");
      return [row.status, row.concept_id, details.concept_id];
    };
    assert.deepEqual(await told(owner), ["accepted", concept.id, concept.id]);
    assert.deepEqual(await told(editor), ["accepted", null, null]);
  });

  test("RIGHT5 a canonical document and the source of a translation are not told where they are hidden", async () => {
    const base = await makeKnowledgeBase(owner.client);
    const place = { knowledge_base_id: base.id };
    const { source, idOf } = await makeSource(place, ["de"]);
    const concept = await makeConcept(owner.client, { ...place, canonical_document_id: source.id });
    const target = idOf("de");
    const seenBy = async ({ client }: Person) => {
      const changed = assertStatus(await client.patch(`/documents/${target}`, { heading_numbered: true }), 200);
      const listed = assertStatus(
        await client.get(`/documents?include_variants=true&knowledge_base_id=${base.id}`),
        200,
      );
      const documents = [
        (await client.get(`/documents/${target}`)).data,
        changed.data,
        listed.data.find((row: Loose) => row.id === target),
      ];
      const concepts = [
        (await client.get(`/concepts/${concept.id}`)).data,
        ...(await client.get(`/concepts?knowledge_base_id=${base.id}`)).data,
      ];
      const told = [
        ...documents.flatMap((row) => [row.translated_from_document_id, row.translated_from_version]),
        ...concepts.map((row) => row.canonical_document_id),
      ];
      return new Set(told);
    };
    const all = new Set([source.id, source.version]);
    assert.deepEqual(await seenBy(editor), all);
    await move(source.id, hidden.id);
    assert.deepEqual(await seenBy(editor), new Set([null]));
    assert.deepEqual(await seenBy(owner), all);
    const path = `/concepts/${concept.id}`;
    const archive = await (await exportOf(world, editor, base.id)).arrayBuffer();
    for (const [name, content] of unzipped(Buffer.from(archive)))
      assert.ok(!content.toString().includes(source.id), name);
    assertStatus(await owner.client.patch(path, { canonical_document_id: null }, { ifMatch: "*" }), 200);
    assert.ok(!(await editor.client.get(`${path}/history`)).text.includes(source.id));
  });
});
