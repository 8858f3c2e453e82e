import assert from "node:assert/strict";
import { before, test } from "node:test";
import { makeDocument } from "../../server/test/support/fixtures.ts";
import { onEachDatabase } from "../../server/test/support/world.ts";
import { Agent } from "./support/agent.ts";

onEachDatabase("MCP answers that leave nothing to guess", (world) => {
  let agent: Agent;
  before(async () => {
    const { client, token } = await world.person();
    agent = await Agent.connect(world.url, token);
    const { id } = await makeDocument(client, { title: "Oven", text: "# Rota\n\nThe oven is hot.\n" });
    await client.put(`/documents/${id}/properties`, { source: "tags: [ops]\n" }, { ifMatch: "*" });
  });

  test("MCP16 what is missing is called missing, and where a version comes from is said", async () => {
    const text = await agent.refused("invalid_arguments", "write_document", { document_id: "Oven", markdown: "x" });
    assert.match(text, /^- base_version: is missing; expected: string$/m);
    assert.match(text, /^Next: read .* with the version/m);
    assert.doesNotMatch(text, /undefined/);
  });

  test("MCP16 a call that would change nothing is told in the words of the tool", async () => {
    const edit = await agent.refused("invalid_arguments", "edit_markdown", { document_id: "Oven", new: " " });
    assert.match(edit, /old and new are empty/);
    for (const given of [
      { action: "change_document", document_id: "Oven" },
      { action: "change_document", document_id: "Oven", name: null },
    ])
      assert.match(
        await agent.refused("invalid_arguments", "organize", given),
        /without name, in or order changes nothing/,
      );
  });

  test("MCP20 a search by properties and time says when it is the filter that leaves nothing", async () => {
    const found = async (given: object) => (await agent.ok("search", { query: "oven", ...given })).text;
    assert.match(await found({ properties: { tags: "ops" } }), /The oven is hot/);
    assert.match(await found({ filter: { tags: "ops" }, updated_since: "7d" }), /The oven is hot/);
    assert.match(await found({ properties: { tags: "none" } }), /with these filters; without them there are 2 hits/);
    assert.match(await found({ query: "kiln", properties: { tags: "none" } }), /with these filters or without/);
    const text = await agent.refused("invalid_arguments", "search", { query: "oven", updated_since: "2026-02-30" });
    assert.match(text, /2d/);
  });

  test("MCP32 a name that nobody kept is told from a time", async () => {
    assert.match((await agent.ok("get_changes", { since: "last week" })).text, /changed since/);
    const { text } = await agent.ok("get_changes", { since: "yesterdayish" });
    assert.match(text, /No visit is kept as yesterdayish yet: it begins now.* 1d, 2h or a date/);
  });
});
