import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { Page } from "playwright-core";
import type { Client } from "../../server/test/support/client.ts";
import { makeComment, makeDocument, makeFolder, makeSuggestion, markdown } from "../../server/test/support/fixtures.ts";
import { inBrowser, ready } from "./browser.ts";
import { chooseMode, pageMenu } from "./document-page.ts";
import { type Account, makeAccount, programOf, signedInAs } from "./people.ts";
import { violations } from "./violations.ts";

/** Until the script of the page listens. */
const talks = (page: Page) => page.locator("html[data-discussion-ready]").waitFor({ state: "attached" });
const reviews = (page: Page) => page.locator("html[data-review-ready]").waitFor({ state: "attached" });

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
    await thread.locator(".comment-body", { hasText: "Is this still so" }).waitFor();
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
    await page.getByLabel("Your reply").and(page.locator(":focus")).waitFor();
    await page.keyboard.type("Yes.");
    await page.getByRole("button", { name: "Reply", exact: true }).click();
    await page.locator(".replies .comment-body", { hasText: "Yes." }).waitFor();
    await ready(page);
    const resolved = page.getByRole("link", { name: "Show resolved threads" });
    assert.equal(await resolved.count(), 0, "nothing is offered where none is resolved");
    await page.getByRole("button", { name: "Resolve", exact: true }).click();
    await page.getByText("The thread is resolved.").waitFor();
    assert.equal(await page.locator(".thread").count(), 0);
    await resolved.click();
    await page.getByRole("button", { name: "Reopen", exact: true }).waitFor();
  });

  test("WEB73 what others say comes by itself, and leaves alone where one is writing", async () => {
    const { id: document_id } = await makeDocument(program, { title: "Talked about", text: TEXT });
    const { id } = await makeComment(agent, { document_id, text: "First" });
    const last = (await agent.get(`/documents/${document_id}/blocks`)).data.at(-1).id;
    await page.goto(`/documents/${document_id}`);
    await talks(page);
    const thread = page.locator(".thread", { hasText: "First" });
    await thread.getByText("Reply", { exact: true }).first().click();
    await thread.getByLabel("Your reply").and(page.locator(":focus")).waitFor();
    await page.keyboard.type("Half a sen");
    await agent.post(`/comments/${id}/replies`, { body: markdown("A reply") });
    await makeComment(agent, { document_id, text: "Bring tea?", anchor: { block_id: last, quote: "Bring coffee" } });
    await makeSuggestion(agent, { document_id, operations: undefined, content: markdown(TEXT.replace("nine", "ten")) });
    await thread.locator(".replies", { hasText: "A reply" }).waitFor();
    await page.locator(".thread", { hasText: "Bring tea?" }).waitFor();
    await page.getByRole("link", { name: "1 suggestion" }).waitFor();
    assert.match(String(await page.evaluate('[...CSS.highlights.get("comment")].map(String).join()')), /Bring coffee/);
    await page.keyboard.type("tence");
    assert.equal(await thread.getByLabel("Your reply").inputValue(), "Half a sentence");
    await agent.post(`/comments/${id}/resolve`);
    await thread.getByText("Reply", { exact: true }).first().click();
    const passing = await makeComment(agent, { document_id, text: "Soon gone" });
    await page.locator(".thread", { hasText: "Soon gone" }).waitFor();
    await agent.delete(`/comments/${passing.id}`);
    await page.locator(".thread", { hasText: "Soon gone" }).waitFor({ state: "detached" });
    assert.equal(await thread.getByLabel("Your reply").inputValue(), "Half a sentence", "nothing typed is lost");
    await page.getByRole("link", { name: "1 suggestion" }).click();
    await reviews(page);
    await makeSuggestion(agent, { document_id });
    await page.getByText(/^Bob Dole \(.+\) suggested a change\.$/).waitFor();
    await page.getByRole("link", { name: "Show", exact: true }).click();
    await page.locator(".suggested", { hasText: "One more." }).waitFor();
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
    await page.getByText("Suggestion accepted.").waitFor();
    assert.match((await program.get(`/documents/${id}/content?format=markdown`)).text, /every Monday[\s\S]*coffee/);
    await page.locator(".suggested", { hasText: "tea" }).getByLabel("Select this change").check();
    await page.getByRole("button", { name: "Reject selected" }).click();
    await page.getByText("Suggestion rejected.").waitFor();
    await page.getByRole("button", { name: "Accept all" }).click();
    await page.getByText("No suggestions.").waitFor();
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
    await page.getByText("Suggestion rejected.").waitFor();
    assert.equal(await page.getByRole("heading", { name: "Concepts" }).count(), 0, "the filters stay");
    assert.deepEqual((await program.get(`/documents/${id}/suggestions?status=open`)).data, []);
  });

  test("WEB62 the review page is filtered by author, and offers decisions where the role allows them", async () => {
    const { id, knowledge_base_id } = await makeDocument(program, { title: "By whom", text: TEXT });
    const change = (word: string) => ({ operations: undefined, content: markdown(TEXT.replace("coffee", word)) });
    await makeSuggestion(agent, { document_id: id, ...change("water") });
    await makeSuggestion(program, { document_id: id, ...change("juice") });
    const [mine] = (await program.get(`/suggestions?knowledge_base_id=${knowledge_base_id}`)).data.filter(
      ({ author }: { author: { user_id: string } }) => author.user_id === ada.userId,
    );
    await page.goto(`/review?show=suggestions&in=${knowledge_base_id}&author=${mine.author.id}`);
    await reviews(page);
    assert.deepEqual(await page.locator(".suggestion-words ins").allInnerTexts(), ["juice"]);
    assert.equal(await page.getByLabel("Suggested by").inputValue(), mine.author.id);
    const viewer = await makeAccount(stage, { name: "Vic", workspace: ada.workspaceId, role: "viewer" });
    const hers = await signedInAs(stage, viewer);
    await hers.goto(`/review?show=suggestions&in=${knowledge_base_id}`);
    assert.equal(await hers.locator("[data-review-item]").count(), 2);
    assert.equal(await hers.getByRole("button", { name: /^Accept/ }).count(), 0);
    const members = [{ user_id: viewer.userId, role: "editor" }];
    const access = { default_role: null, members, groups: [] };
    await program.put(`/knowledge-bases/${knowledge_base_id}/access`, access, { ifMatch: "*" });
    await hers.goto(`/review?show=suggestions&in=${knowledge_base_id}`);
    assert.equal(await hers.getByRole("button", { name: /^Accept/ }).count(), 2);
  });

  test("WEB61 a change that the text has moved away from is accepted in one's own words", async () => {
    const { id } = await makeDocument(program, { title: "Conflict", text: TEXT });
    await makeSuggestion(agent, {
      document_id: id,
      operations: undefined,
      content: markdown(TEXT.replace("nine", "ten")),
    });
    const path = `/documents/${id}/content?ids=match`;
    await program.put(path, markdown(TEXT.replace("at nine", "at noon")), { ifMatch: "*" });
    await page.goto(`/documents/${id}/suggestions`);
    await reviews(page);
    const change = page.locator(".suggested", { hasText: "The page changed since this was suggested" });
    assert.equal(await change.getByRole("button", { name: "Accept", exact: true }).count(), 0);
    await change.getByText("Edit and accept").click();
    const words = change.getByLabel("Your wording, as Markdown");
    assert.match(await words.inputValue(), /at ten/);
    await words.fill("We meet every Friday at eleven.");
    assert.deepEqual(await violations(page), []);
    await change.getByRole("button", { name: "Accept this wording" }).click();
    await page.getByText("Suggestion accepted.").waitFor();
    assert.match((await program.get(`/documents/${id}/content?format=markdown`)).text, /Friday at eleven\./);
    const [suggestion] = (await program.get(`/documents/${id}/suggestions`)).data;
    assert.equal(suggestion.status, "accepted");
  });

  test("WEB67 one's own comment is changed and reacted to, and @ offers people while one types", async () => {
    const { id } = await makeDocument(program, { title: "Talk", text: TEXT });
    const theirs = await makeComment(agent, { document_id: id, text: "First" });
    await page.goto(`/documents/${id}`);
    await talks(page);
    await page.keyboard.press("c");
    const box = page.locator("#new-comment");
    await box.fill("Hello ");
    await box.press("End");
    await page.keyboard.type("@bob d");
    const offer = page.getByRole("option", { name: "Bob Dole" });
    await offer.waitFor();
    const [field, list] = [await box.boundingBox(), await offer.boundingBox()];
    assert.ok(field && list && list.y >= field.y + field.height, "the names stand below the field");
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press("Enter");
    assert.equal(await box.inputValue(), "Hello @Bob Dole ");
    await box.press("Control+Enter");
    const own = page.locator(".thread", { hasText: "Hello" });
    await own.waitFor();
    await talks(page);
    assert.equal((await agent.get("/notifications?limit=1")).data[0].reason, "mention");
    await own.getByText("Edit", { exact: true }).click();
    const edited = own.getByLabel("Your comment");
    assert.equal(await edited.inputValue(), "Hello @Bob Dole");
    await edited.fill("Good morning @Bob Dole");
    await own.getByRole("button", { name: "Save" }).click();
    await page.locator(".thread", { hasText: "Good morning" }).waitFor();
    const threads = (await program.get(`/documents/${id}/comments`)).data;
    assert.equal(threads[1].body.markdown, `Good morning [@Bob Dole](svc://user/${bob.userId})`);
    const other = page.locator(`[id="${theirs.id}"]`);
    assert.equal(await other.getByText("Edit", { exact: true }).count(), 0);
    await other.getByText("React", { exact: true }).click();
    await other.getByRole("button", { name: "Thumbs up" }).click();
    const given = page.locator(`[id="${theirs.id}"]`).getByRole("button", { name: "👍 1" });
    assert.equal(await given.getAttribute("aria-pressed"), "true");
    await ready(page);
    await given.click();
    await given.waitFor({ state: "detached" });
    assert.deepEqual((await program.get(`/comments/${theirs.id}`)).data.reactions, []);
  });

  test("WEB60 who answers a thread that was resolved meanwhile sees it, and so does who is told of it", async () => {
    const { id } = await makeDocument(program, { title: "Answered", text: TEXT });
    const thread = await makeComment(agent, { document_id: id, text: "Still so?" });
    await page.goto(`/documents/${id}`);
    await talks(page);
    const shown = page.locator(`[id="${thread.id}"]`);
    await shown.getByText("Reply", { exact: true }).first().click();
    await shown.getByLabel("Your reply").fill("It is.");
    await agent.post(`/comments/${thread.id}/resolve`);
    await shown.getByRole("button", { name: "Reply" }).click();
    await page.waitForURL(/comments=all/);
    await page.locator(".thread-resolved", { hasText: "It is." }).waitFor();
    const bobs = await signedInAs(stage, bob);
    await bobs.goto(`/notifications/${(await agent.get("/notifications?limit=1")).data[0].id}`);
    await bobs.locator(".thread-resolved", { hasText: "It is." }).waitFor();
  });

  test("WEB68 pages, folders and knowledge bases are watched with a button", async () => {
    const folder = await makeFolder(program);
    const { knowledge_base_id } = folder;
    const { id } = await makeDocument(program, { title: "Watched", knowledge_base_id, folder_id: folder.id });
    for (const path of [`/documents/${id}`, `/folders/${folder.id}`, `/knowledge-bases/${knowledge_base_id}`]) {
      const watching = async () => (await program.get(`${path}/watch`)).data.watching;
      await page.goto(path);
      if (path.startsWith("/documents")) await pageMenu(page);
      const button = page.getByRole("button", { name: "Watch", exact: true });
      await button.click();
      await page.getByText("Watching:").waitFor();
      assert.equal(await watching(), true);
      assert.deepEqual(await violations(page), []);
      await ready(page);
      if (path.startsWith("/documents")) await pageMenu(page);
      await page.getByRole("button", { name: "Stop watching" }).click();
      await page.getByText("Stopped watching.").waitFor();
      assert.equal(await watching(), false);
    }
  });

  test("WEB45 comments are searched, and a hit leads to its comment", async () => {
    const { id } = await makeDocument(program, { title: "Searched", text: TEXT });
    const comment = await makeComment(agent, { document_id: id, text: "A quokka sat here" });
    await page.goto("/search?q=quokka");
    await page.getByText("No results for").waitFor();
    await page.getByLabel("Look in").selectOption("comments");
    await page.locator(".hit-text", { hasText: "quokka" }).waitFor();
    await page.locator(".hit-link").click();
    await page.waitForURL(`**/documents/${id}?comments=all#${comment.id}`);
  });

  test("WEB63 the bell tells how much is unread, the page what, and settings say how one is told", async () => {
    const { id: document_id } = await makeDocument(program, { title: "Bell" });
    await page.goto("/notifications");
    const all = page.getByRole("button", { name: "Mark all as read" });
    if (await all.count()) await all.click();
    await makeComment(agent, { document_id, text: "Ding" });
    await page.goto("/knowledge-bases");
    await page.getByRole("link", { name: "Notifications 1 unread" }).waitFor();
    await makeComment(agent, { document_id, text: "Dong" });
    await page.getByRole("link", { name: "Notifications 2 unread" }).click();
    await ready(page);
    await makeComment(agent, { document_id, text: "Dang" });
    await page.locator(".excerpt", { hasText: "Dang" }).waitFor();
    assert.deepEqual(await violations(page), []);
    await page.getByRole("link", { name: "filler commented on “Bell”" }).first().click();
    await page.locator(".thread", { hasText: "Ding" }).waitFor();
    await page.goto("/notifications/settings");
    assert.deepEqual(await violations(page), []);
    await page.getByLabel("A comment on a page you wrote or watch: in the app").uncheck();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Settings saved.").waitFor();
    assert.equal((await program.get("/notifications/settings")).data.kinds.comment.page, false);
  });

  test("WEB64 somebody who may not write suggests a change in a form, and sees it waiting", async () => {
    const { id } = await makeDocument(program, { title: "Open", text: TEXT });
    const viewer = await makeAccount(stage, { name: "Vera", workspace: ada.workspaceId, role: "viewer" });
    const hers = await signedInAs(stage, viewer, { javaScriptEnabled: false });
    await hers.goto(`/documents/${id}`);
    await chooseMode(hers, "Suggesting");
    await hers.getByRole("link", { name: "Suggest a change as Markdown" }).click();
    const text = hers.getByLabel("Text, as Markdown");
    await text.fill((await text.inputValue()).replace("coffee", "biscuits"));
    await hers.getByLabel("Why").fill("Cheaper");
    await hers.getByRole("button", { name: "Suggest", exact: true }).click();
    await hers.locator(".suggested ins", { hasText: "biscuits" }).waitFor();
    assert.equal(await hers.getByRole("button", { name: "Accept" }).count(), 0);
    await hers.getByRole("button", { name: "Withdraw" }).click();
    await hers.getByText("No suggestions.").waitFor();
  });
});
