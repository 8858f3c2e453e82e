import assert from "node:assert/strict";
import { before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { insertDeliveries } from "@svc/server/resources/webhooks/delivery-queries";
import { testDelivery } from "@svc/server/resources/webhooks/message";
import { assertError, assertStatus, type Client, type Loose } from "../support/client.ts";
import { makeDocument, makeKnowledgeBase, makeWebhook, markdown } from "../support/fixtures.ts";
import { expectedSignature, hookTo, startReceiver, until } from "../support/receiver.ts";
import { onEachDatabase, type Person } from "../support/world.ts";

const loopback = { SVC_WEBHOOK_PRIVATE_ADDRESSES: "127.0.0.0/8", SVC_WEBHOOK_RETRY_MS: "20" };

const deliveriesOf = async (client: Client, { id }: Loose, query = ""): Promise<Loose[]> =>
  (await client.get(`/webhooks/${id}/deliveries${query}`)).data;
const webhookOf = async (client: Client, { id }: Loose): Promise<Loose> => (await client.get(`/webhooks/${id}`)).data;
const ended = (client: Client, hook: Loose, delivery: Loose) =>
  until("the delivery has ended", async () => {
    const { data } = await client.get(`/webhooks/${hook.id}/deliveries/${delivery.id}`);
    return data.status !== "pending";
  });

/** Documents that each make one event, and the titles in that order. */
async function makeEvents(client: Client, count: number): Promise<string[]> {
  const { id } = await makeKnowledgeBase(client);
  const titles = Array.from({ length: count }, (_, n) => `Event ${n}`);
  for (const title of titles) await makeDocument(client, { title, knowledge_base_id: id });
  return titles;
}

const titlesOf = (messages: readonly Loose[]): string[] => messages.map(({ data }) => data.document?.title);

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
      assert.deepEqual(shown.event_types.length, 4, "all types unless told otherwise");
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

    test("HOOK3 an event arrives signed, and the secret is never shown again", async () => {
      const { client, workspaceId } = await world.person();
      await using receiver = await startReceiver();
      const { secret, ...hook } = await hookTo(client, receiver);
      const document = await makeDocument(client, { title: "Grüße 👋" });
      await until("it has come", () => receiver.seen.length === 1);
      const [request] = receiver.seen;
      assert.equal(request!.headers["webhook-signature"], expectedSignature(secret, request!));
      assert.ok(Math.abs(Number(request!.headers["webhook-timestamp"]) - Date.now() / 1000) < 60);
      assert.equal(request!.headers["content-type"], "application/json");
      const [event] = (await client.get("/changes?after=0")).data;
      assert.deepEqual(JSON.parse(request!.body), { type: event.type, timestamp: event.created_at, data: event });
      assert.equal(event.document_id, document.id);
      assert.equal(request!.headers["webhook-id"], `evt_${workspaceId.slice(3)}_${event.event_id}`);
      const everything = [await client.get("/webhooks"), await client.get(`/webhooks/${hook.id}`)];
      everything.push(await client.patch(`/webhooks/${hook.id}`, { description: "x" }));
      for (const reply of everything) assert.ok(!reply.text.includes("whsec_"), reply.text);
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
      const signatures = [fresh, old].map(({ secret }) => expectedSignature(secret, receiver.seen[0]!));
      assert.equal(receiver.seen[0]!.headers["webhook-signature"], signatures.join(" "));
      const { data: last } = await client.post(`/webhooks/${old.id}/rotate-secret`, { grace_seconds: 0 });
      await client.post(`/webhooks/${old.id}/test`);
      await until("the second has come", () => receiver.seen.length === 2);
      assert.equal(receiver.seen[1]!.headers["webhook-signature"], expectedSignature(last.secret, receiver.seen[1]!));
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
      let open = 0;
      let most = 0;
      await using receiver = await startReceiver(() => (response) => {
        most = Math.max(most, ++open);
        setTimeout(() => {
          open--;
          response.writeHead(200).end();
        }, 15);
      });
      await hookTo(client, receiver);
      const { id } = await makeKnowledgeBase(client);
      await Promise.all(Array.from({ length: 30 }, () => makeDocument(client, { knowledge_base_id: id })));
      await until("all have come", () => receiver.received.length >= 30);
      const ids = receiver.received.map(({ data }) => data.event_id);
      assert.deepEqual(
        ids,
        Array.from({ length: 30 }, (_, n) => n + 1),
      );
      assert.equal(most, 1);
    });

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
      const [{ type, data }] = receiver.accepted as [Loose];
      assert.equal(type, "sync.required");
      assert.deepEqual(data, {
        workspace_id: workspaceId,
        resume_from: 3,
        oldest_available: 3,
        reason: "cursor_expired",
      });
      const { id } = await makeDocument(client);
      await client.delete(`/documents/${id}`);
      await until("it goes on", () => receiver.accepted.length === 2);
    });

    test("HOOK12 a test is sent once, also while paused, and its outcome is in the log", async () => {
      const { client } = await world.person();
      await using receiver = await startReceiver((_, count) =>
        count === 1 ? { status: 200, text: "thanks" } : { status: 401, text: "who are you?" },
      );
      const hook = await hookTo(client, receiver, { enabled: false });
      const first = assertStatus(await client.post(`/webhooks/${hook.id}/test`), 202).data;
      await ended(client, hook, first);
      const second = assertStatus(await client.post(`/webhooks/${hook.id}/test`), 202).data;
      await ended(client, hook, second);
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
      assert.equal(receiver.received[0]!.type, "webhook.test");
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
      await ended(client, hook, again);
      const [one, two] = receiver.seen;
      assert.deepEqual([one!.body, one!.headers["webhook-id"]], [two!.body, two!.headers["webhook-id"]]);
      assert.equal(two!.headers["webhook-signature"], expectedSignature(hook.secret, two!));
      const { data } = await client.get(`/webhooks/${hook.id}/deliveries/${again.id}`);
      assert.deepEqual(data.payload, JSON.parse(two!.body));
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

    test("HOOK13 a redirect is not followed", async () => {
      const { client } = await world.person();
      await using elsewhere = await startReceiver();
      await using receiver = await startReceiver(() => ({ status: 307, headers: { location: elsewhere.url } }));
      const hook = await hookTo(client, receiver, { enabled: false });
      const { data } = await client.post(`/webhooks/${hook.id}/test`);
      await ended(client, hook, data);
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
  {
    ...loopback,
    SVC_MAX_WEBHOOKS: "2",
    SVC_WEBHOOK_GIVE_UP_DAYS: "0.00001",
    SVC_WEBHOOK_DISABLE_DAYS: "0.00002",
    SVC_WEBHOOK_LOG_DAYS: "0.00004",
  },
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
    await ended(client, hook, data);
    assert.equal((await deliveriesOf(client, hook))[0].error.code, "url_not_allowed", "allowed once, no longer");
    assert.equal(receiver.seen.length, 0);
  });
});
