import assert from "node:assert/strict";
import { before, test } from "node:test";
import { sharedEventTypes } from "@svc/server/domain/exchange/events/schema";
import { assertError, assertStatus, type Loose } from "../../support/client.ts";
import { makeKnowledgeBase, makeWebhook } from "../../support/fixtures.ts";
import { startReceiver } from "../../support/receiver.ts";
import { deliveriesOf, deliveryEnded, loopback, webhookOf } from "../../support/webhooks.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

onEachDatabase(
  "webhooks",
  (world) => {
    let ada: Person;
    before(async () => {
      ada = await world.person();
    });

    test("HOOK1 a webhook is made, read, listed in pages, changed and deleted", async () => {
      const { client } = await world.person();
      const made = [await makeWebhook(client), await makeWebhook(client, { description: "Two" })];
      const { secret, ...shown } = made[0];
      const reply = await client.get(`/webhooks/${shown.id}`);
      assert.deepEqual(reply.data, shown);
      assert.equal(reply.etag, shown.version);
      assert.deepEqual(
        shown.event_types,
        sharedEventTypes,
        "all types unless told otherwise, without those that are for one person",
      );
      const first = await client.get("/webhooks?limit=1");
      const second = await client.get(`/webhooks?limit=1&cursor=${first.body.page.next_cursor}`);
      assert.deepEqual(
        [...first.data, ...second.data].map((hook: Loose) => hook.id),
        made.map((hook) => hook.id),
      );
      const change = { description: "Indexer", event_types: ["document.deleted"] };
      const changed = assertStatus(
        await client.patch(`/webhooks/${shown.id}`, change, { ifMatch: shown.version }),
        200,
      );
      assert.deepEqual({ ...changed.data, ...change }, changed.data);
      assert.notEqual(changed.data.version, shown.version);
      assert.equal(
        (await client.patch(`/webhooks/${shown.id}`, change)).data.version,
        changed.data.version,
        "no change",
      );
      assertError(
        await client.patch(`/webhooks/${shown.id}`, { enabled: true }, { ifMatch: shown.version }),
        "version_conflict",
      );
      assertError(
        await client.delete(`/webhooks/${shown.id}`, undefined, { ifMatch: shown.version }),
        "version_conflict",
      );
      assertStatus(await client.delete(`/webhooks/${shown.id}`), 200);
      assertError(await client.get(`/webhooks/${shown.id}`), "not_found");
      assert.equal((await client.get("/me/quota")).data.webhooks.used, 1);
    });

    test("HOOK1 a repeated key makes one webhook with one secret", async () => {
      const { client } = await world.person();
      const body = { url: "https://svc.example/", enabled: false };
      const replies = [1, 2].map(() => client.post("/webhooks", body, { key: "once" }));
      const [one, two] = await Promise.all(replies);
      assert.equal(one?.text, two?.text);
      assert.equal((await client.get("/webhooks")).data.length, 1);
    });

    test("HOOK2 viewers see no webhook, and a knowledge base of others is 404", async () => {
      const hook = await makeWebhook(ada.client);
      const viewer = await world.person({ workspace: ada.workspaceId, role: "viewer" });
      for (const path of ["", `/${hook.id}`, `/${hook.id}/deliveries`])
        assertError(await viewer.client.get(`/webhooks${path}`), "insufficient_role");
      const editor = await world.person({ workspace: ada.workspaceId, role: "editor" });
      assert.equal((await webhookOf(editor.client, hook)).id, hook.id);
      const stranger = await world.person();
      const { id } = await makeKnowledgeBase(stranger.client);
      const body = { url: "https://svc.example/", knowledge_base_id: id };
      assertError(await ada.client.post("/webhooks", body), "not_found");
      assertError(await ada.client.patch(`/webhooks/${hook.id}`, { knowledge_base_id: id }), "not_found");
    });

    test("HOOK20 an address that is not allowed is refused with a reason, and one that turns out to be is not reached", async () => {
      const cases = ["http://10.0.0.1/", "http://[::1]/", "http://0xa9fea9fe/", "ftp://svc.example/", "nonsense"];
      for (const url of cases) {
        const details = assertError(await ada.client.post("/webhooks", { url }), "invalid_request");
        assert.equal(details.issues[0].path, "body.url", url);
      }
      const hook = await makeWebhook(ada.client);
      assertError(await ada.client.patch(`/webhooks/${hook.id}`, { url: cases[0] }), "invalid_request");
    });
  },
  loopback,
);

onEachDatabase(
  "webhooks up to a number",
  (world) => {
    test("HOOK18 one webhook too many is 422, and a deletion makes room", async () => {
      const { client } = await world.person();
      const hook = await makeWebhook(client);
      await makeWebhook(client);
      const body = { url: "https://svc.example/", enabled: false };
      const details = assertError(await client.post("/webhooks", body), "quota_exceeded");
      assert.partialDeepStrictEqual(details, { quota: "webhooks", limit: 2, used: 2 });
      await client.delete(`/webhooks/${hook.id}`);
      assertStatus(await client.post("/webhooks", body), 201);
    });
  },
  { SVC_MAX_WEBHOOKS: "2" },
);

onEachDatabase("webhooks of a server as it is", (world) => {
  test("HOOK20 nothing of this machine is a target unless the operator allows it", async () => {
    const { client } = await world.person();
    await using receiver = await startReceiver();
    for (const url of [receiver.url, receiver.url.replace("127.0.0.1", "localhost")])
      assertError(await client.post("/webhooks", { url }), "invalid_request");
    const hook = await makeWebhook(client);
    await world.app.services.database.transaction((tx) =>
      tx.updateTable("webhooks").set({ url: receiver.url }).where("id", "=", hook.id).execute(),
    );
    const { data } = await client.post(`/webhooks/${hook.id}/test`);
    await deliveryEnded(client, hook, data);
    assert.equal((await deliveriesOf(client, hook))[0].error.code, "url_not_allowed", "allowed once, no longer");
    assert.equal(receiver.seen.length, 0);
  });
});
