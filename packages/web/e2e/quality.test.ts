import assert from "node:assert/strict";
import { before, test } from "node:test";
import { beginTotp } from "@svc/server/domain/identity/factors/use-code";
import { invite } from "@svc/server/domain/identity/invitations/invite";
import { insertGrant } from "@svc/server/domain/identity/oauth/queries";
import { createToken } from "@svc/server/domain/identity/tokens/create-token";
import { hashSecret } from "@svc/server/http/callers/authenticate";
import { assertStatus, Client } from "../../server/test/support/client.ts";
import { HandProgram } from "../../server/test/support/consent.ts";
import { makeSuggestion, makeWebhook } from "../../server/test/support/fixtures.ts";
import { inBrowser } from "./browser.ts";
import { fillLibrary, type Library } from "./library.ts";
import { type Account, makeAccount, programOf, signedInAs } from "./people.ts";
import { violations } from "./violations.ts";

inBrowser("every page", (stage) => {
  let ada: Account;
  let library: Library;
  const places = new Map<string, () => Promise<string>>();
  const at = (name: string, path: () => Promise<string>) => places.set(name, path);

  before(async () => {
    const { database } = stage.world.app.services;
    ada = await makeAccount(stage);
    const program = await programOf(stage, ada);
    library = await fillLibrary(program);
    await program.post("/concept-candidates/extract", { knowledge_base_id: library.base.id });
    await makeAccount(stage, { workspace: ada.workspaceId, role: "viewer", name: "Grace" });
    await database.transaction((tx) =>
      invite(tx, { workspaceId: ada.workspaceId, createdBy: ada.userId, role: "viewer", note: "Kurt" }),
    );
  });

  at("sign-in", async () => "/sign-in");
  at("a dead link", async () => "/setup/none");
  at("invitation", async () => {
    const make = { workspaceId: ada.workspaceId, createdBy: ada.userId, role: "editor" as const, note: "" };
    return `/join/${await stage.world.app.services.database.transaction((tx) => invite(tx, make))}`;
  });
  at("API tokens", async () => "/account/tokens");
  at("connect an agent", async () => "/account/connect");
  at("webhooks", async () => "/webhooks");
  at("webhook", async () => `/webhooks/${(await makeWebhook(await programOf(stage, ada))).id}`);
  at("account", async () => "/account");
  at("forgotten password", async () => "/forgotten");
  at("sign-in and security", async () => "/account/security");
  at("authenticator app", async () => {
    const { database, secret } = stage.world.app.services;
    await database.transaction((tx) => beginTotp(tx, secret, ada.userId, Date.now()));
    return "/account/security/totp";
  });
  at("members", async () => "/members");
  at("new workspace", async () => "/workspaces/new");
  at("device code", async () => "/device");
  at("device confirmation", async () => {
    const client = new Client(stage.world.url);
    const { data } = assertStatus(await client.post("/auth/device/code", { client_name: "Shell" }), 200);
    return `/device?code=${data.user_code}`;
  });
  at("knowledge bases", async () => "/knowledge-bases");
  at("knowledge base", async () => `/knowledge-bases/${library.base.id}`);
  at("folder", async () => `/folders/${library.folder.id}`);
  at("document", async () => `/documents/${library.welcome.id}`);
  at("versions", async () => `/documents/${library.welcome.id}/versions`);
  at("difference", async () => `/documents/${library.welcome.id}/versions/1`);
  at("trash", async () => {
    const program = await programOf(stage, ada);
    const { id } = (await program.post("/folders", { name: "Drafts", knowledge_base_id: library.base.id })).data;
    await program.delete(`/folders/${id}`);
    return "/trash";
  });
  at("review", async () => "/review");
  at("concepts", async () => "/concepts");
  at("concept", async () => {
    const program = await programOf(stage, ada);
    const make = (name: string) => program.post("/concepts", { knowledge_base_id: library.base.id, name });
    const [a, b] = [(await make("Release")).data, (await make("Deploy")).data];
    const relation = { predicate: "related_to", target_concept_id: b.id };
    assertStatus(await program.post(`/concepts/${a.id}/relations`, relation, { ifMatch: a.version }), 201);
    return `/concepts/${a.id}`;
  });
  at("consent to a program", async () => {
    const program = new HandProgram(stage.world.url);
    await program.register({ client_name: "An agent" });
    return program.authorizeUrl().slice(stage.world.url.length);
  });
  at("connected programs", async () => {
    await stage.world.app.services.database.transaction(async (tx) => {
      const { userId, workspaceId } = ada;
      const { tokenId } = await createToken(tx, { userId, workspaceId, name: "An agent", access: "read_only" });
      const grant = { client_id: "client_x", client_uri: null, scopes: "documents:read", resource: "x" };
      await insertGrant(tx, { token_id: tokenId, ...grant, expires_at: Date.now() + 1e9 });
    });
    return "/account#programs";
  });
  at("settings", async () => "/settings");
  at("import", async () => "/import");
  at("notifications", async () => "/notifications");
  at("notification settings", async () => "/notifications/settings");
  at("suggestions", async () => {
    const program = await programOf(stage, ada);
    await makeSuggestion(program, { document_id: library.other.id });
    return `/documents/${library.other.id}/suggestions`;
  });
  at("suggesting", async () => `/documents/${library.other.id}/suggest`);
  at("usage", async () => "/usage");
  at("activity", async () => "/activity?agents=0&action=put_content");
  for (const name of ["", "/comments", "/nodes"]) at(`API reference ${name}`, async () => `/api-docs${name}`);
  at("search of the API reference", async () => "/api-docs?q=page");
  for (const name of ["", "/operating", "/architecture"]) at(`documentation ${name}`, async () => `/docs${name}`);
  at("search of the documentation", async () => "/docs?q=backup");
  at("nothing", async () => "/no/such/page");

  const signedOut = new Set(["sign-in", "a dead link", "invitation"]);

  for (const [name, path] of places) {
    test(`WEB17 ${name} is accessible, fits a phone, and asks nobody else`, async () => {
      const page = signedOut.has(name) ? await stage.visitor() : await signedInAs(stage, ada);
      const outside: string[] = [];
      const complaints: string[] = [];
      page.on("request", (request) => {
        if (!request.url().startsWith(stage.world.url) && !request.url().startsWith("data:"))
          outside.push(request.url());
      });
      page.on("console", (message) => {
        if (message.type() === "error" && !/status of 4\d\d/.test(message.text())) complaints.push(message.text());
      });
      page.on("pageerror", (error) => complaints.push(error.message));
      await page.goto(await path());
      for (const [colorScheme, width] of [
        ["light", 1280],
        ["dark", 390],
      ] as const) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 800 });
        assert.deepEqual(await violations(page), [], colorScheme);
      }
      for (const width of [320, 390, 800, 1000, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        const overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
        assert.ok(Number(overflow) <= 0, `${overflow} px too wide at ${width}`);
      }
      assert.deepEqual({ outside, complaints }, { outside: [], complaints: [] });
    });
  }

  test("WEB17 set-up and the pages that answer a form are accessible", async () => {
    const page = await signedInAs(stage, ada);
    await page.goto("/account/tokens");
    await page.getByLabel("Name").fill("x");
    await page.getByLabel("Chosen scopes").check();
    assert.deepEqual(await violations(page), []);
    await page.getByRole("button", { name: "Create token" }).click();
    await page.getByRole("alert").waitFor();
    assert.deepEqual(await violations(page), []);
    await page.getByLabel("Read-only").check();
    await page.getByRole("button", { name: "Create token" }).click();
    await page.getByRole("heading", { name: "Your new token" }).waitFor();
    assert.deepEqual(await violations(page), []);
    await page.goto("/account/tokens");
    await page.getByText("Revoke", { exact: true }).first().click();
    assert.deepEqual(await violations(page), []);
    await page.getByRole("button", { name: "Account menu" }).click();
    assert.deepEqual(await violations(page), []);
  });

  test("WEB18 the keyboard reaches content and menus", async () => {
    const page = await signedInAs(stage, ada);
    await page.goto("/members");
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate("document.activeElement.textContent"), "Skip to content");
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate("document.activeElement.id"), "main");
    await page.getByRole("button", { name: "Account menu" }).focus();
    await page.keyboard.press("Enter");
    await page.locator("#menu-account").getByRole("link", { name: "API tokens" }).waitFor();
    await page.keyboard.press("Escape");
    await page.locator("#menu-account").getByRole("link", { name: "API tokens" }).waitFor({ state: "hidden" });
  });
});

inBrowser("set-up", (stage) => {
  test("WEB17 the set-up page is accessible", async () => {
    await stage.world.app.services.database.transaction((tx) =>
      tx
        .insertInto("server_state")
        .values({ key: "setup_token_hash", value: hashSecret("t") })
        .execute(),
    );
    const page = await stage.visitor();
    await page.goto("/setup/t");
    assert.deepEqual(await violations(page), []);
  });
});
