import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { defined } from "@svc/document/defined";
import { changeFolder } from "@svc/server/domain/library/folders/change-folder";
import { clientOf as callerOf } from "@svc/server/http/callers/caller";
import { sql } from "kysely";
import { assertStatus, Client, type Reply } from "../support/client.ts";
import { checkParents } from "../support/parents.ts";
import { SECOND_SERVER, type ServerProcess, startServer } from "../support/process.ts";
import { until } from "../support/until.ts";
import { onEachDatabase, type Person } from "../support/world.ts";

/** A thousand takes some minutes. */
const ROUNDS = Number(process.env.SVC_TEST_FAULT_ROUNDS ?? 6);
/** Crosswise work goes on for at least so long. */
const SECONDS = Number(process.env.SVC_TEST_SECONDS ?? 0);

onEachDatabase("places that go while things are put there, with two processes", (world) => {
  let ada: Person;
  let eve: Person;
  let other: ServerProcess;
  let clients: readonly [Client, Client];
  before(async () => {
    ada = await world.person();
    eve = await world.person({ workspace: ada.workspaceId, role: "editor" });
    other = await startServer(world.settings, SECOND_SERVER);
    clients = [ada.client, new Client(other.url, ada.token)];
  });
  after(() => other.stop());

  const databaseOf = () => world.app.services.database;
  const clientOf = (i: number): Client => defined(clients[i % 2]);
  const makeBase = async () => (await ada.client.post("/knowledge-bases", { name: "Base" })).data;
  const makeFolder = async (knowledge_base_id: number) =>
    (await ada.client.post("/folders", { name: "Folder", knowledge_base_id })).data;
  /** Put there or refused because the place is gone: nothing else. */
  const assertPut = (replies: readonly { status: number; text: string }[]) => {
    for (const { status, text } of replies) assert.ok([200, 201, 202, 404].includes(status), text);
  };
  const waiting = async (): Promise<number> => {
    const lockWaits = sql`
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    return (await databaseOf().transaction((tx) => lockWaits.execute(tx))).rows.length;
  };
  /** A connection reports what it has counted when it ends, so all others are ended before the figure is read. */
  const deadlocks = () =>
    databaseOf().transaction(async (tx) => {
      await sql`
        select pg_terminate_backend(pid, 10000) from pg_stat_activity
        where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`.execute(tx);
      const found = sql<{ deadlocks: number }>`
        select deadlocks from pg_stat_database where datname = current_database()`;
      return Number(defined((await found.execute(tx)).rows[0]).deadlocks);
    });

  test("KB11 what is put into a knowledge base while it goes is refused or goes along", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const base = await makeBase();
      const folder = await makeFolder(base.id);
      const gone = (await ada.client.post("/documents", { title: "Gone", knowledge_base_id: base.id })).data;
      await ada.client.delete(`/documents/${gone.id}`);
      const [entry] = (await ada.client.get("/trash")).data;
      const access = { default_role: "editor", members: [{ user_id: eve.userId, role: "editor" }], groups: [] };
      const puts = Array.from({ length: 8 }, (_, i) =>
        clientOf(i).post("/documents", { title: `Document ${i}`, knowledge_base_id: base.id }),
      );
      const replies = await Promise.all([
        ...puts,
        clientOf(1).post("/documents", { title: "In a folder", knowledge_base_id: base.id, folder_id: folder.id }),
        clientOf(0).post("/folders", { name: "Another", knowledge_base_id: base.id }),
        clientOf(1).post("/concepts", { name: "Concept", knowledge_base_id: base.id }),
        clientOf(0).post(`/trash/${entry.id}/restore`),
        clientOf(1).post(`/knowledge-bases/${base.id}/summary/rebuild`, {}),
        clientOf(0).post(`/folders/${folder.id}/summary/rebuild`, {}),
        clientOf(1).put(`/knowledge-bases/${base.id}/watch`),
        clientOf(0).put(`/folders/${folder.id}/watch`),
        clientOf(1).put(`/knowledge-bases/${base.id}/access`, access, { ifMatch: "*" }),
        clientOf(1).delete(`/knowledge-bases/${base.id}`, { confirm_id: base.confirm_id }),
      ]);
      assertPut(replies);
    }
    await checkParents(databaseOf());
  });

  test("FOLD10 what is put into a folder while it goes is refused or goes along", async () => {
    const base = await makeBase();
    for (let round = 0; round < ROUNDS; round++) {
      const folder = await makeFolder(base.id);
      const place = { knowledge_base_id: base.id, folder_id: folder.id };
      const mover = (await ada.client.post("/documents", { title: "Mover", knowledge_base_id: base.id })).data;
      const puts = Array.from({ length: 6 }, (_, i) => clientOf(i).post("/documents", { title: `${i}`, ...place }));
      const replies = await Promise.all([
        ...puts,
        clientOf(1).post("/folders", { name: "Below", knowledge_base_id: base.id, parent_id: folder.id }),
        clientOf(0).patch(`/documents/${mover.id}`, { folder_id: folder.id }),
        clientOf(1).post(`/folders/${folder.id}/summary/rebuild`, {}),
        clientOf(0).put(`/folders/${folder.id}/watch`),
        clientOf(round).delete(`/folders/${folder.id}`),
      ]);
      assertPut(replies);
    }
    await checkParents(databaseOf());
  });

  test("DOC20 a copy goes along when its folder moves to another knowledge base meanwhile", async () => {
    if (world.kind !== "postgres") return;
    const folder = await makeFolder((await makeBase()).id);
    const place = { knowledge_base_id: folder.knowledge_base_id, folder_id: folder.id };
    const { id } = (await ada.client.post("/documents", { title: "Original", ...place })).data;
    const there = await ada.client.post("/documents", { title: "Elsewhere", knowledge_base_id: (await makeBase()).id });
    const copies = [
      () => clientOf(1).post(`/documents/${id}/copy`),
      () => clientOf(1).post(`/documents/${there.data.id}/copy`, { folder_id: folder.id }),
    ];
    for (const copy of copies) {
      const knowledgeBaseId = (await makeBase()).id;
      const change = { knowledgeBaseId, parentId: null };
      const actor = { userId: ada.userId, tokenId: ada.tokenId, client: callerOf(undefined) };
      let reply: Promise<Reply> | undefined;
      await databaseOf().transaction(async (tx) => {
        await changeFolder(world.app.services, tx, { workspaceId: ada.workspaceId, id: folder.id, change, actor });
        reply = copy();
        await until("the copy waits for its folder", async () => (await waiting()) > 0);
      });
      const { data } = assertStatus(await defined(reply), 201);
      assert.deepEqual([data.knowledge_base_id, data.folder_id], [knowledgeBaseId, folder.id]);
      assert.equal((await ada.client.get(`/documents/${data.id}`)).data.knowledge_base_id, knowledgeBaseId);
    }
    await checkParents(databaseOf());
  });

  test("crossing creations, moves and deletions in two folders never deadlock", async () => {
    if (world.kind !== "postgres") return;
    const base = await makeBase();
    const folders = [await makeFolder(base.id), await makeFolder(base.id)];
    const end = performance.now() + SECONDS * 1000;
    for (let round = 0; round < ROUNDS || performance.now() < end; round++) {
      const puts = Array.from({ length: 16 }, (_, i) =>
        clientOf(i).post(
          "/documents",
          { title: `${i}`, knowledge_base_id: base.id, folder_id: folders[(i >> 1) % 2].id },
          i % 4 === 0 ? { key: `key-${round}-${i}` } : {},
        ),
      );
      const made = await Promise.all(puts);
      const moves = made.map(({ data }, i) =>
        i % 3 === 0
          ? clientOf(i).delete(`/documents/${data.id}`)
          : clientOf(i).patch(`/documents/${data.id}`, { folder_id: folders[i % 2].id }),
      );
      const replies = await Promise.all([
        ...moves,
        clientOf(0).patch(`/folders/${folders[0].id}`, { parent_id: folders[1].id }),
        clientOf(1).patch(`/folders/${folders[1].id}`, { parent_id: folders[0].id }),
      ]);
      for (const { status, text } of replies) assert.ok([200, 404, 409, 422].includes(status), text);
      for (const { id } of folders) await ada.client.patch(`/folders/${id}`, { parent_id: null });
    }
    await checkParents(databaseOf());
    assert.equal(await deadlocks(), 0);
  });
});
