import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { png } from "../../server/test/support/attachments.ts";
import { readNodes } from "../../server/test/support/bodies.ts";
import type { Client, Loose } from "../../server/test/support/client.ts";
import { makeDocument, makeKnowledgeBase, upload } from "../../server/test/support/fixtures.ts";
import { until } from "../../server/test/support/until.ts";
import { inBrowser, ready } from "./browser.ts";
import { openPanel } from "./document-page.ts";
import { type Account, makeAccount, programOf, signedInAs } from "./people.ts";

/** Drops files of this machine on a page, as a person does: the browser itself reads them. */
async function drop(page: Page, files: readonly string[], at: { readonly x: number; readonly y: number }) {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [...files], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"] as const)
    await session.send("Input.dispatchDragEvent", { type, ...at, data });
  await session.detach();
}

inBrowser(
  "uploading",
  (stage) => {
    const folder = mkdtempSync(join(tmpdir(), "svc-uploads-"));
    const fileOf = (name: string, content: string | Uint8Array): string => {
      writeFileSync(join(folder, name), content);
      return join(folder, name);
    };
    let client: Client;
    let base: Loose;
    let page: Page;
    let ada: Account;

    before(async () => {
      ada = await makeAccount(stage, { name: "Ada" });
      client = await programOf(stage, ada);
      base = await makeKnowledgeBase(client, "Handbook");
      page = await signedInAs(stage, ada);
      mkdirSync(join(folder, "Holiday"));
    });
    after(() => rmSync(folder, { recursive: true }));

    const namesOf = async (id: string) =>
      (await client.get(`/documents/${id}/attachments`)).data.map((file: Loose) => file.file_name);
    const small = () => [fileOf("one.txt", "1"), fileOf("large.txt", "x".repeat(3000)), fileOf("three.txt", "3")];

    test("WEB90 of several files those that can be taken are, and the others are named with the reason", async () => {
      const { id } = await makeDocument(client, { knowledge_base_id: base.id });
      await page.goto(`/documents/${id}`);
      await page.locator("input[data-upload]").setInputFiles(small());
      await page
        .getByText("Uploaded 2 files. large.txt: The file is too large: one file may have 2 kB.", { exact: true })
        .waitFor();
      await ready(page);
      await page.getByRole("link", { name: "three.txt" }).waitFor();
      assert.deepEqual(await namesOf(id), ["one.txt", "three.txt"]);
    });

    test("WEB90 a folder is not uploaded, and says so", async () => {
      const { id } = await makeDocument(client, { knowledge_base_id: base.id });
      await page.goto(`/documents/${id}`);
      await drop(page, [join(folder, "Holiday")], { x: 600, y: 400 });
      await page.getByText("Holiday: Folders are not uploaded: choose the files in it.").waitFor();
      assert.deepEqual(await namesOf(id), []);
    });

    test("WEB90 in the editor a picture is what the server can show; other files stand there by name", async () => {
      const { id } = await makeDocument(client, { knowledge_base_id: base.id, text: "Text.\n" });
      await page.goto(`/documents/${id}/edit`);
      await page.locator('[data-editor-ready] .ProseMirror[contenteditable="true"]').waitFor();
      const svg = fileOf("logo.svg", '<svg xmlns="http://www.w3.org/2000/svg"/>');
      const given = [svg, fileOf("no.png", "no picture"), ...small(), join(folder, "Holiday"), fileOf("a.png", png)];
      // Beside the text: it goes in all the same, and the browser stays on the page.
      await drop(page, given, { x: 1270, y: 400 });
      await page.getByText(/^Holiday: .+ large\.txt: The file is too large/).waitFor();
      const shown = async () => (await readNodes(client, id)).nodes.filter(({ attrs }: Loose) => attrs.attachmentId);
      await until("all are there", async () => (await shown()).length === 5);
      assert.deepEqual(
        (await shown()).map(({ type, attrs }: Loose) => [type, attrs.name ?? attrs.alt]),
        [
          ["attachment", "logo.svg"],
          ["attachment", "no.png"],
          ["attachment", "one.txt"],
          ["attachment", "three.txt"],
          ["image", "a.png"],
        ],
      );
    });

    test("WEB51 all files of a document can be reached, by hundreds", async () => {
      const { id } = await makeDocument(client, { knowledge_base_id: base.id });
      for (let i = 100; i < 203; i++) await upload(client, id, "x", `file-${i}.txt`);
      await page.goto(`/documents/${id}`);
      assert.equal(await page.locator("#files li").count(), 100);
      await openPanel(page, "Info");
      await page.getByRole("link", { name: "More files" }).click();
      await page.getByRole("link", { name: "file-202.txt" }).waitFor();
      assert.equal(await page.locator("#files li").count(), 3);
      await page.getByRole("link", { name: "First files" }).click();
      await page.getByRole("link", { name: "file-100.txt" }).waitFor();
    });

    test("WEB91 a quota that is used up is told in words, with the way to what is used", async () => {
      await page.goto("/knowledge-bases");
      await page.locator("summary", { hasText: "New knowledge base" }).click();
      await page.getByLabel("Name", { exact: true }).fill("One more");
      await page.getByRole("button", { name: "Create", exact: true }).click();
      await page.getByText("There is no room for more knowledge bases: a workspace may have 1.").waitFor();
      await page.getByRole("link", { name: "See what is used" }).click();
      await page.getByRole("heading", { name: "Usage" }).waitFor();
    });
  },
  { SVC_MAX_ATTACHMENT_BYTES: "2000", SVC_MAX_KNOWLEDGE_BASES: "1" },
);
