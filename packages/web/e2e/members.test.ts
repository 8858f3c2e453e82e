import assert from "node:assert/strict";
import { test } from "node:test";
import { makeKnowledgeBase } from "../../server/test/support/fixtures.ts";
import { inBrowser } from "./browser.ts";
import { makeAccount, PASSWORD, programOf, signedIn } from "./people.ts";

inBrowser("members", (stage) => {
  test("WEB10 an owner invites by link, sets a role and removes", async () => {
    const { page } = await signedIn(stage);
    await page.goto("/members");
    await page.getByLabel("Name (only you see this)").fill("Grace");
    await page.getByLabel("Role", { exact: true }).selectOption("viewer");
    await page.getByRole("button", { name: "Create invitation" }).click();
    const link = (await page.getByRole("textbox", { name: "Link for one viewer" }).textContent()) ?? "";

    const guest = await stage.visitor();
    await guest.goto(link);
    await guest.getByText("invites you to Ada Lovelace's workspace as viewer").waitFor();
    await guest.getByLabel("Your name").fill("Grace Hopper");
    await guest.getByLabel("Email").fill("grace@example.com");
    await guest.getByLabel("Password").fill(PASSWORD);
    await guest.getByRole("button", { name: "Create account and join" }).click();
    await guest.getByText("You have joined the workspace.").waitFor();
    assert.equal(await guest.getByRole("heading", { name: "Invite" }).count(), 0);
    await guest.goto(link);
    await guest.getByRole("heading", { name: "This invitation is over" }).waitFor();

    await page.goto("/members");
    await page.getByLabel("Role of Grace Hopper").selectOption("owner");
    const row = page.getByRole("listitem").filter({ hasText: "Grace Hopper" });
    await row.getByRole("button", { name: "Save" }).click();
    await page.getByText("The role has been changed.").waitFor();
    await guest.goto("/members");
    await guest.getByRole("heading", { name: "Invite" }).waitFor();
    await row.getByText("Remove", { exact: true }).click();
    await row.getByRole("button", { name: "Remove Grace Hopper" }).click();
    await page.getByText("The member has been removed").waitFor();
    await guest.goto("/members");
    assert.equal(new URL(guest.url()).pathname, "/sign-in");
  });

  test("WEB10 an invitation can be withdrawn", async () => {
    const { page } = await signedIn(stage);
    await page.goto("/members");
    await page.getByRole("button", { name: "Create invitation" }).click();
    const link = (await page.getByRole("textbox", { name: "Link for one editor" }).textContent()) ?? "";
    await page.getByRole("link", { name: "Done" }).click();
    await page.getByRole("button", { name: "Withdraw" }).click();
    await page.getByText("The invitation has been withdrawn.").waitFor();
    await page.goto(link);
    await page.getByRole("heading", { name: "This invitation is over" }).waitFor();
  });

  test("WEB92 somebody is found in a long list by typing, and a role is saved when it is another one", async () => {
    const { page, account } = await signedIn(stage);
    await page.goto("/members");
    assert.equal(await page.getByRole("searchbox", { name: "Find in people" }).count(), 0, "nobody to find among one");
    const names = ["Jiří Novák", "Grace Hopper", ...Array.from({ length: 12 }, (_, index) => `Member ${index}`)];
    for (const name of names) await makeAccount(stage, { name, workspace: account.workspaceId, role: "viewer" });
    for (const path of ["/members", await makeBaseAccess()]) {
      await page.goto(path);
      const people = page.locator("[data-people=people] > li:visible");
      assert.equal(await people.count(), 15);
      await page.getByRole("searchbox", { name: "Find in people" }).fill("nova jiri");
      await page.getByText("1 of 15").waitFor();
      assert.match(await people.innerText(), /Jiří Novák/);
      await page.keyboard.press("Enter");
      await page.keyboard.press("Control+a");
      await page.keyboard.type("nobody");
      await page.getByText("Nobody has this name.").waitFor();
      assert.equal(new URL(page.url()).pathname, path, "Enter sends nothing");
    }
    await page.goto("/members");
    const row = page.getByRole("listitem").filter({ hasText: "Grace Hopper" });
    assert.equal(await row.getByRole("button", { name: "Save" }).count(), 0);
    await page.getByLabel("Role of Grace Hopper").selectOption("editor");
    await row.getByRole("button", { name: "Save" }).click();
    await page.getByText("The role has been changed.").waitFor();

    async function makeBaseAccess(): Promise<string> {
      const { id } = await makeKnowledgeBase(await programOf(stage, account));
      return `/knowledge-bases/${id}/access`;
    }
  });

  test("WEB11 the only owner stays", async () => {
    const { page } = await signedIn(stage);
    await page.goto("/members");
    await page.getByText("Leave", { exact: true }).click();
    await page.getByRole("button", { name: "Leave workspace" }).click();
    await page.getByRole("alert").getByText("This is the only owner.").waitFor();
  });

  test("WEB16 who belongs to several workspaces switches between them", async () => {
    const { page: owner } = await signedIn(stage, { name: "Olga" });
    await owner.goto("/members");
    await owner.getByRole("button", { name: "Create invitation" }).click();
    const link = (await owner.getByRole("textbox", { name: "Link for one editor" }).textContent()) ?? "";
    const { page } = await signedIn(stage, { name: "Ivan" });
    await page.goto(link);
    await page.getByRole("button", { name: "Join as Ivan" }).click();
    await page.getByText("You have joined the workspace.").waitFor();
    assert.equal(new URL(page.url()).pathname, "/knowledge-bases");
    await page.getByRole("button", { name: "Workspace: Olga's workspace" }).click();
    await page.getByRole("button", { name: "Ivan's workspace" }).click();
    await page.getByRole("button", { name: "Workspace: Ivan's workspace" }).waitFor();
    await page.goto("/members");
    await page.getByRole("heading", { name: "1 person" }).waitFor();
    await page.getByRole("button", { name: "Workspace: Ivan's workspace" }).click();
    await page.getByRole("link", { name: "New workspace…" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Reading group");
    await page.getByRole("button", { name: "Create workspace" }).click();
    await page.getByRole("button", { name: "Workspace: Reading group" }).waitFor();
    await page.goto("/members");
    await page.getByLabel("Name", { exact: true }).fill("Writing group");
    await page.getByRole("button", { name: "Rename" }).click();
    await page.getByRole("button", { name: "Workspace: Writing group" }).waitFor();
  });
});
