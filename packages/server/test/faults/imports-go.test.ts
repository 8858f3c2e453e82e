import assert from "node:assert/strict";
import { before, test } from "node:test";
import { defined } from "@svc/document/defined";
import { exported, imported } from "../support/archives.ts";
import type { Loose } from "../support/client.ts";
import { makeComment, makeConcept, startImport, upload, zipOf } from "../support/fixtures.ts";
import { jobEnded } from "../support/jobs.ts";
import { checkParents } from "../support/parents.ts";
import { until } from "../support/until.ts";
import { onEachDatabase, type Person } from "../support/world.ts";

const ROUNDS = Number(process.env.SVC_TEST_FAULT_ROUNDS ?? 1);
/** More than one transaction of an import takes. */
const DOCUMENTS = 80;

onEachDatabase("what an import builds is deleted while it builds", (world) => {
  let ada: Person;
  let archive: Buffer;
  before(async () => {
    ada = await world.person();
    archive = await makeArchive();
  });

  /** Documents in two folders, some with files, comments, language versions, relations and concepts. */
  async function makeArchive(): Promise<Buffer> {
    const { client } = ada;
    const pages = Array.from({ length: DOCUMENTS }, (_, i) => [`${i % 2}/d${i}.md`, `# Title ${i}\n\nText.\n`]);
    const { knowledge_base_id } = await imported(client, await zipOf(Object.fromEntries(pages)), "Original");
    const documents = (await client.get(`/documents?knowledge_base_id=${knowledge_base_id}&limit=100`)).data;
    const target_uri = documents[0].uri;
    for (const { id } of documents.slice(-5)) {
      await upload(client, id, "A file.");
      await makeComment(client, { document_id: id });
      await client.post(`/documents/${id}/localization/activate`, { source_locale: "en", target_locales: ["es"] });
      const [block] = (await client.get(`/documents/${id}/blocks`)).data;
      const source = { source_document_id: id, source_block_id: block.id };
      assert.equal((await client.post("/relations", { ...source, target_uri, predicate: "supports" })).status, 201);
    }
    for (let i = 0; i < 60; i++) await makeConcept(client, { knowledge_base_id, name: `Concept ${i}` });
    return exported(world, ada, knowledge_base_id);
  }

  const baseOf = async (name: string): Promise<Loose> => {
    const bases: Loose[] = (await ada.client.get("/knowledge-bases?limit=100")).data;
    return bases.find((base) => base.name.startsWith(name));
  };
  const removeBase = ({ id, confirm_id }: Loose) => ada.client.delete(`/knowledge-bases/${id}`, { confirm_id });

  /** The resource to delete once this many documents exist. */
  const deletions: Record<string, { from: number; remove(base: Loose): Promise<unknown> }> = {
    "its knowledge base at once": { from: 0, remove: removeBase },
    "its knowledge base": { from: 25, remove: removeBase },
    "its knowledge base among the concepts": { from: DOCUMENTS, remove: removeBase },
    "its folder": {
      from: 25,
      remove: async ({ id }) => {
        const [folder] = (await ada.client.get(`/knowledge-bases/${id}/children`)).data;
        return folder && ada.client.delete(`/folders/${folder.id}`);
      },
    },
    "a document": {
      from: 25,
      remove: async ({ id }) => {
        const [document] = (await ada.client.get(`/documents?knowledge_base_id=${id}&limit=1`)).data;
        return document && ada.client.delete(`/documents/${document.id}`);
      },
    },
  };

  for (const [what, { from, remove }] of Object.entries(deletions))
    test(`KB11 an import goes on or is refused when ${what} is deleted, and leaves nothing without its place`, async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const name = `${what} ${round}`;
        const { id } = await startImport(ada.client, archive, name);
        let base: Loose;
        await until("some of it is there", async () => {
          base = await baseOf(name);
          return base?.document_count >= from;
        });
        await remove(base);
        const job = await jobEnded(ada.client, "import-jobs", id);
        if (job.status === "failed") assert.equal(job.error.code, "not_found", JSON.stringify(job.error));
        else assert.equal(job.status, "succeeded");
        // It has gone with the deletion or with the refusal; where the import was faster, it is there as a whole.
        const left = await baseOf(name);
        if (remove === removeBase || job.status === "failed") assert.equal(left, undefined);
        else await removeBase(defined(left));
      }
      await checkParents(world.app.services.database);
    });

  test("KB11 an import whose knowledge base is deleted just before its end is refused, and not begun again", async () => {
    const { importer } = world.app.services;
    const run = importer.run;
    let runs = 0;
    importer.run = async (task, control) => {
      runs++;
      const built = await run.call(importer, task, control);
      await removeBase(await baseOf("Late"));
      return built;
    };
    try {
      const { id } = await startImport(ada.client, archive, "Late");
      const { status, error } = await jobEnded(ada.client, "import-jobs", id);
      assert.deepEqual([status, error.code, runs], ["failed", "not_found", 1]);
      assert.equal(await baseOf("Late"), undefined);
    } finally {
      importer.run = run;
    }
  });
});
