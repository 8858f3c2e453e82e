import assert from "node:assert/strict";
import { test } from "node:test";
import { defined } from "@svc/document/defined";
import { assertError, assertStatus } from "../../support/client.ts";
import { makeWebhook } from "../../support/fixtures.ts";
import { expectedSignature, hookTo, startReceiver } from "../../support/receiver.ts";
import { until } from "../../support/until.ts";
import { deliveriesOf, deliveryEnded, loopback, makeEvents, titlesOf, webhookOf } from "../../support/webhooks.ts";
import { onEachDatabase } from "../../support/world.ts";

onEachDatabase(
  "the log of a webhook",
  (world) => {
    test("HOOK12 a test is sent once, also while paused, and its outcome is in the log", async () => {
      const { client } = await world.person();
      await using receiver = await startReceiver((_, count) =>
        count === 1 ? { status: 200, text: "thanks" } : { status: 401, text: "who are you?" },
      );
      const hook = await hookTo(client, receiver, { enabled: false });
      const first = assertStatus(await client.post(`/webhooks/${hook.id}/test`), 202).data;
      await deliveryEnded(client, hook, first);
      const second = assertStatus(await client.post(`/webhooks/${hook.id}/test`), 202).data;
      await deliveryEnded(client, hook, second);
      const log = await deliveriesOf(client, hook);
      assert.deepEqual(
        log.map((one) => [one.id, one.status, one.attempts, one.response_status, one.response_body, one.error?.code]),
        [
          [second.id, "failed", 1, 401, "who are you?", "refused"],
          [first.id, "succeeded", 1, 200, "thanks", undefined],
        ],
      );
      for (const one of log) assert.ok(one.duration_ms >= 0 && one.finished_at >= one.created_at);
      assert.deepEqual(titlesOf(receiver.received).length, 2);
      assert.equal(defined(receiver.received[0]).type, "webhook.test");
      assert.equal((await webhookOf(client, hook)).status, "paused");
    });

    test("HOOK12 at most a hundred wait to be sent by hand", async () => {
      const { client } = await world.person();
      await using receiver = await startReceiver(() => () => undefined);
      const hook = await hookTo(client, receiver, { enabled: false });
      const replies = [];
      for (let n = 0; n < 105; n++) replies.push(await client.post(`/webhooks/${hook.id}/test`));
      const refused = replies.filter((reply) => reply.status !== 202);
      for (const reply of refused) assert.equal(assertError(reply, "quota_exceeded").quota, "webhook_deliveries");
      assert.ok(refused.length > 0);
      await client.delete(`/webhooks/${hook.id}`);
    });

    test("HOOK12 a redelivery has the same id and body, and a signature of its own", async () => {
      const { client } = await world.person();
      await using receiver = await startReceiver();
      const hook = await hookTo(client, receiver);
      await makeEvents(client, 1);
      await until("it has come", async () => (await deliveriesOf(client, hook, "?status=succeeded")).length === 1);
      const [first] = await deliveriesOf(client, hook);
      const again = assertStatus(await client.post(`/webhooks/${hook.id}/deliveries/${first.id}/redeliver`), 202).data;
      assert.deepEqual([again.kind, again.redelivery_of, again.message_id], ["redelivery", first.id, first.message_id]);
      await deliveryEnded(client, hook, again);
      const [one, two] = receiver.seen;
      assert.deepEqual(
        [defined(one).body, defined(one).headers["webhook-id"]],
        [defined(two).body, defined(two).headers["webhook-id"]],
      );
      assert.equal(defined(two).headers["webhook-signature"], expectedSignature(hook.secret, defined(two)));
      const { data } = await client.get(`/webhooks/${hook.id}/deliveries/${again.id}`);
      assert.deepEqual(data.payload, JSON.parse(defined(two).body));
      const page = await client.get(`/webhooks/${hook.id}/deliveries?limit=1`);
      const { data: rest } = await client.get(
        `/webhooks/${hook.id}/deliveries?limit=1&cursor=${page.body.page.next_cursor}`,
      );
      assert.deepEqual([page.data[0].id, rest[0].id], [again.id, first.id], "newest first");
      const other = await makeWebhook(client);
      assertError(await client.get(`/webhooks/${other.id}/deliveries/${first.id}`), "not_found");
      assertError(await client.post(`/webhooks/${other.id}/deliveries/${first.id}/redeliver`), "not_found");
    });

    test("HOOK12 a test that is accepted ends the trouble of a receiver", async () => {
      const { client } = await world.person();
      let isDown = true;
      await using receiver = await startReceiver(() =>
        isDown ? { status: 503, headers: { "retry-after": "3000" } } : 204,
      );
      const hook = await hookTo(client, receiver);
      const titles = await makeEvents(client, 4);
      await until("it is failing", async () => (await webhookOf(client, hook)).status === "failing");
      assert.ok((await webhookOf(client, hook)).next_attempt_at > Date.now() + 1_000_000, "Retry-After is respected");
      isDown = false;
      await client.post(`/webhooks/${hook.id}/test`);
      await until("all have come", () => receiver.accepted.length === 5);
      assert.deepEqual(titlesOf(receiver.accepted), [undefined, ...titles]);
    });
  },
  loopback,
);

onEachDatabase(
  "a log that is kept for seconds",
  (world) => {
    test("HOOK19 ended deliveries leave the log after their time", async () => {
      const { client } = await world.person();
      await using receiver = await startReceiver();
      const hook = await hookTo(client, receiver);
      await makeEvents(client, 2);
      await until("all have come", () => receiver.accepted.length === 2);
      await until("the log is empty", async () => (await deliveriesOf(client, hook)).length === 0);
    });

    test("HOOK19 a deleted webhook sends no more, and leaves nothing behind", async () => {
      const { client, workspaceId } = await world.person();
      await using receiver = await startReceiver();
      const hook = await hookTo(client, receiver);
      await makeEvents(client, 2);
      await until("all have come", () => receiver.accepted.length === 2);
      assertStatus(await client.delete(`/webhooks/${hook.id}`), 200);
      await makeEvents(client, 1);
      const { read } = world.app.services.database;
      await until("nothing is left", async () => {
        const tables = ["webhooks", "webhook_deliveries"] as const;
        const rows = tables.map((t) =>
          read.selectFrom(t).select("id").where("workspace_id", "=", workspaceId).execute(),
        );
        return (await Promise.all(rows)).flat().length === 0;
      });
      assert.equal(receiver.seen.length, 2);
    });
  },
  { ...loopback, SVC_WEBHOOK_LOG_DAYS: "0.00004" },
);
