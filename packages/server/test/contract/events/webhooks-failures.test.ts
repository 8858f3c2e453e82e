import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { defined } from "@svc/document/defined";
import { insertDeliveries } from "@svc/server/domain/exchange/webhooks/delivery-queries";
import { testDelivery } from "@svc/server/domain/exchange/webhooks/message";
import { assertStatus, type Loose } from "../../support/client.ts";
import { makeDocument } from "../../support/fixtures.ts";
import { hookTo, startReceiver } from "../../support/receiver.ts";
import { until } from "../../support/until.ts";
import { deliveriesOf, loopback, makeEvents, titlesOf, webhookOf } from "../../support/webhooks.ts";
import { onEachDatabase } from "../../support/world.ts";

onEachDatabase(
  "webhooks whose receiver is not there",
  (world) => {
    test("HOOK7 an event that is refused is set aside, tried again later, and the others go on", async () => {
      const { client } = await world.person();
      let isPoisonous = true;
      await using receiver = await startReceiver(({ data }) =>
        data.document.title === "Event 1" && isPoisonous ? 500 : 204,
      );
      const hook = await hookTo(client, receiver, { enabled: false });
      await makeEvents(client, 4);
      assertStatus(await client.patch(`/webhooks/${hook.id}`, { enabled: true }), 200);
      await until("the others have come", () => receiver.accepted.length === 3);
      assert.deepEqual(titlesOf(receiver.accepted), ["Event 0", "Event 2", "Event 3"]);
      const accepted = async () => (await deliveriesOf(client, hook, "?status=succeeded")).length === 3;
      await until("that is written down", accepted);
      const [waiting] = await deliveriesOf(client, hook, "?status=pending");
      assert.equal(waiting.event_id, 2);
      assert.equal(waiting.error.code, "refused");
      assert.equal(waiting.response_status, 500);
      assert.ok(waiting.next_attempt_at > waiting.last_attempt_at);
      isPoisonous = false;
      await until("it has come too", () => receiver.accepted.length === 4);
      const attempts = receiver.received.filter(({ data }) => data.event_id === 2);
      assert.equal(new Set(attempts.map(({ id }) => id)).size, 1, "the same id each time");
      const written = async () => (await deliveriesOf(client, hook, "?status=succeeded")).length === 4;
      await until("that is written down too", written);
      const settled = (await deliveriesOf(client, hook)).find((one) => one.event_id === 2);
      assert.deepEqual([settled.status, settled.attempts, settled.error], ["succeeded", attempts.length, null]);
    });

    test("HOOK8 a receiver that was down gets everything in order when it is back", async () => {
      const { client } = await world.person();
      let isDown = true;
      await using receiver = await startReceiver(() => (isDown ? 503 : 204));
      const hook = await hookTo(client, receiver);
      const titles = await makeEvents(client, 8);
      await until("it is failing", async () => (await webhookOf(client, hook)).status === "failing");
      const failing = await webhookOf(client, hook);
      assert.ok(failing.failing_since <= Date.now() && failing.next_attempt_at > failing.failing_since);
      isDown = false;
      await until("all have come", () => receiver.accepted.length === 8);
      assert.deepEqual(titlesOf(receiver.accepted), titles);
      await until("it is well", async () => (await webhookOf(client, hook)).status === "active");
      assert.equal((await webhookOf(client, hook)).failing_since, null);
    });

    test("HOOK8 of a receiver that is down only the oldest event is tried", async () => {
      const { client } = await world.person();
      await using receiver = await startReceiver(() => 503);
      const hook = await hookTo(client, receiver);
      await makeEvents(client, 10);
      await until("it was tried often", () => receiver.seen.length >= 6);
      const tried = receiver.received.slice(3).map(({ data }) => data.event_id);
      assert.deepEqual(new Set(tried), new Set([1]));
      await client.delete(`/webhooks/${hook.id}`);
    });

    test("HOOK9 where more than a thousand wait, the oldest are given up", async () => {
      const { client, workspaceId } = await world.person();
      await using receiver = await startReceiver();
      const hook = await hookTo(client, receiver);
      const { database } = world.app.services;
      const later = Date.now() + 3_600_000;
      const aside = Array.from({ length: 1003 }, (_, n) => ({
        ...testDelivery({ ...hook, workspace_id: workspaceId }, Date.now()),
        ...{ kind: "event" as const, event_id: n - 2000, attempts: 1, next_attempt_at: later },
      }));
      await database.transaction((tx) => insertDeliveries(tx, aside));
      await makeEvents(client, 1);
      await until(
        "the oldest are given up",
        async () => (await deliveriesOf(client, hook, "?status=failed")).length > 0,
      );
      const given = await deliveriesOf(client, hook, "?status=failed");
      assert.deepEqual(new Set(given.map((one) => one.event_id)), new Set([-2000, -1999, -1998, -1997]));
      assert.deepEqual(new Set(given.map((one) => one.error.code)), new Set(["overrun"]));
      await until("the new one has come", () => receiver.accepted.length === 1);
    });

    test("HOOK10 a receiver that answers 410 is disabled at once, and goes on where it stopped when enabled", async () => {
      const { client } = await world.person();
      let isGone = true;
      await using receiver = await startReceiver(() => (isGone ? 410 : 204));
      const hook = await hookTo(client, receiver);
      const titles = await makeEvents(client, 3);
      await until("it is disabled", async () => (await webhookOf(client, hook)).status === "disabled");
      const { enabled, disabled_reason } = await webhookOf(client, hook);
      assert.deepEqual([enabled, disabled_reason.code], [false, "gone"]);
      assert.equal(receiver.seen.length, 1);
      isGone = false;
      const again = await client.patch(`/webhooks/${hook.id}`, { enabled: true });
      assert.deepEqual([again.data.status, again.data.disabled_reason], ["active", null]);
      await until("all have come", () => receiver.accepted.length === 3);
      assert.deepEqual(titlesOf(receiver.accepted), titles);
    });

    test("HOOK11 what happened while it was paused follows", async () => {
      const { client } = await world.person();
      await using receiver = await startReceiver();
      const hook = await hookTo(client, receiver);
      await client.patch(`/webhooks/${hook.id}`, { enabled: false });
      assert.equal((await webhookOf(client, hook)).status, "paused");
      const titles = await makeEvents(client, 3);
      await sleep(100);
      assert.equal(receiver.seen.length, 0);
      await client.patch(`/webhooks/${hook.id}`, { enabled: true });
      await until("all have come", () => receiver.accepted.length === 3);
      assert.deepEqual(titlesOf(receiver.accepted), titles);
    });

    test("HOOK11 events that are no longer kept are told by sync.required", async () => {
      const { client, workspaceId } = await world.person();
      await using receiver = await startReceiver();
      const hook = await hookTo(client, receiver, { enabled: false, event_types: ["document.deleted"] });
      await makeEvents(client, 3);
      await world.app.services.database.transaction((tx) =>
        tx.deleteFrom("events").where("workspace_id", "=", workspaceId).where("id", "<=", 2).execute(),
      );
      await client.patch(`/webhooks/${hook.id}`, { enabled: true });
      await until("it was told", () => receiver.accepted.length === 1);
      const { type, data } = defined(receiver.accepted[0]);
      assert.equal(type, "sync.required");
      assert.deepEqual(data, {
        workspace_id: workspaceId,
        resume_from: 3,
        oldest_available: 3,
        reason: "cursor_expired",
        history: (await client.get("/changes")).body.history,
      });
      const { id } = await makeDocument(client);
      await client.delete(`/documents/${id}`);
      await until("it goes on", () => receiver.accepted.length === 2);
    });
  },
  loopback,
);

