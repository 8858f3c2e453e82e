import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { assertError, assertStatus, Client } from "../../server/test/support/client.ts";
import { inBrowser } from "./browser.ts";
import { makeAccount, PASSWORD, signedIn } from "./people.ts";

inBrowser("device login", (stage) => {
  const program = () => new Client(stage.world.url);
  const start = async (scopes = "read_write") =>
    assertStatus(await program().post("/auth/device/code", { client_name: "Notes <b>for</b> shells", scopes }), 200)
      .data;
  const poll = (device_code: string) => program().post("/auth/device/token", { device_code });

  test("DEV7 from the program's link over sign-in and approval to a working token", async () => {
    const { email } = await makeAccount(stage);
    const { device_code, user_code, verification_uri_complete, interval } = await start();
    assertError(await poll(device_code), "authorization_pending");
    assertError(await poll(device_code), "slow_down");
    const page = await stage.visitor();
    await page.goto(verification_uri_complete);
    await page.getByText("Sign in to connect your device.").waitFor();
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "An app wants to connect" }).waitFor();
    await page.getByText("Notes <b>for</b> shells").first().waitFor();
    await page.getByText(user_code).waitFor();
    await page.getByText("Create, change and delete documents").waitFor();
    await sleep(interval * 1000);
    assertError(await poll(device_code), "authorization_pending");
    await page.getByRole("button", { name: "Approve", exact: true }).click();
    await page.getByRole("heading", { name: "Connected" }).waitFor();
    const { data } = assertStatus(await poll(device_code), 200);
    assert.equal(data.access, "read_write");
    const me = await new Client(stage.world.url, data.access_token).get("/me");
    assert.equal(me.data.user.email, email);
    assertError(await poll(device_code), "expired_token");
    await page.goto("/account/tokens");
    await page.getByRole("listitem").filter({ hasText: "Notes <b>for</b> shells" }).waitFor();
  });

  test("DEV7 the code is typed, and given as read-only", async () => {
    const { page } = await signedIn(stage);
    const { device_code, user_code } = await start();
    await page.goto("/device");
    await page.getByLabel("Code").fill(user_code.toLowerCase().replace("-", " "));
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("button", { name: "Approve read-only" }).click();
    await page.getByRole("heading", { name: "Connected" }).waitFor();
    const { data } = assertStatus(await poll(device_code), 200);
    assert.equal(data.access, "read_only");
    assert.ok(data.scopes.every((scope: string) => scope.endsWith(":read")));
  });

  test("DEV7 a program that asks to read is offered no more", async () => {
    const { page } = await signedIn(stage);
    await page.goto((await start("read_only")).verification_uri_complete);
    await page.getByRole("button", { name: "Approve read-only" }).waitFor();
    assert.equal(await page.getByRole("button", { name: "Approve", exact: true }).count(), 0);
  });

  test("DEV8 denied is denied, and a code is answered once", async () => {
    const { page } = await signedIn(stage);
    const { device_code, verification_uri_complete } = await start();
    await page.goto(verification_uri_complete);
    const second = await page.context().newPage();
    await second.goto(verification_uri_complete);
    await page.getByRole("button", { name: "Deny" }).click();
    await page.getByRole("heading", { name: "Denied" }).waitFor();
    await second.getByRole("button", { name: "Approve", exact: true }).click();
    await second.getByText("No request is waiting for this code.").waitFor();
    assertError(await poll(device_code), "access_denied");
  });

  test("DEV8 codes cannot be tried out", async () => {
    const { page } = await signedIn(stage);
    for (let tries = 0; tries <= 10; tries++) await page.goto("/device?code=BCDF-GHJK");
    await page.getByText("Too many attempts.").waitFor();
  });

  test("DEV9 the workspace is chosen by who belongs to several", async () => {
    const { page } = await signedIn(stage);
    await page.goto("/workspaces/new");
    await page.getByLabel("Name").fill("Second");
    await page.getByRole("button", { name: "Create workspace" }).click();
    const { device_code, verification_uri_complete } = await start();
    await page.goto(verification_uri_complete);
    await page.getByLabel("In the workspace").selectOption("Ada Lovelace's workspace");
    await page.getByRole("button", { name: "Approve", exact: true }).click();
    await page.getByRole("heading", { name: "Connected" }).waitFor();
    const { data } = assertStatus(await poll(device_code), 200);
    const me = await new Client(stage.world.url, data.access_token).get("/me");
    assert.equal(me.data.workspace.name, "Ada Lovelace's workspace");
  });
});
