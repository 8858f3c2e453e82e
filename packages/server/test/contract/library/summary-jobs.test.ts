import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { defined } from "@svc/document/defined";
import { assertStatus, Client, type Loose } from "../../support/client.ts";
import { makeDocument, makeFolder, makeKnowledgeBase, markdown } from "../../support/fixtures.ts";
import { jobEnded } from "../../support/jobs.ts";
import { providerServer, type Reply } from "../../support/provider-server.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

const KEY = "secret-model-key";
const says = (content: string): Reply => ({ json: { choices: [{ message: { content }, finish_reason: "stop" }] } });

let answer: (count: number) => Reply = () => says("A short summary.");
const provider = await providerServer((_request, count) => answer(count));
after(() => provider[Symbol.asyncDispose]());

const settings = { SVC_MODEL_URL: provider.url, SVC_MODEL_NAME: "tiny", SVC_MODEL_API_KEY: KEY };

onEachDatabase(
  "model summaries",
  (world) => {
    let ada: Person;
    before(async () => {
      ada = await world.person();
    });
    beforeEach(() => {
      answer = () => says("A short summary.");
      provider.seen.length = 0;
    });

    /** The provider answers once the function that comes back is called. */
    const answerLate = (): (() => void) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      answer = () => (response) =>
        void promise.then(() => response.end(JSON.stringify((says("Late.") as { json: unknown }).json)));
      return resolve;
    };

    const start = async (path: string, more: Loose = {}): Promise<Loose> =>
      assertStatus(await ada.client.post(`${path}/rebuild`, { generator: "model", ...more }), 202).data;
    const ended = ({ id }: Loose): Promise<Loose> => jobEnded(ada.client, "summary-jobs", id);

    test("SUM9 a job is pending, ends succeeded, and its text is the summary", async () => {
      const { id } = await makeDocument(ada.client);
      const path = `/documents/${id}/summary`;
      const job = await start(path);
      assert.deepEqual([job.status, job.scope, job.target_id], ["pending", "document", id]);
      const end = await ended(job);
      const summary = await ada.client.get(path);
      assert.deepEqual(
        [end.status, summary.data.generator, summary.data.text],
        ["succeeded", "model", "A short summary."],
      );
      assert.equal(end.summary_version, summary.etag);
    });

    test("RIGHT5 the job of a section is found by a member from whom a knowledge base is hidden", async () => {
      const hidden = await makeKnowledgeBase(ada.client);
      const access = { default_role: "none", members: [], groups: [] };
      assertStatus(await ada.client.put(`/knowledge-bases/${hidden.id}/access`, access, { ifMatch: "*" }), 200);
      const member = await world.person({ workspace: ada.workspaceId, role: "editor" });
      const { id } = await makeDocument(ada.client, { text: "# One\n\nText." });
      const block = (await ada.client.get(`/documents/${id}/blocks`)).data[0].id;
      const job = await start(`/documents/${id}/summary`, { block_id: block });
      assert.equal(assertStatus(await member.client.get(`/summary-jobs/${job.id}`), 200).data.scope, "section");
    });

    test("SUM10 a source that changes during the run makes the job obsolete and overwrites nothing", async () => {
      const { id } = await makeDocument(ada.client);
      const release = answerLate();
      const job = await start(`/documents/${id}/summary`);
      assert.equal((await ada.client.get(`/documents/${id}/summary`)).data.status, "generating");
      await ada.client.put(`/documents/${id}/content`, markdown("Changed."), { ifMatch: "*" });
      release();
      assert.equal((await ended(job)).status, "obsolete");
      assert.notEqual((await ada.client.get(`/documents/${id}/summary`)).data.generator, "model");
    });

    test("SUM11 a summary pinned since the job began stays", async () => {
      const { id, version } = await makeDocument(ada.client);
      const path = `/documents/${id}/summary`;
      const release = answerLate();
      const job = await start(path);
      const mine = { text: "Mine.", base_source_version: version, pinned: true };
      assertStatus(await ada.client.put(path, mine, { ifMatch: defined((await ada.client.get(path)).etag) }), 200);
      release();
      assert.equal((await ended(job)).status, "obsolete");
      assert.equal((await ada.client.get(path)).data.text, "Mine.");
    });

    test("SUM12 a long document is summarised in parts that are then combined", async () => {
      const text = Array.from(
        { length: 120 },
        (_, i) => `Paragraph ${i}. ${"Many words stand here. ".repeat(40)}`,
      ).join("\n\n");
      const { id } = await makeDocument(ada.client, { text });
      assert.equal((await ended(await start(`/documents/${id}/summary`))).status, "succeeded");
      assert.ok(provider.seen.length > 3, "several parts and the combination");
      assert.match(defined(provider.seen.at(-1)).body, /Combine these summaries/);
    });

    test("SUM13 a provider that refuses or talks nonsense fails the job, with a code and without the key", async () => {
      const { id } = await makeDocument(ada.client);
      const outcomes: [Reply, string][] = [
        [{ status: 401, json: { error: { code: "invalid_api_key", message: `bad key ${KEY}` } } }, "provider_refused"],
        [{ text: "<html>not json</html>" }, "provider_nonsense"],
      ];
      for (const [reply, code] of outcomes) {
        answer = () => reply;
        const end = await ended(await start(`/documents/${id}/summary`));
        assert.deepEqual([end.status, end.error.code], ["failed", code]);
        assert.ok(!JSON.stringify(end).includes(KEY));
      }
    });

    test("SUM14 a provider that asks to wait is asked again", async () => {
      const { id } = await makeDocument(ada.client);
      answer = (count) =>
        count === 1 ? { status: 429, headers: { "retry-after": "0" }, json: {} } : says("Second try.");
      assert.equal((await ended(await start(`/documents/${id}/summary`))).status, "succeeded");
      assert.equal((await ada.client.get(`/documents/${id}/summary`)).data.text, "Second try.");
    });

    test("SUM15 folders and sections too", async () => {
      const folder = await makeFolder(ada.client);
      const { id } = await makeDocument(ada.client, {
        knowledge_base_id: folder.knowledge_base_id,
        folder_id: folder.id,
      });
      assert.equal((await ended(await start(`/folders/${folder.id}/summary`))).status, "succeeded");
      const [heading] = (await ada.client.get(`/documents/${id}/blocks`)).data;
      const reply = await ada.client.post(`/documents/${id}/summary/rebuild?generator=model&block_id=${heading.id}`);
      assert.equal((await ended(reply.data)).status, "succeeded");
      const section = (await ada.client.get(`/documents/${id}/summary?block_id=${heading.id}`)).data;
      assert.deepEqual([section.scope, section.generator], ["section", "model"]);
    });

    test("SUM16 a pending job survives a restart of the server", async () => {
      const { id } = await makeDocument(ada.client);
      answer = (count) => (count === 1 ? () => undefined : says("After the restart."));
      const job = await start(`/documents/${id}/summary`);
      while (provider.seen.length === 0) await sleep(20);
      await world.restart();
      ada = { ...ada, client: new Client(world.url, ada.token) };
      assert.equal((await ended(job)).status, "succeeded");
      assert.equal((await ada.client.get(`/documents/${id}/summary`)).data.text, "After the restart.");
    });
  },
  settings,
);
