import assert from "node:assert/strict";
import { once } from "node:events";
import { before, test } from "node:test";
import { p } from "@svc/document/testing/builders";
import { unpackFrame } from "@svc/live/frames";
import { insertMembership } from "@svc/server/domain/identity/accounts/queries";
import { makeBody, textsOf } from "../../support/bodies.ts";
import type { Loose } from "../../support/client.ts";
import {
  editorsIn,
  fetchState,
  goOffline,
  isSaved,
  openSocket,
  type Seat,
  shownTexts,
  type,
} from "../../support/live-editor.ts";
import { until } from "../../support/until.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

onEachDatabase(
  "rights in live documents",
  (world) => {
    let ada: Person;
    let bob: Person;
    before(async () => {
      ada = await world.person();
      bob = await world.person({ workspace: ada.workspaceId, role: "editor" });
    });
    const { open, openAt, seatOf } = editorsIn(world);

    test("LIVE26 a viewer's state comes without a client id, and another tab's is not taken without its proof", async () => {
      const { id } = await makeBody(ada.client, [p("One.")]);
      const eve = await world.person({ workspace: ada.workspaceId, role: "viewer" });
      const headerOf = async (person: Person): Promise<Loose> =>
        unpackFrame(await fetchState(await seatOf(person, id)))?.header;
      assert.equal((await headerOf(eve)).client, undefined);
      const [first, second] = [await headerOf(ada), await headerOf(ada)];
      assert.notEqual(first.client, second.client);
      const seat = await seatOf(bob, id);
      const query = new URLSearchParams({ epoch: first.epoch, seq: "0", client: first.client, resume: first.resume });
      const socket = openSocket(seat, query.toString());
      const [hello] = await once(socket, "message");
      socket.terminate();
      assert.notEqual(JSON.parse(String(hello)).client, first.client);
    });

    test("LIVE9 rights are checked at the door: no session, another origin, another workspace, a viewer's update", async () => {
      const { id } = await makeBody(ada.client, [p("One.")]);
      const seat = await seatOf(ada, id);
      const statusOf = async (of: Seat, headers: Record<string, string> = {}) => {
        const [error] = await once(openSocket(of, "", headers), "error");
        return /\d{3}/.exec(String(error))?.[0];
      };
      const [code] = await once(openSocket({ ...seat, cookie: "" }), "close");
      assert.equal(code, 4401);
      assert.equal(await statusOf(seat, { origin: "https://elsewhere.example" }), "403");
      const stranger = await world.person();
      await assert.rejects(open(stranger, id));
      const viewer = await world.person({ workspace: ada.workspaceId, role: "viewer" });
      const v = await open(viewer, id);
      assert.deepEqual([v.mayWrite, v.status.kind], [false, "watching"]);
      const a = await open(ada, id);
      type(a, 0, " seen");
      await until("the viewer watches", () => shownTexts(v).join() === "One. seen");
      v.close();
    });

    test("LIVE9 an editor whose session ended while it was away is told so, and keeps its text", async () => {
      const { id } = await makeBody(ada.client, [p("One.")]);
      const away = await world.person({ workspace: ada.workspaceId, role: "editor" });
      const seat = { ...(await seatOf(away, id)) };
      const editor = await openAt(seat);
      const { url } = seat;
      goOffline(editor, seat);
      type(editor, 0, " Written on the way.");
      await world.app.services.database.transaction((tx) =>
        tx.deleteFrom("sessions").where("user_id", "=", away.userId).execute(),
      );
      seat.url = url;
      await until("it is told", () => editor.status.kind === "refused");
      assert.match(JSON.stringify(editor.status), /you are signed out/);
      assert.equal(editor.isStored, false);
      assert.deepEqual(shownTexts(editor), ["One. Written on the way."]);
    });

    test("LIVE9 an editor comes back to its document after another tab has gone to another workspace", async () => {
      const { id } = await makeBody(ada.client, [p("One.")]);
      const { database } = world.app.services;
      const elsewhere = await world.person();
      const join = { workspace_id: elsewhere.workspaceId, user_id: ada.userId, role: "owner", created_at: 1 } as const;
      await database.transaction((tx) => insertMembership(tx, join));
      const seat = { ...(await seatOf(ada, id)) };
      const editor = await openAt(seat);
      const url = seat.url;
      goOffline(editor, seat);
      type(editor, 0, " Written on the way.");
      await database.transaction((tx) =>
        tx
          .updateTable("sessions")
          .set({ workspace_id: elsewhere.workspaceId })
          .where("user_id", "=", ada.userId)
          .execute(),
      );
      seat.url = url;
      await isSaved(editor);
      assert.deepEqual(await textsOf(ada.client, id), ["One. Written on the way."]);
      await openAt(seat);
      const stays = database.read.selectFrom("sessions").select("workspace_id").where("user_id", "=", ada.userId);
      for (const { workspace_id } of await stays.execute()) assert.equal(workspace_id, elsewhere.workspaceId);
    });

    test("LIVE9 rights that are taken away while somebody types end their socket, and nothing more is stored", async () => {
      const { id } = await makeBody(ada.client, [p("One.")]);
      const carol = await world.person({ workspace: ada.workspaceId, role: "editor" });
      const dave = await world.person({ workspace: ada.workspaceId, role: "editor" });
      const [c, d] = [await open(carol, id), await open(dave, id)];
      const { database } = world.app.services;
      await database.transaction((tx) =>
        tx.updateTable("memberships").set({ role: "viewer" }).where("user_id", "=", carol.userId).execute(),
      );
      await database.transaction((tx) => tx.deleteFrom("sessions").where("user_id", "=", dave.userId).execute());
      type(c, 0, " not allowed");
      type(d, 0, " not signed in");
      await until("both are told", () => c.status.kind === "refused" && d.status.kind === "refused");
      assert.match(JSON.stringify([c.status, d.status]), /no longer edit.*signed out/);
      assert.deepEqual(await textsOf(ada.client, id), ["One."]);
      assert.equal(c.isStored, false);
    });
  },
  { SVC_MAX_DOCUMENT_CHARACTERS: "1000" },
);
