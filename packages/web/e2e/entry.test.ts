import assert from "node:assert/strict";
import { test } from "node:test";
import { hashSecret } from "@svc/server/http/callers/authenticate";
import { inBrowser } from "./browser.ts";
import { makeAccount, PASSWORD, signedIn, signIn } from "./people.ts";

inBrowser("set-up", (stage) => {
  test("WEB1 the printed link creates the owner's account and is dead afterwards", async () => {
    await stage.world.app.services.database.transaction((tx) =>
      tx
        .insertInto("server_state")
        .values({ key: "setup_token_hash", value: hashSecret("printed") })
        .execute(),
    );
    const page = await stage.visitor();
    await page.goto("/setup/printed");
    await page.getByLabel("Your name").fill("Ada");
    await page.getByLabel("Email").fill("ada@example.com");
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByRole("status").getByText("Your account is ready.").waitFor();
    await page.getByRole("button", { name: "Account menu of Ada" }).waitFor();
    const later = await stage.visitor();
    await later.goto("/setup/printed");
    await later.getByRole("heading", { name: "This link is over" }).waitFor();
  });
});

inBrowser("signing in", (stage) => {
  test("WEB5 / leads to the sign-in, and that back to where one wanted to go", async () => {
    const page = await stage.visitor();
    await page.goto("/");
    assert.equal(new URL(page.url()).pathname, "/sign-in");
    await page.getByText("is in the server's log").waitFor();
    const { email } = await makeAccount(stage);
    await page.goto("/members#main");
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Members" }).waitFor();
    assert.equal(new URL(page.url()).hash, "#main");
    await page.getByRole("button", { name: "Account menu" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByText("You have signed out.").waitFor();
    await page.goto("/members");
    assert.equal(new URL(page.url()).pathname, "/sign-in");
  });

  test("WEB3 wrong passwords are refused, and soon slowed down", async () => {
    const { email } = await makeAccount(stage);
    const page = await stage.visitor();
    await signIn(page, email, "not the password");
    await page.getByRole("alert").getByText("Email or password is wrong.").waitFor();
    const slowed = page.getByRole("alert").getByText("Too many attempts.");
    for (let tries = 1; tries < 12 && !(await slowed.isVisible()); tries++)
      await signIn(page, email, "not the password");
    await slowed.waitFor();
    await stage.world.app.services.database.transaction((tx) =>
      tx
        .updateTable("attempts")
        .set({ free_at: Date.now() + 60_000 })
        .execute(),
    );
    await signIn(page, email);
    await slowed.waitFor();
    await stage.world.app.services.database.transaction((tx) => tx.deleteFrom("attempts").execute());
    await signIn(page, email);
    await page.getByRole("button", { name: "Account menu" }).waitFor();
  });

  test("WEB4 changing the password ends the other sessions", async () => {
    const { page, account } = await signedIn(stage);
    const elsewhere = await stage.visitor();
    await signIn(elsewhere, account.email);
    await page.goto("/account");
    await page.getByLabel("Current password").fill("wrong");
    await page.getByLabel("New password").fill("another three words");
    await page.getByRole("button", { name: "Change password" }).click();
    await page.getByText("The current password is wrong.").waitFor();
    await page.getByLabel("Current password").fill(PASSWORD);
    await page.getByLabel("New password").fill("another three words");
    await page.getByRole("button", { name: "Change password" }).click();
    await page.getByText("Your password has been changed").waitFor();
    await elsewhere.goto("/account");
    assert.equal(new URL(elsewhere.url()).pathname, "/sign-in");
    await signIn(elsewhere, account.email, "another three words");
    await elsewhere.goto("/account");
    await elsewhere.getByRole("heading", { name: "Account" }).waitFor();
  });

  test("WEB4 a session is ended from another one", async () => {
    const { page, account } = await signedIn(stage);
    const elsewhere = await stage.visitor({ userAgent: "Mozilla/5.0 (Windows NT 10.0; rv:140.0) Firefox/140.0" });
    await signIn(elsewhere, account.email);
    await page.goto("/account");
    const row = page.getByRole("listitem").filter({ hasText: "Firefox on Windows" });
    await row.getByText("End", { exact: true }).click();
    await row.getByRole("button", { name: "End session" }).click();
    await page.getByText("The session has ended.").waitFor();
    assert.equal(await page.getByText("Firefox on Windows").count(), 0);
    await elsewhere.goto("/account");
    assert.equal(new URL(elsewhere.url()).pathname, "/sign-in");
  });

  test("WEB14 signing in and connecting a device work without scripts", async () => {
    const { email } = await makeAccount(stage);
    const page = await stage.visitor({ javaScriptEnabled: false });
    await signIn(page, email);
    await page.goto("/device");
    await page.getByLabel("Code").fill("bcdf ghjk");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("No request is waiting for this code.").waitFor();
  });
});
