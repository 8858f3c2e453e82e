import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { assertError, assertStatus, Client, type Loose } from "../support/client.ts";
import { activate, makeDocument, markdown } from "../support/fixtures.ts";
import { providerServer, type Reply } from "../support/provider-server.ts";
import { onEachDatabase, type Person } from "../support/world.ts";

const KEY = "secret-translation-key";
const languages = [
  { code: "en", targets: ["es", "fr"] },
  { code: "es", targets: ["en"] },
];
const spanish = (text: string): string => `es: ${text}`;
const texts = (q: string[]): Reply => ({ json: { translatedText: q.map(spanish) } });

/** A LibreTranslate that answers as the test says. */
let answer: (q: string[], count: number) => Reply = texts;
let asked = 0;
const provider = await providerServer((request) => {
  if (request.path.endsWith("/languages")) return { json: languages };
  return answer(JSON.parse(request.body).q, ++asked);
});
after(() => provider[Symbol.asyncDispose]());

const settings = {
  SVC_TRANSLATION_PROVIDER: "libretranslate",
  SVC_TRANSLATION_URL: provider.url,
  SVC_TRANSLATION_API_KEY: KEY,
  SVC_TRANSLATION_DAILY_CHARACTERS: "20000",
  SVC_TRANSLATION_PRICE: "20",
};

