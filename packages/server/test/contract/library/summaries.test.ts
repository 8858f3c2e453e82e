import assert from "node:assert/strict";
import { before, test } from "node:test";
import { defined } from "@svc/document/defined";
import fc from "fast-check";
import { assertError, assertStatus } from "../../support/client.ts";
import { makeDocument, makeFolder, markdown } from "../../support/fixtures.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

const text = "# Alpha\n\nThe first paragraph.\n\n## Beta\n\nAbout cats and dogs.\n\n# Gamma\n\nAbout whales.\n";

onEachDatabase("summaries", (world) => {
  let ada: Person;
  before(async () => {
    ada = await world.person();
  });
  const headingId = async (id: string, heading: string) =>
    (await ada.client.get(`/documents/${id}/blocks`)).data.find((block: { text: string }) => block.text === heading).id;

  test("SUM1 without a stored one, title, first paragraph and outline are made on the spot", async () => {
    const { id, version } = await makeDocument(ada.client, { text });
    const { data, etag } = assertStatus(await ada.client.get(`/documents/${id}/summary`), 200);
    assert.match(data.text, /\*\*Title\*\*\n\nThe first paragraph\.\n\n- Alpha\n {2}- Beta\n- Gamma/);
    assert.deepEqual(
      [data.generator, data.freshness, data.status, data.source_version],
      ["deterministic", "current", "ready", version],
    );
    assert.equal(data.summary_version, etag);
    assert.equal(data.coverage.total_blocks, 6);
    assert.equal((await ada.client.get(`/documents/${id}/summary`)).etag, etag);
    assertStatus(await ada.client.get(`/documents/${id}/summary`, { headers: { "if-none-match": `"${etag}"` } }), 304);
  });

  test("SUM2 an empty document has an empty summary", async () => {
    const { id } = await makeDocument(ada.client, { text: "" });
    const { data } = await ada.client.get(`/documents/${id}/summary`);
    assert.deepEqual([data.status, data.text, data.coverage.ratio], ["empty", "", 1]);
  });

  test("SUM3 a section's summary covers its blocks only; a block that is no heading is refused", async () => {
    const { id } = await makeDocument(ada.client, { text });
    const { data } = await ada.client.get(`/documents/${id}/summary?block_id=${await headingId(id, "Gamma")}`);
    assert.equal(data.scope, "section");
    assert.match(data.text, /Gamma\*\*\n\nAbout whales/);
    assertError(
      await ada.client.get(`/documents/${id}/summary?block_id=${await headingId(id, "About whales.")}`),
      "invalid_request",
    );
    assertError(
      await ada.client.get(`/documents/${id}/summary?block_id=block_01K9ZQ4T6N4Y3V7J8W2M5R1XCM`),
      "not_found",
    );
  });

  test("SUM4 a query picks the blocks that answer it, and stores nothing", async () => {
    const { id } = await makeDocument(ada.client, { text });
    const { data } = await ada.client.get(`/documents/${id}/summary?query=whales`);
    assert.equal(data.text, "> About whales.");
    assert.match((await ada.client.get(`/documents/${id}/summary`)).data.text, /first paragraph/);
  });

  test("SUM5 a manual save needs both versions, and loses to any change since", async () => {
    const { id, version } = await makeDocument(ada.client, { text });
    const path = `/documents/${id}/summary`;
    const etag = defined((await ada.client.get(path)).etag);
    const body = { text: "Mine.", base_source_version: version };
    assertError(await ada.client.put(path, body), "precondition_required");
    const details = assertError(
      await ada.client.put(path, { text: "Mine." }, { ifMatch: etag }),
      "precondition_required",
    );
    assert.equal(details.field, "base_source_version");
    assertError(await ada.client.put(path, body, { ifMatch: "sha256:old" }), "version_conflict");
    assertError(
      await ada.client.put(path, { ...body, base_source_version: "sha256:old" }, { ifMatch: etag }),
      "version_conflict",
    );
    const saved = assertStatus(await ada.client.put(path, { ...body, pinned: true }, { ifMatch: etag }), 200);
    assert.deepEqual(
      [saved.data.text, saved.data.generator, saved.data.pinned, saved.data.author.id],
      ["Mine.", "manual", true, ada.userId],
    );
    assertError(await ada.client.put(path, body, { ifMatch: etag }), "version_conflict");
  });

  test("SUM5 a manual summary says something: white space alone is refused", async () => {
    const { id, version } = await makeDocument(ada.client, { text });
    for (const empty of ["", " \n\t"]) {
      const body = { text: empty, base_source_version: version };
      assertError(await ada.client.put(`/documents/${id}/summary`, body, { ifMatch: "*" }), "invalid_request");
    }
  });

  test("SUM6 a changed source makes the stored summary stale, pinned or not; a rebuild makes it current and keeps the pin", async () => {
    const { id, version } = await makeDocument(ada.client, { text });
    const path = `/documents/${id}/summary`;
    const etag = defined((await ada.client.get(path)).etag);
    await ada.client.put(path, { text: "Mine.", base_source_version: version, pinned: true }, { ifMatch: etag });
    await ada.client.put(`/documents/${id}/content`, markdown("Other."), { ifMatch: version });
    const stale = (await ada.client.get(path)).data;
    assert.deepEqual(
      [stale.freshness, stale.text, stale.source_version === stale.current_source_version],
      ["stale", "Mine.", false],
    );
    const { data } = assertStatus(await ada.client.post(`${path}/rebuild`), 200);
    assert.deepEqual([data.freshness, data.pinned, data.generator], ["current", true, "deterministic"]);
  });

  test("SUM7 folders and knowledge bases digest their documents, and one changed document makes them stale", async () => {
    const folder = await makeFolder(ada.client);
    const inner = await makeFolder(ada.client, { knowledge_base_id: folder.knowledge_base_id, parent_id: folder.id });
    const place = { knowledge_base_id: folder.knowledge_base_id, folder_id: inner.id, title: "Deep" };
    const document = await makeDocument(ada.client, { ...place, text: "Deep words." });
    for (const path of [`/folders/${folder.id}/summary`, `/knowledge-bases/${folder.knowledge_base_id}/summary`]) {
      const { data } = assertStatus(await ada.client.post(`${path}/rebuild`, { generator: "deterministic" }), 200);
      assert.match(data.text, /1 document.*\[Deep\]\(svc:\/\/doc\/doc_\w+\): (Deep words|Changed for)/s);
      assert.deepEqual(data.source_document_ids, [document.id]);
      await ada.client.put(`/documents/${document.id}/content`, markdown(`Changed for ${path}.`), { ifMatch: "*" });
      assert.equal((await ada.client.get(path)).data.freshness, "stale");
    }
  });

  test("SUM18 a summary that has become stale is sent in full, though its version is the same", async () => {
    const { id, knowledge_base_id } = await makeDocument(ada.client, { text });
    for (const path of [`/documents/${id}/summary`, `/knowledge-bases/${knowledge_base_id}/summary`]) {
      const { etag } = assertStatus(await ada.client.post(`${path}/rebuild`), 200);
      const again = () => ada.client.get(path, { headers: { "if-none-match": `"${etag}"` } });
      assertStatus(await again(), 304);
      await ada.client.put(`/documents/${id}/content`, markdown(`Other than ${path}.`), { ifMatch: "*" });
      const stale = assertStatus(await again(), 200);
      assert.deepEqual([stale.data.freshness, stale.etag], ["stale", etag]);
    }
  });

  test("SUM8 without a model its job is refused; without the scope too", async () => {
    const { id } = await makeDocument(ada.client);
    assertError(
      await ada.client.post(`/documents/${id}/summary/rebuild`, { generator: "model" }),
      "model_not_configured",
    );
    const limited = await world.person({ workspace: ada.workspaceId, scopes: ["documents:write", "documents:read"] });
    const details = assertError(
      await limited.client.post(`/documents/${id}/summary/rebuild?generator=model`),
      "insufficient_scope",
    );
    assert.deepEqual(details.required_scopes, ["documents:write", "summaries:generate"]);
  });

  test("SUM17 a summary goes with its document and comes back with it from the trash", async () => {
    const { id, version } = await makeDocument(ada.client);
    const path = `/documents/${id}/summary`;
    const mine = { text: "Mine.", base_source_version: version };
    await ada.client.put(path, mine, { ifMatch: defined((await ada.client.get(path)).etag) });
    await ada.client.delete(`/documents/${id}`);
    assertError(await ada.client.get(path), "not_found");
    const [entry] = (await ada.client.get("/trash")).data;
    assertStatus(await ada.client.post(`/trash/${entry.id}/restore`), 200);
    assert.equal((await ada.client.get(path)).data.text, "Mine.");
  });

  test("SUM6 after any sequence of edits and saves a summary is current exactly when the source versions agree", async () => {
    const step = fc.constantFrom("edit", "undo", "rebuild", "save", "rename");
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 10 }), async (steps) => {
        const { id, knowledge_base_id } = await makeDocument(ada.client);
        const path = `/documents/${id}/summary`;
        const group = `/knowledge-bases/${knowledge_base_id}/summary`;
        let current = (await ada.client.get(`/documents/${id}`)).data.version;
        for (const [index, kind] of steps.entries()) {
          if (kind === "edit")
            await ada.client.put(`/documents/${id}/content`, markdown(`Edit ${index}.`), { ifMatch: "*" });
          if (kind === "undo") await ada.client.put(`/documents/${id}/content`, markdown("Same."), { ifMatch: "*" });
          if (kind === "rename") await ada.client.patch(`/documents/${id}`, { title: `Title ${index}` });
          if (kind === "rebuild")
            await Promise.all([ada.client.post(`${path}/rebuild`), ada.client.post(`${group}/rebuild`)]);
          if (kind === "save") {
            const { etag, data } = await ada.client.get(path);
            const mine = { text: "Mine.", base_source_version: data.current_source_version };
            assertStatus(await ada.client.put(path, mine, { ifMatch: defined(etag) }), 200);
          }
          current = (await ada.client.get(`/documents/${id}`)).data.version;
          for (const { data } of [await ada.client.get(path), await ada.client.get(group)])
            assert.equal(data.freshness === "current", data.source_version === data.current_source_version);
          assert.equal((await ada.client.get(path)).data.current_source_version, current);
        }
      }),
      { numRuns: 6, seed: 7 },
    );
  });
});