onEachDatabase(
  "webhooks whose retries are due at once",
  (world) => {
    test("HOOK7 an event that is refused lets the others pass, even where it is due again before them", async () => {
      Object.assign(world.app.services.config, { webhookRetryMs: 0 });
      const { client } = await world.person();
      await using receiver = await startReceiver(({ data }) => (data.document.title === "Event 0" ? 500 : 204));
      const hook = await hookTo(client, receiver, { enabled: false });
      await makeEvents(client, 4);
      assertStatus(await client.patch(`/webhooks/${hook.id}`, { enabled: true }), 200);
      await until("the others have come", () => receiver.accepted.length === 3);
      assert.deepEqual(titlesOf(receiver.accepted), ["Event 1", "Event 2", "Event 3"]);
      await client.delete(`/webhooks/${hook.id}`);
    });
  },
  loopback,
);

onEachDatabase(
  "webhooks that fail for long",
  (world) => {
    test("HOOK9 a delivery is given up, and a receiver that fails for longer is disabled with the reason", async () => {
      const { client } = await world.person();
      await using receiver = await startReceiver(() => 500);
      const hook = await hookTo(client, receiver);
      await makeEvents(client, 1);
      let given: Loose;
      await until("the delivery is given up", async () => {
        [given] = await deliveriesOf(client, hook, "?status=failed");
        return given !== undefined;
      });
      assert.ok(given.attempts > 1);
      assert.deepEqual([given.error.code, given.next_attempt_at], ["refused", null]);
      await makeEvents(client, 1);
      await until("it is disabled", async () => (await webhookOf(client, hook)).status === "disabled");
      const { enabled, disabled_reason } = await webhookOf(client, hook);
      assert.deepEqual([enabled, disabled_reason.code], [false, "failing"]);
      assert.match(disabled_reason.message, /500/);
      const sent = receiver.seen.length;
      await makeEvents(client, 1);
      await sleep(700);
      assert.equal(receiver.seen.length, sent);
    });
  },
  { ...loopback, SVC_WEBHOOK_GIVE_UP_DAYS: "0.00001", SVC_WEBHOOK_DISABLE_DAYS: "0.00002" },
);
