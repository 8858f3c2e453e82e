import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { Page } from "playwright-core";
import { assertStatus, type Client, type Loose } from "../../server/test/support/client.ts";
import { makeDocument, makeKnowledgeBase } from "../../server/test/support/fixtures.ts";
import { until } from "../../server/test/support/until.ts";
import { inBrowser, ready } from "./browser.ts";
import { openPanel } from "./document-page.ts";
import { type Account, makeAccount, programOf, signedInAs } from "./people.ts";
import { violations } from "./violations.ts";

const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** A script that drops or pastes a picture, as the browser would tell of it. */
const giveFile = (kind: "drop" | "paste", name: string): string => `{
  const bytes = Uint8Array.from(atob("${PIXEL.toString("base64")}"), (letter) => letter.charCodeAt(0));
  const transfer = new DataTransfer();
  transfer.items.add(new File([bytes], "${name}", { type: "image/png" }));
  const options = { bubbles: true, cancelable: true, dataTransfer: transfer, clipboardData: transfer };
  dispatchEvent("${kind}" === "drop" ? new DragEvent("drop", options) : new ClipboardEvent("paste", options));
}`;

inBrowser("about a document", (stage) => {
  let ada: Account;
  let bob: Account;
  let client: Client;
  let base: Loose;
  let page: Page;

  before(async () => {
    ada = await makeAccount(stage, { name: "Ada" });
    bob = await makeAccount(stage, { name: "Bob", workspace: ada.workspaceId, role: "editor" });
    client = await programOf(stage, ada);
    base = await makeKnowledgeBase(client, "Handbook");
    page = await signedInAs(stage, bob);
  });

  test("WEB51 files arrive by the button, by dropping and by pasting; one that is shown says where and stays", async () => {
    const { id } = await makeDocument(client, { knowledge_base_id: base.id, text: "# Plan\n\nHere.\n" });
    const open = () => page.goto(`/documents/${id}`);
    await open();
    const give = (kind: "drop" | "paste", name: string) => page.evaluate(giveFile(kind, name));
    for (const kind of ["drop", "paste"] as const) {
      await give(kind, `${kind}.png`);
      await page.getByRole("link", { name: `${kind}.png` }).waitFor();
      await ready(page);
    }
    const [dropped] = (await client.get(`/documents/${id}/attachments`)).data.filter(
      (file: Loose) => file.file_name === "drop.png",
    );
    const nodes = [{ type: "image", attrs: { attachmentId: dropped.id, src: dropped.url, alt: "A dot" } }];
    assertStatus(await client.post(`/documents/${id}/blocks`, { position: { document_end: true }, nodes }), 201);
    await open();
    await openPanel(page, "Info");
    const shown = page.locator("li", { has: page.getByRole("link", { name: "drop.png" }) });
    await shown.getByRole("link", { name: "under “Plan”" }).click();
    assert.match(page.url(), /#block_/);
    assert.equal(await shown.getByText("Delete", { exact: true }).count(), 0);
    const loose = page.locator("li", { has: page.getByRole("link", { name: "paste.png" }) });
    assert.deepEqual(await violations(page), []);
    await loose.getByText("Delete", { exact: true }).click();
    await loose.getByText("For 30 days the command “svc attachments restore” brings it back.").waitFor();
    await loose.getByRole("button", { name: "Delete file" }).click();
    await page.getByText("The file has been deleted.").waitFor();
    assert.equal((await client.get(`/documents/${id}/attachments`)).data.length, 1);
  });

  test("WEB51 who edited in the browser changed the page last", async () => {
    const { id } = await makeDocument(client, { knowledge_base_id: base.id, text: "First.\n" });
    await page.goto(`/documents/${id}`);
    await page.locator(".row-facts", { hasText: "by Ada" }).waitFor();
    await page.goto(`/documents/${id}/edit`);
    await page.locator('[data-editor-part="status"]', { hasText: /^Saved$/ }).waitFor();
    await page.locator(".ProseMirror > *").first().click();
    await page.keyboard.type("Now. ");
    await until("the body has it", async () =>
      (await client.get(`/documents/${id}/content?format=markdown&live=true`)).text.includes("Now."),
    );
    await page.goto(`/documents/${id}`);
    await page.locator(".row-facts", { hasText: "by Bob" }).waitFor();
  });

  test("WEB45 search is narrowed by author and tag", async () => {
    const tagged = (title: string, tag: string) =>
      makeDocument(client, { title, knowledge_base_id: base.id, text: `---\ntags: [${tag}]\n---\nOwls at night.\n` });
    await tagged("Barn", "bird");
    await tagged("Tower", "stone");
    await page.goto("/search?q=owls");
    await page.getByText("2 matches in 2 pages").waitFor();
    await page.getByLabel("Tag").fill("stone");
    await page.getByLabel("Tag").press("Tab");
    await page.getByText("1 match in 1 page").waitFor();
    await page.getByRole("link", { name: "Tower" }).waitFor();
    await page.getByLabel("By", { exact: true }).selectOption({ label: "Bob" });
    await page.getByText("No results for").waitFor();
    await page.getByLabel("By", { exact: true }).selectOption({ label: "Ada" });
    await page.getByRole("link", { name: "Tower" }).click();
    assert.equal(await page.locator(".block-target").textContent(), "Owls at night.");
  });
});
