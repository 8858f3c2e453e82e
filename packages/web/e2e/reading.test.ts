import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { Page } from "playwright-core";
import type { Client } from "../../server/test/support/client.ts";
import { makeDocument, makeKnowledgeBase, markdown } from "../../server/test/support/fixtures.ts";
import { until } from "../../server/test/support/until.ts";
import { inBrowser } from "./browser.ts";
import { openPanel } from "./document-page.ts";
import { fillLibrary, type Library } from "./library.ts";
import { type Account, makeAccount, programOf, signedInAs } from "./people.ts";
import { violations } from "./violations.ts";

inBrowser("an open page", (stage) => {
  let account: Account;
  let library: Library;
  let program: Client;
  let page: Page;

  before(async () => {
    account = await makeAccount(stage);
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

  test("WEB42 code is coloured and formulas are set on the server, for members and on the share page", async () => {
    const text = "Mass $E = mc^2$ and\n\n$$\n\\frac{a}{b}\n$$\n\n```ts\nconst a = 1; // one\n```\n";
    const { id } = await makeDocument(program, { title: "Physics", knowledge_base_id: library.base.id, text });
    const { url } = (await program.post(`/documents/${id}/public-share`)).data;
    const plain = await signedInAs(stage, account, { javaScriptEnabled: false });
    for (const address of [`/documents/${id}`, url]) {
      await plain.goto(address);
      await plain.locator(".hljs-keyword", { hasText: "const" }).waitFor();
      await plain.locator(".math-block mfrac").waitFor();
      await plain.locator(".math-inline msup").waitFor();
      await page.goto(address);
      assert.deepEqual(await violations(page), []);
    }
  });

  test("EDIT13 a Mermaid diagram is drawn on the page, with its source below; one with a mistake stays source", async () => {
    const text = "```mermaid\ngraph TD\n  A[Write] --> B[Read]\n```\n\n```mermaid\nno such diagram\n```\n";
    const { id } = await makeDocument(program, { title: "Flow", knowledge_base_id: library.base.id, text });
    await page.goto(`/documents/${id}`);
    await page.getByRole("img", { name: /^Diagram: graph TD/ }).waitFor();
    const isDrawn = "document.querySelector('figure.diagram img').naturalWidth > 50";
    await until("it is drawn", () => page.evaluate<boolean>(isDrawn));
    await page.getByText("Source of the diagram").click();
    await page.getByText("A[Write] --> B[Read]").waitFor();
    await page.getByText("no such diagram").waitFor();
    assert.equal(await page.locator("figure.diagram").count(), 1);
    assert.deepEqual(await violations(page), []);
  });

  test("PROP6 the page lists properties, with addresses of the web as links", async () => {
    const { id } = await makeDocument(program, { title: "Properties" });
    const properties = { source: "https://example.com/a/long/way?to=something", code: "javascript:alert(1)" };
    await program.put(`/documents/${id}/properties`, { properties }, { ifMatch: "*" });
    await page.goto(`/documents/${id}`);
    await openPanel(page, "Info");
    const links = page.locator(".properties a");
    assert.equal(await links.count(), 1);
    assert.equal(await links.getAttribute("href"), properties.source);
    const name = await page.locator(".properties dt bdi", { hasText: "source" }).boundingBox();
    assert.ok(name && name.height < 40, "the name stands in one line");
    const [wide, room] = await page.evaluate<number[]>(
      '(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth])(document.querySelector(".properties dl"))',
    );
    assert.equal(wide, room, "values wrap");
  });

  test("WEB43 who may write ticks a box on the page, and it is kept", async () => {
    await page.goto(`/documents/${library.welcome.id}`);
    const box = page.getByRole("checkbox", { name: "To do" });
    const kept = page.waitForResponse((reply) => reply.request().method() === "PATCH");
    await box.check();
    assert.equal((await kept).status(), 200);
    await page.goto(`/documents/${library.welcome.id}`);
    assert.equal(await page.getByRole("checkbox", { name: "Done" }).count(), 2);
    await page.getByText(/Changed .* by Ada Lovelace/).waitFor();
    await openPanel(page, "Info");
    await page.getByRole("complementary").getByRole("link", { name: "Security" }).waitFor();
  });

  test("WEB27 a page is linked from others with the sentence around the link", async () => {
    await page.goto(`/documents/${library.other.id}`);
    await openPanel(page, "Info");
    await page.getByText("See the security notes.").waitFor();
    const { id } = await makeDocument(program, { title: "Self", knowledge_base_id: library.base.id });
    await program.put(`/documents/${id}/content`, markdown(`[Above](svc://doc/${id})\n`), { ifMatch: "*" });
    await page.goto(`/documents/${id}`);
    await openPanel(page, "Info");
    await page.getByText("No pages link here yet.").waitFor();
    const twice = `Once [here](svc://doc/${id}) and [there](svc://doc/${id}).\n\nElsewhere [again](svc://doc/${id}).\n`;
    await makeDocument(program, { title: "Twice", knowledge_base_id: library.base.id, text: twice });
    await page.goto(`/documents/${id}`);
    await openPanel(page, "Info");
    const links = page.locator("section", { hasText: "Linked from" }).getByRole("listitem");
    assert.deepEqual(await links.allInnerTexts(), ["Twice\nOnce here and there.\nElsewhere again."]);
  });

  test("WEB41 it says what others changed, and the tree follows, in every tab by one stream", async () => {
    const isStream = (url: string) => new URL(url).pathname.endsWith("/events");
    const streams: string[] = [];
    page.context().on("request", (request) => {
      if (isStream(request.url())) streams.push(request.url());
    });
    const opened = page.waitForResponse((reply) => isStream(reply.url()));
    await page.goto(`/documents/${library.other.id}`);
    await opened;
    const second = await page.context().newPage();
    await second.goto(`/knowledge-bases/${library.base.id}`);
    await second.getByRole("treeitem", { name: "Security" }).waitFor();
    await makeDocument(program, { title: "Brand new", knowledge_base_id: library.base.id });
    for (const tab of [page, second]) await tab.getByRole("treeitem", { name: "Brand new" }).waitFor();
    await program.put(`/documents/${library.other.id}/content`, markdown("Lock your door.\n"), { ifMatch: "*" });
    const changed = page.locator(".prose .block", { hasText: "Lock your door." });
    await changed.waitFor();
    assert.match((await changed.getAttribute("data-by")) ?? "", /^Ada Lovelace \(.+\)$/);
    assert.ok(streams.length <= 2, `${streams.length} streams were opened`);
    await program.delete(`/documents/${library.other.id}`);
    await page.getByText(/^Ada Lovelace \(.+\) deleted this page\.$/).waitFor();
    assert.equal(await page.getByRole("link", { name: "Open the trash" }).getAttribute("href"), "/trash");
    await second.getByRole("treeitem", { name: "Security" }).waitFor({ state: "hidden" });
    await second.close();
  });

  test("WEB41 what happens while a page is on its way, or a tab takes the stream over, is told too", async () => {
    const { base } = library;
    const [first, next] = [await page.context().newPage(), await page.context().newPage()];
    const { id } = await makeDocument(program, { title: "Short-lived", knowledge_base_id: base.id });
    let streams = Promise.withResolvers<void>();
    await page.context().route(/\/api\/v1\/events/, (route) => streams.promise.then(() => route.continue()));
    await page.goto("about:blank");
    await first.goto(`/documents/${id}`);
    await next.goto(`/knowledge-bases/${base.id}`);
    await program.delete(`/documents/${id}`);
    streams.resolve();
    await first.getByText(/deleted this page\.$/).waitFor();
    await next.getByRole("treeitem", { name: "Short-lived" }).waitFor({ state: "hidden" });
    streams = Promise.withResolvers();
    await first.close();
    await makeDocument(program, { title: "Made meanwhile", knowledge_base_id: base.id });
    streams.resolve();
    await next.getByRole("treeitem", { name: "Made meanwhile" }).waitFor();
    await next.close();
    await page.context().unroute(/\/api\/v1\/events/);
  });

  test("WEB41 without TLS a tab follows while it is in sight, and hears later what it missed", async () => {
    const tab = await signedInAs(stage, account);
    await tab.addInitScript("delete Navigator.prototype.locks");
    const see = (state: "visible" | "hidden") =>
      tab.evaluate(`Object.defineProperty(document, "visibilityState", { configurable: true, value: "${state}" });
        document.dispatchEvent(new Event("visibilitychange"))`);
    const make = (title: string) => makeDocument(program, { title, knowledge_base_id: library.base.id });
    await tab.goto(`/knowledge-bases/${library.base.id}`);
    await make("Seen at once");
    await tab.getByRole("treeitem", { name: "Seen at once" }).waitFor();
    const closed = tab.waitForEvent("requestfailed", (request) => request.url().includes("/events"));
    await see("hidden");
    await closed;
    await make("Seen later");
    await see("visible");
    await tab.getByRole("treeitem", { name: "Seen later" }).waitFor();
    await tab.context().close();
  });

  test("WEB41 events of another workspace are no news; a log that begins anew is followed", async () => {
    const { id } = await makeDocument(program, { title: "Watched", knowledge_base_id: library.base.id });
    const deleted = (eventId: number, workspace: string, client: string) => {
      const actor = { user_id: account.userId, token_id: "tok", client };
      const data = { document_id: id, workspace_id: workspace, document: {}, actor };
      return `id: ${eventId}\nevent: document.deleted\ndata: ${JSON.stringify(data)}\n\n`;
    };
    const restart = 'event: sync.required\ndata: {"resume_from":0}\n\n';
    const body = deleted(1e9, "ws_other", "Foreign") + deleted(1, account.workspaceId, "Old") + restart;
    const tab = await signedInAs(stage, account);
    await tab.route(/\/api\/v1\/events/, (route) =>
      route.fulfill({ contentType: "text/event-stream", body: body + deleted(2, account.workspaceId, "Restored") }),
    );
    await tab.addInitScript(`globalThis.told = [];
      new MutationObserver(() => told.push(document.querySelector(".page-news")?.textContent ?? ""))
        .observe(document, { childList: true, subtree: true });`);
    await tab.goto(`/documents/${id}`);
    await tab.getByText(/\(Restored\) deleted this page\.$/).waitFor();
    assert.deepEqual(await tab.evaluate("told.filter((text) => /Foreign|Old/.test(text))"), []);
    await tab.context().close();
  });

  test("WEB41 a new knowledge base gets its row with its first page, also as the first of all", async () => {
    const account = await makeAccount(stage);
    const [tab, client] = [await signedInAs(stage, account), await programOf(stage, account)];
    await tab.goto("/knowledge-bases");
    await tab.getByText("None yet.").waitFor();
    let zebra = 0;
    for (const name of ["Middle", "Zebra", "Apple"]) {
      const { id } = await makeKnowledgeBase(client, name);
      if (name === "Zebra") zebra = id;
      await makeDocument(client, { title: `In ${name}`, knowledge_base_id: id });
      await tab.getByRole("treeitem", { name, exact: true }).waitFor();
    }
    assert.equal(await tab.getByText("None yet.").count(), 0);
    await tab.locator(".bases a", { hasText: "Apple" }).getByText("1 page").waitFor();
    assert.equal(await tab.getByText("workspace is empty").count(), 0);
    await tab.locator(".bases a", { hasText: "Zebra" }).focus();
    await makeDocument(client, { title: "Stripes", knowledge_base_id: zebra });
    await tab.locator(".bases a:focus", { hasText: "Zebra" }).getByText("2 pages").waitFor();
    const items = tab.getByRole("treeitem");
    assert.deepEqual(await items.evaluateAll((all) => all.map((one) => one.dataset.name)), [
      "Apple",
      "Middle",
      "Zebra",
    ]);
    await items.first().focus();
    await tab.keyboard.press("ArrowRight");
    await tab.getByRole("treeitem", { name: "In Apple" }).waitFor();
    assert.deepEqual(await violations(tab), []);
  });

  test("WEB29 a word that is only begun is found while one types", async () => {
    await page.goto("/search");
    await page.getByRole("searchbox", { name: "Search for" }).fill("toget");
    await page.locator(".hit mark", { hasText: "together" }).first().waitFor();
    assert.deepEqual(await violations(page), []);
  });
});
