import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { defined } from "@svc/document/defined";
import type { Tx } from "@svc/server/db/database";
import { deleteDocument } from "@svc/server/domain/lifecycle/deletion/delete-document";
import { deleteFolder } from "@svc/server/domain/lifecycle/deletion/delete-folder";
import { deleteKnowledgeBase } from "@svc/server/domain/lifecycle/deletion/delete-knowledge-base";
import { purgeSome } from "@svc/server/domain/lifecycle/trash/purge";
import { clientOf } from "@svc/server/http/callers/caller";
import { sql } from "kysely";
import {
  type Addition,
  additionsTo,
  languagesOf,
  makeScene,
  putsInto,
  putsIntoBase,
  type Scene,
} from "../support/additions.ts";
import { Client, type Reply } from "../support/client.ts";
import { checkParents } from "../support/parents.ts";
import { SECOND_SERVER, type ServerProcess, startServer } from "../support/process.ts";
import { until } from "../support/until.ts";
import { onEachDatabase, type Person } from "../support/world.ts";

const ROUNDS = Number(process.env.SVC_TEST_FAULT_ROUNDS ?? 1);
/** Valid answers to a write whose document is deleted meanwhile; 422 when another write replaced its block. */
const ANSWERS = [200, 201, 202, 404, 409, 422];

/** Undoes a transaction. */
class Undone extends Error {}

onEachDatabase("documents and places that go while something is added to them, with two processes", (world) => {
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

  const services = () => world.app.services;
  const actor = () => ({ userId: ada.userId, tokenId: ada.tokenId, client: clientOf(undefined) });

  const isWaiting = async (): Promise<boolean> => {
    const waiting = sql`
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    return (await services().database.transaction((tx) => waiting.execute(tx))).rows.length > 0;
  };

  /** The answer to a request that came while a deletion was under way, which is then undone. */
  async function answerDuring(deletion: (tx: Tx) => Promise<unknown>, add: Addition): Promise<Reply | "waits"> {
    let reply: Reply | undefined;
    let seen: Reply | "waits" = "waits";
    let sent: Promise<unknown> | undefined;
    const held = services().database.transaction(async (tx) => {
      await deletion(tx);
      sent = add(defined(clients[1])).then((got) => {
        reply = got;
      });
      // Work in the background may be what waits: a request that does not is answered within a few looks.
      let looks = 0;
      await until("the request is answered or waits", async () => {
        if (await isWaiting()) looks++;
        return reply !== undefined || looks > 5;
      });
      seen = reply ?? "waits";
      throw new Undone();
    });
    await held.catch((error) => {
      if (!(error instanceof Undone)) throw error;
    });
    await sent;
    return seen;
  }

  const kinds: Record<string, { adds(scene: Scene): Record<string, Addition>; delete(tx: Tx, scene: Scene): unknown }> =
    {
      document: {
        adds: (scene) => additionsTo(scene, eve.userId),
        delete: (tx, { document }) =>
          deleteDocument(services(), tx, {
            workspaceId: ada.workspaceId,
            id: document.id,
            actor: actor(),
            rights: undefined,
          }),
      },
      "source of language versions": {
        adds: languagesOf,
        delete: (tx, { source }) =>
          deleteDocument(services(), tx, {
            workspaceId: ada.workspaceId,
            id: source.id,
            actor: actor(),
            rights: undefined,
          }),
      },
      folder: {
        adds: putsInto,
        delete: (tx, { folder }) =>
          deleteFolder(services(), tx, {
            workspaceId: ada.workspaceId,
            id: folder.id,
            actor: actor(),
            rights: undefined,
          }),
      },
      "knowledge base": {
        adds: (scene) => putsIntoBase(scene, eve.userId),
        delete: (tx, { base }) =>
          deleteKnowledgeBase(services(), tx, {
            workspaceId: ada.workspaceId,
            id: base.id,
            confirmId: base.confirm_id,
            actor: actor(),
          }),
      },
    };

  // SQLite has one writer at a time: nothing is under way while another transaction is.
  const waited = world.kind === "postgres" ? Object.entries(kinds) : [];
  for (const [kind, { adds, delete: remove }] of waited)
    test(`DOC19 what is added to a ${kind} waits for the end of its deletion`, async () => {
      const scene = await makeScene(ada.client);
      const early: string[] = [];
      for (const [name, add] of Object.entries(adds(scene))) {
        const seen = await answerDuring(async (tx) => remove(tx, scene), add);
        if (seen !== "waits") early.push(`${name}: ${seen.status} ${seen.text}`);
      }
      assert.deepEqual(early, []);
    });

  const deletions: Record<string, (client: Client, scene: Scene) => Promise<Reply>> = {
    "it is deleted": (client, { document }) => client.delete(`/documents/${document.id}`),
    "its folder is": (client, { folder }) => client.delete(`/folders/${folder.id}`),
    "its knowledge base is": (client, { base }) =>
      client.delete(`/knowledge-bases/${base.id}`, { confirm_id: base.confirm_id }),
  };

  for (const [way, remove] of Object.entries(deletions))
    test(`DOC19 what is added to a document is refused or goes along: ${way}`, async () => {
      const { database } = services();
      const purge = async () => {
        while (await database.transaction((tx) => purgeSome(tx, 50)));
      };
      for (let round = 0; round < ROUNDS; round++) {
        const scene = await makeScene(ada.client);
        const clientOf = (i: number): Client => defined(clients[(i + round) % 2]);
        const calls = Object.values({ ...additionsTo(scene, eve.userId), ...languagesOf(scene) });
        const replies = await Promise.all([
          ...calls.slice(5).map((call, i) => call(clientOf(i))),
          remove(clientOf(1), scene).then((reply) => purge().then(() => reply)),
          ...calls.slice(0, 5).map((call, i) => call(clientOf(i + 1))),
        ]);
        for (const { status, text } of replies) assert.ok(ANSWERS.includes(status), text);
      }
      await purge();
      await checkParents(database);
    });
});
