import assert from "node:assert/strict";
import { test } from "node:test";
import { exported, imported } from "../../support/archives.ts";
import { zipOf } from "../../support/fixtures.ts";
import { until } from "../../support/until.ts";
import { onEachDatabase, type World } from "../../support/world.ts";

/** More than one thread reads and stores by itself. */
const MANY = 130;
const png = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAACUAAAAVCAIAAABOhrD5", "base64");

/** Pages in folders: each links to a heading of the next one, and shows the same picture. */
const pages = (): Record<string, string | Uint8Array> =>
  Object.fromEntries([
    ...Array.from({ length: MANY }, (_, n) => {
      const next = (n + 1) % MANY;
      return [
        `f${n % 7}/p${n}.md`,
        `# Page ${n}\n\n* word${n}x\n\n[on](../f${next % 7}/p${next}.md#page-${next})\n\n![](../p.png)\n`,
      ];
    }),
    ["p.png", png],
  ]);

const filesIn = async (world: World): Promise<number> =>
  (await Array.fromAsync(world.app.services.blobs.list("files/"))).length;

onEachDatabase(
  "archives of many documents",
  (world) => {
    test("IMP17 read in one thread and stored in another, they are as those of few", async () => {
      const ada = await world.person();
      const { client } = ada;
      const job = await imported(client, await zipOf(pages()));
      assert.equal(job.status, "succeeded", JSON.stringify(job.error));
      assert.deepEqual([job.documents, job.folders, job.attachments], [MANY, 7, MANY]);
      assert.deepEqual([job.links_resolved, job.links_unresolved], [MANY, 0]);
      assert.deepEqual(job.progress, { documents_total: MANY, documents_done: MANY });
      const [{ document_id: id }] = (await client.get("/search?q=word42x")).data;
      const [link] = (await client.get(`/documents/${id}/relations?direction=outgoing`)).data;
      const target = await client.get(`/documents/${link.target_document_id}/blocks/${link.target_block_id}`);
      assert.match(JSON.stringify(target.data), /"Page 43"/);
      const { text } = await client.get(`/documents/${id}/content?format=markdown`);
      assert.match(text, /^# Page 42\n\n\* word42x\n/, "as it was written");
      const bob = await world.person();
      const again = await imported(bob.client, await exported(world, ada, job.knowledge_base_id));
      assert.deepEqual([again.status, again.documents, again.attachments], ["succeeded", MANY, MANY]);
      assert.equal((await bob.client.get("/search?q=word129x")).data.length, 1);
    });

    test("IMP17 one that cannot be read after others were stored leaves neither documents nor files", async () => {
      const { client } = await world.person();
      const before = await filesIn(world);
      const job = await imported(client, await zipOf({ ...pages(), "z/last.md": Buffer.from([0xff, 0xfe, 0]) }));
      assert.deepEqual([job.status, job.error?.code], ["failed", "invalid_archive"]);
      assert.deepEqual((await client.get("/knowledge-bases")).data, []);
      await until("their files are gone", async () => (await filesIn(world)) === before);
    });

    test("IMP17 one that the store refuses is refused with its reason, and leaves nothing", async () => {
      const { client } = await world.person();
      assert.equal((await imported(client, await zipOf(pages()))).status, "succeeded");
      const before = await filesIn(world);
      const job = await imported(client, await zipOf(pages()));
      assert.deepEqual([job.status, job.error?.code], ["failed", "quota_exceeded"]);
      assert.equal((await client.get("/me/quota")).data.documents.used, MANY);
      await until("their files are gone", async () => (await filesIn(world)) === before);
    });
  },
  { SVC_MAX_DOCUMENTS: String(MANY + 50) },
);
