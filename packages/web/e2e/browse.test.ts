import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { Page } from "playwright-core";
import { inBrowser } from "./browser.ts";
import { openPanel, pageMenu } from "./document-page.ts";
import { fillLibrary, type Library } from "./library.ts";
import { type Account, makeAccount, programOf, signedIn, signedInAs } from "./people.ts";
import { violations } from "./violations.ts";

inBrowser("looking around", (stage) => {
  let account: Account;
  let library: Library;
  let page: Page;

  before(async () => {
    account = await makeAccount(stage);
    library = await fillLibrary(await programOf(stage, account));
    page = await signedInAs(stage, account);
  });

  test("WEB21 from the start page through knowledge base and folder to a document", async () => {
    await page.goto("/");
    await page.getByRole("link", { name: /^Handbook/ }).click();
    await page.getByRole("heading", { name: "Handbook" }).waitFor();
    const names = await page.locator(".item-name").allTextContents();
    assert.deepEqual(names, ["Onboarding", "Budget", "Security"]);
    await page.getByRole("link", { name: "Onboarding" }).click();
    await page.getByRole("link", { name: "Welcome" }).click();
    await page.getByRole("heading", { name: "How we work together" }).waitFor();
    const path = page.getByRole("navigation", { name: "Path" });
    assert.deepEqual(await path.getByRole("link").allTextContents(), ["Knowledge bases", "Handbook", "Onboarding"]);
  });

  test("WEB22 a document is shown with its outline, and its links lead to pages", async () => {
    await page.goto(`/documents/${library.welcome.id}`);
    await page.getByRole("navigation", { name: "Contents" }).getByRole("link", { name: "First days" }).click();
    assert.equal(await page.evaluate("document.querySelector(':target').textContent"), "First days");
    assert.equal(await page.evaluate("getComputedStyle(document.querySelector('.prose td + td')).textAlign"), "right");
    await page.getByRole("link", { name: "security notes" }).click();
    await page.getByRole("heading", { name: "Security" }).waitFor();
  });

  test("WEB22 a link to a block leads to it and marks it", async () => {
    const program = await programOf(stage, account);
    const blocks = (await program.get(`/documents/${library.welcome.id}/blocks?recursive=true`)).data;
    const nested = blocks.find(
      (block: { depth: number; text: string }) => block.depth > 0 && block.text === "First change",
    );
    await page.goto(`/documents/${library.welcome.id}?block=${nested.id}#${nested.id}`);
    assert.match((await page.locator(".block-target").textContent()) ?? "", /First change/);
    assert.equal(await page.evaluate("document.querySelector(':target').className"), "block block-target");
  });

  test("WEB27 a document tells which others point to it, and from where", async () => {
    await page.goto(`/documents/${library.other.id}`);
    await openPanel(page, "Info");
    await page.getByRole("heading", { name: "Linked from" }).waitFor();
    await page.getByRole("complementary").getByRole("link", { name: "Welcome" }).click();
    assert.match((await page.locator(".block-target").textContent()) ?? "", /See the security notes/);
  });

  test("WEB28 candidates are looked for, accepted and rejected", async () => {
    await page.goto("/review?show=concepts");
    await page.getByText("Nothing to review.").waitFor();
    await page.getByLabel("Find concepts in").selectOption("Handbook");
    await page.getByRole("button", { name: "Find concepts" }).click();
    await page.getByText(/^\d+ new candidates/).waitFor();
    const count = await page.locator(".row").count();
    await page.getByRole("button", { name: "Accept Welcome" }).click();
    await page.getByText("The candidate is now a concept.").waitFor();
    await page.getByRole("button", { name: "Reject Budget" }).click();
    await page.getByText("The candidate has been rejected").waitFor();
    assert.equal(await page.locator(".row").count(), count - 2);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("The candidate is open again.").waitFor();
    assert.equal(await page.locator(".row").count(), count - 1);
    await page.getByLabel("Select Budget").check();
    await page.getByRole("button", { name: "Reject selected" }).click();
    await page.getByText("The candidate has been rejected").waitFor();
    assert.equal(await page.locator(".row").count(), count - 2);
    const concepts = (await (await programOf(stage, account)).get(`/concepts?knowledge_base_id=${library.base.id}`))
      .data;
    assert.deepEqual(
      concepts.map(({ name }: { name: string }) => name),
      ["Welcome"],
    );
  });

  test("WEB23 VER11 versions tell their differences, and one is restored", async () => {
    await page.goto(`/documents/${library.welcome.id}/versions`);
    const versions = page.locator(".history .row");
    await versions.first().getByText("Ada Lovelace via node edited").waitFor();
    await versions.first().getByRole("link").click();
    const changes = page.locator(".difference");
    assert.equal(await changes.count(), 2);
    assert.equal(await changes.first().locator("ins").textContent(), " together");
    assert.equal(await changes.last().locator("del").textContent(), "on purpose ");
    await page.getByRole("link", { name: "All versions" }).click();
    await versions.last().getByRole("link").click();
    await page.getByRole("button", { name: "Restore", exact: true }).click();
    await page.getByText("Version restored. The previous text is in History.").waitFor();
    await page.getByRole("link", { name: "All versions" }).click();
    await versions.first().getByText("Ada Lovelace restored a version").waitFor();
  });

  test("WEB34 a document goes to the trash and comes back", async () => {
    await page.goto(`/documents/${library.other.id}`);
    await pageMenu(page);
    await page.getByText("Delete page").click();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByText("The page is in the trash").waitFor();
    await page.getByRole("button", { name: /^Workspace: / }).click();
    await page.getByRole("link", { name: "Trash" }).click();
    await page.getByRole("button", { name: "Restore Security" }).click();
    await page.getByText("Restored to its folder").waitFor();
    await page.getByRole("heading", { name: "Security" }).waitFor();
  });

  test("WEB24 usage shows what is there", async () => {
    await page.goto("/usage");
    await page.getByRole("progressbar", { name: "Pages" }).waitFor();
    assert.match((await page.getByRole("listitem").filter({ hasText: "Pages" }).textContent()) ?? "", /3 of 100,000/);
  });

  test("WEB25 activity is filtered by person and action", async () => {
    const { account: grace, page: hers } = await signedIn(stage, {
      workspace: account.workspaceId,
      role: "editor",
      name: "Grace",
    });
    await (await programOf(stage, grace)).post("/knowledge-bases", { name: "Grace's" });
    await page.goto("/activity");
    await page.getByText("Filter").click();
    await page.getByLabel("Person").selectOption("Grace");
    await page.getByRole("button", { name: "Show" }).click();
    const titles = page.locator(".row-title");
    await page.waitForURL(/person=user_/);
    assert.deepEqual(
      (await titles.allTextContents()).map((text) => text.trim()),
      ["Grace created the knowledge base Grace's"],
    );
    await page.getByLabel("Person").selectOption("Everybody");
    await page.getByLabel("Action").selectOption("Create folder");
    await page.getByRole("button", { name: "Show" }).click();
    await page.waitForURL(/action=create_folder/);
    assert.deepEqual(
      (await titles.allTextContents()).map((text) => text.trim()),
      ["Ada Lovelace created the folder Onboarding"],
    );
    await page.goto("/activity?action=put_content");
    await titles.getByRole("link", { name: "Welcome" }).first().waitFor();
    await hers.goto(`/activity?person=${account.userId}`);
    assert.equal(
      await hers.locator(".rows").getByText("Ada Lovelace").count(),
      0,
      "who is no owner sees their own only",
    );
  });

  test("WEB72 who begins gets a page to change at once, and finds the address for agents", async () => {
    const { page: first } = await signedIn(stage, { name: "Nora" });
    await first.getByRole("button", { name: "Start with a welcome page" }).click();
    await first.locator('.ProseMirror[contenteditable="true"]').getByText("This is a page like any other").click();
    await first.keyboard.press("End");
    await first.keyboard.type(" Nora was here.");
    await first.getByText("Saved", { exact: true }).waitFor();
    await first.getByRole("treeitem", { name: "Handbook" }).waitFor();
    await first.goto("/knowledge-bases");
    await first.getByRole("button", { name: /Nora/ }).last().click();
    await first.getByRole("navigation").getByRole("link", { name: "Connect an agent" }).click();
    await first.getByText(`${stage.world.url}/mcp`, { exact: true }).waitFor();
    assert.deepEqual(await violations(first), []);
  });

  test("WEB26 an editor makes a knowledge base, a viewer is not asked to", async () => {
    const { page: editor } = await signedIn(stage, { name: "Edith" });
    await editor.getByText("Edith's workspace is empty.").waitFor();
    await editor.getByRole("button", { name: "Start with a welcome page" }).waitFor();
    await editor.getByLabel("Name").fill("Recipes");
    await editor.getByRole("button", { name: "Create", exact: true }).click();
    await editor.getByRole("heading", { name: "Recipes" }).waitFor();
    const { page: viewer } = await signedIn(stage, { workspace: account.workspaceId, role: "viewer", name: "Vera" });
    await viewer.getByRole("link", { name: /^Handbook/ }).waitFor();
    assert.equal(await viewer.getByRole("button", { name: "Create", exact: true }).count(), 0);
  });
});
