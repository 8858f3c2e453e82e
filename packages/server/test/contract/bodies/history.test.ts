import assert from "node:assert/strict";
import { before, test } from "node:test";
import { defined } from "@svc/document/defined";
import { id, idFor, p } from "@svc/document/testing/builders";
import { thinHistories } from "@svc/server/operation/thin-histories";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@svc/server/time";
import { makeBody, textsOf, tiptap } from "../../support/bodies.ts";
import { assertError, assertStatus, type Loose } from "../../support/client.ts";
import { makeSuggestion } from "../../support/fixtures.ts";
import { editorsIn, isSaved, shownTexts, type } from "../../support/live-editor.ts";
import { until } from "../../support/until.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

onEachDatabase(
  "history",
  (world) => {
    let ada: Person;
    let bob: Person;
    before(async () => {
      ada = await world.person();
      bob = await world.person({ workspace: ada.workspaceId });
    });
    const { open } = editorsIn(world);
    const make = (...texts: string[]) =>
      makeBody(
        ada.client,
        texts.map((value, i) => id(i + 1, p(value))),
      );
    const patchText = async (documentId: string, block: number, value: string, client = ada.client, agent = "curl/8") =>
      assertStatus(
        await client.call(
          "PATCH",
          `/documents/${documentId}/blocks/${idFor(block)}`,
          { node: p(value) },
          {
            ifMatch: "*",
            headers: { "user-agent": agent },
          },
        ),
        200,
      );
    const list = async (documentId: string, query = ""): Promise<Loose[]> =>
      (await ada.client.get(`/documents/${documentId}/history${query}`)).data;
    const textOf = async (documentId: string, state: Loose): Promise<string> =>
      (await ada.client.get(`/documents/${documentId}/history/${state.id}?format=markdown`)).text;
    /** Makes everything in a document's history that much older. */
    const age = (documentId: string, ms: number) =>
      world.app.services.database.transaction((tx) =>
        tx
          .updateTable("history_states")
          .set((eb) => ({
            started_at: eb("started_at", "-", ms),
            ended_at: eb("ended_at", "-", ms),
            due_at: eb("due_at", "-", ms),
          }))
          .where("document_id", "=", documentId)
          .execute(),
      );
    const segmentsOf = (documentId: string) =>
      world.app.services.database.read
        .selectFrom("segments")
        .select("hash")
        .where("document_id", "=", documentId)
        .execute();

    test("HIST1 HIST2 a session of a person is one version; a pause and a write by a program begin another", async () => {
      const { id: documentId } = await make("One.");
      const a = await open(ada, documentId);
      for (const text of [" a", " b", " c"]) {
        type(a, 0, text);
        await isSaved(a);
      }
      const [session, first, ...more] = await list(documentId);
      assert.deepEqual([session.kind, first.kind, more.length], ["session", "write", 0]);
      assert.deepEqual(session.by, [
        { user_id: ada.userId, name: "Ada", agent: false, client: null, accepted_by: null },
      ]);
      assert.match(await textOf(documentId, session), /^One\. a b c$/m);
      assert.match(await textOf(documentId, first), /^One\.$/m);
      await age(documentId, 11 * MINUTE_MS);
      type(a, 0, " d");
      await isSaved(a);
      assert.equal((await list(documentId)).length, 3);
      await patchText(documentId, 1, "By an agent.", bob.client, "doc-bot/2.0");
      await until("the editor follows", () => shownTexts(a).join() === "By an agent.");
      type(a, 0, " e");
      await isSaved(a);
      const states = await list(documentId);
      assert.deepEqual(
        states.map(({ kind, by }) => [kind, by[0].user_id, by[0].client, by[0].agent]),
        [
          ["session", ada.userId, null, false],
          ["write", bob.userId, "doc-bot", true],
          ["session", ada.userId, null, false],
          ["session", ada.userId, null, false],
          ["write", ada.userId, states[4].by[0].client, states[4].by[0].agent],
        ],
      );
      const versions = await ada.client.get(`/documents/${documentId}/versions`);
      assert.equal(versions.data.length, 1, "live editing makes no snapshot of the contract");
    });

    test("HIST1 a long session makes another version every hour", async () => {
      const { id: documentId } = await make("One.");
      const a = await open(ada, documentId);
      type(a, 0, " a");
      await isSaved(a);
      const begin = (ms: number) =>
        world.app.services.database.transaction((tx) =>
          tx
            .updateTable("history_states")
            .set((eb) => ({ started_at: eb("started_at", "-", ms) }))
            .where("document_id", "=", documentId)
            .execute(),
        );
      await begin(59 * MINUTE_MS);
      type(a, 0, " b");
      await isSaved(a);
      assert.equal((await list(documentId)).length, 2);
      await begin(2 * MINUTE_MS);
      type(a, 0, " c");
      await isSaved(a);
      const states = await list(documentId);
      assert.deepEqual(
        states.map(({ kind }) => kind),
        ["session", "session", "write"],
      );
      assert.match(await textOf(documentId, states[1]), /^One\. a b$/m);
    });

    test("HIST2 two people who type at the same time have one version each, with the text as each left it", async () => {
      const { id: documentId } = await make("One.", "Two.");
      const [a, b] = [await open(ada, documentId), await open(bob, documentId)];
      for (const text of [" x", " y", " z"]) {
        type(a, 0, text);
        await isSaved(a);
        type(b, 1, text);
        await isSaved(b);
      }
      type(a, 0, " end");
      await isSaved(a);
      const states = await list(documentId);
      assert.deepEqual(
        states.map(({ kind, by }) => [kind, by.map(({ user_id }: Loose) => user_id)]),
        [
          ["session", [ada.userId]],
          ["session", [bob.userId, ada.userId]],
          ["write", [ada.userId]],
        ],
      );
      assert.match(await textOf(documentId, states[1]), /One\. x y z\n\nTwo\. x y z/);
      const blame = (await ada.client.get(`/documents/${documentId}/blame`)).data;
      assert.deepEqual(
        blame.map(({ by }: Loose) => by.user_id),
        [ada.userId, bob.userId],
      );
      const { length } = await segmentsOf(documentId);
      assert.ok(length <= 3, `${length} segments for three states of one segment each`);
    });

    test("HIST3 a difference is the one from the version before, word by word, or from another one", async () => {
      const { id: documentId } = await make("The old text.", "Same.");
      await patchText(documentId, 1, "The new text.");
      await patchText(documentId, 2, "Same again.");
      const states = await list(documentId);
      const diff = async (state: Loose, query = "") =>
        assertStatus(await ada.client.get(`/documents/${documentId}/history/${state.id}/diff${query}`), 200).data;
      const last = await diff(states[0]);
      assert.deepEqual([last.from_state_id, last.to_state_id], [states[1].id, states[0].id]);
      assert.deepEqual([last.from_version, last.to_version], [states[1].version, states[0].version]);
      assert.deepEqual(
        last.changes.map(({ block_id, change_type }: Loose) => [block_id, change_type]),
        [[idFor(2), "modified"]],
      );
      const middle = await diff(states[1]);
      const words = middle.changes[0].words.filter(({ kind }: Loose) => kind !== "same");
      assert.deepEqual(
        words.map(({ kind, text }: Loose) => [kind, text.trim()]),
        [
          ["removed", "old"],
          ["added", "new"],
        ],
      );
      const whole = await diff(states[2], `?with=${states[0].id}`);
      assert.deepEqual([whole.from_version, whole.to_version], [states[2].version, states[0].version]);
      assert.equal(whole.changes.length, 2);
      assert.equal((await diff(states[2], "?with=current")).to_state_id, null);
      const first = await diff(states[2]);
      assert.deepEqual([first.from_version, first.changes.length, first.changes[0].change_type], [null, 2, "added"]);
      assertError(await ada.client.get(`/documents/${documentId}/history/state_x/diff`), "not_found");
      assertError(await ada.client.get(`/documents/${documentId}/history/${states[0].id}/diff?with=no`), "not_found");
    });

    test("HIST4 restoring brings a version back in one call, and can be undone", async () => {
      const { id: documentId } = await make("One.");
      const a = await open(ada, documentId);
      type(a, 0, " typed");
      await isSaved(a);
      const [, first] = await list(documentId);
      const path = `/documents/${documentId}/history/${first.id}/restore`;
      const back = assertStatus(await ada.client.post(path, undefined), 200);
      assert.deepEqual(await textsOf(ada.client, documentId), ["One."]);
      const [restored] = await list(documentId);
      assert.equal(restored.kind, "restore");
      assertStatus(
        await ada.client.post(`/documents/${documentId}/history/${back.data.undo_state_id}/restore`, undefined),
        200,
      );
      assert.deepEqual(await textsOf(ada.client, documentId), ["One. typed"]);
      await until("the editor follows", () => shownTexts(a).join() === "One. typed");
      assertError(await ada.client.post(path, undefined, { ifMatch: first.version }), "version_conflict");
      const same = assertStatus(
        await ada.client.post(`/documents/${documentId}/history/${(await list(documentId))[0].id}/restore`, undefined),
        200,
      );
      assert.deepEqual(same.data.changed_block_ids, []);
      assert.equal((await list(documentId)).length, 4);
    });

    test("HIST5 a version with a name stays for ever, and its session ends; names need the ETag", async () => {
      const { id: documentId } = await make("One.");
      const a = await open(ada, documentId);
      type(a, 0, " named");
      await isSaved(a);
      const [session] = await list(documentId);
      const path = `/documents/${documentId}/history/${session.id}`;
      const { etag } = await ada.client.get(path);
      assert.equal(etag, session.etag);
      assertError(await ada.client.patch(path, { name: "Good" }), "precondition_required");
      const named = assertStatus(await ada.client.patch(path, { name: " Good " }, { ifMatch: defined(etag) }), 200);
      assert.equal(named.data.name, "Good");
      assertError(await ada.client.patch(path, { name: "Other" }, { ifMatch: defined(etag) }), "version_conflict");
      type(a, 0, " later");
      await isSaved(a);
      assert.equal((await list(documentId)).length, 3);
      await age(documentId, 1000 * DAY_MS);
      await thinHistories(world.app.services, Date.now());
      const kept = await list(documentId);
      assert.deepEqual(
        kept.map(({ name }) => name),
        [null, "Good"],
      );
      assert.match(await textOf(documentId, kept[1]), /^One\. named$/m);
      const second = kept[0];
      assertStatus(
        await ada.client.patch(
          `/documents/${documentId}/history/${second.id}`,
          { name: "B" },
          { ifMatch: second.etag },
        ),
        200,
      );
      await patchText(documentId, 1, "Third.");
      const [third] = await list(documentId);
      const full = await ada.client.patch(
        `/documents/${documentId}/history/${third.id}`,
        { name: "C" },
        { ifMatch: "*" },
      );
      assertError(full, "quota_exceeded");
      assertStatus(await ada.client.patch(path, { name: null }, { ifMatch: "*" }), 200);
      await thinHistories(world.app.services, Date.now() + 2 * HOUR_MS);
      assert.deepEqual(
        (await list(documentId)).map(({ name }) => name),
        [null, "B"],
      );
      assert.equal(await textOf(documentId, kept[0]), "One. named later\n");
    });

    test("HIST6 versions go by age: all for a day, one an hour for a week, one a day for a year", async () => {
      const { id: documentId } = await make("0");
      const day = Math.floor(Date.now() / DAY_MS) * DAY_MS;
      /** Ages in hours before today's midnight, oldest first; the version of the creation is the very first. */
      const hours = [24 * 400, 24 * 30 + 5, 24 * 30 + 4, 24 * 20, 72.5, 72.25, 70, 0.5, 0.25];
      for (const [index] of hours.entries()) await patchText(documentId, 1, `${index + 1}`);
      const rows = (await list(documentId, "?limit=100")).reverse();
      await world.app.services.database.transaction(async (tx) => {
        for (const [index, row] of rows.entries()) {
          const at = index === 0 ? day - 500 * DAY_MS : day - defined(hours[index - 1]) * HOUR_MS;
          await tx
            .updateTable("history_states")
            .set({ started_at: at, ended_at: at, due_at: 0 })
            .where("id", "=", row.id)
            .execute();
        }
      });
      const before = (await segmentsOf(documentId)).length;
      await thinHistories(world.app.services, day + HOUR_MS / 2);
      const kept = await list(documentId);
      const texts = await Promise.all(kept.map((state) => textOf(documentId, state)));
      assert.deepEqual(
        texts.map((text) => text.trim()),
        ["9", "8", "7", "6", "4", "3"],
      );
      assert.ok((await segmentsOf(documentId)).length <= before);
      const merged = kept.at(-1);
      assert.equal(merged.started_at < merged.ended_at, true, "it covers what went before it");
      const { changes } = (await ada.client.get(`/documents/${documentId}/history/${merged.id}/diff`)).data;
      assert.equal(changes[0].change_type, "added");
      assertStatus(await ada.client.post(`/documents/${documentId}/history/${merged.id}/restore`, undefined), 200);
      assert.deepEqual(await textsOf(ada.client, documentId), ["3"]);
    });

    test("HIST7 the text of a kept version stays when the 20 snapshots of API writes have gone", async () => {
      const { id: documentId } = await make("start");
      for (let i = 0; i < 40; i++) await patchText(documentId, 1, `text ${i}`);
      const states = await list(documentId, "?limit=100");
      assert.equal(states.length, 41);
      assert.equal((await textOf(documentId, states[40])).trim(), "start");
      assert.equal((await textOf(documentId, states[20])).trim(), "text 19");
      assert.equal((await ada.client.get(`/documents/${documentId}/versions?limit=100`)).data.length, 20);
      await age(documentId, 800 * DAY_MS);
      await thinHistories(world.app.services, Date.now());
      assert.equal((await list(documentId)).length, 1);
      const { length } = await segmentsOf(documentId);
      assert.ok(length <= 1 + 28, `${length} segments for the body and its snapshots`);
      assert.equal(
        (await ada.client.get(`/documents/${documentId}/versions/22?format=markdown`)).text.trim(),
        "text 20",
      );
    });

    test("HIST8 the author of each block is whoever changed it last: person, agent, suggestion, restore", async () => {
      const { id: documentId } = await make("One.", "Two.", "Three.");
      const blame = async (query = "") => (await ada.client.get(`/documents/${documentId}/blame${query}`)).data;
      const [first] = await blame();
      assert.deepEqual([first.block_id, first.by.user_id], [idFor(1), ada.userId]);
      const { data } = await patchText(documentId, 2, "Changed.", bob.client, "claude-code/1.2");
      const second = (await blame())[1];
      assert.deepEqual(
        [second.by.user_id, second.by.client, second.by.agent, second.version],
        [bob.userId, "claude-code", true, data.version],
      );
      const suggestion = await makeSuggestion(bob.client, {
        document_id: documentId,
        operations: [{ op: "replace", block_id: idFor(3), node: p("Suggested.") }],
      });
      const { etag } = await ada.client.get(`/suggestions/${suggestion.id}`);
      assertStatus(await ada.client.post(`/suggestions/${suggestion.id}/accept`, {}, { ifMatch: defined(etag) }), 200);
      const third = (await blame())[2];
      assert.equal(third.by.user_id, bob.userId);
      assert.deepEqual(third.by.accepted_by, { user_id: ada.userId, name: "Ada" });
      const [accepted] = await list(documentId);
      assert.deepEqual([accepted.kind, accepted.by[0].user_id], ["suggestion", bob.userId]);
      const moved = { position: { document_end: true } };
      const move = await bob.client.post(`/documents/${documentId}/blocks/${idFor(1)}/move`, moved, { ifMatch: "*" });
      if (move.status === 200) assert.equal((await blame()).at(-1).by.user_id, ada.userId);
      const initial = (await list(documentId)).at(-1);
      assertStatus(await ada.client.post(`/documents/${documentId}/history/${initial.id}/restore`, undefined), 200);
      assert.deepEqual(
        (await blame()).map(({ by }: Loose) => [by.user_id, by.accepted_by]),
        [
          [ada.userId, null],
          [ada.userId, null],
          [ada.userId, null],
        ],
      );
      assert.deepEqual(await blame(`?block_id=${idFor(2)}`), [(await blame())[1]]);
      const page = await ada.client.get(`/documents/${documentId}/blame?limit=2`);
      await patchText(documentId, 1, "Later.");
      const next = `/documents/${documentId}/blame?limit=2&cursor=${page.body.page.next_cursor}`;
      assertError(await ada.client.get(next), "read_cursor_stale");
    });

    test("HIST9 history comes back from the trash with its document, and a copy begins its own", async () => {
      const { id: documentId } = await make("One.");
      await patchText(documentId, 1, "Two.");
      const before = await list(documentId);
      const copy = assertStatus(await ada.client.post(`/documents/${documentId}/copy`, {}), 201).data;
      assert.equal((await list(copy.id)).length, 1);
      await ada.client.delete(`/documents/${documentId}`);
      assert.equal((await ada.client.get(`/documents/${documentId}/history`)).status, 404);
      const entries: Loose[] = (await ada.client.get("/trash?limit=100")).data;
      const { id: trashed } = defined(entries.find(({ item_id }) => item_id === documentId));
      assertStatus(await ada.client.post(`/trash/${trashed}/restore`), 200);
      assert.deepEqual(await list(documentId), before);
      assert.equal((await textOf(documentId, before[1])).trim(), "One.");
    });

    test("HIST10 strangers see no history; viewers read it and change nothing", async () => {
      const { id: documentId } = await make("One.");
      await patchText(documentId, 1, "Two.");
      const [state] = await list(documentId);
      const stranger = await world.person();
      const viewer = await world.person({ workspace: ada.workspaceId, role: "viewer" });
      for (const path of ["history", `history/${state.id}`, `history/${state.id}/diff`, "blame"]) {
        assertError(await stranger.client.get(`/documents/${documentId}/${path}`), "not_found");
        assertStatus(await viewer.client.get(`/documents/${documentId}/${path}`), 200);
      }
      const restore = `/documents/${documentId}/history/${state.id}/restore`;
      assertError(await stranger.client.post(restore, undefined), "not_found");
      assertError(await viewer.client.post(restore, undefined), "insufficient_role");
      const other = await make("Other.");
      assertError(await ada.client.get(`/documents/${other.id}/history/${state.id}`), "not_found");
    });

    test("HIST1 a spreadsheet and a long body have a history, too", async () => {
      const many = Array.from({ length: 300 }, (_, i) => `Paragraph ${i} with a few words in it.`);
      const { id: documentId } = await make(...many);
      await patchText(documentId, 150, "Changed.");
      await ada.client.put(`/documents/${documentId}/content`, tiptap(p("Short.")), { ifMatch: "*" });
      const states = await list(documentId);
      assert.equal(states.length, 3);
      const old = (await ada.client.get(`/documents/${documentId}/history/${states[1].id}`)).data.document.content;
      assert.equal(old.length, 300);
      assert.equal(old[149].content[0].text, "Changed.");
    });
  },
  { SVC_HISTORY_MAX_NAMED: "2" },
);
