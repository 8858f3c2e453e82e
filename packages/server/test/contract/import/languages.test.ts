import assert from "node:assert/strict";
import { test } from "node:test";
import { defined } from "@svc/document/defined";
import { exported, imported, withManifest } from "../../support/archives.ts";
import { blockIds } from "../../support/bodies.ts";
import { assertError, assertStatus, type Client, type Loose } from "../../support/client.ts";
import { makeDocument, makeKnowledgeBase } from "../../support/fixtures.ts";
import { onEachDatabase } from "../../support/world.ts";

/** The languages of the documents of a knowledge base, and the times of all of them; without ids and versions. */
async function languagesOf(client: Client, id: number): Promise<unknown> {
  const documents: Loose[] = (await client.get(`/documents?knowledge_base_id=${id}&include_variants=true`)).data;
  const titles = new Map(documents.map((document) => [document.id, document.title]));
  const pictures = documents.map(async (document) => {
    const { title, created_at, updated_at, locale, variant_role, workflow_status, translation_freshness } = document;
    const source = titles.get(document.translated_from_document_id) ?? null;
    const from = documents.find((one) => one.id === document.translated_from_document_id);
    const isCurrent = from?.version === document.translated_from_version;
    const own = {
      title,
      created_at,
      updated_at,
      locale,
      variant_role,
      workflow_status,
      translation_freshness,
      source,
      isCurrent,
    };
    if (variant_role !== "source") return own;
    const { fallback_locale, variants } = (await client.get(`/documents/${document.id}/localizations`)).data;
    const units: Loose[] = (await client.get(`/documents/${document.id}/translation-units?limit=100`)).data;
    const unitOf = ({ source_text, target_text, freshness, origin, review_status }: Loose) => ({
      source_text,
      target_text,
      freshness,
      origin,
      review_status,
    });
    return {
      ...own,
      fallback_locale,
      variants: variants.map(({ units: counts }: Loose) => counts),
      units: units.map(unitOf),
    };
  });
  return (await Promise.all(pictures)).sort((a, b) => (a.title < b.title ? -1 : 1));
}

/** A document in three languages, with units of every freshness. */
async function makeLanguages(client: Client, base: number): Promise<void> {
  const text = "One\n\nTwo\n\nThree\n\nFour\n\nFive\n\nSix";
  const { id } = await makeDocument(client, { knowledge_base_id: base, title: "Numbers", text });
  const wanted = { source_locale: "en", target_locales: ["es", "de"], fallback_locale: "es" };
  const { data } = await client.post(`/documents/${id}/localization/activate`, wanted);
  const target = data.variants.find((variant: Loose) => variant.locale === "es").document_id;
  assertStatus(
    await client.patch(`/documents/${id}/localizations/es`, { title: "Números", workflow_status: "in_review" }),
    200,
  );
  assertStatus(await client.patch(`/documents/${id}/localizations/de`, { title: "Zahlen" }), 200);
  const write = async (document: string, index: number, words: string) =>
    client.patch(`/documents/${document}/blocks/${(await blockIds(client, document))[index]}`, {
      content: [{ type: "text", text: words }],
    });
  for (const [index, words] of ["Uno", "Dos", "Tres", "Cuatro", "Cinco"].entries()) await write(target, index, words);
  await write(id, 1, "Two!");
  await write(id, 2, "Three!");
  await write(target, 2, "¡Tres!");
  assertStatus(await client.delete(`/documents/${id}/blocks/${(await blockIds(client, id))[3]}`), 200);
  const last = (await client.get(`/documents/${id}/translation-units?locale=es&limit=100`)).data.find(
    (unit: Loose) => unit.source_text === "Six",
  );
  const { etag } = await client.get(`/documents/${target}/content`);
  const review = { review_status: "ignored" };
  assertStatus(
    await client.patch(`/documents/${id}/translation-units/${last.id}`, review, { ifMatch: defined(etag) }),
    200,
  );
}

onEachDatabase("import of languages", (world) => {
  test("EXP8 IMP6 language versions, the state of every unit, and the times of documents come along", async () => {
    const ada = await world.person();
    const base = await makeKnowledgeBase(ada.client, "Languages");
    await makeLanguages(ada.client, base.id);
    await makeDocument(ada.client, { knowledge_base_id: base.id, title: "Alone" });
    const archive = await exported(world, ada, base.id);
    const eve = await world.person();
    const job = await imported(eve.client, archive);
    assert.equal(job.status, "succeeded", JSON.stringify(job));
    assert.deepEqual(job.warnings, []);
    const before = (await languagesOf(ada.client, base.id)) as Loose[];
    assert.deepEqual(
      new Set(before.flatMap(({ units = [] }) => units.map((unit: Loose) => unit.freshness))),
      new Set(["current", "source_changed", "conflict", "missing", "orphaned"]),
    );
    assert.deepEqual(await languagesOf(eve.client, job.knowledge_base_id), before);
    const source = (await eve.client.get(`/documents?knowledge_base_id=${job.knowledge_base_id}&locale=en`)).data[0];
    assertError(await eve.client.delete(`/documents/${source.id}`), "localization_has_targets");
  });

  test("IMP6 a translation without its source becomes an ordinary document; what cannot be is refused", async () => {
    const ada = await world.person();
    const base = await makeKnowledgeBase(ada.client, "Languages");
    await makeLanguages(ada.client, base.id);
    const archive = await exported(world, ada, base.id);
    const outcome = async (change: (manifest: Loose) => void) =>
      imported(ada.client, await withManifest(archive, change));
    const alone = await outcome(({ documents }) => {
      documents.splice(
        documents.findIndex((line: Loose) => line.variant_role === "source"),
        1,
      );
    });
    assert.equal(alone.status, "succeeded", JSON.stringify(alone));
    assert.match(alone.warnings.join(), /the language of 2 documents/);
    const left: Loose[] = (await ada.client.get(`/documents?knowledge_base_id=${alone.knowledge_base_id}`)).data;
    assert.deepEqual(
      left.map(({ locale, document_set_id }) => [locale, document_set_id]),
      [
        [null, null],
        [null, null],
      ],
    );
    const later = await outcome(({ documents }) => {
      for (const line of documents) line.created_at = 8e15;
    });
    const made: Loose[] = (await ada.client.get(`/documents?knowledge_base_id=${later.knowledge_base_id}`)).data;
    assert.ok(made.length > 0 && made.every(({ created_at }) => created_at <= Date.now()));
    const wrong: readonly ((line: Loose) => void)[] = [
      (line) => (line.locale = "not a language"),
      (line) => (line.locale = "en"),
      (line) => (line.variant_role = "source"),
      (line) => (line.workflow_status = "unknown"),
      (line) => (line.created_at = -1),
      (line) => (line.translation_units[0].freshness = "fresh"),
    ];
    for (const change of wrong) {
      const job = await outcome(({ documents }) =>
        change(documents.find((line: Loose) => line.variant_role === "target")),
      );
      assert.equal(job.error?.code, "invalid_archive", JSON.stringify(job));
    }
  });
});
