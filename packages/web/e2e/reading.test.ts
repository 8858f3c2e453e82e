import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { Page } from "playwright-core";
import type { Client } from "../../server/test/support/client.ts";
import { makeDocument, markdown } from "../../server/test/support/fixtures.ts";
import { inBrowser } from "./browser.ts";
import { fillLibrary, type Library } from "./library.ts";
import { makeAccount, programOf, signedInAs } from "./people.ts";
import { violations } from "./violations.ts";

inBrowser("an open page", (stage) => {
  let library: Library;
  let program: Client;
  let page: Page;

  before(async () => {
    const account = await makeAccount(stage);
    program = await programOf(stage, account);
    library = await fillLibrary(program);
    page = await signedInAs(stage, account);
  });

  test("WEB40 headings have links, code a copy button, callouts their name, and the contents follow", async () => {
    await page.goto(`/documents/${library.welcome.id}`);
    await page.getByRole("link", { name: /^Link to “First days/ }).focus();
    await page.keyboard.press("Enter");
    assert.match(page.url(), /#section-first-days$/);
    await page.locator(".outline a[data-here]", { hasText: "First days" }).waitFor();
    await page.getByRole("button", { name: "Copy", exact: true }).first().waitFor();
    const label = await page.evaluate('getComputedStyle(document.querySelector(".callout"), "::before").content');
    assert.equal(label, '"Warning"');
    assert.deepEqual(await violations(page), []);
  });

  test("WEB41 it says what others changed, and the tree follows, in every tab by one stream", async () => {
    const streams: string[] = [];
    page.context().on("request", (request) => {
      if (request.url().endsWith("/events")) streams.push(request.url());
    });
    const opened = page.waitForResponse((reply) => reply.url().endsWith("/events"));
    await page.goto(`/documents/${library.other.id}`);
    await opened;
    const second = await page.context().newPage();
    await second.goto(`/knowledge-bases/${library.base.id}`);
    await second.getByRole("treeitem", { name: "Security" }).waitFor();
    await makeDocument(program, { title: "Brand new", knowledge_base_id: library.base.id });
    for (const tab of [page, second]) await tab.getByRole("treeitem", { name: "Brand new" }).waitFor();
    await program.put(`/documents/${library.other.id}/content`, markdown("Lock your door.\n"), { ifMatch: "*" });
    await page.getByText("This page was changed.").waitFor();
    await page.getByRole("link", { name: "Show", exact: true }).click();
    await page.getByText("Lock your door.").waitFor();
    assert.ok(streams.length <= 2, `${streams.length} streams were opened`);
    await program.delete(`/documents/${library.other.id}`);
    await page.getByText("This page was deleted.").waitFor();
    await second.getByRole("treeitem", { name: "Security" }).waitFor({ state: "hidden" });
  });

  test("WEB29 a word that is only begun is found while one types", async () => {
    await page.goto("/search");
    await page.getByRole("searchbox", { name: "Search for" }).fill("toget");
    await page.locator(".hit mark", { hasText: "together" }).first().waitFor();
    assert.deepEqual(await violations(page), []);
  });
});