onEachDatabase(
  "translation jobs",
  (world) => {
    let ada: Person;
    before(async () => {
      ada = await world.person();
    });
    beforeEach(() => {
      answer = texts;
      asked = 0;
    });

    const setUp = async (text: string, fields: Loose = {}) => {
      const set = await activate(ada.client, { document: { text }, ...fields });
      const source = `/documents/${set.source_document_id}`;
      const target = `/documents/${set.variants[1].document_id}`;
      const units = async (): Promise<Loose[]> => (await ada.client.get(`${source}/translation-units?limit=100`)).data;
      const start = async (fields: Loose = {}): Promise<Loose> =>
        assertStatus(await ada.client.post(`${source}/translation-jobs`, { target_locale: "es", ...fields }), 202).data;
      const translated = async (fields: Loose = {}) => ended(await start(fields));
      const apply = async (job: Loose, fields: Loose = {}) =>
        ada.client.post(`/translation-jobs/${job.id}/apply`, fields, {
          ifMatch: (await ada.client.get(`${target}/content`)).etag!,
        });
      const write = async (path: string, index: number, content: Loose) => {
        const { id } = (await ada.client.get(`${path}/blocks`)).data[index];
        const nodes = typeof content === "string" ? [{ type: "text", text: content }] : content;
        assertStatus(await ada.client.patch(`${path}/blocks/${id}`, { content: nodes }), 200);
      };
      const shown = async () =>
        (await ada.client.get(`${target}/content?format=markdown`, { headers: { accept: "text/markdown" } })).text;
      return { set, source, target, units, start, translated, apply, write, shown };
    };

    const ended = async ({ id }: Loose): Promise<Loose> => {
      for (let i = 0; i < 800; i++) {
        const { data } = await ada.client.get(`/translation-jobs/${id}`);
        if (data.finished_at !== null) return data;
        await sleep(25);
      }
      throw new Error("The job did not end.");
    };
    const used = async (): Promise<number> =>
      (await ada.client.get("/me/quota")).data.machine_translation.used_characters;

    test("LOC24 a job is pending, ends succeeded with candidates and usage, and changes nothing by itself", async () => {
      const { source, target, units, start } = await setUp("# One\n\nTwo two");
      const before = [await used(), (await ada.client.get(target)).data.version] as const;
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
      assert.deepEqual([await used(), (await ada.client.get(target)).data.version], [before[0] + 10, before[1]]);
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

    test("LOC25 candidates are applied with the target's version, and the units are current", async () => {
      const { source, target, units, translated, apply, shown } = await setUp("# One\n\nTwo");
      const job = await translated();
      const path = `/translation-jobs/${job.id}/apply`;
      const missing = assertError(await ada.client.post(path, {}), "precondition_required");
      assert.equal(missing.field, "base_target_version");
      assertError(await ada.client.post(path, {}, { ifMatch: "sha256:old" }), "version_conflict");
      assertError(await ada.client.post(path, { base_target_version: "sha256:old" }), "version_conflict");
      assertError(await apply(job, { unit_ids: ["tu_unknown"] }), "not_found");
      const [first] = await units();
      const one = assertStatus(await apply(job, { unit_ids: [first!.id] }), 200);
      assert.deepEqual(one.data.applied, [{ unit_id: first!.id, target_block_id: first!.target_block_id }]);
      assert.deepEqual(one.data.changed_block_ids, [first!.target_block_id]);
      assert.equal(one.data.version, (await ada.client.get(target)).data.version);
      assert.equal(one.etag, one.data.version);
      const base = { base_target_version: one.data.version };
      const rest = assertStatus(await ada.client.post(path, base), 200);
      assert.equal(rest.data.applied.length, 2);
      assert.equal((await shown()).trim(), "# es: One\n\nes: Two");
      assert.deepEqual(
        (await units()).map((u) => [u.freshness, u.origin, u.candidate, u.review_status]),
        [
          ["current", "machine", null, "unreviewed"],
          ["current", "machine", null, "unreviewed"],
        ],
      );
      assert.equal((await ada.client.get(target)).data.translation_freshness, "current");
      const [version] = (await ada.client.get(`${target}/versions`)).data;
      assert.equal(version.reason, "translation");
      const actions = (await ada.client.get(`${source}/localization-audit`)).data.map((r: Loose) => r.action);
      assert.deepEqual(actions.slice(0, 3), ["apply", "apply", "create_job"]);
    });

    test("LOC26 marks, links, inline code and pictures of the source block come through", async () => {
      const { units, translated, apply, shown } = await setUp(
        "Press **the *red* button** or [read on](https://example.com/a) about `rm -rf` and $x^2$.",
      );
      const job = await translated();
      assert.equal(job.units[0].candidate.text, "es: Press the red button or read on about rm -rf and x^2.");
      assertStatus(await apply(job), 200);
      assert.equal(
        (await shown()).trim(),
        "es: Press **the *red* button** or [read on](https://example.com/a) about `rm -rf` and $x^2$.",
      );
      assert.equal((await units())[0]!.freshness, "current");
    });

    test("LOC27 a candidate that lost a placeholder is an error of its unit, the others are applied", async () => {
      answer = (q) => ({ json: { translatedText: q.map((text) => spanish(text.replace(/⟦\/?1⟧/, ""))) } });
      const { units, translated, apply } = await setUp("A **bold** word\n\nPlain words");
      const before = await used();
      const job = await translated();
      assert.deepEqual([job.status, ...job.units.map((u: Loose) => u.error)], ["succeeded", "placeholder_lost", null]);
      assert.deepEqual([job.input_characters, await used()], [11, before + 11]);
      const { data } = assertStatus(await apply(job), 200);
      assert.deepEqual(data.skipped, [{ unit_id: (await units())[0]!.id, reason: "no_candidate" }]);
      assert.deepEqual(
        (await units()).map((u) => [u.target_text, u.freshness]),
        [
          ["", "missing"],
          ["es: Plain words", "current"],
        ],
      );
    });

    test("LOC28 what a person has had a hand in stays as it is, and the answer says why", async () => {
      const { source, target, units, translated, apply, write } = await setUp("A a\n\nB b\n\nC c\n\nD d\n\nE e\n\nF f");
      assertStatus(await apply(await translated()), 200);
      const all = await units();
      const review = async (unit: Loose, review_status: string) =>
        assertStatus(
          await ada.client.patch(`${source}/translation-units/${unit.id}`, { review_status }, { ifMatch: "*" }),
          200,
        );
      await write(target, 0, "por mano");
      await review(all[1], "current");
      await write(target, 2, "conflicto");
      await write(source, 2, "C changed");
      await review(all[3], "ignored");
      await write(source, 4, "E changed");
      const job = await translated({ unit_ids: all.map((u) => u.id) });
      await write(source, 5, "F changed");
      const { data } = assertStatus(await apply(job), 200);
      assert.deepEqual(
        data.skipped.map((s: Loose) => [all.findIndex((u) => u.id === s.unit_id), s.reason]),
        [
          [0, "manual_edit"],
          [1, "confirmed"],
          [2, "conflict"],
          [3, "ignored"],
          [5, "no_candidate"],
        ],
      );
      assert.deepEqual(
        data.applied.map((s: Loose) => s.unit_id),
        [all[4]!.id],
      );
      assert.deepEqual(
        (await units()).map((u) => [u.target_text, u.freshness]),
        [
          ["por mano", "current"],
          ["es: B b", "current"],
          ["conflicto", "conflict"],
          ["es: D d", "current"],
          ["es: E changed", "current"],
          ["es: F f", "source_changed"],
        ],
      );
    });

    test("LOC29 without unit_ids the missing and the changed are done, those without a candidate first, a hundred at most", async () => {
      const { units, translated, source } = await setUp(
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
      const { units, start, apply, write, source } = await setUp("One\n\nTwo");
      answer = (q) => (response) =>
        void setTimeout(() => response.end(JSON.stringify((texts(q) as { json: unknown }).json)), 400);
      const job = await start();
      while (asked === 0) await sleep(10);
      await write(source, 1, "Changed");
      const end = await ended(job);
      assert.equal(end.status, "obsolete");
      assert.equal((await units())[0]!.candidate, null);
      assertError(await apply(job), "job_not_applicable");
    });

    test("LOC31 a provider that refuses, is away or talks nonsense fails the job, and the charge goes back", async () => {
      const outcomes: [Reply, string][] = [
        [{ status: 403, json: { error: `bad key ${KEY}` } }, "provider_refused"],
        [{ text: "<html>" }, "provider_nonsense"],
        [{ json: { translatedText: ["", ""] } }, "provider_nonsense"],
      ];
      const { start, apply } = await setUp("One\n\nTwo");
      for (const [reply, code] of outcomes) {
        answer = () => reply;
        const before = await used();
        const end = await ended(await start());
        assert.deepEqual([end.status, end.error?.code], ["failed", code]);
        assert.ok(!JSON.stringify(end).includes(KEY));
        assert.equal(await used(), before);
        assertError(await apply(end), "job_not_applicable");
      }
    });

    test("LOC32 a pair that the provider does not know fails the job", async () => {
      const { source } = await setUp("One", { target_locales: ["ja"] });
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

    test("LOC34 apply and an edit at once: one of them is 409", async () => {
      const { target, translated } = await setUp("One\n\nTwo");
      const job = await translated();
      for (let round = 0; round < 5; round++) {
        const { etag } = await ada.client.get(`${target}/content`);
        const replies = await Promise.all([
          ada.client.post(`/translation-jobs/${job.id}/apply`, {}, { ifMatch: etag! }),
          ada.client.put(`${target}/content`, markdown(`Edit ${round}\n\nMore`), { ifMatch: etag! }),
        ]);
        const conflicts = replies.filter((reply) => reply.status === 409);
        const noChange = replies[0]!.status === 200 && replies[0]!.data.version === etag;
        assert.ok(conflicts.length === 1 || noChange, JSON.stringify(replies.map((r) => r.status)));
        assert.deepEqual([200, 409].includes(replies[0]!.status), true);
      }
    });

    test("LOC35 blocks that the target does not have yet are made beside their neighbours", async () => {
      const { source, target, translated, apply, shown } = await setUp("# Head\n\n- a a\n- b b\n\nLast", {
        create_mode: "empty",
      });
      assertStatus(await apply(await translated()), 200);
      assert.equal((await shown()).trim(), "# es: Head\n\n- es: a a\n- es: b b\n\nes: Last");
      const blocks = (await ada.client.get(`${source}/blocks?recursive=true`)).data;
      const item = (text: string) => ({
        type: "listItem",
        content: [{ type: "paragraph", content: [{ type: "text", text }] }],
      });
      const list = blocks.find((b: Loose) => b.type === "bulletList");
      const second = blocks.filter((b: Loose) => b.type === "listItem")[1];
      const insert = async (position: Loose, node: Loose) =>
        assertStatus(await ada.client.post(`${source}/blocks`, { position, nodes: [node] }), 201);
      await insert({ before_block_id: second.id }, item("between"));
      await insert({ parent_block_id: list.id }, item("end"));
      await insert({ document_start: true }, { type: "paragraph", content: [{ type: "text", text: "Top" }] });
      await insert(
        { after_block_id: list.id },
        { type: "blockquote", content: [{ type: "paragraph", content: [{ type: "text", text: "quoted" }] }] },
      );
      const job = await translated();
      assert.equal(job.unit_count, 4);
      assertStatus(await apply(job), 200);
      assert.equal(
        (await shown()).replaceAll("es: ", "").trim(),
        "Top\n\n# Head\n\n- a a\n- between\n- b b\n- end\n\n> quoted\n\nLast",
      );
      assert.equal((await ada.client.get(target)).data.translation_freshness, "current");
    });

    test("LOC36 a job that runs survives a restart of the server", async () => {
      const { start, units } = await setUp("One");
      answer = (q, count) => (count === 1 ? () => undefined : texts(q));
      const job = await start();
      while (asked === 0) await sleep(10);
      await world.restart();
      ada = { ...ada, client: new Client(world.url, ada.token) };
      assert.equal((await ended(job)).status, "succeeded");
      assert.equal((await units())[0]!.candidate.text, "es: One");
    });
  },
  settings,
);

onEachDatabase("translation jobs without a provider", (world) => {
  test("LOC37 a job ends failed with provider_not_configured, and nothing is charged", async () => {
    const { client } = await world.person();
    const { source_document_id: id } = await activate(client);
    let job = assertStatus(await client.post(`/documents/${id}/translation-jobs`, { target_locale: "es" }), 202).data;
    for (let i = 0; job.finished_at === null && i < 200; i++) {
      await sleep(25);
      job = (await client.get(`/translation-jobs/${job.id}`)).data;
    }
    assert.deepEqual([job.status, job.error.code], ["failed", "provider_not_configured"]);
    assert.equal((await client.get("/me/quota")).data.machine_translation.used_characters, 0);
  });
});
