import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { Page } from "playwright-core";
import type { Client, Loose } from "../../server/test/support/client.ts";
import { makeDocument, makeFolder, makeKnowledgeBase } from "../../server/test/support/fixtures.ts";
import { until } from "../../server/test/support/until.ts";
import { inBrowser } from "./browser.ts";
import { type Account, makeAccount, programOf, signedInAs } from "./people.ts";
import { violations } from "./violations.ts";

inBrowser("many at once", (stage) => {
  let account: Account;
  let client: Client;
  let base: Loose;
  let page: Page;
  const item = (name: string) => page.getByRole("treeitem", { name, exact: true });
  const box = (name: string) => page.getByRole("checkbox", { name: `Choose ${name}`, exact: true });
  const told = (text: string) => page.getByRole("status").getByText(text).waitFor();
  const undo = () => page.getByRole("button", { name: "Undo" }).last().click();
  const go = async (...names: string[]) => {
    for (const name of names) await page.getByRole("dialog").getByRole("button", { name, exact: true }).click();
  };

  before(async () => {
    account = await makeAccount(stage);
    client = await programOf(stage, account);
    base = await makeKnowledgeBase(client, "Handbook");
    const knowledge_base_id = base.id;
    await makeFolder(client, { name: "Archive", knowledge_base_id });
    const folder = await makeFolder(client, { name: "Guides", knowledge_base_id });
    await makeDocument(client, { title: "Inside", knowledge_base_id, folder_id: folder.id });
    for (const title of ["One", "Two", "Three", "Four"]) await makeDocument(client, { title, knowledge_base_id });
    page = await signedInAs(stage, account);
  });

  test("WEB50 several lines of a list are chosen and moved, with one undo", async () => {
    await page.goto(`/knowledge-bases/${base.id}`);
    await box("Four").click();
    await box("Three").click({ modifiers: ["Shift"] });
    await page.getByRole("toolbar", { name: "Selected items" }).getByText("3 chosen").waitFor();
    assert.deepEqual(await violations(page), []);
    await page.getByRole("button", { name: "Move to…" }).click();
    await go("Handbook", "Archive", "Move here");
    await told("Moved 3 things to “Archive”.");
    await box("Four").waitFor({ state: "hidden" });
    assert.equal(await box("Two").count(), 1);
    await undo();
    await box("Four").waitFor();
    await box("Three").waitFor();
  });

  test("WEB50 nothing goes to a place that is no longer the chosen one while the next is being read", async () => {
    await page.goto(`/knowledge-bases/${base.id}`);
    await box("Two").click();
    await page.getByRole("button", { name: "Move to…" }).click();
    await go("Handbook");
    const put = page.getByRole("button", { name: "Move here" });
    await page.getByText("Handbook", { exact: true }).last().waitFor();
    const read = Promise.withResolvers<void>();
    const level = /\/app\/api\/v1\/folders/;
    await page.route(level, (route) => read.promise.then(() => route.continue()));
    await go("Archive");
    assert.ok(await put.isDisabled());
    read.resolve();
    await put.click();
    await told("Moved “Two” to “Archive”.");
    await page.unroute(level);
    await undo();
    await box("Two").waitFor();
  });

  test("WEB50 the keyboard chooses and deletes in a list, with one undo", async () => {
    await page.goto(`/knowledge-bases/${base.id}`);
    await box("Archive").focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Space");
    await page.keyboard.press("Shift+ArrowDown");
    await page.getByText("2 chosen").waitFor();
    await page.keyboard.press("Delete");
    await told("Moved 2 things to the trash.");
    await box("Guides").waitFor({ state: "hidden" });
    await box("Four").waitFor({ state: "hidden" });
    await undo();
    await box("Guides").waitFor();
    await box("Four").waitFor();
  });

  test("WEB50 folders are copied with what is in them, and the tree chooses too", async () => {
    await page.goto(`/knowledge-bases/${base.id}`);
    await item("Guides").focus();
    await page.keyboard.press("Space");
    await item("One").click({ modifiers: ["Shift"] });
    await page.getByText("3 chosen").waitFor();
    await item("One").click({ button: "right" });
    await page.getByRole("menuitem", { name: "Copy 3 to…" }).click();
    await go("Handbook", "Archive", "Copy here");
    await told("Copied 3 things to “Archive”.");
    await item("Archive").focus();
    await page.keyboard.press("ArrowRight");
    const copies = page.locator("li:has(> [data-name=Archive]) [role=group]");
    await copies.getByRole("treeitem", { name: "Guides", exact: true }).focus();
    await page.keyboard.press("ArrowRight");
    await copies.getByRole("treeitem", { name: "Inside", exact: true }).waitFor();
    await undo();
    await copies.getByRole("treeitem").first().waitFor({ state: "hidden" });
    await item("Guides").waitFor();
    await item("One").focus();
    await page.keyboard.press("Space");
    await item("Two").focus();
    await page.keyboard.press("Space");
    await item("Two").dragTo(item("Archive"));
    await told("Moved 2 things to “Archive”.");
    await undo();
    await box("Two").waitFor();
  });

  test("WEB50 what lies in a chosen folder goes along with it, once", async () => {
    await page.goto(`/knowledge-bases/${base.id}`);
    await item("Guides").focus();
    await page.keyboard.press("ArrowRight");
    for (const name of ["Guides", "Inside", "Four"]) {
      await item(name).focus();
      await page.keyboard.press("Space");
    }
    await page.getByText("3 chosen").waitFor();
    await page.keyboard.press("Delete");
    await told("Moved 2 things to the trash.");
    await item("Four").waitFor({ state: "hidden" });
    await undo();
    await item("Four").waitFor();
    await item("Guides").waitFor();
  });

  test("WEB50 the page that is shown is moved without leaving it, with undo", async () => {
    await item("Three").click();
    await page.getByRole("heading", { name: "Three", level: 1 }).waitFor();
    const trail = page.getByRole("navigation", { name: "Path" });
    await item("Three").dragTo(item("Archive"));
    await told("Moved “Three” to “Archive”.");
    await trail.getByRole("link", { name: "Archive" }).waitFor();
    await undo();
    await trail.getByRole("link", { name: "Archive" }).waitFor({ state: "hidden" });
  });

  test("WEB37 a folder that is renamed in the tree changes its line in the list, and no title of another number", async () => {
    const folder = await makeFolder(client, { name: "Same number", knowledge_base_id: base.id });
    const namesake = await makeKnowledgeBase(client, "Namesake");
    for (let id = namesake.id; id < folder.id; ) id = (await makeKnowledgeBase(client, `Another ${id}`)).id;
    await page.goto(`/knowledge-bases/${folder.id}`);
    const title = await page.getByRole("heading", { level: 1 }).textContent();
    await item("Handbook").focus();
    await page.keyboard.press("ArrowRight");
    await item("Same number").focus();
    await page.keyboard.press("F2");
    await page.keyboard.type("Renamed");
    await page.keyboard.press("Enter");
    await told("Renamed to “Renamed”.");
    assert.equal(await page.getByRole("heading", { level: 1 }).textContent(), title);
    await page.goto(`/knowledge-bases/${base.id}`);
    await item("Renamed").focus();
    await page.keyboard.press("F2");
    await page.keyboard.type("Renamed again");
    await page.keyboard.press("Enter");
    await box("Renamed again").waitFor();
  });

  test("WEB41 what was read before does not take away what was read later, in list and tree", async () => {
    await page.goto(`/knowledge-bases/${base.id}`);
    const old = Promise.withResolvers<void>();
    let asked = 0;
    // Both the list and the tree are read twice; what the first readings say comes last.
    const readings = new RegExp(`/knowledge-bases/${base.id}(/children.*)?$`);
    await page.route(readings, async (route) => {
      const response = await route.fetch();
      if (++asked <= 2) await old.promise;
      await route.fulfill({ response });
    });
    await makeDocument(client, { title: "Earlier", knowledge_base_id: base.id });
    await until("both are on their way", () => asked === 2);
    await makeDocument(client, { title: "Later", knowledge_base_id: base.id });
    await box("Later").waitFor();
    await item("Later").waitFor();
    const late = [page.waitForResponse(readings), page.waitForResponse(readings)];
    old.resolve();
    for (const one of late) await (await one).finished();
    await page.evaluate("new Promise((done) => setTimeout(done))");
    assert.deepEqual([await box("Later").count(), await item("Later").count()], [1, 1]);
    await page.unroute(readings);
  });

  test("WEB41 the list of a folder follows what others make", async () => {
    await page.goto(`/knowledge-bases/${base.id}`);
    await makeDocument(client, { title: "From elsewhere", knowledge_base_id: base.id });
    await box("From elsewhere").waitFor();
  });
});
