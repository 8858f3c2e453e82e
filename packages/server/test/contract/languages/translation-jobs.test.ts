import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { defined } from "@svc/document/defined";
import { assertError, assertStatus, Client, type Loose } from "../../support/client.ts";
import { activate, makeDocument } from "../../support/fixtures.ts";
import { jobEnded } from "../../support/jobs.ts";
import type { Reply } from "../../support/provider-server.ts";
import { inSpanish, makeTranslation, startTranslator, usedCharacters } from "../../support/translations.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

const translator = await startTranslator();
after(translator.stop);

onEachDatabase(
  "translation jobs",
  (world) => {
    let ada: Person;
    before(async () => {
      ada = await world.person();
    });
    beforeEach(translator.reset);
    const ended = ({ id }: Loose): Promise<Loose> => jobEnded(ada.client, "translation-jobs", id);

    test("LOC24 a job is pending, ends succeeded with candidates and usage, and changes nothing by itself", async () => {
      const { source, target, units, start } = await makeTranslation(ada.client, "# One\n\nTwo two");
      const before = [await usedCharacters(ada.client), (await ada.client.get(target)).data.version] as const;
      const job = await start();
      assert.match(job.id, /^tjob_/);
      assert.deepEqual(
        [job.status, job.target_locale, job.unit_count, job.input_characters, job.provider],
        ["pending", "es", 2, 10, null],
      );
      assert.equal(source, `/documents/${job.document_id}`);
      const end = await ended(job);
      assert.deepEqual(
        [end.status, end.input_characters, end.output_characters, end.provider, end.error],
        ["succeeded", 10, 18, "libretranslate", null],
      );
      assert.deepEqual(end.estimated_cost, { amount: 0.0002, currency: "USD" });
      assert.deepEqual(
        end.units.map((u: Loose) => [u.candidate.text, u.error]),
        [
          ["es: One", null],
          ["es: Two two", null],
        ],
      );
      assert.deepEqual(
        [await usedCharacters(ada.client), (await ada.client.get(target)).data.version],
        [before[0] + 10, before[1]],
      );
      assert.deepEqual(
        (await units()).map((u) => [u.freshness, u.target_text, u.candidate.text, u.candidate.job_id]),
        [
          ["missing", "", "es: One", job.id],
          ["missing", "", "es: Two two", job.id],
        ],
      );
      const [record] = (await ada.client.get(`${source}/localization-audit`)).data;
      assert.deepEqual([record.action, record.after.job_id], ["create_job", job.id]);
    });

    test("LOC29 without unit_ids the missing and the changed are done, those without a candidate first, a hundred at most", async () => {
      const { units, translated, source } = await makeTranslation(
        ada.client,
        Array.from({ length: 130 }, (_, i) => `Word ${i}`).join("\n\n"),
      );
      const first = await translated();
      assert.equal(first.unit_count, 100);
      const second = await translated();
      assert.equal(second.unit_count, 100);
      const ids = new Set([...first.units, ...second.units].map((u: Loose) => u.unit_id));
      assert.equal(ids.size, 130);
      assert.deepEqual(
        first.units.map((u: Loose) => u.unit_id),
        (await units()).map((u) => u.id),
      );
      const path = `${source}/translation-jobs`;
      const post = (body: Loose) => ada.client.post(path, { target_locale: "es", ...body });
      assertError(await post({ unit_ids: Array.from({ length: 101 }, (_, i) => `tu_${i}`) }), "invalid_request");
      assertError(await post({ unit_ids: ["tu_unknown"] }), "not_found");
      assertError(await post({ unit_ids: ["tu_\0"] }), "invalid_request");
      assertError(await ada.client.post(path, { target_locale: "de" }), "not_found");
      assertError(await ada.client.post(path, { target_locale: "en" }), "not_found");
      const single = (await makeDocument(ada.client)).id;
      assertError(await ada.client.post(`/documents/${single}/translation-jobs`, { target_locale: "es" }), "not_found");
    });

    test("LOC30 a source that changes during the run makes the job obsolete; nothing of it can be applied", async () => {
      const { units, start, apply, write, source } = await makeTranslation(ada.client, "One\n\nTwo");
      const changed = Promise.withResolvers<void>();
      translator.answer = (q) => (response) =>
        void changed.promise.then(() => response.end(JSON.stringify(inSpanish(q).json)));
      const job = await start();
      while (translator.asked === 0) await sleep(10);
      await write(source, 1, "Changed");
      changed.resolve();
      const end = await ended(job);
      assert.equal(end.status, "obsolete");
      assert.equal(defined((await units())[0]).candidate, null);
      assertError(await apply(job), "job_not_applicable");
    });

    test("LOC31 a provider that refuses, is away or talks nonsense fails the job, and the charge goes back", async () => {
      const outcomes: [Reply, string][] = [
        [{ status: 403, json: { error: `bad key ${translator.key}` } }, "provider_refused"],
        [{ text: "<html>" }, "provider_nonsense"],
        [{ json: { translatedText: ["", ""] } }, "provider_nonsense"],
      ];
      const { start, apply } = await makeTranslation(ada.client, "One\n\nTwo");
      for (const [reply, code] of outcomes) {
        translator.answer = () => reply;
        const before = await usedCharacters(ada.client);
        const end = await ended(await start());
        assert.deepEqual([end.status, end.error?.code], ["failed", code]);
        assert.ok(!JSON.stringify(end).includes(translator.key));
        assert.equal(await usedCharacters(ada.client), before);
        assertError(await apply(end), "job_not_applicable");
      }
    });

    test("LOC32 a pair that the provider does not know fails the job", async () => {
      const { source } = await makeTranslation(ada.client, "One", { target_locales: ["ja"] });
      const reply = await ada.client.post(`${source}/translation-jobs`, { target_locale: "ja" });
      const end = await ended(assertStatus(reply, 202).data);
      assert.deepEqual([end.status, end.error.code], ["failed", "unsupported_pair"]);
    });

    test("LOC33 the day's characters are a quota: 429 until the next day, and nothing is charged", async () => {
      const eve = await world.person();
      const set = await activate(eve.client, { document: { text: "word ".repeat(3000) } });
      const path = `/documents/${set.source_document_id}/translation-jobs`;
      assertStatus(await eve.client.post(path, { target_locale: "es" }), 202);
      const refused = await eve.client.post(path, { target_locale: "es" });
      const details = assertError(refused, "translation_quota_exceeded");
      assert.deepEqual([details.limit, details.used, details.requested], [20000, 14999, 14999]);
      const wait = Number(refused.headers.get("retry-after"));
      assert.ok(wait > 0 && wait <= 86400);
      const quota = (await eve.client.get("/me/quota")).data.machine_translation;
      assert.deepEqual([quota.used_characters, quota.limit_characters], [14999, 20000]);
    });

    test("LOC36 a job that runs survives a restart of the server", async () => {
      const { start, source } = await makeTranslation(ada.client, "One");
      translator.answer = (q, count) => (count === 1 ? () => undefined : inSpanish(q));
      const job = await start();
      while (translator.asked === 0) await sleep(10);
      await world.restart();
      ada = { ...ada, client: new Client(world.url, ada.token) };
      assert.equal((await ended(job)).status, "succeeded");
      const [unit] = (await ada.client.get(`${source}/translation-units`)).data;
      assert.equal(unit.candidate.text, "es: One");
    });
  },
  translator.settings,
);

onEachDatabase("translation jobs without a provider", (world) => {
  test("LOC37 a job ends failed with provider_not_configured, and nothing is charged", async () => {
    const { client } = await world.person();
    const job = await (await makeTranslation(client, "One")).translated();
    assert.deepEqual([job.status, job.error.code], ["failed", "provider_not_configured"]);
    assert.equal(await usedCharacters(client), 0);
  });
});
