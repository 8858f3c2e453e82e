import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { Page } from "playwright-core";
import type { Client } from "../../server/test/support/client.ts";
import { until } from "../../server/test/support/until.ts";
import { inBrowser, ready } from "./browser.ts";
import { fillLibrary, type Library } from "./library.ts";
import { makeAccount, programOf, signedInAs } from "./people.ts";

inBrowser("renaming", (stage) => {
  let client: Client;
  let library: Library;
  let page: Page;
  const item = (name: string) => page.getByRole("treeitem", { name, exact: true });
  const side = () => page.getByRole("navigation", { name: "Workspace" });

  before(async () => {
    const account = await makeAccount(stage);
    client = await programOf(stage, account);
    library = await fillLibrary(client);
    page = await signedInAs(stage, account);
  });

  async function renameInTree(before: string, after: string): Promise<void> {
    await item(before).focus();
    await page.keyboard.press("F2");
    await page.getByLabel("New name").fill(after);
    await page.keyboard.press("Enter");
    await page.getByRole("status").getByText(`Renamed to “${after}”.`).waitFor();
  }

  test("WEB37 an open editor goes on after its page was renamed in the tree, and after undo", async () => {
    await page.goto(`/documents/${library.other.id}/edit`);
    await page.locator('[data-editor-ready] .ProseMirror[contenteditable="true"]').waitFor();
    await renameInTree("Security", "Safety");
    await page.getByRole("heading", { name: "Safety", level: 1 }).waitFor();
    assert.match(await page.title(), /^Safety · /);
    await page.getByRole("button", { name: "Undo" }).last().click();
    await page.getByRole("heading", { name: "Security", level: 1 }).waitFor();
    await item("Security").waitFor();
    await page.getByText("Lock your screen.").click();
    await page.keyboard.press("End");
    await page.keyboard.type(" Always.");
    await until("the text is saved", async () => {
      const { text } = await client.get(`/documents/${library.other.id}/content?format=markdown`);
      return text.trim() === "Lock your screen. Always.";
    });
  });

  test("WEB37 an open spreadsheet keeps its cells when it is renamed in the tree", async () => {
    await page.goto(`/knowledge-bases/${library.base.id}`);
    const address = await page.locator(".item", { hasText: "Budget" }).getAttribute("href");
    await page.goto(`${address}/edit`);
    await page.locator("[data-grid-ready]").waitFor();
    await renameInTree("Budget", "Costs");
    await page.getByRole("heading", { name: "Costs", level: 1 }).waitFor();
    await page.getByRole("grid").click();
    await page.keyboard.type("12");
    await page.keyboard.press("Enter");
    await page.getByRole("gridcell", { name: "12", exact: true }).waitFor();
  });

  test("WEB36 favourites and recent pages follow a rename, one's own and another person's", async () => {
    await page.goto(`/documents/${library.welcome.id}`);
    await page.getByRole("button", { name: "Favourite" }).click();
    const links = (name: string) => side().locator(".side-link", { hasText: name });
    await links("Welcome").first().waitFor();
    await page.reload();
    await ready(page);
    assert.equal(await links("Welcome").count(), 2);
    await renameInTree("Welcome", "Hello");
    await until("both follow", async () => (await links("Hello").count()) === 2);
    assert.equal(await links("Welcome").count(), 0);
    await client.patch(`/documents/${library.welcome.id}`, { title: "Good morning" });
    await until("both follow", async () => (await links("Good morning").count()) === 2);
    await page.getByRole("heading", { name: "Good morning", level: 1 }).waitFor();
  });
});
