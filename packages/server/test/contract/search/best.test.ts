import assert from "node:assert/strict";
import { test } from "node:test";
import { assertError, assertStatus, type Loose } from "../../support/client.ts";
import { makeDocument, makeKnowledgeBase } from "../../support/fixtures.ts";
import { find, findBest } from "../../support/search.ts";
import { onEachDatabase } from "../../support/world.ts";

const texts = (reply: Loose): string[] =>
  reply.data.map(({ context }: Loose) => context.before + context.match + context.after);

const sumOf = (hit: Loose): number =>
  hit.explanation.terms.reduce((sum: number, { contribution }: Loose) => sum + contribution, 0);

const HANDBOOK = `Welcome to the handbook of the harbour.

# Ships

Every captain reports to the office before noon.

## Mooring

Mooring

Use two ropes on each side, and check them when the tide turns.

The fee is paid in advance.

# Cranes

Cranes are inspected monthly by the harbour master.
`;

onEachDatabase("the best hits of any of the words", (world) => {
  test("SRCH23 a question finds its answer, in all forms of its words, and says what is missing", async () => {
    const { client } = await world.person();
    await makeDocument(client, { title: "Harbour", text: HANDBOOK });
    const asked = "How often does the inspector inspect a crane nightly?";
    assert.equal((await find(client, asked)).hits.total, 0);
    const found = await findBest(client, asked);
    const [first] = found.data;
    assert.equal(texts(found)[0], "Cranes are inspected monthly by the harbour master.");
    assert.equal(first.context.match, "Cranes");
    assert.ok(first.missing.includes("nightly") && !first.missing.includes("crane"));
    assert.deepEqual(first.heading_path, ["Cranes"]);
    for (const hit of found.data) assert.ok(Math.abs(sumOf(hit) - hit.score) < 1e-9, JSON.stringify(hit.explanation));
    const fields = new Set(found.data.flatMap((hit: Loose) => hit.explanation.terms.map(({ field }: Loose) => field)));
    assert.ok(fields.has("heading") && fields.has("content"));
  });

  test("SRCH23 headings and fragments rank below the best text of their section", async () => {
    const { client } = await world.person();
    await makeDocument(client, { title: "Harbour", text: HANDBOOK });
    const shown = texts(await findBest(client, "mooring ropes"));
    assert.equal(shown[0], "Use two ropes on each side, and check them when the tide turns.");
    const under = texts(await findBest(client, "mooring fee"));
    assert.equal(under[0], "The fee is paid in advance.");
  });

  test("SRCH23 quoted words count as written; phrases, prefixes and exclusions are conditions", async () => {
    const { client } = await world.person();
    await makeDocument(client, {
      text: "The installer runs.\n\nInstallers are small programs.\n\nRun it more often.",
    });
    const total = async (q: string) => (await findBest(client, q)).hits.total;
    assert.equal(await total("installer"), 2);
    assert.equal(await total('"installer"'), 1);
    assert.equal(await total('"installer runs" small'), 1);
    assert.equal(await total("inst* small"), 2);
    assert.equal(await total("run small"), 3);
    assert.equal(await total("run small -programs"), 2);
    assert.deepEqual((await findBest(client, "nowhere")).data, []);
    assertError(await client.get("/search/v2?q=..."), "invalid_request");
  });

  test("SRCH23 totals are exact, whatever is counted", async () => {
    const { client } = await world.person();
    await makeDocument(client, { title: "Red", text: "red fox\n\nred\n\nfox den\n\nblue" });
    const { hits } = await findBest(client, "red fox");
    assert.deepEqual(hits, { total: 4, all_words: 1, documents: 1, content: 3, title: 1 });
  });

  test("SRCH23 pages follow one another without gaps, and `partial` means the same", async () => {
    const { client } = await world.person();
    const kb = await makeKnowledgeBase(client);
    for (let i = 0; i < 12; i++)
      await makeDocument(client, {
        title: `Page ${i}`,
        knowledge_base_id: kb.id,
        text: `# Fox ${i}\n\nA fox in the den.`,
      });
    const all = (await findBest(client, "fox den", "&limit=100")).data.map(({ block_id }: Loose) => block_id);
    const walked: string[] = [];
    for (let more = ""; ; ) {
      const { data, page } = await findBest(client, "fox den", `&partial=true&limit=7${more}`);
      walked.push(...data.map(({ block_id }: Loose) => block_id));
      if (!page.has_more) break;
      more = `&cursor=${page.next_cursor}`;
    }
    assert.deepEqual([walked.length, walked], [24, all]);
  });

  test("SRCH26 grouped by document: ten a page, the best three hits of each, and all of them once", async () => {
    const { client } = await world.person();
    const kb = await makeKnowledgeBase(client);
    for (let i = 0; i < 13; i++)
      await makeDocument(client, {
        title: `Page ${i}`,
        knowledge_base_id: kb.id,
        text: "fox one\n\nfox two\n\nfox three\n\nfox four",
      });
    const first = await findBest(client, "fox", "&group_by=document");
    assert.deepEqual([first.data.length, first.hits.total, first.hits.documents], [10, 52, 13]);
    for (const one of first.data) assert.deepEqual([one.hit_count, one.hits.length], [4, 3]);
    const rest = await findBest(client, "fox", `&group_by=document&cursor=${first.page.next_cursor}`);
    const ids = [...first.data, ...rest.data].map(({ document_id }: Loose) => document_id);
    assert.deepEqual([rest.data.length, new Set(ids).size, rest.page.has_more], [3, 13, false]);
    assertError(await client.get("/search/v2?q=fox&group_by=document&match=all"), "invalid_request");
  });

  test("SRCH23 an edited page is ranked by what it says now", async () => {
    const { client } = await world.person();
    const page = await makeDocument(client, { title: "Notes", text: "# Alpha\n\nThe answer is here for you to read." });
    const other = await makeDocument(client, {
      title: "Other",
      text: "# Gamma\n\nThe answer is here for you to read.",
    });
    const first = async () => (await findBest(client, "gamma answer")).data[0].document_id;
    assert.equal(await first(), other.id);
    const write = async (id: string, content: string) =>
      assertStatus(
        await client.put(`/documents/${id}/content`, { format: "markdown", content }, { ifMatch: "*" }),
        200,
      );
    await write(other.id, "# Delta\n\nThe answer is here for you to read.");
    await write(page.id, "# Gamma\n\nThe answer is here for you to read.");
    assert.equal(await first(), page.id);
  });
});
