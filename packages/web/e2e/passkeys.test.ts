import assert from "node:assert/strict";
import { test } from "node:test";
import { codeAt, fromBase32, stepAt } from "@svc/server/domain/identity/factors/totp";
import type { Page } from "playwright-core";
import { inBrowser, type Stage } from "./browser.ts";
import { makeAccount, PASSWORD } from "./people.ts";
import { violations } from "./violations.ts";

/** Browsers know passkeys for names only, so the server is called by its name here. */
const byName = (stage: Stage) => stage.world.url.replace("127.0.0.1", "localhost");

/** A device with an authenticator of its own, that its person unlocks at once. */
async function device(stage: Stage): Promise<Page> {
  const page = await stage.visitor({ baseURL: byName(stage) });
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return page;
}

async function giveTheirPassword(page: Page, email: string): Promise<void> {
  await page.goto("/sign-in");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** From here on a password leads to a second step. */
async function switchCodesOn(page: Page): Promise<void> {
  await page.goto("/account/security");
  await page.getByRole("button", { name: "Set up an app" }).click();
  const key = (await page.locator("#key").textContent()) ?? "";
  await page
    .getByRole("textbox", { name: "Code" })
    .fill(codeAt(fromBase32(key.replaceAll(" ", "")), stepAt(Date.now())));
  await page.getByRole("button", { name: "Turn on two-factor" }).click();
  await page.getByRole("heading", { name: "Recovery codes" }).waitFor();
}

async function signIn(page: Page, email: string): Promise<void> {
  await giveTheirPassword(page, email);
  await page.getByRole("button", { name: "Account menu" }).waitFor();
}

async function addPasskey(page: Page, name: string): Promise<void> {
  await page.goto("/account/security");
  await page.getByLabel("Name of the passkey").fill(name);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByText("The passkey has been added.").waitFor();
}

const signOut = async (page: Page): Promise<void> => {
  await page.goto("/account");
  await page.getByRole("button", { name: "Account menu" }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByText("You have signed out.").waitFor();
};

const forgetProof = (stage: Stage, userId: string) =>
  stage.world.app.services.database.transaction((tx) =>
    tx.updateTable("sessions").set({ proven_at: 0 }).where("user_id", "=", userId).execute(),
  );

inBrowser("passkeys", (stage) => {
  test("SIGN18 a passkey is added, signs in without a password, and is removed", async () => {
    const { email, userId } = await makeAccount(stage);
    const page = await device(stage);
    await signIn(page, email);
    await addPasskey(page, "My laptop");
    assert.deepEqual(await violations(page), []);
    await signOut(page);
    assert.deepEqual(await violations(page), []);
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await page.getByRole("button", { name: "Account menu of Ada Lovelace" }).waitFor();
    const { read } = stage.world.app.services.database;
    const told = await read.selectFrom("audit_log").select("summary").where("user_id", "=", userId).execute();
    assert.ok(told.some(({ summary }) => summary?.endsWith(", with a passkey")));
    await page.goto("/account/security");
    const row = page.getByRole("listitem").filter({ hasText: "My laptop" });
    await row.getByText("Remove", { exact: true }).click();
    await row.getByRole("button", { name: "Remove passkey" }).click();
    await page.getByText("The passkey has been removed.").waitFor();
    await signOut(page);
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await page.getByRole("alert").getByText("This passkey is not registered here.").waitFor();
  });

  test("SIGN18 a disabled account stays shut to its passkey", async () => {
    const { email, userId } = await makeAccount(stage);
    const page = await device(stage);
    await signIn(page, email);
    await addPasskey(page, "Key");
    await signOut(page);
    await stage.world.app.services.database.transaction((tx) =>
      tx.updateTable("users").set({ disabled_at: 1 }).where("id", "=", userId).execute(),
    );
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await page.getByText("This account is disabled.").waitFor();
  });

  test("SIGN16 a passkey is a fresh proof for making a token", async () => {
    const { email, userId } = await makeAccount(stage);
    const page = await device(stage);
    await signIn(page, email);
    await addPasskey(page, "Key");
    await forgetProof(stage, userId);
    await page.goto("/account/tokens");
    await page.getByLabel("Name").fill("by passkey");
    await page.getByRole("button", { name: "Create token" }).click();
    await page.getByRole("heading", { name: "Confirm it’s you" }).waitFor();
    assert.deepEqual(await violations(page), []);
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await page.getByText("by passkey").first().waitFor();
    assert.match((await page.getByRole("textbox", { name: "Token" }).textContent()) ?? "", /^svc_tok_/);
  });

  test("SIGN18 a passkey is the second step after a password; one of somebody else is not", async () => {
    const { email } = await makeAccount(stage);
    const page = await device(stage);
    await signIn(page, email);
    await addPasskey(page, "Key");
    await switchCodesOn(page);
    const other = await makeAccount(stage, { name: "Grace Hopper" });
    const stranger = await device(stage);
    await signIn(stranger, other.email);
    await addPasskey(stranger, "Key of another");
    await signOut(stranger);
    await giveTheirPassword(stranger, email);
    await stranger.getByRole("heading", { name: "Second step" }).waitFor();
    assert.deepEqual(await violations(stranger), []);
    await stranger.getByRole("button", { name: "Use a passkey" }).click();
    await stranger.getByRole("alert").waitFor();
    await stranger.goto("/account");
    await stranger.getByLabel("Password").waitFor();
    await signOut(page);
    await giveTheirPassword(page, email);
    await page.getByRole("heading", { name: "Second step" }).waitFor();
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await page.getByRole("button", { name: "Account menu of Ada Lovelace" }).waitFor();
  });

  test("SIGN18 an answer to a challenge counts once, in the browser that it was made for", async () => {
    const { email } = await makeAccount(stage);
    const page = await device(stage);
    await signIn(page, email);
    await addPasskey(page, "Key");
    await signOut(page);
    const sent = page.waitForRequest((request) => new URL(request.url()).pathname === "/sign-in/passkey");
    await page.getByRole("button", { name: "Use a passkey" }).click();
    const fields = new URLSearchParams((await sent).postData() ?? "");
    await page.getByRole("button", { name: "Account menu" }).waitFor();
    const cookies = await page.context().cookies();
    const visitor = cookies.find(({ name }) => name === "svc_visitor")?.value;
    const again = await fetch(`${byName(stage)}/sign-in/passkey`, {
      method: "POST",
      body: fields,
      headers: { cookie: `svc_visitor=${visitor}`, origin: byName(stage) },
      redirect: "manual",
    });
    assert.equal(again.status, 422);
    assert.match(await again.text(), /This passkey is not registered here/);
  });
});
