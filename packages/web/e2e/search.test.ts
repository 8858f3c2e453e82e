import assert from "node:assert/strict";
import { before, test } from "node:test";
import { defined } from "@svc/document/defined";
import type { Page } from "playwright-core";
import type { Client } from "../../server/test/support/client.ts";
import { makeDocument } from "../../server/test/support/fixtures.ts";
import { inBrowser, ready, type Stage } from "./browser.ts";
import { fillLibrary, type Library } from "./library.ts";
import { makeAccount, programOf, signedInAs } from "./people.ts";
import { violations } from "./violations.ts";

const suite = (stage: Stage) => {
  let page: Page;
  let library: Library;
  let program: Client;

  before(async () => {
    const account = await makeAccount(stage);
    program = await programOf(stage, account);
    library = await fillLibrary(program);
    page = await signedInAs(stage, account);
  });

  test("WEB29 the field in the bar finds blocks, marks the words and leads to the place", async () => {
    await page.goto("/knowledge-bases");
    await page.keyboard.press("/");
    await page.keyboard.type("lock screen");
    await page.keyboard.press("Enter");
    await page.getByText("1 match in 1 page").waitFor();
    const hit = page.locator(".hit");
    assert.equal(await hit.locator("mark").first().textContent(), "Lock");
    await hit.getByRole("link", { name: "Security" }).click();
    assert.equal(await page.locator(".block-target").textContent(), "Lock your screen.");
  });

  test("WEB29 a page is listed once, with the places in it", async () => {
    const text = ["one", "two", "three", "four", "five"].map((word) => `## Part ${word}\n\nA quagga in ${word}.`);
    await makeDocument(program, { title: "Zoo", knowledge_base_id: library.base.id, text: text.join("\n\n") });
    await page.goto("/search?q=quagga");
    await page.getByText("5 matches in 1 page").waitFor();
    const hit = page.locator(".hit");
    assert.equal(await hit.count(), 1);
    assert.equal(await hit.locator("mark").filter({ visible: true }).count(), 3);
    await hit.getByText("2 more matches on this page").waitFor();
    await hit.getByRole("link", { name: /Part one/ }).click();
    assert.equal(await page.locator(".block-target").textContent(), "A quagga in one.");
  });

  test("WEB29 ten pages are shown at once, with words in all their forms and the missing ones named", async () => {
    for (let at = 1; at <= 12; at++)
      await makeDocument(program, {
        title: `Ferry ${at}`,
        knowledge_base_id: library.base.id,
        text: "Ferries depart.",
      });
    await page.goto("/search?q=how+the+ferry+departed+unicorn");
    await page.getByText(/^\d+ matches in 1\d pages/).waitFor();
    assert.equal(await page.locator(".hit").count(), 10);
    const first = page.locator(".hit").first();
    assert.deepEqual(await first.locator(".hit-text mark").allTextContents(), ["Ferries", "depart"]);
    await first.getByText("not found: unicorn", { exact: true }).waitFor();
    await page.getByLabel("Search for").press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    assert.equal(await page.evaluate("document.activeElement.className"), "hit-place");
    const [tab] = await Promise.all([
      page.context().waitForEvent("page"),
      first.getByRole("link").first().click({ button: "middle" }),
    ]);
    await tab.waitForURL(/\/documents\//);
    await tab.close();
    await page.getByRole("link", { name: "More" }).click();
    await page.waitForURL(/cursor=/);
    const rest = page.locator(".hit").filter({ hasText: "Ferries depart." });
    await rest.nth(1).waitFor();
    assert.equal(await rest.count(), 2);
  });

  test("WEB119 a question is answered with sources, from the search and without scripts", async () => {
    const { id } = await makeDocument(program, {
      title: "Parking",
      knowledge_base_id: library.base.id,
      text: "Visitors park behind the greenhouse.",
    });
    await page.goto("/search?q=where+do+visitors+park");
    await page.getByRole("link", { name: /^Ask: / }).click();
    await page.getByText("Visitors park behind the greenhouse.").first().waitFor();
    assert.deepEqual(await violations(page), []);
    await page.getByRole("link", { name: "Source 1: Parking" }).click();
    await page.waitForURL(new RegExp(`/documents/${id}\\?block=`));
    assert.equal(await page.locator(".block-target").textContent(), "Visitors park behind the greenhouse.");
    await page.goto("/ask");
    await page.getByLabel("Your question").fill("Who feeds the zzyzx?");
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.getByText("No page answers this.").waitFor();
    const plain = await defined(page.context().browser()).newContext({
      baseURL: stage.world.url,
      javaScriptEnabled: false,
    });
    await plain.addCookies(await page.context().cookies());
    const still = await plain.newPage();
    await still.goto("/ask");
    await still.getByLabel("Your question").fill("Where do visitors park?");
    await still.getByRole("button", { name: "Ask", exact: true }).click();
    await still.getByRole("heading", { name: "Sources" }).waitFor();
    await still.locator("#answer").getByRole("link", { name: "Parking", exact: true }).waitFor();
    await plain.close();
  });

  test("WEB29 results follow while one types, and the address with them", async () => {
    await page.goto("/search");
    await page.getByLabel("Search for").fill("everybod*");
    await page.getByText("1 match in 1 page").waitFor();
    assert.equal(new URL(page.url()).search, "?q=everybod*");
    await page.getByLabel("Search for").fill("nosuchword");
    await page.getByText("No results for nosuchword.").waitFor();
    await page.getByLabel("Search for").fill("-only");
    await page.locator("#results .banner").waitFor();
    assert.deepEqual(await violations(page), []);
  });

  test("WEB45 a word with a wrong letter is corrected, and the search is narrowed", async () => {
    await page.goto("/search?q=Secuirty");
    await page.locator("#results").getByRole("link", { name: "Security", exact: true }).click();
    await page.locator(".hit").first().waitFor();
    await ready(page);
    await page.getByLabel("Type").selectOption("spreadsheet");
    await page.getByText("No results for Security.").waitFor();
    await page.getByLabel("In the knowledge base").selectOption({ label: "Handbook" });
    await page.getByLabel("In the folder").waitFor();
    await page.goto("/search?q=-only");
    assert.match((await page.locator("#results .banner").textContent()) ?? "", /^\p{Lu}[^/]*\.$/u);
  });

  test("WEB29 a title is found, and the page works without scripts", async () => {
    const plain = await defined(page.context().browser()).newContext({
      baseURL: stage.world.url,
      javaScriptEnabled: false,
    });
    await plain.addCookies(await page.context().cookies());
    const still = await plain.newPage();
    await still.goto("/search");
    await still.getByLabel("Search for").fill("Security");
    await still.getByRole("button", { name: "Search", exact: true }).click();
    const first = still.locator(".hit").first();
    assert.equal(await first.getByRole("link").getAttribute("href"), `/documents/${library.other.id}`);
    await plain.close();
  });

  test("WEB17 the results are accessible and fit a phone", async () => {
    await page.goto("/search?q=a*");
    await page.locator(".hit").first().waitFor();
    for (const [colorScheme, width] of [
      ["light", 1280],
      ["dark", 390],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      assert.deepEqual(await violations(page), []);
      assert.ok(Number(await page.evaluate("document.documentElement.scrollWidth - innerWidth")) <= 0);
    }
  });
};

inBrowser("search", suite);
