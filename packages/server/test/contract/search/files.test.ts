import assert from "node:assert/strict";
import { test } from "node:test";
import { removeExpiredFiles } from "@svc/server/domain/content/attachments/remove-files";
import { requestReindex } from "@svc/server/views/search/background/reindex";
import { filesKey } from "@svc/server/views/search/files/files-key";
import { assertError, assertStatus, type Client, type Loose } from "../../support/client.ts";
import { makeDocument, makeFolder, makeKnowledgeBase, upload } from "../../support/fixtures.ts";
import { makePrivate } from "../../support/make-private.ts";
import { docxOf, pdfOf, xlsxOf } from "../../support/office-files.ts";
import { findBest } from "../../support/search.ts";
import { until } from "../../support/until.ts";
import { onEachDatabase, World } from "../../support/world.ts";

const textOf = async (client: Client, id: string, more = ""): Promise<Loose> =>
  assertStatus(await client.get(`/attachments/${id}/text${more}`), 200).data;

/** Uploads a file and waits until it has been read. */
async function uploadRead(
  client: Client,
  documentId: string,
  content: string | Uint8Array,
  name: string,
): Promise<Loose> {
  const { id } = await upload(client, documentId, content, name);
  await until("the file has been read", async () => (await textOf(client, id)).text_status !== "pending");
  return assertStatus(await client.get(`/attachments/${id}/metadata`), 200).data;
}

const REPORT = pdfOf([["Annual report"], ["Revenue of the lighthouse"], ["Penguins in the lighthouse", "and more"]]);

