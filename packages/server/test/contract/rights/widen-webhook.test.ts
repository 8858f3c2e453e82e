import { test } from "node:test";
import { assertError, assertStatus } from "../../support/client.ts";
import { makeKnowledgeBase } from "../../support/fixtures.ts";
import { onEachDatabase } from "../../support/world.ts";

const URL = "https://example.com/hook";

onEachDatabase("a webhook of one knowledge base", (world) => {
  test("RIGHT7 a token that is bound to it does not widen the webhook to all", async () => {
    const owner = await world.person();
    const { id } = await makeKnowledgeBase(owner.client);
    const bound = await world.person({ workspace: owner.workspaceId, role: "owner", knowledgeBaseIds: [id] });
    const hook = assertStatus(await bound.client.post("/webhooks", { url: URL, knowledge_base_id: id }), 201).data;
    const path = `/webhooks/${hook.id}`;
    assertError(await bound.client.patch(path, { knowledge_base_id: null }), "insufficient_role");
    assertStatus(await bound.client.patch(path, { description: "Mine" }), 200);
    assertStatus(await owner.client.patch(path, { knowledge_base_id: null }), 200);
  });

  test("RIGHT3 an editor of it who is a viewer of the workspace does not widen the webhook to all", async () => {
    const owner = await world.person();
    const { id } = await makeKnowledgeBase(owner.client);
    const viewer = await world.person({ workspace: owner.workspaceId, role: "viewer" });
    const body = { default_role: null, members: [{ user_id: viewer.userId, role: "editor" }], groups: [] };
    assertStatus(await owner.client.put(`/knowledge-bases/${id}/access`, body, { ifMatch: "*" }), 200);
    const hook = assertStatus(await viewer.client.post("/webhooks", { url: URL, knowledge_base_id: id }), 201).data;
    assertError(await viewer.client.patch(`/webhooks/${hook.id}`, { knowledge_base_id: null }), "insufficient_role");
  });
});
