import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { defined } from "@svc/document/defined";
import { assertError, assertStatus, type Loose } from "../../support/client.ts";
import { markdown } from "../../support/fixtures.ts";
import { makeTranslation, spanish, startTranslator, usedCharacters } from "../../support/translations.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

const translator = await startTranslator();
after(translator.stop);

onEachDatabase(
  "candidates that are applied",
  (world) => {
    let ada: Person;
    before(async () => {
      ada = await world.person();
    });
    beforeEach(translator.reset);

    test("LOC25 candidates are applied with the target's version, and the units are current", async () => {
      const { source, target, units, translated, apply, shown } = await makeTranslation(ada.client, "# One\n\nTwo");
      const job = await translated();
      const path = `/translation-jobs/${job.id}/apply`;
      const missing = assertError(await ada.client.post(path, {}), "precondition_required");
      assert.equal(missing.field, "base_target_version");
      assertError(await ada.client.post(path, {}, { ifMatch: "sha256:old" }), "version_conflict");
      assertError(await ada.client.post(path, { base_target_version: "sha256:old" }), "version_conflict");
      assertError(await apply(job, { unit_ids: ["tu_unknown"] }), "not_found");
      const [first] = await units();
      const one = assertStatus(await apply(job, { unit_ids: [defined(first).id] }), 200);
      assert.deepEqual(one.data.applied, [
        { unit_id: defined(first).id, target_block_id: defined(first).target_block_id },
      ]);
      assert.deepEqual(one.data.changed_block_ids, [defined(first).target_block_id]);
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
      const { units, translated, apply, shown } = await makeTranslation(
        ada.client,
        "Press **the *red* button** or [read on](https://example.com/a) about `rm -rf` and $x^2$.",
      );
      const job = await translated();
      assert.equal(job.units[0].candidate.text, "es: Press the red button or read on about rm -rf and x^2.");
      assertStatus(await apply(job), 200);
      assert.equal(
        (await shown()).trim(),
        "es: Press **the *red* button** or [read on](https://example.com/a) about `rm -rf` and $x^2$.",
      );
      assert.equal(defined((await units())[0]).freshness, "current");
    });

    test("LOC27 a candidate that lost a placeholder is an error of its unit, the others are applied", async () => {
      translator.answer = (q) => ({ json: { translatedText: q.map((text) => spanish(text.replace(/⟦\/?1⟧/, ""))) } });
      const { units, translated, apply } = await makeTranslation(ada.client, "A **bold** word\n\nPlain words");
      const before = await usedCharacters(ada.client);
      const job = await translated();
      assert.deepEqual([job.status, ...job.units.map((u: Loose) => u.error)], ["succeeded", "placeholder_lost", null]);
      assert.deepEqual([job.input_characters, await usedCharacters(ada.client)], [11, before + 11]);
      const { data } = assertStatus(await apply(job), 200);
      assert.deepEqual(data.skipped, [{ unit_id: defined((await units())[0]).id, reason: "no_candidate" }]);
      assert.deepEqual(
        (await units()).map((u) => [u.target_text, u.freshness]),
        [
          ["", "missing"],
          ["es: Plain words", "current"],
        ],
      );
    });

    test("LOC28 what a person has had a hand in stays as it is, and the answer says why", async () => {
      const { source, target, units, translated, apply, write } = await makeTranslation(
        ada.client,
        "A a\n\nB b\n\nC c\n\nD d\n\nE e\n\nF f",
      );
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
        [defined(all[4]).id],
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

    test("LOC34 apply and an edit at once: one of them is 409", async () => {
      const { target, translated } = await makeTranslation(ada.client, "One\n\nTwo");
      const job = await translated();
      for (let round = 0; round < 5; round++) {
        const { etag } = await ada.client.get(`${target}/content`);
        const replies = await Promise.all([
          ada.client.post(`/translation-jobs/${job.id}/apply`, {}, { ifMatch: defined(etag) }),
          ada.client.put(`${target}/content`, markdown(`Edit ${round}\n\nMore`), { ifMatch: defined(etag) }),
        ]);
        const conflicts = replies.filter((reply) => reply.status === 409);
        const noChange = defined(replies[0]).status === 200 && defined(replies[0]).data.version === etag;
        assert.ok(conflicts.length === 1 || noChange, JSON.stringify(replies.map((r) => r.status)));
        assert.deepEqual([200, 409].includes(defined(replies[0]).status), true);
      }
    });

    test("LOC35 blocks that the target does not have yet are made beside their neighbours", async () => {
      const { source, target, translated, apply, shown } = await makeTranslation(
        ada.client,
        "# Head\n\n- a a\n- b b\n\nLast",
        {
          create_mode: "empty",
        },
      );
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
  },
  translator.settings,
);
