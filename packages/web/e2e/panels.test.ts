import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { Page } from "playwright-core";
import type { Client } from "../../server/test/support/client.ts";
import { makeDocument, makeKnowledgeBase, markdown } from "../../server/test/support/fixtures.ts";
import { until } from "../../server/test/support/until.ts";
import { inBrowser } from "./browser.ts";
import { openPanel } from "./document-page.ts";
import { SURFACE } from "./editor-page.ts";
import { makeAccount, programOf, signedInAs } from "./people.ts";
import { violations } from "./violations.ts";

const SHOTS = process.env.SVC_SHOTS;

inBrowser("the panels of a page", (stage) => {
  let page: Page;
  let client: Client;
  let base: number;
  const problems: string[] = [];

  before(async () => {
    const ada = await makeAccount(stage, { name: "Ada Lovelace" });
    client = await programOf(stage, ada);
    base = (await makeKnowledgeBase(client, "Handbook")).id;
    page = await signedInAs(stage, ada, { viewport: { width: 1280, height: 800 }, timezoneId: "Asia/Tokyo" });
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    page.on("requestfailed", (request) => {
      if (request.failure()?.errorText !== "net::ERR_ABORTED") problems.push(request.url());
    });
  });

  const make = (text: string, fields = {}) =>
    makeDocument(client, { title: "Plans", knowledge_base_id: base, text, ...fields });
  const properties = async (id: string) => (await client.get(`/documents/${id}/properties`)).data.properties;

  test("WEB150 properties of every type are added, edited and removed in place", async () => {
    const { id } = await make("Text.\n");
    await page.goto(`/documents/${id}`);
    await openPanel(page, "Info");
    const add = async (name: string, type: string) => {
      await page.getByText("Add a property", { exact: true }).click();
      await page.getByLabel("Name", { exact: true }).fill(name);
      await page.getByLabel("Type", { exact: true }).selectOption(type);
      await page.getByRole("button", { name: "Add", exact: true }).click();
    };
    const fill = async (name: string, value: string) => {
      await page.getByLabel(name, { exact: true }).fill(value);
      await page.getByLabel(name, { exact: true }).press("Enter");
      await page.getByRole("button", { name: `Edit ${name}:` }).waitFor();
    };
    await add("Owner", "Text");
    await fill("Owner", "Grace");
    await add("Budget", "Number");
    await fill("Budget", "12.5");
    await add("Due", "Date");
    await fill("Due", "2026-12-24");
    await add("Areas", "List");
    await fill("Areas", "sales, support");
    await add("Done", "Checkbox");
    await page.getByRole("checkbox", { name: "Done", exact: true }).click();
    const wanted = { Owner: "Grace", Budget: 12.5, Due: "2026-12-24", Areas: ["sales", "support"], Done: true };
    await until("all are saved", async () => JSON.stringify(await properties(id)) === JSON.stringify(wanted));
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/panel-info.png` });
    assert.deepEqual(await violations(page), []);
    await page.getByRole("button", { name: "Edit Owner:" }).click();
    await page.getByLabel("Owner", { exact: true }).press("Escape");
    await page.getByRole("button", { name: "Remove Owner" }).click();
    await until("it is gone", async () => !("Owner" in (await properties(id))));
    await page.getByRole("button", { name: "Undo" }).click();
    await until("it is back", async () => (await properties(id)).Owner === "Grace");
    await client.put(`/documents/${id}/properties`, { properties: { Owner: "Bob" } }, { ifMatch: "*" });
    await page.getByRole("button", { name: "Edit Owner:" }).click();
    await fill("Owner", "Carl");
    await page.getByText(/Someone else changed the properties/).waitFor();
    assert.equal((await properties(id)).Owner, "Bob");
    assert.deepEqual(
      problems.filter((text) => !/409/.test(text)),
      [],
    );
  });

  test("WEB151 Info names the authors of the page and of the paragraph with the caret, agents marked", async () => {
    problems.length = 0;
    const { id } = await make("By the program.\n\nAnother.\n");
    await page.goto(`/documents/${id}`);
    await page.getByText("Another.").click();
    await page.locator(`${SURFACE}:focus`).waitFor();
    await page.keyboard.press("End");
    await page.keyboard.type(" By Ada.");
    await until("it is saved", async () =>
      (await client.get(`/documents/${id}/content?format=markdown`)).text.includes("By Ada."),
    );
    await openPanel(page, "Info");
    await page.getByText("6 words · 1 min read").waitFor();
    const authors = page.locator("section", { has: page.getByRole("heading", { name: "Authors" }) });
    await authors
      .getByRole("listitem")
      .filter({ hasText: /^Ada Lovelace1 paragraph/ })
      .waitFor();
    await authors
      .getByRole("listitem")
      .filter({ hasText: /^Ada Lovelace via .+1 paragraph/ })
      .waitFor();
    await page.locator(`${SURFACE} > *`, { hasText: "By the program." }).click();
    await authors.getByText(/^This paragraph: Ada Lovelace via /).waitFor();
    await page.locator(`${SURFACE} > *`, { hasText: "By Ada." }).click();
    await authors.getByText(/^This paragraph: Ada Lovelace, /).waitFor();
    assert.deepEqual(problems, []);
  });

  test("WEB152 History is a panel: a version is compared in place, restored by one click, and undone", async () => {
    problems.length = 0;
    const { id } = await make("We meet on Friday.\n");
    await client.put(`/documents/${id}/content`, markdown("We meet on Monday.\n"), { ifMatch: "*" });
    await page.goto(`/documents/${id}`);
    await page.getByText("We meet on Monday.").click();
    await page.locator(`${SURFACE}:focus`).waitFor();
    await page.getByRole("button", { name: "History", exact: true }).click();
    const panel = page.locator("#panel-history");
    const rows = panel.getByRole("listitem");
    await rows.nth(1).waitFor();
    const tokyo = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: "Asia/Tokyo" });
    const ended = (await client.get(`/documents/${id}/history`)).data[0].ended_at;
    assert.equal(await rows.first().getByRole("link").innerText(), tokyo.format(ended), "the reader's time zone");
    await rows.first().getByRole("link").click();
    const view = page.locator(".version-view");
    await view.getByRole("deletion").filter({ hasText: "Friday" }).waitFor();
    await view.getByRole("insertion").filter({ hasText: "Monday" }).waitFor();
    assert.equal(await page.locator(SURFACE).isVisible(), false);
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/panel-history.png` });
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press("Escape");
    await page.locator(SURFACE).waitFor();
    await rows.nth(1).getByRole("link").click();
    await view.getByRole("button", { name: "Restore", exact: true }).click();
    await page.getByText("Version restored.").waitFor();
    await page.locator(SURFACE, { hasText: "We meet on Friday." }).waitFor();
    await page.locator("#toasts").getByRole("button", { name: "Undo" }).click();
    await page.locator(SURFACE, { hasText: "We meet on Monday." }).waitFor();
    assert.deepEqual(problems, []);
  });
});
