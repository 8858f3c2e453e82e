import assert from "node:assert/strict";
import { test } from "node:test";
import { prompts } from "@svc/mcp/prompts";
import { makeConcept, makeDocument, makeKnowledgeBase } from "../../server/test/support/fixtures.ts";
import { onEachDatabase } from "../../server/test/support/world.ts";
import { Agent } from "./support/agent.ts";

const textOf = async (agent: Agent, uri: string): Promise<string> => {
  const [content] = (await agent.client.readResource({ uri })).contents as { uri: string; text: string }[];
  assert.equal(content?.uri, uri);
  return content?.text ?? "";
};

onEachDatabase("MCP resources", (world) => {
  test("MCP40 documents are listed page by page, the last changed first, and read as Markdown", async () => {
    const { client, token } = await world.person();
    const { id: knowledge_base_id } = await makeKnowledgeBase(client);
    const made = [];
    for (let number = 0; number < 52; number++)
      made.push(await makeDocument(client, { knowledge_base_id, title: `Number ${number}` }));
    const agent = await Agent.connect(world.url, token);
    const first = await agent.client.request({ method: "resources/list", params: {} });
    assert.equal(first.resources.length, 50);
    assert.equal(first.resources[0]?.name, "Number 51");
    assert.equal(first.resources[0]?.uri, made[51].uri);
    assert.equal(first.resources[0]?.mimeType, "text/markdown");
    const second = await agent.client.request({ method: "resources/list", params: { cursor: first.nextCursor } });
    assert.deepEqual(
      second.resources.map(({ name }) => name),
      ["Number 1", "Number 0"],
    );
    assert.equal(second.nextCursor, undefined);
    assert.equal(await textOf(agent, made[0].uri), "# One\n\nTwo\n");
    await assert.rejects(agent.client.request({ method: "resources/list", params: { cursor: "x" } }), /invalid_cursor/);
  });

  test("MCP41 blocks and concepts are read by their address", async () => {
    const { client, token } = await world.person();
    const document = await makeDocument(client);
    const concept = await makeConcept(client, { name: "Retry", description: "Doing it again." });
    const [, block] = (await client.get(`/documents/${document.id}/blocks`)).data;
    const agent = await Agent.connect(world.url, token);
    const { resourceTemplates } = await agent.client.listResourceTemplates();
    assert.deepEqual(
      resourceTemplates.map(({ uriTemplate }) => uriTemplate),
      ["svc://doc/{document_id}", "svc://doc/{document_id}#block={block_id}", "svc://concept/{concept_id}"],
    );
    assert.equal((await textOf(agent, `${document.uri}#block=${block.id}`)).trim(), "Two");
    assert.match(await textOf(agent, concept.uri), /\*\*Retry\*\*[\s\S]*Doing it again\./);
  });

  test("MCP42 what cannot be seen, or is no address of ours, is not found", async () => {
    const hidden = await makeDocument((await world.person()).client);
    const agent = await Agent.connect(world.url, (await world.person()).token);
    for (const uri of [hidden.uri, "svc://doc/doc_1", "svc://doc/", "svc://doc/../me", "https://example.com/", "x"])
      await assert.rejects(agent.client.readResource({ uri }), /not found/i, uri);
  });

  test("MCP42 a token without the scope is told so", async () => {
    const agent = await Agent.connect(world.url, (await world.person({ scopes: ["concepts:read"] })).token);
    await assert.rejects(agent.client.request({ method: "resources/list", params: {} }), /insufficient_scope/);
  });
});

onEachDatabase("MCP prompts", (world) => {
  test("MCP43 prompts are listed and filled in; a missing argument is named", async () => {
    const agent = await Agent.connect(world.url, (await world.person()).token);
    const listed = await agent.client.listPrompts();
    assert.deepEqual(
      listed.prompts.map(({ name }) => name),
      prompts.map(({ name }) => name),
    );
    const { messages } = await agent.client.getPrompt({
      name: "answer_from_documents",
      arguments: { question: "Who decides?" },
    });
    assert.match(JSON.stringify(messages), /Who decides\?/);
    await assert.rejects(agent.client.getPrompt({ name: "catch_up", arguments: {} }), /needs since/);
  });
});
