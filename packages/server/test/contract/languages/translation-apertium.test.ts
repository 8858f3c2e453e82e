import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { defined } from "@svc/document/defined";
import { assertStatus, type Loose } from "../../support/client.ts";
import { type ApertiumPeer, requireApertiumService, startApertium } from "../../support/peers/apertium.ts";
import { makeTranslation } from "../../support/translations.ts";
import { onEachDatabase } from "../../support/world.ts";

const needed = requireApertiumService();
let peer: ApertiumPeer | undefined = needed.skip === false ? await startApertium() : undefined;
after(async () => {
  await peer?.stop();
  peer = undefined;
});

const settings: Record<string, string> = peer
  ? { SVC_TRANSLATION_PROVIDER: "apertium", SVC_TRANSLATION_URL: peer.url }
  : {};

const text = `# The house

The **red** house is big. Read [the book](https://example.com/book).

- The cat drinks water.
- Use \`npm start\` every day.

\`\`\`sh
npm start
\`\`\`

| The day | The night |
| --- | --- |
| The sun | The moon |

The end.
`;

onEachDatabase(
  "an English document in Spanish",
  (world) => {
    let client: Loose;
    before(async () => {
      ({ client } = await world.person());
    });

    test(
      "LOC38 candidates of the real engine, reviewed, applied; then exactly the changed units are source_changed",
      needed,
      async () => {
        const { source, target, units, translated, shown } = await makeTranslation(client, text);
        const job = await translated();
        assert.deepEqual([job.status, job.provider, job.error], ["succeeded", "apertium", null]);
        assert.deepEqual(
          job.units.map((unit: Loose) => unit.error),
          job.units.map(() => null),
        );
        const candidates = new Map((await units()).map((u) => [u.source_text, u.candidate.text]));
        assert.equal(candidates.get("The house"), "La casa");
        assert.match(defined(candidates.get("The red house is big. Read the book.")), /roj[oa].*libro/);
        assert.match(defined(candidates.get("Use npm start every day.")), /npm start/);

        const [title, , , , , , , , end] = await units();
        const review = (unit: Loose, review_status: string) =>
          client.patch(`${source}/translation-units/${unit.id}`, { review_status }, { ifMatch: "*" });
        assertStatus(await review(end, "ignored"), 200);
        const base_target_version = (await client.get(target)).data.version;
        const applied = assertStatus(
          await client.post(`/translation-jobs/${job.id}/apply`, { base_target_version }),
          200,
        ).data;
        assert.deepEqual(applied.skipped, [{ unit_id: defined(end).id, reason: "ignored" }]);
        assert.equal(applied.applied.length, 8);
        const spanish = await shown();
        assert.match(spanish, /^# La casa\n/);
        assert.match(spanish, /\*\*roj[oa]\*\*/);
        assert.match(spanish, /\[[^\]]*libro\]\(https:\/\/example\.com\/book\)/);
        assert.match(spanish, /`npm start`/);
        assert.match(spanish, /```sh\nnpm start\n```/);
        assert.match(spanish, /El sol/);
        assert.equal((await client.get(target)).data.translation_freshness, "current");

        assertStatus(await review(title, "current"), 200);
        const cell = defined((await units()).find((u) => u.source_text === "The sun"));
        const paragraph = defined((await units()).find((u) => u.source_text.startsWith("The red")));
        const change = (unit: Loose, words: string) =>
          client.patch(`${source}/blocks/${unit.source_block_id}`, { content: [{ type: "text", text: words }] });
        assertStatus(await change(cell, "The star"), 200);
        assertStatus(await change(paragraph, "The green house is small."), 200);
        assert.deepEqual(
          (await units())
            .filter((u) => u.freshness !== "current" && u.id !== defined(end).id)
            .map((u) => [u.id, u.freshness]),
          [
            [paragraph.id, "source_changed"],
            [cell.id, "source_changed"],
          ],
        );
        assert.equal((await client.get(target)).data.translation_freshness, "source_changed");
        const actions = new Set(
          (await client.get(`${source}/localization-audit?limit=100`)).data.map((r: Loose) => r.action),
        );
        assert.deepEqual([...actions].sort(), [
          "activate",
          "add_version",
          "apply",
          "create_job",
          "edit_source",
          "review",
        ]);
      },
    );
  },
  settings,
);
