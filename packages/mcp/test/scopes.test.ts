import assert from "node:assert/strict";
import { test } from "node:test";
import { defined } from "@svc/document/defined";
import { predicates, statedPredicates } from "@svc/mcp/predicates";
import { describeTool } from "@svc/mcp/tool";
import { DEFAULT_SETS } from "@svc/mcp/tool-sets";
import { tools } from "@svc/mcp/tools/index";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { makeDocument, makeKnowledgeBase } from "../../server/test/support/fixtures.ts";
import { onEachDatabase } from "../../server/test/support/world.ts";
import { Agent } from "./support/agent.ts";

/** They change nothing of a document. */
const discussing = ["comment", "change_comment", "withdraw_suggestion", "mark_notifications", "watch"];
const reading = tools.filter((tool) => tool.readOnly).map(({ name }) => name);

onEachDatabase("MCP rights", (world) => {
  test("MCP10 a token that may do everything sees every tool, a reading one only those that read", async () => {
    const all = await Agent.connect(world.url, (await world.person()).token);
    assert.deepEqual(
      await all.toolNames(),
      tools.map(({ name }) => name),
    );
    const reader = await Agent.connect(world.url, (await world.person({ access: "read_only" })).token);
    assert.deepEqual(await reader.toolNames(), reading);
  });

  test("MCP10 a viewer's token sees no tool that changes documents, whatever its scopes", async () => {
    const { workspaceId } = await world.person();
    const viewer = await world.person({ workspace: workspaceId, role: "viewer" });
    const agent = await Agent.connect(world.url, viewer.token);
    assert.deepEqual(await agent.toolNames(), [...reading, ...discussing]);
    const text = await agent.refused("insufficient_scope", "create_document", { title: "A", knowledge_base_id: 1 });
    assert.match(text, /not open to viewers/);
  });

  test("MCP10 a viewer of the workspace who is editor in a knowledge base has the tools that write", async () => {
    const owner = await world.person();
    const base = await makeKnowledgeBase(owner.client);
    const viewer = await world.person({ workspace: owner.workspaceId, role: "viewer" });
    const members = [{ user_id: viewer.userId, role: "editor" }];
    const access = { default_role: null, members, groups: [] };
    await owner.client.put(`/knowledge-bases/${base.id}/access`, access, { ifMatch: "*" });
    const agent = await Agent.connect(world.url, viewer.token);
    await agent.ok("create_document", { title: "Mine", knowledge_base_id: base.id, markdown: "Text." });
    const other = await makeKnowledgeBase(owner.client);
    await agent.refused("insufficient_role", "create_document", { title: "Not mine", knowledge_base_id: other.id });
  });

  test("MCP18 an address shows the sets it names, core and review by itself; what is not shown can be called", async () => {
    const { token } = await world.person();
    const namesAt = async (query: string) => (await Agent.connect(world.url, token, {}, query)).toolNames();
    const namesOf = (...sets: string[]) => tools.filter(({ set }) => sets.includes(set)).map(({ name }) => name);
    assert.deepEqual(await namesAt(""), namesOf("core", "review"));
    assert.deepEqual(await namesAt("?tools=core,concepts"), namesOf("core", "concepts"));
    assert.deepEqual(await namesAt("?tools=core&tools=concepts"), namesOf("core", "concepts"));
    assert.deepEqual(await namesAt("?tools="), namesOf("core", "review"));
    const agent = await Agent.connect(world.url, token, {}, "?tools=review");
    await agent.ok("browse");
  });

  test("MCP18 a set that is not there is refused where a client connects and lists, with the sets that are", async () => {
    const { token } = await world.person();
    const said = /There is no set of tools "nonsense"\. The sets are core, review, .*; all is every one\./;
    await assert.rejects(Agent.connect(world.url, token, {}, "?tools=core,nonsense"), said);
    const list = { jsonrpc: "2.0", id: 7, method: "tools/list" };
    const response = await fetch(`${world.url}/mcp?tools=nonsense`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2025-06-18",
      },
      body: JSON.stringify(list),
    });
    assert.match((await response.text()).replaceAll('\\"', '"'), said);
    const refused = await fetch(`${world.url}/mcp?tools=nonsense`, { method: "POST", body: "{}" });
    assert.equal(refused.status, 401);
  });

  test("MCP10 each scope opens its own tools", async () => {
    const { token } = await world.person({ scopes: ["concepts:read"] });
    assert.deepEqual(await (await Agent.connect(world.url, token)).toolNames(), ["get_concepts"]);
  });

  test("MCP11 a hidden tool that is called all the same changes nothing and says what is missing", async () => {
    const owner = await world.person();
    const { id: knowledge_base_id } = await makeKnowledgeBase(owner.client);
    const reader = await world.person({ workspace: owner.workspaceId, access: "read_only" });
    const agent = await Agent.connect(world.url, reader.token);
    const text = await agent.refused("insufficient_scope", "create_document", { title: "A", knowledge_base_id });
    assert.match(text, /documents:write/);
    assert.deepEqual((await owner.client.get("/documents")).data, []);
  });

  test("MCP12 another workspace's documents are not there", async () => {
    const { id: document_id } = await makeDocument((await world.person()).client);
    const agent = await Agent.connect(world.url, (await world.person()).token);
    await agent.refused("not_found", "read_document", { document_id });
    assert.match((await agent.ok("search", { query: "Two" })).text, /^Nothing found/);
  });

  test("MCP13 a write through a tool stands in the audit log as an agent's, with the program's name", async () => {
    const person = await world.person();
    const agent = await Agent.connect(world.url, person.token);
    await agent.ok("organize", { change: { action: "create_knowledge_base", name: "A" } });
    const row = await world.app.services.database.read
      .selectFrom("audit_log")
      .selectAll()
      .where("workspace_id", "=", person.workspaceId)
      .executeTakeFirstOrThrow();
    assert.equal(row.action, "create_knowledge_base");
    assert.equal(row.token_id, person.tokenId);
    assert.equal(row.agent, 1);
  });

  test("MCP14 the predicates that the tools name are the service's own", async () => {
    const { data } = await (await world.person()).client.get("/relation-types");
    const names = (automatic: boolean) =>
      data
        .filter((type: { automatic: boolean }) => automatic || !type.automatic)
        .map(({ name }: { name: string }) => name);
    assert.deepEqual([...predicates].sort(), names(true).sort());
    assert.deepEqual([...statedPredicates].sort(), names(false).sort());
  });
});

