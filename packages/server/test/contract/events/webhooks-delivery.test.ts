import assert from "node:assert/strict";
import { test } from "node:test";
import { defined } from "@svc/document/defined";
import { makeDocument, makeKnowledgeBase, markdown } from "../../support/fixtures.ts";
import { expectedSignature, hookTo, startReceiver, startSlowReceiver } from "../../support/receiver.ts";
import { until } from "../../support/until.ts";
import { deliveriesOf, deliveryEnded, loopback, makeEvents } from "../../support/webhooks.ts";
import { onEachDatabase } from "../../support/world.ts";

onEachDatabase(
  "what a webhook sends",
  (world) => {
    test("HOOK3 an event arrives signed, and the secret is never shown again", async () => {
      const { client, workspaceId } = await world.person();
      await using receiver = await startReceiver();
      const { secret, ...hook } = await hookTo(client, receiver);
      const document = await makeDocument(client, { title: "Grüße 👋" });
      await until("it has come", () => receiver.seen.length === 1);
      const [request] = receiver.seen;
      assert.equal(defined(request).headers["webhook-signature"], expectedSignature(secret, defined(request)));
      assert.ok(Math.abs(Number(defined(request).headers["webhook-timestamp"]) - Date.now() / 1000) < 60);
      assert.equal(defined(request).headers["content-type"], "application/json");
      const [event] = (await client.get("/changes?after=0")).data;
      assert.deepEqual(JSON.parse(defined(request).body), {
        type: event.type,
        timestamp: event.created_at,
        data: event,
      });
      assert.equal(event.document_id, document.id);
      assert.equal(defined(request).headers["webhook-id"], `evt_${workspaceId.slice(3)}_${event.event_id}`);
      const everything = [await client.get("/webhooks"), await client.get(`/webhooks/${hook.id}`)];
      everything.push(await client.patch(`/webhooks/${hook.id}`, { description: "x" }));
      for (const reply of everything) assert.ok(!reply.text.includes("whsec_"), reply.text);
    });

    test("HOOK25 a webhook sends messages in the format of a chat program, signed as they are sent", async () => {
      const { client } = await world.person();
      await using receiver = await startReceiver();
      const hook = await hookTo(client, receiver, { format: "discord" });
      assert.equal(hook.format, "discord");
      await makeDocument(client, { title: "@everyone" });
      await until("it has come", () => receiver.seen.length === 1);
      const [request] = receiver.seen;
      assert.equal(defined(request).headers["webhook-signature"], expectedSignature(hook.secret, defined(request)));
      const { content, allowed_mentions } = JSON.parse(defined(request).body);
      assert.match(content, /^New page: /);
      assert.deepEqual(allowed_mentions, { parse: [] });
      const { data } = await client.patch(`/webhooks/${hook.id}`, { format: "standard" });
      assert.deepEqual([data.format, data.version === hook.version], ["standard", false]);
      await client.post(`/webhooks/${hook.id}/test`);
      await until("the test has come", () => receiver.seen.length === 2);
      assert.equal(JSON.parse(defined(receiver.seen[1]).body).type, "webhook.test");
      assert.equal((await client.patch(`/webhooks/${hook.id}`, { format: "irc" })).status, 400);
    });

    test("HOOK4 while the old secret is valid there are two signatures, then one", async () => {
      const { client } = await world.person();
      await using receiver = await startReceiver();
      const old = await hookTo(client, receiver);
      const { data: fresh } = await client.post(`/webhooks/${old.id}/rotate-secret`, { grace_seconds: 3600 });
      assert.notEqual(fresh.secret, old.secret);
      assert.ok(fresh.previous_secret_expires_at > Date.now());
      await client.post(`/webhooks/${old.id}/test`);
      await until("the first has come", () => receiver.seen.length === 1);
      const signatures = [fresh, old].map(({ secret }) => expectedSignature(secret, defined(receiver.seen[0])));
      assert.equal(defined(receiver.seen[0]).headers["webhook-signature"], signatures.join(" "));
      const { data: last } = await client.post(`/webhooks/${old.id}/rotate-secret`, { grace_seconds: 0 });
      await client.post(`/webhooks/${old.id}/test`);
      await until("the second has come", () => receiver.seen.length === 2);
      assert.equal(
        defined(receiver.seen[1]).headers["webhook-signature"],
        expectedSignature(last.secret, defined(receiver.seen[1])),
      );
    });

    test("HOOK5 types and knowledge base choose the events", async () => {
      const { client } = await world.person();
      await using all = await startReceiver();
      await using some = await startReceiver();
      const here = await makeKnowledgeBase(client);
      await hookTo(client, all);
      await hookTo(client, some, {
        event_types: ["document.content.updated", "document.deleted"],
        knowledge_base_id: here.id,
      });
      const inside = await makeDocument(client, { knowledge_base_id: here.id });
      const outside = await makeDocument(client);
      for (const { id } of [inside, outside]) {
        await client.patch(`/documents/${id}`, { title: "New" });
        await client.put(`/documents/${id}/content`, markdown("Changed."), { ifMatch: "*" });
        await client.delete(`/documents/${id}`);
      }
      await until("all have come", () => all.received.length === 8 && some.received.length === 2);
      const events = (await client.get("/changes?after=0")).data;
      assert.deepEqual(
        all.received.map(({ data }) => data),
        events,
      );
      assert.deepEqual(
        some.received.map(({ type, data }) => [type, data.document_id]),
        [
          ["document.content.updated", inside.id],
          ["document.deleted", inside.id],
        ],
      );
    });

    test("HOOK6 events come in order, one at a time", async () => {
      const { client } = await world.person();
      await using receiver = await startSlowReceiver(15);
      await hookTo(client, receiver);
      const { id } = await makeKnowledgeBase(client);
      await Promise.all(Array.from({ length: 30 }, () => makeDocument(client, { knowledge_base_id: id })));
      await until("all have come", () => receiver.received.length >= 30);
      const ids = receiver.received.map(({ data }) => data.event_id);
      assert.deepEqual(
        ids,
        Array.from({ length: 30 }, (_, n) => n + 1),
      );
      assert.equal(receiver.most, 1);
    });

    test("HOOK13 a redirect is not followed", async () => {
      const { client } = await world.person();
      await using elsewhere = await startReceiver();
      await using receiver = await startReceiver(() => ({ status: 307, headers: { location: elsewhere.url } }));
      const hook = await hookTo(client, receiver, { enabled: false });
      const { data } = await client.post(`/webhooks/${hook.id}/test`);
      await deliveryEnded(client, hook, data);
      const [log] = await deliveriesOf(client, hook);
      assert.deepEqual([log.response_status, log.error.code], [307, "redirect"]);
      assert.equal(elsewhere.seen.length, 0);
    });

    test("HOOK17 a slow receiver delays nobody else", async () => {
      const { client } = await world.person();
      await using slow = await startReceiver(() => () => undefined);
      await using quick = await startReceiver();
      await hookTo(client, slow);
      await hookTo(client, quick);
      await makeEvents(client, 5);
      await until("the quick one has all", () => quick.accepted.length === 5);
      assert.equal(slow.accepted.length, 0, "the slow one is still busy");
    });
  },
  loopback,
);
