import assert from "node:assert/strict";
import { before, test } from "node:test";
import { insertMembership } from "@svc/server/domain/identity/accounts/queries";
import { makeDocument, makeKnowledgeBase } from "../../server/test/support/fixtures.ts";
import { stayInOneDay } from "../../server/test/support/until.ts";
import { inBrowser } from "./browser.ts";
import { makeAccount, PASSWORD, programOf, signedIn, signedInAs } from "./people.ts";
import { violations } from "./violations.ts";

inBrowser("notices and ways", (stage) => {
  test("WEB53 a notice comes once, with the session, and an address cannot make one", async () => {
    const { page } = await signedIn(stage);
    await page.goto("/knowledge-bases");
    await page.getByLabel("Name").fill("Handbook");
    await page.getByRole("button", { name: "Create" }).click();
    const notice = page.getByText("The knowledge base is ready.");
    await notice.waitFor();
    assert.equal(new URL(page.url()).search, "");
    await page.reload();
    assert.equal(await notice.count(), 0);
    await page.goto("/knowledge-bases?done=base-made");
    assert.equal(await notice.count(), 0);
  });

  test("WEB53 reloading a page that answered a form does not send the form again", async () => {
    const { page } = await signedIn(stage);
    await page.goto("/account/tokens");
    await page.getByLabel("Name").fill("Robot");
    await page.getByLabel("Read-only").check();
    await page.getByRole("button", { name: "Create token" }).click();
    await page.getByRole("heading", { name: "Your new token" }).waitFor();
    await page.waitForLoadState("load");
    await page.reload();
    assert.equal(await page.getByRole("heading", { name: "Your new token" }).count(), 0);
    assert.equal(await page.getByText("Robot", { exact: true }).count(), 1);
  });

  test("WEB5 the place within a page is kept over signing in", async () => {
    const account = await makeAccount(stage);
    const { id } = await makeDocument(await programOf(stage, account), { text: "First.\n\n## Second\n\nThird.\n" });
    const page = await stage.visitor();
    await page.goto(`/documents/${id}#section-second`);
    await page.getByLabel("Email").fill(account.email);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL(`**/documents/${id}#section-second`);
  });

  test("WEB5 a link into another of one's workspaces opens it there, and one into a stranger's opens nothing", async () => {
    const ada = await makeAccount(stage, { name: "Ada" });
    const bob = await makeAccount(stage, { name: "Bob" });
    const join = {
      workspace_id: bob.workspaceId,
      user_id: ada.userId,
      role: "viewer",
      created_at: Date.now(),
    } as const;
    await stage.world.app.services.database.transaction((tx) => insertMembership(tx, join));
    const program = await programOf(stage, bob);
    const base = await makeKnowledgeBase(program, "Bob's");
    const { id } = await makeDocument(program, { title: "Hers too", text: "Shared.\n", knowledge_base_id: base.id });
    const page = await signedInAs(stage, ada);
    await page.goto(`/documents/${id}?block=none#main`);
    await page.getByText("Shared.").waitFor();
    await page.getByText("This page is in another of your workspaces. You have been switched to it.").waitFor();
    await page.getByRole("treeitem", { name: "Bob's", exact: true }).waitFor();
    assert.match(page.url(), new RegExp(`/documents/${id}\\?block=none#main$`));
    // A tab that is left over in the other workspace reads itself again from there: nobody goes there with it.
    const mine = await makeDocument(await programOf(stage, ada), { title: "Mine" });
    assert.match(await page.evaluate<string>(`fetch("/documents/${mine.id}").then((answer) => answer.text())`), /Mine/);
    const quiet = await makeDocument(program, { title: "Not opened", knowledge_base_id: base.id });
    assert.equal(await page.evaluate(`fetch("/documents/${quiet.id}").then(({ status }) => status)`), 200);
    await page.reload();
    await page.getByRole("treeitem", { name: "Bob's", exact: true }).waitFor();
    const recent = page.locator(".side-part", { hasText: "Recent" });
    await recent.getByText("Hers too").waitFor();
    assert.equal(await recent.getByText("Not opened").count(), 0);
    const { page: stranger } = await signedIn(stage);
    assert.equal((await stranger.goto(`/documents/${id}`))?.status(), 404);
  });

  test("WEB53 a refusal keeps the navigation", async () => {
    const { page } = await signedIn(stage);
    assert.equal((await page.goto("/documents/doc_none"))?.status(), 404);
    await page.getByRole("navigation", { name: "Workspace" }).getByRole("link", { name: "Review" }).waitFor();
    assert.deepEqual(await violations(page), []);
  });
});

inBrowser(
  "too many requests",
  (stage) => {
    before(stayInOneDay);

    test("WEB53 a refusal says how long to wait and keeps the navigation", async () => {
      const { page } = await signedIn(stage);
      for (let left = 60; left > 0; left--) if ((await page.request.get("/members")).status() === 429) break;
      await page.goto("/members");
      await page.getByText(/Try again in [\d,]+ (second|minute)s?\./).waitFor();
      await page.getByRole("navigation", { name: "Workspace" }).getByRole("link", { name: "Review" }).waitFor();
    });
  },
  { SVC_RATE_LIMIT: "40", SVC_RATE_LIMIT_WINDOW_S: "86400" },
);

inBrowser("a fresh install", (stage) => {
  test("WEB5 the start page of a fresh install says where the set-up link is", async () => {
    const page = await stage.visitor();
    await page.goto("/");
    await page.getByText("The link to create the first one is in the server's log.").waitFor();
  });
});
