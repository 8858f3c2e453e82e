import assert from "node:assert/strict";
import { test } from "node:test";
import { inBrowser } from "./browser.ts";
import { PASSWORD, signedIn } from "./people.ts";

inBrowser("members", (stage) => {
  test("WEB10 an owner invites by link, sets a role and removes", async () => {
    const { page } = await signedIn(stage);
    await page.goto("/members");
    await page.getByLabel("For whom").fill("Grace");
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
    await page.getByText("2 people in Olga's workspace").waitFor();
    await page.getByRole("button", { name: "Workspace: Olga's workspace" }).click();
    await page.getByRole("button", { name: "Ivan's workspace" }).click();
    await page.getByRole("button", { name: "Workspace: Ivan's workspace" }).waitFor();
    await page.goto("/members");
    await page.getByText("1 person in Ivan's workspace").waitFor();
    await page.getByRole("button", { name: "Workspace: Ivan's workspace" }).click();
    await page.getByRole("link", { name: "New workspace…" }).click();
    await page.getByLabel("Name").fill("Reading group");
    await page.getByRole("button", { name: "Create workspace" }).click();
    await page.getByRole("button", { name: "Workspace: Reading group" }).waitFor();
    await page.goto("/members");
    await page.getByLabel("Name").fill("Writing group");
    await page.getByRole("button", { name: "Rename" }).click();
    await page.getByRole("button", { name: "Workspace: Writing group" }).waitFor();
  });
});
