import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { Page } from "playwright-core";
import type { Client } from "../../server/test/support/client.ts";
import { makeComment, makeDocument, makeSuggestion, markdown } from "../../server/test/support/fixtures.ts";
import { inBrowser, ready } from "./browser.ts";
import { type Account, makeAccount, programOf, signedInAs } from "./people.ts";
import { violations } from "./violations.ts";

/** Until the script of the page listens. */
const talks = (page: Page) => page.locator("html[data-discussion=ready]").waitFor({ state: "attached" });
const reviews = (page: Page) => page.locator("html[data-review=ready]").waitFor({ state: "attached" });

const TEXT = "# Meeting\n\nWe meet every Friday at nine.\n\nBring coffee.\n";

inBrowser("talking about pages", (stage) => {
  let ada: Account;
  let bob: Account;
  let program: Client;
  let agent: Client;
  let page: Page;

  before(async () => {
    ada = await makeAccount(stage, { name: "Ada Lovelace" });
    bob = await makeAccount(stage, { name: "Bob Dole", workspace: ada.workspaceId, role: "editor" });
    program = await programOf(stage, ada);
    agent = await programOf(stage, bob);
    page = await signedInAs(stage, ada);
  });

  const select = (text: string) =>
    page.evaluate(`{
      const walker = document.createTreeWalker(document.querySelector(".prose"), NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const at = node.data.indexOf(${JSON.stringify(text)});
        if (at >= 0) getSelection().setBaseAndExtent(node, at, node, at + ${text.length});
      }
    }`);

  test("WEB60 a selected passage is commented on, highlighted, replied to and resolved, by mouse and keyboard", async () => {
    const { id } = await makeDocument(program, { title: "Meeting", text: TEXT });
    await page.goto(`/documents/${id}`);
    await talks(page);
    await select("every Friday");
    await page.keyboard.press("c");
    const box = page.getByLabel("Your comment");
    await box.fill("Is this still so, @Bob Dole?");
    await box.press("Control+Enter");
    const thread = page.locator(".thread");
    await thread.getByText("Is this still so").waitFor();
    await talks(page);
    assert.equal(await thread.locator(".passage").innerText(), "every Friday");
    const marked = await page.evaluate(
      '[...CSS.highlights.get("comment"), ...CSS.highlights.get("comment-current")].map(String).join()',
    );
    assert.equal(marked, "every Friday");
    const told = (await agent.get("/notifications")).data[0];
    assert.equal(told.reason, "mention");
    assert.deepEqual(await violations(page), []);
    await thread.getByText("Reply", { exact: true }).first().click();
    await page.getByLabel("Your reply").fill("Yes.");
    await page.getByRole("button", { name: "Reply", exact: true }).click();
    await page.locator(".replies").getByText("Yes.").waitFor();
    await ready(page);
    await page.getByRole("button", { name: "Resolve", exact: true }).click();
    await page.getByText("The thread is resolved.").waitFor();
    assert.equal(await page.locator(".thread").count(), 0);
    await page.getByRole("link", { name: "Show resolved threads" }).click();
    await page.getByRole("button", { name: "Reopen", exact: true }).waitFor();
  });

  test("WEB61 suggestions stand in the text by word and are accepted and rejected, one, several and all", async () => {
    const { id } = await makeDocument(program, { title: "Rules", text: TEXT });
    const content = markdown("# Meeting\n\nWe meet every Monday at nine.\n\nBring tea.\n\nBe kind.\n");
    await makeSuggestion(agent, { document_id: id, operations: undefined, content, note: "New habits" });
    await page.goto(`/documents/${id}/suggestions`);
    await reviews(page);
    const changed = page.locator(".suggested", { hasText: "every" });
    assert.deepEqual(
      [await changed.locator("del").innerText(), await changed.locator("ins").innerText()],
      ["Friday", "Monday"],
    );
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press("j");
    await page.keyboard.press("a");
    await page.getByText("What you accepted is part of the page now.").waitFor();
    assert.match((await program.get(`/documents/${id}/content?format=markdown`)).text, /every Monday[\s\S]*coffee/);
    await page.locator(".suggested", { hasText: "tea" }).getByLabel("Choose this change").check();
    await page.getByRole("button", { name: "Reject chosen" }).click();
    await page.getByText("What you rejected was left out.").waitFor();
    await page.getByRole("button", { name: "Accept all" }).click();
    await page.getByText("No suggestion waits.").waitFor();
    const { text } = await program.get(`/documents/${id}/content?format=markdown`);
    assert.match(text, /every Monday[\s\S]*coffee[\s\S]*Be kind/);
  });

  test("WEB62 the review page has everything that waits, by kind, and is worked through with the keyboard", async () => {
    const { id, knowledge_base_id } = await makeDocument(program, { title: "Plan", text: TEXT });
    const content = markdown(TEXT.replace("coffee", "cake"));
    await makeSuggestion(agent, { document_id: id, operations: undefined, content });
    await page.goto(`/review?show=suggestions&in=${knowledge_base_id}`);
    await reviews(page);
    assert.equal(await page.getByRole("heading", { name: "Concepts" }).count(), 0);
    assert.equal(await page.locator(".suggestion-words ins").first().innerText(), "cake");
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press("j");
    await page.keyboard.press("r");
    await page.getByText("What you rejected was left out.").waitFor();
    await page.getByRole("heading", { name: "Concepts" }).waitFor();
    assert.deepEqual((await program.get(`/documents/${id}/suggestions?status=open`)).data, []);
  });

  test("WEB63 the bell tells how much is unread, the page what, and settings say how one is told", async () => {
    const { id: document_id } = await makeDocument(program, { title: "Bell" });
    await page.goto("/notifications");
    const all = page.getByRole("button", { name: "Mark all as read" });
    if (await all.count()) await all.click();
    await makeComment(agent, { document_id, text: "Ding" });
    await page.goto("/knowledge-bases");
    await page.getByRole("link", { name: "Notifications 1 unread" }).click();
    await ready(page);
    assert.deepEqual(await violations(page), []);
    await page.getByRole("link", { name: "filler commented on “Bell”" }).click();
    await page.locator(".thread", { hasText: "Ding" }).waitFor();
    await page.goto("/notifications/settings");
    assert.deepEqual(await violations(page), []);
    await page.getByLabel("A comment on a page that you wrote or watch: in the page").uncheck();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Your settings are saved.").waitFor();
    assert.equal((await program.get("/notifications/settings")).data.kinds.comment.page, false);
  });

  test("WEB64 somebody who may not write suggests a change in a form, and sees it waiting", async () => {
    const { id } = await makeDocument(program, { title: "Open", text: TEXT });
    const viewer = await makeAccount(stage, { name: "Vera", workspace: ada.workspaceId, role: "viewer" });
    const hers = await signedInAs(stage, viewer, { javaScriptEnabled: false });
    await hers.goto(`/documents/${id}`);
    await hers.getByRole("link", { name: "Suggest", exact: true }).click();
    await hers.getByRole("link", { name: "Suggest a change as Markdown" }).click();
    const text = hers.getByLabel("Text, as Markdown");
    await text.fill((await text.inputValue()).replace("coffee", "biscuits"));
    await hers.getByLabel("Why").fill("Cheaper");
    await hers.getByRole("button", { name: "Suggest" }).click();
    await hers.locator(".suggested ins", { hasText: "biscuits" }).waitFor();
    assert.equal(await hers.getByRole("button", { name: "Accept" }).count(), 0);
    await hers.getByRole("button", { name: "Withdraw" }).click();
    await hers.getByText("No suggestion waits.").waitFor();
  });
});
