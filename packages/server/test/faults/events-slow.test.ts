import assert from "node:assert/strict";
import type { Readable } from "node:stream";
import { test } from "node:test";
import { defined } from "@svc/document/defined";
import { ledgerOf } from "@svc/server/events/ledger";
import { EventReader } from "../support/event-reader.ts";
import { makeDocument } from "../support/fixtures.ts";
import { until } from "../support/until.ts";
import { onEachDatabase, type Person, type World } from "../support/world.ts";

const HEARTBEAT_MS = 400;
const ROUNDS = 40;
const PER_ROUND = 500;

/** Many events of about a kilobyte each, in one transaction. */
async function burst(world: World, { userId, workspaceId }: Person, documentId: string, count: number): Promise<void> {
  const { database } = world.app.services;
  await database.transaction(async (tx) => {
    const document = await tx
      .selectFrom("documents")
      .selectAll()
      .where("id", "=", documentId)
      .executeTakeFirstOrThrow();
    const actor = { userId, tokenId: null, client: { name: "x".repeat(500), version: null, agent: false } };
    for (let i = 0; i < count; i++) ledgerOf(tx, workspaceId).event("document.metadata.updated", document, actor);
  });
}

onEachDatabase(
  "a slow reader",
  (world) => {
    test("EVT15 holds little memory, delays nobody, is cut off, and resumes", { timeout: 240_000 }, async () => {
      const ada = await world.person();
      const { id } = await makeDocument(ada.client);
      const slow = await EventReader.open(world.url, ada.token, { lastEventId: 0 });
      await slow.next();
      slow.pause();
      const unread = await world.app.services.streams.open({
        caller: ada,
        filter: { userId: ada.userId },
        after: undefined,
      });
      let most = 0;
      const quick = await EventReader.open(world.url, ada.token, { lastEventId: 1 });
      const delays: number[] = [];
      for (let round = 1; round <= ROUNDS; round++) {
        await burst(world, ada, id, PER_ROUND);
        const written = performance.now();
        const last = 1 + round * PER_ROUND;
        await quick.until(() => quick.lastId === last, `event ${last}`);
        delays.push(performance.now() - written);
        most = Math.max(most, (unread as Readable).readableLength);
      }
      assert.equal(quick.events.length, ROUNDS * PER_ROUND);
      assert.ok(most > 0 && most < 256 * 1024, `${most} bytes wait for the reader that takes nothing`);
      delays.sort((a, b) => a - b);
      assert.ok(defined(delays[ROUNDS / 2]) < 3000, `median ${delays[ROUNDS / 2]} ms for ${PER_ROUND} events`);

      await until("only the quick reader is left", () => world.app.services.streams.size === 1);
      assert.equal(unread.destroyed, true);
      slow.resume();
      assert.equal(await slow.ended, "cut");

      const got = slow.events.map((event) => event.id);
      assert.ok(got.length < ROUNDS * PER_ROUND);
      const again = await EventReader.open(world.url, ada.token, { lastEventId: got.at(-1) });
      await again.until(() => again.lastId === 1 + ROUNDS * PER_ROUND, "the rest");
      assert.deepEqual(
        [...got, ...again.events.map((event) => event.id)],
        Array.from({ length: 1 + ROUNDS * PER_ROUND }, (_, i) => i + 1),
      );
      quick.close();
      again.close();
    });
  },
  { SVC_EVENT_HEARTBEAT_MS: String(HEARTBEAT_MS) },
);
