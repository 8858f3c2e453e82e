import assert from "node:assert/strict";
import { test } from "node:test";
import { exported, exportOf, imported, unzipped, withManifest } from "../../support/archives.ts";
import { assertStatus, type Client, type Loose } from "../../support/client.ts";
import { makeDocument, makeFolder, makeKnowledgeBase, markdown, zipOf } from "../../support/fixtures.ts";
import { onEachDatabase } from "../../support/world.ts";

const TEXT = "# One\n\nFirst.\n\n# Two\n\nSecond.";

async function save(client: Client, path: string, text: string, pinned = false): Promise<void> {
  const [place, query = ""] = path.split("?");
  const { current_source_version: base_source_version } = (await client.get(`${place}/summary?${query}`)).data;
  const summary = { text, pinned, base_source_version };
  assertStatus(await client.put(`${place}/summary?${query}`, summary, { ifMatch: "*" }), 200);
}

/** The stored summaries of a knowledge base with one folder and one document in it; without ids and versions. */
async function summariesOf(client: Client, base: number): Promise<Loose[]> {
  const { children } = (await client.get(`/knowledge-bases/${base}/tree`)).data;
  const folder = children.find(({ type }: Loose) => type === "folder");
  const [document] = folder.children;
  const blocks: Loose[] = (await client.get(`/documents/${document.id}/blocks`)).data;
  const [first, second] = blocks.filter(({ type }) => type === "heading");
  const paths = [`/knowledge-bases/${base}/summary`, `/folders/${folder.id}/summary`];
  for (const query of ["", `?block_id=${first.id}`, `?block_id=${second.id}`])
    paths.push(`/documents/${document.id}/summary${query}`);
  return Promise.all(
    paths.map(async (path) => {
      const { text, generator, freshness, pinned, coverage, author, created_at, updated_at, scope } = (
        await client.get(path)
      ).data;
      return { scope, text, generator, freshness, pinned, coverage, author, created_at, updated_at };
    }),
  );
}

onEachDatabase("summaries in archives", (world) => {
  test("EXP12 IMP18 stored summaries go along, current or stale as they were", async () => {
    const ada = await world.person();
    const { client } = ada;
    const { id: base } = await makeKnowledgeBase(client, "Short");
    const { id: folder } = await makeFolder(client, { knowledge_base_id: base });
    const place = { knowledge_base_id: base, folder_id: folder };
    const { id } = await makeDocument(client, { ...place, text: TEXT });
    const headings: Loose[] = (await client.get(`/documents/${id}/blocks`)).data.filter(
      ({ type }: Loose) => type === "heading",
    );
    await save(client, `/documents/${id}?block_id=${headings[0].id}`, "Of the first part.");
    await save(client, `/folders/${folder}`, "Of the folder.", true);
    const more = { position: { document_end: true }, nodes: [{ type: "paragraph" }] };
    assertStatus(await client.post(`/documents/${id}/blocks`, more), 201);
    await save(client, `/documents/${id}`, "Of the page.", true);
    await save(client, `/knowledge-bases/${base}`, "Of all.");
    assertStatus(await client.post(`/documents/${id}/summary/rebuild?block_id=${headings[1].id}`), 200);

    const archive = await exported(world, ada, base);
    const before = await summariesOf(client, base);
    assert.deepEqual(
      before.map(({ text, freshness, pinned }) => [text, freshness, pinned]),
      [
        ["Of all.", "current", false],
        ["Of the folder.", "stale", true],
        ["Of the page.", "current", true],
        ["Of the first part.", "stale", false],
        [before[4].text, "current", false],
      ],
    );
    const { knowledge_base_id, warnings } = await imported(client, archive);
    assert.deepEqual(warnings, []);
    assert.deepEqual(await summariesOf(client, knowledge_base_id), before);

    const part = Buffer.from(await (await exportOf(world, ada, folder, "folders")).arrayBuffer());
    const fromFolder = await imported(client, part);
    const { text, freshness } = (await client.get(`/knowledge-bases/${fromFolder.knowledge_base_id}/summary`)).data;
    assert.deepEqual([text, freshness], ["Of the folder.", "stale"]);
  });

  test("EXP12 what nobody stored is not in the archive", async () => {
    const ada = await world.person();
    const { knowledge_base_id, id } = await makeDocument(ada.client, { text: TEXT });
    assertStatus(await ada.client.get(`/documents/${id}/summary`), 200);
    const paths = [...unzipped(await exported(world, ada, knowledge_base_id)).keys()];
    assert.deepEqual(
      paths.filter((path) => path.startsWith("summaries/")),
      [],
    );
  });

  test("IMP18 an altered or odd file of summaries is refused; that of a section that is gone stays away", async () => {
    const ada = await world.person();
    const { client } = ada;
    const { knowledge_base_id, id } = await makeDocument(client, { text: TEXT });
    const [heading] = (await client.get(`/documents/${id}/blocks`)).data;
    await save(client, `/documents/${id}?block_id=${heading.id}`, "Of a part.");
    await save(client, `/documents/${id}`, "Of the page.");
    assertStatus(await client.put(`/documents/${id}/content`, markdown("Other."), { ifMatch: "*" }), 200);
    const archive = await exported(world, ada, knowledge_base_id);
    const made = await imported(client, archive);
    const [copy] = (await client.get(`/documents?knowledge_base_id=${made.knowledge_base_id}`)).data;
    assert.equal((await client.get(`/documents/${copy.id}/summary`)).data.text, "Of the page.");

    const path = `summaries/${id}.json`;
    const files = Object.fromEntries(unzipped(archive));
    const altered = await zipOf({ ...files, [path]: '{"summaries":[]}' });
    assert.equal((await imported(client, altered)).error.code, "checksum_mismatch");
    const odd = await withManifest(archive, (manifest) => {
      manifest.documents[0].summary_path = manifest.documents[0].body_path;
    });
    assert.equal((await imported(client, odd)).error.code, "invalid_archive");
  });
});
