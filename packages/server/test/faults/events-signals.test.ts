import assert from "node:assert/strict";
import { test } from "node:test";
import { defined } from "@svc/document/defined";
import pg from "pg";
import { EventReader } from "../support/event-reader.ts";
import { makeDocument, makeKnowledgeBase } from "../support/fixtures.ts";
import { sleepAwake, Watch } from "../support/until.ts";
import { World } from "../support/world.ts";

/** Ends the connections on which news travels; tells how many there were. */
async function cutNews(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const cut = await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and query ~* '^(listen|select pg_notify)'`,
  );
  await client.end();
  return cut.rowCount ?? 0;
}

test("EVT10 a lost connection for news delays events a little and loses none [postgres]", async () => {
  const world = new World("postgres", {});
  await world.start();
  const { SVC_DATABASE_URL: url } = world.settings;
  const other = new World("postgres", { SVC_DATABASE_URL: defined(url) });
  try {
    await other.start();
    const ada = await world.person();
    const kb = await makeKnowledgeBase(ada.client);
    const reader = await EventReader.open(other.url, ada.token);
    await makeDocument(ada.client, { knowledge_base_id: kb.id });
    assert.equal((await reader.next()).id, 1);
    assert.ok((await cutNews(defined(url))) >= 2);
    for (let id = 2; id <= 4; id++) {
      await makeDocument(ada.client, { knowledge_base_id: kb.id });
      using watch = new Watch();
      const event = await reader.next();
      assert.equal(event.id, id);
      assert.ok(watch.ms < 3000, `${watch.ms} ms`);
    }
    await sleepAwake(1500);
    await makeDocument(ada.client, { knowledge_base_id: kb.id });
    assert.equal((await reader.next()).id, 5);
    assert.ok((await cutNews(defined(url))) >= 2, "both listen or notify again");
    reader.close();
  } finally {
    await other.stop();
    await world.stop();
  }
});
