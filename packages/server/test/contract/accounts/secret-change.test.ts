import assert from "node:assert/strict";
import { test } from "node:test";
import { defined } from "@svc/document/defined";
import { assertError, assertStatus, Client } from "../../support/client.ts";
import { makeDocument, makeKnowledgeBase } from "../../support/fixtures.ts";
import { expectedSignature, hookTo, startReceiver } from "../../support/receiver.ts";
import { until } from "../../support/until.ts";
import { loopback } from "../../support/webhooks.ts";
import { onEachDatabase } from "../../support/world.ts";

const settings: Record<string, string> = { ...loopback };

onEachDatabase(
  "a change of the server's secret",
  (world) => {
    const withSecrets = async (current: string, previous = "") => {
      Object.assign(settings, { SVC_SECRET: current, SVC_SECRET_PREVIOUS: previous });
      await world.restart();
    };

    test("SEC1 cursors, share links and webhook secrets of the previous one stay valid, then end", async () => {
      await withSecrets("first");
      const { client: before, token } = await world.person();
      await using receiver = await startReceiver();
      const hook = await hookTo(before, receiver);
      const base = await makeKnowledgeBase(before);
      const made = await makeDocument(before, { knowledge_base_id: base.id });
      await makeDocument(before, { knowledge_base_id: base.id });
      const { next_cursor } = (await before.get("/documents?limit=1")).body.page;
      const share = (await before.post(`/documents/${made.id}/public-share`)).data;

      await withSecrets("second", "first");
      const client = new Client(world.url, token);
      assertStatus(await client.get(`/documents?limit=1&cursor=${next_cursor}`), 200);
      for (const reply of [
        await client.get(`/documents/${made.id}/public-share`),
        await client.post(`/documents/${made.id}/public-share`),
      ])
        assert.equal(reply.data.token, share.token);
      assert.equal((await fetch(`${world.url}/s/${share.token}`)).status, 200);
      const seen = receiver.seen.length;
      await client.post(`/webhooks/${hook.id}/test`);
      await until("it has come", () => receiver.seen.length > seen);
      const request = defined(receiver.seen.at(-1));
      const signatures = String(request.headers["webhook-signature"]).split(" ");
      assert.equal(signatures.length, 2);
      assert.ok(signatures.includes(expectedSignature(hook.secret, request)));
      const fresh = (await client.get("/documents?limit=1")).body.page.next_cursor;
      assert.notEqual(fresh, next_cursor);

      await withSecrets("second");
      const later = new Client(world.url, token);
      assertError(await later.get(`/documents?limit=1&cursor=${next_cursor}`), "invalid_cursor");
      assertStatus(await later.get(`/documents?limit=1&cursor=${fresh}`), 200);
      assert.notEqual((await later.post(`/documents/${made.id}/public-share`)).data.token, share.token);
      assert.equal((await fetch(`${world.url}/s/${share.token}`)).status, 404);
    });
  },
  settings,
);
