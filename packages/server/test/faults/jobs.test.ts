import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client, type Loose } from "../support/client.ts";
import { makeDocument } from "../support/fixtures.ts";
import { startServer, svc } from "../support/process.ts";
import { providerServer } from "../support/provider-server.ts";
import { databases, makeStore } from "../support/world.ts";

const COUNT = 6;

for (const kind of databases) {
  describe(`jobs and kill -9 [${kind}]`, () => {
    test("JOB2 a killed server's jobs end after the restart, each effect once", async () => {
      let answering = false;
      await using provider = await providerServer(() => {
        if (!answering) return () => undefined;
        return { json: { choices: [{ message: { content: "Done." }, finish_reason: "stop" }] } };
      });
      const store = await makeStore(kind);
      const settings = { ...store.settings, SVC_MODEL_URL: provider.url, SVC_MODEL_NAME: "tiny" };
      const first = await startServer(settings);
      await svc(
        settings,
        "users",
        "create",
        "--email",
        "ada@example.com",
        "--name",
        "Ada",
        "--password",
        "long enough",
      );
      const { token } = await svc(settings, "tokens", "create", "--email", "ada@example.com", "--access", "read_write");
      const client = new Client(first.url, token);
      const jobs: Loose[] = [];
      for (let i = 0; i < COUNT; i++) {
        const { id } = await makeDocument(client);
        const { data } = await client.post(`/documents/${id}/summary/rebuild`, { generator: "model" });
        jobs.push({ id: data.id, document: id });
      }
      while (provider.seen.length < 3) await sleep(20);
      await first.stop("SIGKILL");
      answering = true;

      const second = await startServer(settings);
      const again = new Client(second.url, token);
      for (const job of jobs) {
        let state: Loose;
        do {
          await sleep(100);
          state = (await again.get(`/summary-jobs/${job.id}`)).data;
        } while (state.finished_at === null);
        assert.equal(state.status, "succeeded");
        const summary = (await again.get(`/documents/${job.document}/summary`)).data;
        assert.deepEqual([summary.text, summary.summary_version], ["Done.", state.summary_version]);
      }
      await second.stop();
      await store.remove();
    });
  });
}
