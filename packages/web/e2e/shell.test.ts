import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { Page } from "playwright-core";
import { assertStatus } from "../../server/test/support/client.ts";
import { makeDocument, makeKnowledgeBase } from "../../server/test/support/fixtures.ts";
import { until } from "../../server/test/support/until.ts";
import { inBrowser, ready } from "./browser.ts";
import { pageMenu } from "./document-page.ts";
import { fillLibrary, type Library } from "./library.ts";
import { type Account, makeAccount, programOf, signedInAs } from "./people.ts";
import { violations } from "./violations.ts";

inBrowser("the workspace", (stage) => {
  let account: Account;
  let library: Library;
  let page: Page;
  const item = (name: string) => page.getByRole("treeitem", { name, exact: true });
  const action = (name: string) => page.getByRole("menuitem", { name, exact: true }).click();
  const menuOf = async (name: string) => {
    await item(name).click({ button: "right" });
    await page.getByRole("menu").waitFor();
  };

  before(async () => {
    account = await makeAccount(stage);
    library = await fillLibrary(await programOf(stage, account));
    page = await signedInAs(stage, account);
  });

  test("WEB36 the tree opens level by level with the keyboard, shows where one is, and stays open", async () => {
    await page.goto("/knowledge-bases");
    await item("Handbook").focus();
    await page.keyboard.press("ArrowRight");
    await item("Onboarding").waitFor();
    assert.equal(await item("Welcome").count(), 0);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowRight");
    await item("Welcome").waitFor();
    await page.keyboard.press("w");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "How we work together" }).waitFor();
    await page.locator('[role=treeitem][aria-current=page][data-name="Welcome"]').waitFor();
    await page.goto("/members");
    await item("Welcome").waitFor();
    assert.deepEqual(await violations(page), []);
  });

  test("SHARE15 who brings a page back is told that its link has ended, after an undo and in the trash", async () => {
    const program = await programOf(stage, account);
    const shared = { title: "Shown outside", knowledge_base_id: library.base.id };
    const { id } = (await program.post("/documents", shared)).data;
    const discard = async () => {
      assertStatus(await program.post(`/documents/${id}/public-share`), 200);
      await page.goto(`/knowledge-bases/${library.base.id}`);
      await item("Shown outside").focus();
      await page.keyboard.press("Delete");
      await page.getByRole("status").getByText("Moved “Shown outside” to the trash.").waitFor();
    };
    await discard();
    await page.getByRole("button", { name: "Undo" }).last().click();
    await page.getByText("Its public link ended when it was deleted").waitFor();
    await discard();
    await page.goto("/trash");
    await page.getByText("1 share link ended").waitFor();
    assert.deepEqual(await violations(page), []);
    await page.getByRole("button", { name: "Restore Shown outside" }).click();
    await page.getByText("Its public link ended when it was deleted").waitFor();
  });

  test("WEB37 pages and folders are made, renamed, moved, copied and deleted in the tree, each with an undo", async () => {
    await page.goto(`/knowledge-bases/${library.base.id}`);
    await item("Security").waitFor();
    await menuOf("Handbook");
    assert.deepEqual(await violations(page), []);
    await action("New folder");
    await page.getByLabel("New name").fill("Archive");
    await page.keyboard.press("Enter");
    await item("Archive").waitFor();
    await item("Security").dragTo(item("Archive"));
    await page.getByRole("status").getByText("Moved “Security” to “Archive”.").waitFor();
    await item("Security").waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Undo" }).last().click();
    await item("Security").waitFor();
    await menuOf("Security");
    await action("Move to…");
    await page.getByRole("button", { name: "Handbook" }).click();
    await page.getByRole("button", { name: "Archive" }).click();
    await page.getByRole("button", { name: "Move here" }).click();
    await item("Security").waitFor({ state: "hidden" });
    await item("Archive").focus();
    await page.keyboard.press("ArrowRight");
    await menuOf("Security");
    await action("Make a copy");
    await item("Security (copy)").waitFor();
    await item("Security (copy)").focus();
    await page.keyboard.press("Delete");
    await page.getByRole("status").getByText("Moved “Security (copy)” to the trash.").waitFor();
    await item("Security (copy)").waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Undo" }).last().click();
    await item("Security (copy)").waitFor();
    await item("Security (copy)").focus();
    await page.keyboard.press("F2");
    await page.getByLabel("New name").fill("Safety");
    await page.keyboard.press("Enter");
    await item("Safety").waitFor();
  });

  test("WEB114 siblings are put in order by keyboard, pointer and menu, and others see it", async () => {
    const client = await programOf(stage, account);
    const base = await makeKnowledgeBase(client, "Ordered");
    for (const title of ["One", "Three", "Two"]) await makeDocument(client, { knowledge_base_id: base.id, title });
    const other = await signedInAs(stage, account);
    for (const each of [page, other]) await each.goto(`/knowledge-bases/${base.id}`);
    const rows = (of: Page) => of.locator('[role=group] > li > [data-kind="document"]').allInnerTexts();
    const shows = (of: Page, ...names: string[]) =>
      until(`the tree shows ${names}`, async () => {
        const shown = (await rows(of)).map((name) => name.replace(/[+⋯]/g, "").trim());
        return shown.filter((name) => names.includes(name)).join() === names.join();
      });
    await shows(page, "One", "Three", "Two");
    await item("Three").focus();
    await page.keyboard.press("Alt+ArrowDown");
    await shows(page, "One", "Two", "Three");
    await shows(other, "One", "Two", "Three");
    assert.equal(await item("Three").and(page.locator(":focus")).count(), 1);
    await item("Three").dragTo(item("One"), { targetPosition: { x: 40, y: 3 } });
    await shows(page, "Three", "One", "Two");
    await page.getByRole("button", { name: "Undo" }).last().click();
    await shows(page, "One", "Two", "Three");
    await menuOf("Two");
    await action("Move up");
    await shows(page, "Two", "One", "Three");
    await shows(other, "Two", "One", "Three");
    await menuOf("Ordered");
    await action("Sort by name");
    await shows(page, "One", "Three", "Two");
    await other.close();
  });

  test("WEB115 a page has pages below it: one row in the tree, a list at its end", async () => {
    const client = await programOf(stage, account);
    const base = await makeKnowledgeBase(client, "Nested");
    const { id } = await makeDocument(client, { knowledge_base_id: base.id, title: "Parent" });
    await page.goto(`/knowledge-bases/${base.id}`);
    await item("Parent").hover();
    await item("Parent").locator(".tree-plus").click();
    await page.getByLabel("Title", { exact: true }).fill("Child");
    await page.keyboard.press("Enter");
    await item("Child").waitFor();
    assert.equal(await item("Parent").count(), 1);
    await item("Parent").click();
    await page.waitForURL(`**/documents/${id}`);
    await page.getByRole("region", { name: "Pages below" }).getByRole("link", { name: "Child" }).waitFor();
    assert.equal(await item("Parent").getAttribute("aria-current"), "page");
    assert.deepEqual(await violations(page), []);
    await pageMenu(page);
    await page.getByRole("button", { name: "Do not list the pages below" }).click();
    await page.getByRole("region", { name: "Pages below" }).waitFor({ state: "hidden" });
    await menuOf("Parent");
    await action("Rename");
    await page.getByLabel("New name").fill("Renamed");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Renamed", level: 1 }).waitFor();
    assert.equal((await client.get(`/documents/${id}`)).data.title, "Renamed");
    await page.goto(`/folders/${(await client.get(`/documents/${id}`)).data.folder_id}`);
    await page.waitForURL(`**/documents/${id}`);
  });

  test("WEB37 a new page asks for its title; without scripts it is made too", async () => {
    await page.goto(`/folders/${library.folder.id}`);
    await page.getByRole("button", { name: "New page" }).click();
    await page.getByRole("textbox", { name: "Title", exact: true }).fill("Second week");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Second week" }).waitFor();
    await item("Second week").waitFor();
    const plain = await signedInAs(stage, account, { javaScriptEnabled: false });
    await plain.goto(`/folders/${library.folder.id}`);
    await plain.getByRole("link", { name: "Second week" }).first().waitFor();
    await plain.getByRole("button", { name: "New spreadsheet" }).click();
    await plain.getByRole("heading", { name: "Untitled spreadsheet" }).waitFor();
  });

  test("WEB49 a page is marked as a template, offered at “new page”, and copied", async () => {
    await page.goto(`/documents/${library.other.id}`);
    await (await pageMenu(page)).getByRole("button", { name: "Use as a template" }).click();
    await (await pageMenu(page)).getByRole("button", { name: "Stop using as template" }).waitFor();
    await page.goto(`/folders/${library.folder.id}`);
    await page.getByText("From a template", { exact: true }).click();
    await page.getByRole("button", { name: "Security", exact: true }).waitFor();
    assert.deepEqual(await violations(page), []);
    await page.getByRole("button", { name: "Security", exact: true }).click();
    await page.waitForURL(/\/documents\/doc_\w+\/edit/);
    assert.ok(!page.url().includes(library.other.id));
    await page.getByText("Lock your screen.").waitFor();
    await page.goto("/knowledge-bases");
    await menuOf("Handbook");
    await action("New page from a template…");
    await action("Security");
    await page.waitForURL(/\/documents\/doc_\w+\/edit/);
    await page.getByText("Lock your screen.").waitFor();
  });

  test("WEB36 favourites and what was opened lately stand in the sidebar, for this person", async () => {
    await page.goto(`/documents/${library.welcome.id}`);
    const side = page.getByRole("navigation", { name: "Workspace" });
    await page.getByRole("button", { name: "Favourite" }).click();
    await side.getByRole("heading", { name: "Favourites" }).waitFor();
    await page.goto("/knowledge-bases");
    await side.getByRole("heading", { name: "Favourites" }).waitFor();
    await side.getByRole("heading", { name: "Recent" }).waitFor();
    assert.equal(await side.getByRole("link", { name: "Welcome" }).count(), 2);
  });

  test("WEB38 the palette finds a page by some of its letters, and parts of the workspace", async () => {
    await page.goto("/members");
    await page.keyboard.press("Control+k");
    const field = page.getByRole("combobox", { name: "Go to a page or command" });
    await field.fill("wlcm");
    await page.getByRole("option", { name: /Welcome/ }).waitFor();
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "How we work together" }).waitFor();
    await ready(page);
    await page.keyboard.press("Control+k");
    await field.fill("Budget");
    await page.getByRole("option", { name: "Budget", exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard" }).waitFor();
  });

  test("WEB38 a title that is typed quickly, and Enter, open the page however late its answer comes", async () => {
    await page.goto("/members");
    const isTitleSearch = (url: URL) => url.pathname.endsWith("/documents") && url.searchParams.has("q");
    await page.route(isTitleSearch, async (route) => {
      await page.waitForTimeout(300);
      await route.continue();
    });
    await page.keyboard.press("Control+k");
    await page.keyboard.type("Security", { delay: 60 });
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/documents/${library.other.id}`);
    await page.unrouteAll({ behavior: "ignoreErrors" });
  });

  test("WEB38 the palette creates pages, finds text, asks, and runs the commands of the page", async () => {
    const program = await programOf(stage, account);
    const fields = { title: "Moorings", knowledge_base_id: library.base.id, text: "The capybara sleeps here.\n" };
    const { id, title } = await makeDocument(program, fields);
    await page.goto(`/documents/${id}`);
    const field = page.getByRole("combobox");
    const choose = async (typed: string, name: RegExp | string) => {
      await page.keyboard.press("Control+k");
      await field.fill(typed);
      await page.getByRole("option", { name }).first().waitFor();
      assert.deepEqual(await violations(page), []);
    };
    await choose("capyb", /Moorings.*The capybara sleeps here/);
    await page.getByRole("option", { name: "Ask: “capyb”" }).waitFor();
    await page.getByRole("option", { name: /capybara/ }).click();
    await page.waitForURL(/block=/);
    await ready(page);
    await choose("duplica", /^Duplicate/);
    await page.getByRole("option", { name: /^Duplicate/ }).click();
    await page.getByText(`Copied to “${title} (copy)”.`).waitFor();
    await page.keyboard.press("Control+k");
    assert.match((await page.getByRole("option").allTextContents()).join(), /Duplicate/, "a used command stays near");
    await field.fill("Plan for the harbour");
    await page.getByRole("option", { name: "New page “Plan for the harbour”" }).click();
    await page.waitForURL(/\/documents\/doc_\w+\/edit|\/documents\/doc_\w+$/);
    await page.getByRole("treeitem", { name: "Plan for the harbour" }).waitFor();
  });

  test("WEB36 a plus in the tree makes a page, only the tree scrolls, and the menu leads to the parts", async () => {
    await page.goto("/knowledge-bases");
    const item = page.getByRole("treeitem").first();
    await item.hover();
    await item.getByTitle("New page").click();
    await page.waitForURL(/\/documents\/doc_/);
    await ready(page);
    const side = page.getByRole("navigation", { name: "Workspace" });
    const scrolls = `[document.getElementById("side").scrollHeight <= document.getElementById("side").clientHeight,
      getComputedStyle(document.querySelector(".side-scroll")).overflowY]`;
    assert.deepEqual(await page.evaluate(scrolls), [true, "auto"]);
    await page.getByRole("button", { name: /^Workspace: / }).click();
    for (const name of ["Settings", "Members", "Import", "Trash", "Activity"])
      await side.getByRole("link", { name, exact: true }).waitFor();
    await side.getByRole("link", { name: "Settings", exact: true }).click();
    await page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: "Appearance" }).waitFor();
  });

  test("WEB36 the sidebar is made wider by its edge, with keys and pointer, and this browser keeps it", async () => {
    await page.goto("/members");
    const edge = page.getByRole("separator", { name: "Width of the sidebar" });
    const width = async () => (await page.getByRole("navigation", { name: "Workspace" }).boundingBox())?.width;
    await edge.focus();
    await page.keyboard.press("ArrowRight");
    assert.equal(await width(), 18 * 16);
    await edge.hover();
    await page.mouse.down();
    await page.mouse.move(400, 300);
    await page.mouse.up();
    await page.goto("/knowledge-bases");
    assert.equal(await width(), 400);
    assert.deepEqual(await violations(page), []);
    await edge.dblclick();
    assert.equal(await width(), 17 * 16);
  });

  test("WEB36 on a phone the sidebar is a drawer", async () => {
    const phone = await signedInAs(stage, account, { viewport: { width: 400, height: 800 } });
    await phone.goto("/knowledge-bases");
    const side = phone.getByRole("navigation", { name: "Workspace" });
    assert.equal(await side.isVisible(), false);
    await phone.getByRole("button", { name: "Open the sidebar" }).click();
    await side.waitFor();
    assert.deepEqual(await violations(phone), []);
    await phone.keyboard.press("Escape");
    await side.waitFor({ state: "hidden" });
  });

  test("WEB37 a file is uploaded by the button and listed with its size", async () => {
    await page.goto(`/documents/${library.other.id}`);
    await page
      .locator("input[data-upload]")
      .setInputFiles({ name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("Hello.") });
    await page.getByRole("link", { name: "notes.txt" }).waitFor();
    await page.getByText("6 bytes").waitFor();
  });

  test("WEB17 a long name leaves the keyboard help in sight, and a refusal speaks of roles to a person", async () => {
    const name = "Wolfeschlegelsteinhausenbergerdorff-Featherstonehaugh";
    const guest = await makeAccount(stage, { name, workspace: account.workspaceId, role: "viewer" });
    const theirs = await signedInAs(stage, guest);
    const box = async (one: ReturnType<Page["locator"]>) => {
      const { x, width } = (await one.boundingBox()) ?? { x: 0, width: 0 };
      return x + width;
    };
    const side = theirs.getByRole("navigation", { name: "Workspace" });
    const help = theirs.getByRole("button", { name: "Keyboard shortcuts" });
    assert.ok((await box(help)) <= (await box(side)));
    await theirs.goto("/public-links");
    await theirs.getByText("Your role does not allow this. Ask an owner of the workspace.").waitFor();
  });
});
