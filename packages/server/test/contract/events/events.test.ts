import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { defined } from "@svc/document/defined";
import { assertError, assertStatus, type Loose } from "../../support/client.ts";
import { EventReader, type ReaderOptions } from "../../support/event-reader.ts";
import { makeDocument, makeKnowledgeBase, markdown } from "../../support/fixtures.ts";
import { startServer } from "../../support/process.ts";
import { hookTo, startReceiver } from "../../support/receiver.ts";
import { sleepAwake, until, Watch } from "../../support/until.ts";
import { loopback } from "../../support/webhooks.ts";
import { onEachDatabase, type Person, type World } from "../../support/world.ts";

const HEARTBEAT_MS = 300;
const settings = { SVC_EVENT_HEARTBEAT_MS: String(HEARTBEAT_MS), ...loopback };

const open = (world: World, person: Person, options?: ReaderOptions) =>
  EventReader.open(world.url, person.token, options);

const rows = (world: World, tokenId: string) =>
  world.app.services.database.read.selectFrom("event_streams").selectAll().where("token_id", "=", tokenId).execute();

onEachDatabase(
  "events",
  (world) => {
    test("EVT1 the four changes of a document arrive with their data, in order", async () => {
      const ada = await world.person();
      const reader = await open(world, ada);
      assert.equal(reader.status, 200);
      assert.equal(reader.headers["content-type"], "text/event-stream");
      assert.equal(reader.headers["cache-control"], "no-store");
      assert.equal(reader.headers["x-accel-buffering"], "no");
      assert.equal(reader.headers["content-encoding"], undefined);
      assert.ok(reader.headers["x-request-id"]);
      assert.ok(reader.headers["x-ratelimit-remaining"]);

      const made = await makeDocument(ada.client, { title: "Zürich 🎈" });
      await ada.client.patch(`/documents/${made.id}`, { title: "Renamed" });
      const put = assertStatus(
        await ada.client.put(`/documents/${made.id}/content`, markdown("New."), { ifMatch: made.version }),
        200,
      );
      await ada.client.delete(`/documents/${made.id}`);

      const got = [await reader.next(), await reader.next(), await reader.next(), await reader.next()];
      assert.match(reader.text, /^retry: 5000\n\n/);
      assert.equal(reader.retry, 5000);
      assert.deepEqual(
        got.map((event) => [event.id, event.type]),
        [
          [1, "document.created"],
          [2, "document.metadata.updated"],
          [3, "document.content.updated"],
          [4, "document.deleted"],
        ],
      );
      const { data } = defined(got[2]);
      assert.deepEqual(Object.keys(data).sort(), [
        "actor",
        "created_at",
        "document",
        "document_id",
        "event_id",
        "type",
        "workspace_id",
      ]);
      assert.equal(data.event_id, 3);
      assert.equal(data.workspace_id, ada.workspaceId);
      assert.equal(data.document_id, made.id);
      assert.equal(new Date(data.created_at).toISOString(), data.created_at);
      assert.equal(data.document.version, put.data.version);
      assert.equal(data.document.title, "Renamed");
      assert.deepEqual(data.actor, { user_id: ada.userId, token_id: ada.tokenId, client: "node" });
      reader.close();
    });

    test("EVT16 the id is a whole number in the bytes of the stream and of a webhook, one event or many", async () => {
      const ada = await world.person();
      await using receiver = await startReceiver();
      await hookTo(ada.client, receiver);
      const reader = await open(world, ada);
      const base = await makeKnowledgeBase(ada.client);
      for (let i = 0; i < 20; i++) await makeDocument(ada.client, { knowledge_base_id: base.id });
      assertStatus(await ada.client.delete(`/knowledge-bases/${base.id}`, { confirm_id: base.confirm_id }), 200);
      await reader.until(() => reader.events.length === 40, "all events");
      await until("all have been delivered", () => receiver.seen.length === 40);
      const ids = Array.from({ length: 40 }, (_, i) => `"event_id":${i + 1},`);
      assert.deepEqual(reader.text.match(/"event_id":[^"]*/g), ids);
      assert.deepEqual(
        receiver.seen.map(({ body }) => /"event_id":[^"]*/.exec(body)?.[0]),
        ids,
      );
      reader.close();
    });

    test("EVT17 a set that the caller cannot see is not found, in a stream as in a list", async () => {
      const [ada, eve] = [await world.person(), await world.person()];
      const made = await makeDocument(ada.client);
      const body = { source_locale: "en", target_locales: ["es"] };
      const { data: set } = await ada.client.post(`/documents/${made.id}/localization/activate`, body);
      for (const id of [set.id, "dset_01K9ZQ4T6N4Y3V7J8W2M5R1XCF", "x"]) {
        const details = assertError(await eve.client.get(`/events?document_set_id=${id}`), "not_found");
        assert.deepEqual([details.resource, details.id], ["document_set", id]);
        assertError(await eve.client.get(`/changes?document_set_id=${id}`), "not_found");
      }
      assertStatus(await ada.client.get(`/changes?document_set_id=${set.id}`), 200);
    });

    test("EVT2 a first connection starts now, and a write that changes nothing makes no event", async () => {
      const ada = await world.person();
      const made = await makeDocument(ada.client);
      const reader = await open(world, ada);
      const { data } = await ada.client.get(`/documents/${made.id}/content`);
      const same = { format: "tiptap-json", document: data.document };
      assertStatus(await ada.client.put(`/documents/${made.id}/content`, same, { ifMatch: "*" }), 200);
      await ada.client.patch(`/documents/${made.id}`, { title: "Second" });
      const event = await reader.next();
      assert.equal(event.type, "document.metadata.updated");
      assert.equal(event.id, 2);
      reader.close();
    });

    test("EVT3 a reader resumes after the id it names, by header or by query, the header first", async () => {
      const ada = await world.person();
      const kb = await makeKnowledgeBase(ada.client);
      for (let i = 0; i < 25; i++)
        await Promise.all(Array.from({ length: 10 }, () => makeDocument(ada.client, { knowledge_base_id: kb.id })));
      for (const options of [
        { lastEventId: 0 },
        { query: "?last_event_id=0" },
        { lastEventId: 0, query: "?last_event_id=249" },
      ]) {
        const reader = await open(world, ada, options);
        await reader.until(() => reader.events.length >= 250, "250 events");
        assert.deepEqual(
          reader.events.map((event) => event.id),
          Array.from({ length: 250 }, (_, i) => i + 1),
        );
        reader.close();
        await until("the stream is given back", async () => (await rows(world, ada.tokenId)).length === 0);
      }
      const late = await open(world, ada, { lastEventId: 248 });
      assert.equal((await late.next()).id, 249);
      assert.equal((await late.next()).id, 250);
      await makeDocument(ada.client, { knowledge_base_id: kb.id });
      assert.equal((await late.next()).id, 251);
      late.close();
    });

    test("EVT4 filters let through one document set or one language", async () => {
      const ada = await world.person();
      const activated = async (body: object) => {
        const { id } = await makeDocument(ada.client);
        return assertStatus(await ada.client.post(`/documents/${id}/localization/activate`, body), 201).data;
      };
      const both = await activated({ source_locale: "de", target_locales: ["fr-CH"] });
      const one = await activated({ source_locale: "de" });
      const made = [...both.variants, ...one.variants].map(({ document_id }: Loose) => ({ id: document_id }));
      const first = (await ada.client.get("/changes")).body.resume_from + 1;
      const readers = await Promise.all(
        [`?document_set_id=${both.id}`, "?locale=FR-ch", `?document_set_id=${one.id}&locale=de`].map((query) =>
          open(world, ada, { query }),
        ),
      );
      for (const { id } of made) await ada.client.patch(`/documents/${id}`, { title: "New" });
      for (const { id } of made) await ada.client.patch(`/documents/${id}`, { title: "Newer" });
      const expected = [
        [0, 1, 3, 4],
        [1, 4],
        [2, 5],
      ];
      for (const [i, reader] of readers.entries()) {
        await reader.until(() => reader.events.length >= defined(expected[i]).length, "events");
        assert.deepEqual(
          reader.events.map((event) => defined(event.id) - first),
          expected[i],
        );
        await reader.until(() => reader.comments.includes(`position ${first + 5}`), "the position in a heartbeat");
        reader.close();
      }
      assertError(await ada.client.get("/events?locale=not_a_locale!"), "invalid_locale");
      await until("the streams are given back", async () => (await rows(world, ada.tokenId)).length === 0);
      const again = await open(world, ada, { query: "?locale=fr-CH", lastEventId: first - 1 });
      assert.equal((await again.next()).id, first + 1);
      again.close();
    });

    test("EVT5 nobody sees another workspace's events", async () => {
      const [ada, bob] = [await world.person(), await world.person()];
      const reader = await open(world, bob, { lastEventId: 0 });
      await makeDocument(ada.client);
      const own = await makeDocument(bob.client);
      assert.equal((await reader.next()).data.document_id, own.id);
      await sleep(50);
      assert.equal(reader.events.length, 1);
      reader.close();
    });

    test("EVT6 heartbeats are comments, at least one per period", async () => {
      const ada = await world.person();
      const reader = await open(world, ada);
      using watch = new Watch();
      await reader.until(() => reader.comments.length >= 3, "three heartbeats");
      assert.ok(watch.ms < 4.5 * HEARTBEAT_MS, `${watch.ms} ms`);
      assert.deepEqual(reader.events, []);
      reader.close();
    });

    test("EVT7 an id that is not ours gives sync.required without an id, and the stream goes on", async () => {
      const ada = await world.person();
      const made = await makeDocument(ada.client);
      const { history } = (await ada.client.get("/changes")).body;
      for (const lastEventId of ["2", "999999", "99999999999999999999", "nonsense", "-1", "1.5"]) {
        const reader = await open(world, ada, { lastEventId });
        const sync = await reader.next();
        assert.equal(sync.type, "sync.required");
        assert.equal(sync.id, undefined);
        assert.deepEqual(sync.data, { resume_from: 1, oldest_available: 1, reason: "cursor_unknown", history });
        reader.close();
        await until("the stream is given back", async () => (await rows(world, ada.tokenId)).length === 0);
      }
      const reader = await open(world, ada, { lastEventId: 77 });
      await reader.next();
      await ada.client.patch(`/documents/${made.id}`, { title: "New" });
      assert.equal((await reader.next()).id, 2);
      reader.close();
    });

    test("EVT8 the fourth stream of a token is refused until one is given back, in any process", async () => {
      const ada = await world.person();
      const other = await startServer(world.settings);
      try {
        const places = [world.url, other.url, world.url];
        const readers = await Promise.all(places.map((url) => EventReader.open(url, ada.token)));
        for (const url of [world.url, other.url]) {
          const fourth = await EventReader.open(url, ada.token);
          assert.equal(fourth.status, 429);
          assert.equal(fourth.headers["retry-after"], "5");
          await fourth.ended;
          assert.match(fourth.text, /too_many_streams/);
        }
        const refused = await ada.client.get("/events");
        assert.equal(assertError(refused, "too_many_streams").limit, 3);
        defined(readers[1]).close();
        await until("the stream is given back", async () => (await rows(world, ada.tokenId)).length === 2);
        const next = await EventReader.open(world.url, ada.token);
        assert.equal(next.status, 200);
        for (const reader of [...readers, next]) reader.close();
      } finally {
        await other.stop("SIGKILL");
      }
    });

    test("EVT8 streams of a killed process are given back before its clients come back", async () => {
      const ada = await world.person();
      const other = await startServer(world.settings);
      const readers = await Promise.all([1, 2, 3].map(() => EventReader.open(other.url, ada.token)));
      assertError(await ada.client.get("/events"), "too_many_streams");
      await other.stop("SIGKILL");
      await Promise.all(readers.map((reader) => reader.ended));
      await sleepAwake(4600);
      const reader = await open(world, ada);
      assert.equal(reader.status, 200);
      reader.close();
    });

    test("EVT8 connections that come and go at once leave nothing behind", async () => {
      const ada = await world.person();
      for (let i = 0; i < 30; i++) {
        const stop = new AbortController();
        const call = fetch(`${world.url}/api/v1/events`, {
          headers: { authorization: `Bearer ${ada.token}` },
          signal: stop.signal,
        }).catch(() => undefined);
        await sleep(Math.random() * 8);
        stop.abort();
        await call;
      }
      await until("all streams are given back", async () => (await rows(world, ada.tokenId)).length === 0);
      await until("no stream is left", async () => world.app.services.streams.size === 0);
      assertStatus(await ada.client.call("HEAD", "/events"), 200);
      assert.equal(world.app.services.streams.size, 0);
    });

    test("EVT9 a revoked and an expired token end the stream within a heartbeat, in any process", async () => {
      const { database } = world.app.services;
      const other = await startServer(world.settings);
      try {
        const ada = await world.person();
        const bob = await world.person();
        const readers = [await EventReader.open(other.url, ada.token), await EventReader.open(world.url, ada.token)];
        const expiring = await EventReader.open(other.url, bob.token);
        await database.transaction(async (tx) => {
          const change = (set: { revoked_at: number } | { expires_at: number }, id: string) =>
            tx.updateTable("tokens").set(set).where("id", "=", id).execute();
          await change({ revoked_at: Date.now() }, ada.tokenId);
          await change({ expires_at: Date.now() }, bob.tokenId);
        });
        using watch = new Watch();
        for (const reader of readers) {
          const last = await reader.next();
          assert.deepEqual([last.type, last.id, last.data], ["auth.revoked", undefined, { reason: "revoked" }]);
          assert.ok(watch.ms < HEARTBEAT_MS + 1000, `${watch.ms} ms`);
          assert.equal(await reader.ended, "end");
        }
        assert.deepEqual((await expiring.next()).data, { reason: "expired" });
        assert.equal(await expiring.ended, "end");
      } finally {
        await other.stop("SIGKILL");
      }
    });

    test("EVT9 a member who is removed is revoked", async () => {
      const ada = await world.person();
      const reader = await open(world, ada);
      await world.app.services.database.transaction((tx) =>
        tx.deleteFrom("memberships").where("user_id", "=", ada.userId).execute(),
      );
      assert.equal((await reader.next()).type, "auth.revoked");
    });

    test("EVT10 a change made in another process arrives within 200 ms", async () => {
      const ada = await world.person();
      const kb = await makeKnowledgeBase(ada.client);
      const other = await startServer(world.settings);
      try {
        const reader = await EventReader.open(other.url, ada.token);
        const delays: number[] = [];
        for (let i = 0; i < 10; i++) {
          await makeDocument(ada.client, { knowledge_base_id: kb.id });
          const answered = performance.now();
          delays.push((await reader.next()).at - answered);
          await sleep(Math.random() * 60);
        }
        delays.sort((a, b) => a - b);
        assert.ok(defined(delays[2]) < 200, `third quickest of ten: ${delays[2]} ms`);
        reader.close();
      } finally {
        await other.stop();
      }
    });

    test("EVT11 a stop ends the streams properly and at once", async () => {
      const ada = await world.person();
      const other = await startServer(world.settings);
      const readers = await Promise.all([1, 2, 3].map(() => EventReader.open(other.url, ada.token)));
      using watch = new Watch();
      const { code } = await other.stop("SIGTERM");
      assert.equal(code, 0);
      assert.ok(watch.ms < 3000, `${watch.ms} ms`);
      for (const reader of readers) assert.equal(await reader.ended, "end");
      assert.equal((await rows(world, ada.tokenId)).length, 0);
    });
  },
  settings,
);
