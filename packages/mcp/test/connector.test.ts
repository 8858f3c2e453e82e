import assert from "node:assert/strict";
import { test } from "node:test";
import * as z from "zod";
import { makeDocument, makeKnowledgeBase, upload } from "../../server/test/support/fixtures.ts";
import { until } from "../../server/test/support/until.ts";
import { onEachDatabase } from "../../server/test/support/world.ts";
import { Agent } from "./support/agent.ts";

/** The shapes that connectors of ChatGPT prescribe. */
const Results = z.strictObject({
  results: z.array(z.strictObject({ id: z.string(), title: z.string(), url: z.url() })),
});
const Fetched = z.strictObject({
  id: z.string(),
  title: z.string(),
  text: z.string(),
  url: z.url(),
  metadata: z.record(z.string(), z.string()),
});

onEachDatabase("MCP for connectors", (world) => {
  test("MCP60 a connector has search and fetch alone, in the prescribed shapes", async () => {
    const person = await world.person();
    const base = await makeKnowledgeBase(person.client, "Zoo");
    const text = "# Birds\n\nThe penguin swims.\n\nEvery penguin eats fish.\n";
    const page = await makeDocument(person.client, { title: "Penguins", knowledge_base_id: base.id, text });
    const file = await upload(person.client, page.id, "A penguin in a file.\n", "notes.txt");
    await until("the file has been read", async () => {
      const { data } = await person.client.get(`/attachments/${file.id}/text`);
      return data.text_status === "ready";
    });
    const agent = await Agent.connect(world.url, person.token, {}, "?tools=connector");
    assert.deepEqual(await agent.toolNames(), ["search", "fetch"]);
    const found = await agent.raw("search", { query: "Where do penguins swim?" });
    const { results } = Results.parse(JSON.parse(found.text));
    assert.deepEqual(found.data, { results });
    assert.deepEqual(
      results.map(({ id, title }) => [id, title]).sort(),
      [
        [file.id, "notes.txt (Penguins)"],
        [page.id, "Penguins"],
      ].sort(),
    );
    for (const { id } of results) {
      const fetched = Fetched.parse(JSON.parse((await agent.raw("fetch", { id })).text));
      assert.equal(fetched.id, id);
      assert.match(fetched.text, /penguin/);
      assert.ok(fetched.url.startsWith(world.url), fetched.url);
    }
    const whole = Fetched.parse(JSON.parse((await agent.raw("fetch", { id: page.id })).text));
    assert.equal(whole.text, text);
    assert.equal(whole.metadata.path, "Zoo / Penguins");
  });

  test("MCP60 nothing to search for gives no results, and pages of others are not found", async () => {
    const person = await world.person();
    const agent = await Agent.connect(world.url, person.token, {}, "?tools=connector");
    for (const query of ["", "🙂", "zxqv", "?".repeat(2000)])
      assert.deepEqual(JSON.parse((await agent.raw("search", { query })).text), { results: [] });
    const other = await makeDocument((await world.person()).client);
    await agent.refused("not_found", "fetch", { id: other.id });
    const names = await (await Agent.connect(world.url, person.token)).toolNames();
    assert.ok(!names.includes("fetch"));
  });
});