onEachDatabase("the text of files", (world) => {
  test("FTXT3 the text of a file is read after its upload, page by page within a budget", async () => {
    const { client } = await world.person();
    const { id: documentId } = await makeDocument(client);
    const file = await uploadRead(client, documentId, REPORT, "report.pdf");
    assert.equal(file.text_status, "ready");
    const all = await textOf(client, file.id);
    assert.deepEqual(
      [all.attachment_id, all.document_id, all.page_count, all.truncated, all.reason, all.next_page],
      [file.id, documentId, 3, false, null, null],
    );
    assert.deepEqual(
      all.pages.map(({ page, text }: Loose) => [page, text]),
      [
        [1, "Annual report"],
        [2, "Revenue of the lighthouse"],
        [3, "Penguins in the lighthouse\nand more"],
      ],
    );
    const some = await textOf(client, file.id, "?page=2&max_tokens=8");
    assert.deepEqual([some.pages.length, some.pages[0].page, some.next_page], [1, 2, 3]);
    const cut = await textOf(client, file.id, "?page=3&max_tokens=2");
    assert.equal(cut.pages[0].is_cut, true);
    assert.ok(cut.used_tokens <= 2 && "Penguins in the lighthouse".startsWith(cut.pages[0].text));
    assertError(await client.get(`/attachments/${file.id}/text?page=4`), "invalid_request");
    assertError(await client.get("/attachments/att_00000000000000000000000000/text"), "not_found");
  });

  test("FTXT3 a picture has no text, and an encrypted file says why it has none", async () => {
    const { client } = await world.person();
    const { id } = await makeDocument(client);
    const locked = await uploadRead(client, id, pdfOf([["secret"]], { isEncrypted: true }), "locked.pdf");
    assert.equal(locked.text_status, "failed");
    const text = await textOf(client, locked.id);
    assert.deepEqual([text.reason, text.pages, text.page_count], ["encrypted", [], 0]);
  });

  test("FTXT4 search finds files by page, with the document that holds them, and documents alone by default", async () => {
    const { client } = await world.person();
    const base = await makeKnowledgeBase(client, "Harbour");
    const document = await makeDocument(client, {
      title: "Reports",
      knowledge_base_id: base.id,
      text: "No light here.",
    });
    const file = await uploadRead(client, document.id, REPORT, "report.pdf");
    assert.equal((await findBest(client, "lighthouse")).data.length, 0);
    const found = await findBest(client, "penguins lighthouse", "&type=file");
    assert.deepEqual(
      found.data.map((hit: Loose) => [hit.attachment_id, hit.page, hit.matched_in]),
      [
        [file.id, 3, "file"],
        [file.id, 2, "file"],
      ],
    );
    const [hit] = found.data;
    assert.deepEqual(
      [hit.document_id, hit.title, hit.path_text, hit.block_id, hit.file_name, hit.source_version],
      [document.id, "Reports", "Harbour / Reports", null, "report.pdf", file.sha256],
    );
    assert.match(hit.context.before + hit.context.match + hit.context.after, /Penguins in the lighthouse/);
    assert.deepEqual(found.data[1].missing, ["penguins"]);
    const sum = hit.explanation.terms.reduce((total: number, term: Loose) => total + term.contribution, 0);
    assert.ok(Math.abs(sum - hit.score) < 1e-9);
    assert.deepEqual([found.hits.total, found.hits.documents, found.projection.complete], [2, 1, true]);
    const named = await findBest(client, "report.pdf", "&type=file&match=all");
    assert.deepEqual([named.data[0].matched_in, named.data[0].page], ["file_name", null]);
    assert.equal((await findBest(client, "lighthouse", "&type=source")).data.length, 0);
    assertError(await client.get("/search/v2?q=a&type=file&group_by=document"), "invalid_request");
  });

  test("FTXT4 filters hold for files, and pages of results neither overlap nor skip", async () => {
    const { client } = await world.person();
    const base = await makeKnowledgeBase(client, "One");
    const folder = await makeFolder(client, { name: "In", knowledge_base_id: base.id });
    const inside = await makeDocument(client, {
      knowledge_base_id: base.id,
      folder_id: folder.id,
      text: "walrus inside",
    });
    const outside = await makeDocument(client, { knowledge_base_id: base.id, text: "walrus outside" });
    await uploadRead(client, inside.id, "walrus in a file\n", "a.txt");
    await uploadRead(client, outside.id, await docxOf(["The walrus swims"]), "b.docx");
    await uploadRead(client, outside.id, await xlsxOf({ Zoo: [["walrus", "3"]] }), "c.xlsx");
    const names = async (more: string) =>
      (await findBest(client, "walrus", more)).data.map((hit: Loose) => hit.file_name ?? hit.title);
    assert.deepEqual(await names(`&type=file&folder_id=${folder.id}`), ["a.txt"]);
    assert.deepEqual((await names(`&type=file&document_id=${outside.id}`)).sort(), ["b.docx", "c.xlsx"]);
    const label = (await findBest(client, "walrus zoo 3", "&type=file")).data.find(
      (hit: Loose) => hit.file_name === "c.xlsx",
    );
    assert.deepEqual(label.heading_path, ["Zoo"]);
    for (const [type, total] of [
      ["file", 3],
      ["all", 5],
    ] as const)
      for (const mode of ["topk", "exhaustive"]) {
        const seen: string[] = [];
        for (let cursor = ""; ; ) {
          const more = `&type=${type}&mode=${mode}&limit=2${cursor && `&cursor=${cursor}`}`;
          const { data, page, hits } = await findBest(client, "walrus", more);
          assert.equal(hits.total, total);
          for (const hit of data) seen.push(hit.attachment_id ?? hit.document_id);
          if (!page.has_more) break;
          cursor = encodeURIComponent(page.next_cursor);
        }
        assert.equal(seen.length, total, `${type} ${mode}`);
        assert.equal(new Set(seen).size, total);
      }
    const { page } = await findBest(client, "walrus", "&type=all&limit=1");
    const wrong = await client.get(`/search/v2?q=other&type=all&cursor=${encodeURIComponent(page.next_cursor)}`);
    assertError(wrong, "cursor_mismatch");
  });

  test("FTXT5 a file is found as long as it exists: not in the trash, again after a restore, and moved along", async () => {
    const { client, workspaceId } = await world.person();
    const document = await makeDocument(client);
    const other = await makeKnowledgeBase(client, "Elsewhere");
    const file = await uploadRead(client, document.id, "An albatross.\n", "bird.txt");
    const count = async (more = "") => (await findBest(client, "albatross", `&type=file${more}`)).hits.total;
    assert.equal(await count(), 1);
    assertStatus(await client.delete(`/attachments/${file.id}`), 200);
    assert.equal(await count(), 0);
    assertError(await client.get(`/attachments/${file.id}/text`), "not_found");
    assertStatus(await client.post(`/attachments/${file.id}/restore`), 200);
    assert.equal(await count(), 1);
    assertStatus(
      await client.patch(`/documents/${document.id}`, { knowledge_base_id: other.id, folder_id: null }),
      200,
    );
    assert.equal(await count(`&knowledge_base_id=${other.id}`), 1);
    assertStatus(await client.delete(`/documents/${document.id}`), 200);
    assert.equal(await count(), 0);
    const [entry] = (await client.get("/trash")).data;
    assertStatus(await client.post(`/trash/${entry.id}/restore`), 200);
    assert.equal(await count(), 1);
    assertStatus(await client.delete(`/attachments/${file.id}`), 200);
    const { services } = world.app;
    await services.database.transaction((tx) =>
      tx.updateTable("attachments").set({ expires_at: 1 }).where("id", "=", file.id).execute(),
    );
    await removeExpiredFiles(services, Date.now(), 10);
    const left = (table: "file_texts" | "file_text_pages" | "search_blocks" | "search_documents", key: string) =>
      services.database.read.selectFrom(table).selectAll().where("workspace_id", "=", key).execute();
    assert.deepEqual(await left("file_texts", workspaceId), []);
    assert.deepEqual(await left("file_text_pages", workspaceId), []);
    assert.deepEqual(await left("search_documents", filesKey(workspaceId)), []);
    await until(
      "its words leave the index",
      async () => (await left("search_blocks", filesKey(workspaceId))).length === 0,
    );
  });

  test("FTXT5 a copy of a document has the text of its files, and the same content is read once", async () => {
    const { client, workspaceId } = await world.person();
    const document = await makeDocument(client);
    await uploadRead(client, document.id, "A cormorant.\n", "bird.txt");
    await uploadRead(client, document.id, "A cormorant.\n", "again.txt");
    assertStatus(await client.post(`/documents/${document.id}/copy`, {}), 201);
    await until("the files of the copy are found", async () => {
      const { hits } = await findBest(client, "cormorant", "&type=file");
      return hits.total >= 2;
    });
    const rows = await world.app.services.database.read
      .selectFrom("file_texts")
      .selectAll()
      .where("workspace_id", "=", workspaceId)
      .execute();
    assert.deepEqual(
      rows.map(({ attempts, status }) => [attempts, status]),
      [[1, "ready"]],
    );
  });

  test("FTXT6 files of a hidden knowledge base are found by nobody else and count nowhere", async () => {
    const owner = await world.person();
    const reader = await world.person({ workspace: owner.workspaceId, role: "viewer" });
    const document = await makeDocument(owner.client, { text: "Nothing." });
    const file = await uploadRead(owner.client, document.id, "A secret narwhal.\n", "secret.txt");
    assert.equal((await findBest(reader.client, "narwhal", "&type=file")).hits.total, 1);
    await makePrivate(world, owner.workspaceId);
    const base = await makeKnowledgeBase(owner.client, "Open");
    const open = await makeDocument(owner.client, { knowledge_base_id: base.id });
    await uploadRead(owner.client, open.id, "An open narwhal swims.\n", "open.txt");
    const found = await findBest(reader.client, "narwhal", "&type=all");
    assert.deepEqual(
      found.data.map((hit: Loose) => hit.file_name),
      ["open.txt"],
    );
    assert.deepEqual([found.hits.total, found.data[0].explanation.n], [1, 2]);
    assert.equal(found.data[0].explanation.terms[0].df, 1);
    assertError(await reader.client.get(`/attachments/${file.id}/text`), "not_found");
  });

  test("FTXT7 a rebuild of the index finds files again", async () => {
    const { client, workspaceId } = await world.person();
    const document = await makeDocument(client);
    await uploadRead(client, document.id, REPORT, "report.pdf");
    await world.app.services.database.transaction((tx) => requestReindex(tx, filesKey(workspaceId)));
    await until("the file is found again", async () => {
      const { hits } = await findBest(client, "penguins", "&type=file");
      return hits.total === 1;
    });
  });
});

test("FTXT7 with SVC_FILE_TEXT=off nothing is read", async () => {
  const world = new World("sqlite", { SVC_FILE_TEXT: "off" });
  await world.start();
  try {
    const { client } = await world.person();
    const { id } = await makeDocument(client);
    const file = await upload(client, id, "An auk.\n", "a.txt");
    assert.equal(file.text_status, "none");
    const { hits, projection } = await findBest(client, "auk", "&type=file");
    assert.deepEqual([hits.total, projection.complete], [0, true]);
  } finally {
    await world.stop();
  }
});
