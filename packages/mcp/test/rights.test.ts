import assert from "node:assert/strict";
import { before, test } from "node:test";
import { assertStatus } from "../../server/test/support/client.ts";
import { MARK, makeOpenPlace, makeSecret, type OpenPlace, type Secret } from "../../server/test/support/secret-base.ts";
import { onEachDatabase, type Person } from "../../server/test/support/world.ts";
import { Agent } from "./support/agent.ts";

onEachDatabase("agents and a private knowledge base", (world) => {
  let open: OpenPlace;
  let secret: Secret;
  let reader: Person;
  let agent: Agent;

  before(async () => {
    const owner = await world.person();
    reader = await world.person({ workspace: owner.workspaceId, role: "editor" });
    open = await makeOpenPlace(owner.client);
    secret = await makeSecret(owner, reader, open);
    for (const id of secret.baseIds) {
      const access = { default_role: "none", members: [], groups: [] };
      assertStatus(await owner.client.put(`/knowledge-bases/${id}/access`, access, { ifMatch: "*" }), 200);
    }
    agent = await Agent.connect(world.url, reader.token);
  });

  const assertSilent = (where: string, text: string) =>
    assert.ok(!text.toLowerCase().includes(MARK.toLowerCase()), `${where}: ${text}`);

  test("RIGHT5 no tool and no resource tells of what is hidden", async () => {
    const document_id = open.document.id;
    const calls: [string, Record<string, unknown>][] = [
      ["browse", {}],
      ["browse", { in: "Open" }],
      ["search", { query: "later" }],
      ["search", { query: "imported" }],
      ["get_changes", { since: "2020-01-01T00:00:00Z" }],
      ["read_document", { document_id }],
      ["read_spreadsheet", { document_id: open.sheet.id }],
      ["get_relations", { document_id }],
      ["get_concepts", { knowledge_base_id: open.base.id }],
      ["get_concepts", { concept_id: open.concept.id }],
      ["get_discussion", { document_id }],
      ["get_suggestions", {}],
      ["get_notifications", {}],
      ["get_summary", { knowledge_base_id: open.base.id }],
      ["get_history", { document_id }],
      ["get_translations", { document_id: open.bilingual.id }],
    ];
    for (const [name, args] of calls) {
      const { text, isError } = await agent.tool(name, args);
      assert.equal(isError, false, `${name} ${JSON.stringify(args)}: ${text}`);
      assertSilent(name, text);
    }
    const listed = await agent.client.listResources();
    assertSilent("resources", JSON.stringify(listed));
    await assert.rejects(agent.client.readResource({ uri: secret.linked.uri }));
  });

  test("RIGHT5 names and short ids of what is hidden name nothing", async () => {
    const { id } = secret.linked;
    const [byId, byName] = [`${id.slice(-8)}`, `${MARK} page`];
    for (const document_id of [id, byId, byName]) {
      const { text, isError } = await agent.tool("read_document", { document_id });
      assert.ok(isError, text);
      assert.doesNotMatch(text, new RegExp(`${MARK} (?!page)|later|suggested`), text);
    }
  });
});