for (const tool of tools)
  test(`MCP15 ${tool.name} says what it is and takes nothing it does not know`, () => {
    const { description, inputSchema, annotations } = describeTool(tool);
    assert.ok(description.length > 60 && description.length < 600, description);
    assert.equal(inputSchema.type, "object");
    assert.equal((inputSchema as { additionalProperties?: boolean }).additionalProperties, false);
    assert.equal(annotations.readOnlyHint, tool.readOnly);
    assert.equal(annotations.destructiveHint, tool.readOnly ? undefined : (tool.destructive ?? false));
    const text = JSON.stringify(inputSchema);
    assert.doesNotMatch(text, /"\$ref"|"oneOf"|"\$schema"/);
    for (const scope of tool.scopes) if (tool.readOnly) assert.match(scope, /:read$/);
  });

test("MCP15 ids of places may be paths, in the schema too, and arguments that need words have them", () => {
  type Shown = { readonly type?: string | readonly string[]; readonly description?: string };
  const properties = (name: string) =>
    describeTool(defined(tools.find((tool) => tool.name === name))).inputSchema as unknown as {
      readonly properties: Readonly<Record<string, Shown>>;
    };
  for (const name of ["folder_id", "knowledge_base_id"]) {
    const types = properties("organize").properties[name]?.type;
    assert.deepEqual(types?.slice(0, 2), ["integer", "string"], name);
  }
  for (const [tool, name] of [
    ["organize", "knowledge_base_id"],
    ["edit_markdown", "section"],
    ["read_document", "from"],
  ] as const)
    assert.ok(properties(tool).properties[name]?.description, `${tool} ${name}`);
});

test("MCP15 the tools that are shown cost a model at most 3,000 tokens, those that read 1,200", () => {
  const shown = tools.filter(({ set }) => DEFAULT_SETS.includes(set));
  const cost = (list: typeof tools) => encode(JSON.stringify(list.map(describeTool))).length;
  assert.ok(cost(shown) <= 3000, `${cost(shown)}`);
  assert.ok(cost(shown.filter(({ readOnly }) => readOnly)) <= 1200);
});
