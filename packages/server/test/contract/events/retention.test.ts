import assert from "node:assert/strict";
import { test } from "node:test";
import { removeSome } from "@svc/server/events/retention";
import { assertError, assertStatus, type Loose } from "../../support/client.ts";
import { EventReader } from "../../support/event-reader.ts";
import { makeDocument, makeKnowledgeBase } from "../../support/fixtures.ts";
import { until } from "../../support/until.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

const ids = (body: Loose): number[] => body.data.map((event: Loose) => event.event_id);

async function makeEvents(person: Person, count: number): Promise<void> {
  const { id } = await makeKnowledgeBase(person.client);
  for (let i = 0; i < count; i++) await makeDocument(person.client, { knowledge_base_id: id, title: `T${i}` });
}

onEachDatabase("events as a list", (world) => {
  test("EVT14 GET /changes lists the stream's events after an id, page by page", async () => {
    const ada = await world.person();
    const start = assertStatus(await ada.client.get("/changes"), 200).body;
    assert.deepEqual([start.data, start.resume_from, start.page.has_more], [[], 0, false]);
    await makeEvents(ada, 7);
    const reader = await EventReader.open(world.url, ada.token, { lastEventId: 0 });
    await reader.until(() => reader.events.length === 7, "7 events");
    reader.close();
    const first = assertStatus(await ada.client.get("/changes?after=0&limit=5"), 200).body;
    assert.deepEqual(
      first.data,
      reader.events.slice(0, 5).map((event) => event.data),
    );
    assert.deepEqual(first.page, { cursor: "0", next_cursor: "5", has_more: true });
    const rest = (await ada.client.get(`/changes?after=${first.page.next_cursor}`)).body;
    assert.deepEqual(ids(rest), [6, 7]);
    assert.deepEqual([rest.page.has_more, rest.page.next_cursor, rest.resume_from], [false, null, 7]);
    assert.deepEqual(ids((await ada.client.get("/changes?after=7")).body), []);
  });

  test("EVT18 an id of another history is unknown, whatever its number, to the list and to the stream", async () => {
    const ada = await world.person();
    await makeEvents(ada, 2);
    const { history } = (await ada.client.get("/changes")).body;
    const own = (await ada.client.get(`/changes?after=1&history=${history}`)).body;
    assert.deepEqual([ids(own), own.sync_required, own.history], [[2], false, history]);
    const other = (await ada.client.get("/changes?after=1&history=earlier")).body;
    assert.deepEqual([other.data, other.reason, other.resume_from, other.history], [[], "cursor_unknown", 2, history]);
    for (const [name, type] of [
      [history, "document.created"],
      ["earlier", "sync.required"],
    ]) {
      const reader = await EventReader.open(world.url, ada.token, { lastEventId: 1, query: `?history=${name}` });
      await reader.until(() => reader.events.length === 1, "one event");
      reader.close();
      const [event] = reader.events;
      assert.equal(event?.type, type);
      if (type === "sync.required") assert.equal(event?.data.history, history);
    }
  });

  test("EVT14 an id that is not ours asks for a sync there too; filters and limits are checked", async () => {
    const ada = await world.person();
    await makeEvents(ada, 2);
    for (const after of ["3", "nonsense", "99999999999999999999"]) {
      const { body } = await ada.client.get(`/changes?after=${after}`);
      assert.deepEqual(
        [body.data, body.sync_required, body.resume_from, body.oldest_available, body.reason],
        [[], true, 2, 1, "cursor_unknown"],
      );
    }
    await world.app.services.database.transaction((tx) =>
      tx
        .updateTable("events")
        .set({ locale: "de" })
        .where("workspace_id", "=", ada.workspaceId)
        .where("id", "=", 2)
        .execute(),
    );
    const filtered = (await ada.client.get("/changes?after=0&locale=DE")).body;
    assert.deepEqual([ids(filtered), filtered.resume_from], [[2], 2]);
    const none = (await ada.client.get("/changes?after=0&locale=fr")).body;
    assert.deepEqual([ids(none), none.resume_from, none.page.has_more], [[], 2, false]);
    assertError(await ada.client.get("/changes?after=0&limit=1001"), "invalid_request");
    assertError(await ada.client.get("/changes?after=0&locale=!"), "invalid_locale");
  });

  test("EVT13 old events go in small steps from the beginning, and readers beyond them are told", async () => {
    const { database } = world.app.services;
    const ada = await world.person();
    await makeEvents(ada, 6);
    const old = Date.now() - 8 * 24 * 60 * 60 * 1000;
    await database.transaction((tx) =>
      tx
        .updateTable("events")
        .set({ created_at: old })
        .where("workspace_id", "=", ada.workspaceId)
        .where("id", "<=", 4)
        .execute(),
    );
    const { history } = (await ada.client.get("/changes")).body;
    const check = async () => {
      const reader = await EventReader.open(world.url, ada.token, { lastEventId: 3 });
      const sync = await reader.next();
      assert.equal(sync.type, "sync.required");
      assert.deepEqual(sync.data, { resume_from: 6, oldest_available: 5, reason: "cursor_expired", history });
      reader.close();
      const fine = await EventReader.open(world.url, ada.token, { lastEventId: 4 });
      assert.equal((await fine.next()).id, 5);
      fine.close();
      const list = (await ada.client.get("/changes?after=3")).body;
      assert.deepEqual([list.sync_required, list.reason, list.resume_from], [true, "cursor_expired", 6]);
      const streams = database.read.selectFrom("event_streams").selectAll().where("token_id", "=", ada.tokenId);
      await until("the streams are given back", async () => (await streams.execute()).length === 0);
    };
    await check();
    await removeSome(database, Date.now() - 7 * 24 * 60 * 60 * 1000);
    const left = await database.read
      .selectFrom("events")
      .select("id")
      .where("workspace_id", "=", ada.workspaceId)
      .orderBy("id")
      .execute();
    assert.deepEqual(
      left.map(({ id }) => id),
      [5, 6],
    );
    await check();
  });
});

onEachDatabase(
  "events with a short retention",
  (world) => {
    test("EVT13 events are removed in the background; a reader that has the newest needs no sync", async () => {
      const ada = await world.person();
      await makeEvents(ada, 3);
      const { database } = world.app.services;
      await until("no event is left", async () => {
        const left = await database.read.selectFrom("events").select("id").execute();
        return left.length === 0;
      });
      const current = (await ada.client.get("/changes?after=3")).body;
      assert.deepEqual([current.sync_required, current.resume_from], [false, 3]);
      const reader = await EventReader.open(world.url, ada.token, { lastEventId: 1 });
      const sync = await reader.next();
      assert.deepEqual(sync.data, {
        resume_from: 3,
        oldest_available: null,
        reason: "cursor_expired",
        history: current.history,
      });
      await makeEvents(ada, 1);
      assert.equal((await reader.next()).id, 4);
      reader.close();
    });
  },
  { SVC_EVENT_RETENTION_DAYS: "0.00001" },
);
